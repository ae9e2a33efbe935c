package schedule

import (
	"math"

	"egad/kernel"
	"egad/kernel/cost"
)

// Seldom reports whether a loop searches so many numbers that it pays to ask first whether one of
// those in so many vectors is better, by one search along lanes or by one for each lane: of numbers
// in no order, number n is better than those before it once in n times.
func Seldom(l *kernel.Loop, vectors int, along bool) bool {
	n := 4 * 2 * vectors
	if !along {
		n *= 4
	}
	return l.N >= n
}

// search is what one run of a loop takes that searches, more than one that adds up.
func (e *estimator) search(l *kernel.Loop, along bool) float64 {
	n := float64(e.lines * e.vectors)
	choice := n * costOfChoice * e.Of[cost.Instruction]
	if along {
		choice = 2 * n * (e.Of[cost.Insert] + e.Of[cost.Instruction])
	}
	if !Seldom(l, e.vectors, along) {
		return choice
	}
	together := float64(2*e.vectors) / float64(l.N)
	chosen := together * (1 - math.Log(together))
	return n*e.Of[cost.Instruction] + chosen*(choice+float64(e.lines)*costOfSurprise*e.Of[cost.Instruction])
}

// costOfChoice is how many instructions choose the better numbers, and where they are, in a vector,
// and costOfSurprise as how many it takes to go on where it was not foreseen.
const (
	costOfChoice   = 6
	costOfSurprise = 25
)
