package lower

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
)

// rowsLast has the loops of a scatter along the last axes of its array be the innermost ones, where data say to which
// of its rows numbers are added, and reports whether that is another order. Their runs add to other elements each, so
// that they go in any order, and neighbours are added to neighbours:
//
//	scatter [m, n] a (\[i, j] -> [k[j], i])
//
// goes through j, and for each j through i.
func (k *nest) rowsLast(target []*kernel.Value) bool {
	from := len(target)
	var last []*kernel.Loop
	for ; from > 0; from-- {
		at := slices.IndexFunc(k.loops, func(l *kernel.Loop) bool { return l.Var == target[from-1] })
		if at < 0 {
			break
		}
		last = slice.With(last, k.loops[at]) // of a diagonal they are the same
	}
	place := kernel.Needed(target[:from]...)
	if len(last) == 0 || !slices.ContainsFunc(target[:from], func(v *kernel.Value) bool { return v.Kind == kernel.Load || v.Kind == kernel.Compute }) ||
		slices.ContainsFunc(last, func(l *kernel.Loop) bool { return place[l.Var] }) {
		return false
	}
	slices.Reverse(last)
	order := append(slices.DeleteFunc(slices.Clone(k.loops), func(l *kernel.Loop) bool { return slices.Contains(last, l) }), last...)
	if slices.Equal(order, k.loops) {
		return false
	}
	for _, l := range last {
		l.Order = kernel.Parallel
	}
	k.loops = order
	return true
}
