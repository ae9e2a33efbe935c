package kernel

import (
	"slices"

	"egad/term/ops"
)

// changed are conditions without which a store stores what is there: an element of its array, or
// of one that lies in its place, if it is not nil.
func (b *bounder) changed(s *Store, in *Array) limits {
	ls, _ := b.changes(s.Value, s.Access)
	if in != nil {
		more, _ := b.changes(s.Value, Access{Array: in, At: s.At})
		ls = ls.and(more)
	}
	return ls
}

// changes are conditions without which a value is an element of an array; always says that it
// is that, whatever holds.
func (b *bounder) changes(v *Value, of Access) (ls limits, never bool) {
	c := &changes{bounder: b, of: of, done: make(map[*Value]change)}
	is := c.change(v)
	return is.limits, is.never
}

// changes are those of values that store an element.
type changes struct {
	*bounder
	of   Access
	done map[*Value]change
}

// change is what [bounder.changes] tells.
type change struct {
	limits
	never bool
}

func (c *changes) change(v *Value) (is change) {
	if is, ok := c.done[v]; ok {
		return is
	}
	switch {
	case v.same(c.of):
		is.never = true
	case v.Kind == Folded: // nothing, if the sum goes on from the element and adds 0
		if f := c.folds[v]; f != nil && f.Op == ops.SymSum && f.From != nil && f.From.same(c.of) {
			is.limits = slices.Clone(c.nonzero(f.Value).some(c.inside[v]))
			for i := range is.limits {
				is.limits[i].finite = true // as is -0 + 0
			}
		}
	case v.Kind != Compute:
	case v.Op == ops.SymWhere:
		yes, no := c.change(v.Args[1]), c.change(v.Args[2])
		switch {
		case yes.never && no.never:
			is.never = true
		case yes.never:
			is.limits = c.holds(v.Args[0], false).and(no.limits)
		case no.never:
			is.limits = c.holds(v.Args[0], true).and(yes.limits)
		default:
			is.limits = c.holds(v.Args[0], true).and(yes.limits).or(c.holds(v.Args[0], false).and(no.limits))
		}
	case v.Op == ops.SymAdd:
		for i, x := range v.Args {
			if c.change(x).never {
				// -0 + 0 is 0, which only exact code tells from it.
				is.limits = slices.Clone(c.nonzero(v.Args[1-i]))
				for i := range is.limits {
					is.limits[i].finite = true
				}
			}
		}
	}
	c.done[v] = is
	return is
}
