package krawiec

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"egad/internal/values"
	"egad/props"
)

// onRegisters is monadic-array with values of so many registers, or of 0 run by the evaluator
// of the core.
func onRegisters(n int32) *Route {
	r := *Find("monadic-array")
	r.registers = n
	return &r
}

// all is what a tape has, from its end.
func (t *Tape) all() (words []int32, factors []uint64) {
	w, f := t.words.Reader(), t.factors.Reader()
	for range t.words.Len() {
		words = append(words, w.Next())
	}
	for range t.factors.Len() {
		factors = append(factors, math.Float64bits(f.Next()))
	}
	return words, factors
}

// sameRun is an error if two runs have not the same gradient, bit for bit, the same counts and
// the same bindings with the same ids.
func sameRun(got, want *Outcome) error {
	if !slices.EqualFunc(got.Gradient, want.Gradient, func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}) {
		return fmt.Errorf("gradient %v, want %v", got.Gradient, want.Gradient)
	}
	if got.Counts != want.Counts {
		return fmt.Errorf("counts %+v, want %+v", got.Counts, want.Counts)
	}
	if got.Delta.String() != want.Delta.String() || got.Tape.First != want.Tape.First {
		return fmt.Errorf("root %s of ids from %d, want %s from %d", got.Delta, got.Tape.First, want.Delta, want.Tape.First)
	}
	words, factors := got.Tape.all()
	wantWords, wantFactors := want.Tape.all()
	if !slices.Equal(words, wantWords) || !slices.Equal(factors, wantFactors) {
		return fmt.Errorf("bindings %v at %v, want %v at %v", words, factors, wantWords, wantFactors)
	}
	return nil
}

// TestCompiled: what is compiled does what the evaluator of the core does, on programs with
// sums, functions, arrays and recursion, and also where nearly all pairs and sums are boxed.
func TestCompiled(t *testing.T) {
	for name, o := range map[string]props.FunctionalOptions{"differentiable": everything, "all": {Operators: props.AllOperators, Values: values.Dyadic, Recursion: true}} {
		t.Run(name, func(t *testing.T) {
			hold(t, 300, o, func(c props.FunctionalCase, task *Task, ct []float64) error {
				for _, task.PairOfArrays = range []bool{false, true} {
					want, err := onRegisters(0).Gradient(task, c.Inputs, ct)
					if err != nil {
						return err
					}
					for _, n := range []int32{Find("monadic-array").registers, 1} {
						got, err := onRegisters(n).Gradient(task, c.Inputs, ct)
						if err == nil {
							err = sameRun(got, want)
						}
						if err != nil {
							return fmt.Errorf("on %d registers: %w", n, err)
						}
					}
				}
				return nil
			})
		})
	}
}
