// Package functional has what tests do with functional programs: random ones that shrink,
// and array programs that they become.
package functional

import (
	"egad/props"

	"github.com/leanovate/gopter"
)

// Gen makes random well-typed functional programs of a closed set of inputs.
func Gen(o props.FunctionalOptions) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		c := props.RandomFunctional(p.Rng, o)
		return gopter.NewGenResult(c, func(v any) gopter.Shrink { return shrink(v.(props.FunctionalCase)) })
	}
}
