package schedule

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
)

// variances are what depends on the indices of loops of a nest, for all the ways to run it: its
// loops are copied there, and the indices are the same.
type variances struct {
	nest *kernel.Loop
	made []variancesOf
}

// of is the variance of some loops of the nest, or copies of them.
func (x *variances) of(loops ...*kernel.Loop) *kernel.Variance {
	var vars []*kernel.Value
	for _, l := range loops {
		vars = slice.With(vars, l.Var)
	}
	for _, c := range x.made {
		if slices.Equal(c.vars, vars) {
			return c.of
		}
	}
	var own []*kernel.Loop
	for l := range kernel.All[*kernel.Loop]([]kernel.Stmt{x.nest}) {
		if slices.Contains(vars, l.Var) {
			own = append(own, l)
		}
	}
	c := kernel.NewVariance([]kernel.Stmt{x.nest}, own...)
	x.made = append(x.made, variancesOf{vars, c})
	return c
}

// variancesOf is what depends on the indices of some of its loops.
type variancesOf struct {
	vars []*kernel.Value
	of   *kernel.Variance
}
