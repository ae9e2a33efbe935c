package kernel

import "math"

// Seldom reports whether a loop searches so many numbers that it pays to ask first whether one of
// those in so many vectors is better, by one search along lanes or by one for each lane: of numbers
// in no order, number n is better than those before it once in n times.
func (l *Loop) Seldom(vectors int, along bool) bool {
	n := 4 * 2 * vectors
	if !along {
		n *= 4
	}
	return l.N >= n
}

// search is what one run of a loop takes that searches, more than one that adds up.
func (e *estimator) search(l *Loop, along bool) float64 {
	n := float64(e.lines * e.vectors)
	choice := n * costOfChoice * e.of[costInstruction]
	if along {
		choice = 2 * n * (e.of[costInsert] + e.of[costInstruction])
	}
	if !l.Seldom(e.vectors, along) {
		return choice
	}
	together := float64(2*e.vectors) / float64(l.N)
	chosen := together * (1 - math.Log(together))
	return n*e.of[costInstruction] + chosen*(choice+float64(e.lines)*costOfSurprise*e.of[costInstruction])
}

// costOfChoice is how many instructions choose the better numbers, and where they are, in a vector,
// and costOfSurprise as how many it takes to go on where it was not foreseen.
const (
	costOfChoice   = 6
	costOfSurprise = 25
)
