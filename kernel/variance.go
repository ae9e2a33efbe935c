package kernel

import (
	"slices"

	"egad/internal/memo"
)

// Variance tells which values of a kernel depend on the index of a lane loop, where
// there is one value for each lane. No lane loop is in another one.
type Variance struct {
	Lane  *Loop           // that in which we are, or nil
	Lanes map[*Loop]bool  // all of them
	Vars  map[*Value]bool // of the lane loops
	vary  map[*Value]bool
}

// NewVariance tells what depends on the indices of some loops in a body.
func NewVariance(body []Stmt, lanes ...*Loop) *Variance {
	c := &Variance{Lanes: make(map[*Loop]bool), Vars: make(map[*Value]bool), vary: make(map[*Value]bool)}
	for _, l := range lanes {
		c.Lanes[l], c.Vars[l.Var] = true, true
	}
	c.markFolds(body, false)
	return c
}

// markFolds marks the results of folds, and what is carried, inside lane loops.
func (c *Variance) markFolds(body []Stmt, inside bool) {
	for _, l := range Among[*Loop](body) {
		for _, f := range l.Folds {
			c.vary[f.Result] = inside
		}
		for _, x := range l.Carries {
			c.vary[x.Value], c.vary[x.Result] = inside || c.Lanes[l], inside
		}
		c.markFolds(l.Body, inside || c.Lanes[l])
	}
}

// Varies reports whether v depends on the lane.
func (c *Variance) Varies(v *Value) bool {
	return memo.Of(c.vary, v, func() bool {
		return c.Vars[v] || slices.ContainsFunc(v.Args, c.Varies) || slices.ContainsFunc(v.At, c.Varies)
	})
}

// Mark notes whether a value that is made depends on the lane.
func (c *Variance) Mark(v *Value, varies bool) { c.vary[v] = varies }

// DefaultBlock is how many runs of a loop are computed together.
const DefaultBlock = 256
