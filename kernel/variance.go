package kernel

// variance tells which values of a nest of loops depend on the index of its lane loop:
// there is one for each lane.
type variance struct {
	lane *Loop // nil if there is none
	vary map[*Value]bool
}

func newVariance(body []Stmt, lane *Loop) *variance {
	c := &variance{lane, make(map[*Value]bool)}
	c.markFolds(body, false)
	return c
}

// markFolds marks the results of folds inside the lane loop.
func (c *variance) markFolds(body []Stmt, inside bool) {
	for _, s := range body {
		if l, ok := s.(*Loop); ok {
			for _, f := range l.Folds {
				c.vary[f.Result] = inside
			}
			c.markFolds(l.Body, inside || l == c.lane)
		}
	}
}

// varies reports whether v depends on the lane.
func (c *variance) varies(v *Value) bool {
	w, ok := c.vary[v]
	if !ok {
		w = c.lane != nil && v == c.lane.Var
		for _, a := range v.Args {
			w = w || c.varies(a)
		}
		for _, a := range v.At {
			w = w || c.varies(a)
		}
		c.vary[v] = w
	}
	return w
}
