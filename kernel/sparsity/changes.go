package sparsity

import (
	"egad/internal/memo"
	"egad/kernel"
	"egad/term/ops"
)

// Changed finds conditions without which a store stores what is there: an element of its array, or
// of one that lies in its place, if it is not nil.
func (b *Bounder) Changed(s *kernel.Store, in *kernel.Array) Limits {
	ls, _ := b.Changes(s.Value, s.Access)
	if in != nil {
		more, _ := b.Changes(s.Value, kernel.Access{Array: in, At: s.At})
		ls = ls.And(more)
	}
	return ls
}

// Changes finds conditions without which a value is an element of an array; always says that it
// is that, whatever holds.
func (b *Bounder) Changes(v *kernel.Value, of kernel.Access) (ls Limits, never bool) {
	c := &changes{Bounder: b, of: of, done: make(map[*kernel.Value]change)}
	is := c.change(v)
	return is.Limits, is.never
}

// changes are those of values that store an element.
type changes struct {
	*Bounder
	of   kernel.Access
	done map[*kernel.Value]change
}

// change is what [Bounder.Changes] tells.
type change struct {
	Limits
	never bool
}

func (c *changes) change(v *kernel.Value) change {
	return memo.Of(c.done, v, func() change { return c.find(v) })
}

func (c *changes) find(v *kernel.Value) (is change) {
	switch {
	case v.SameAs(c.of):
		is.never = true
	case v.Kind == kernel.Folded: // nothing, if the sum goes on from the element and adds 0
		if f := c.folds[v]; f != nil && f.Op == ops.SymSum && f.From != nil && f.From.SameAs(c.of) {
			is.Limits = finite(c.Nonzero(f.Value).some(c.inside[v])) // as is -0 + 0
		}
	case v.Kind != kernel.Compute:
	case v.Op == ops.SymWhere:
		yes, no := c.change(v.Args[1]), c.change(v.Args[2])
		switch {
		case yes.never && no.never:
			is.never = true
		case yes.never:
			is.Limits = c.Holds(v.Args[0], false).And(no.Limits)
		case no.never:
			is.Limits = c.Holds(v.Args[0], true).And(yes.Limits)
		default:
			is.Limits = c.Holds(v.Args[0], true).And(yes.Limits).or(c.Holds(v.Args[0], false).And(no.Limits))
		}
	case v.Op == ops.SymAdd || v.Op == ops.SymSub:
		for i, x := range v.Args {
			if (v.Op == ops.SymAdd || i == 0) && c.change(x).never {
				// -0 + 0 is 0, which only exact code tells from it, as is -0 - -0.
				is.Limits = finite(c.Nonzero(v.Args[1-i]))
			}
		}
	}
	return is
}
