package fuse

import (
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
)

// Ragged has sums of which data say to which elements each of their terms is added be added up term by
// term, as the gradient of sums of parts of an array, which begin and end where data say:
//
//	build n (\e -> sum (build m (\i -> if start[i] <= e && e < start[i + 1] then g[i] else 0)))
//
// Within a term only the runs are done in which it is not 0, while for an element none of the terms is
// known to be 0 before. Terms of an element are added in the same order.
func Ragged(p *kernel.Program, w *cost.Weights) {
	for i, k := range p.Kernels {
		p.Kernels[i], _ = termwise(i, k, w)
	}
}

// termwise is a kernel as it takes the least time, if it sums, added up term by term or not, and how long it takes.
func termwise(number int, k *kernel.Kernel, w *cost.Weights) (*kernel.Kernel, float64) {
	least := schedule.Cost(w, k.Body)
	m := newMember(number, k)
	if m == nil {
		return k, least
	}
	if m = m.adding(); m == nil {
		return k, least
	}
	along := m.loops[len(m.loops)-1]
	for j, l := range m.loops[:len(m.loops)-1] {
		if !m.told(l, along) {
			continue
		}
		for _, q := range []*pass{m.innermost(j), m.outermost(j)} {
			body := q.body(func(*kernel.Array) bool { return false })
			if t := schedule.Cost(w, body); t < least {
				k, least = &kernel.Kernel{Body: body}, t
			}
		}
	}
	return k, least
}

// told reports whether of each run of a loop data say which runs of another loop make what is not 0.
func (m *member) told(l, by *kernel.Loop) bool {
	return slices.ContainsFunc(sparsity.NewBounder().Nonzero(m.store.Value), func(x sparsity.Limit) bool {
		i := slices.Index(x.Args, l.Var)
		return i >= 0 && kernel.IsUnit(x.Coef[i]) && slices.ContainsFunc(x.Args, func(v *kernel.Value) bool {
			return v.Kind == kernel.Load && kernel.Needed(v)[by.Var] && !kernel.Needed(v)[l.Var]
		})
	})
}

// innermost is a pass of one kernel in which one of its loops is innermost.
func (m *member) innermost(loop int) *pass {
	var order []int
	for i := range m.loops {
		if i != loop {
			order = append(order, i)
		}
	}
	return m.nested(append(order, loop))
}

// outermost is a pass of one kernel in which its last loop is outermost and one of the others comes next.
func (m *member) outermost(loop int) *pass {
	last := len(m.loops) - 1
	order := []int{last, loop}
	for i := range last {
		if i != loop {
			order = append(order, i)
		}
	}
	return m.nested(order)
}

// nested is a pass of one kernel with its loops in an order.
func (m *member) nested(order []int) *pass {
	n := *m
	n.at = slices.Clone(m.at)
	out := &pass{members: []*member{&n}}
	for at, i := range order {
		n.at[i], out.loops = at, append(out.loops, m.loops[i])
	}
	return out
}

// segments lists the loops of a kernel of which data say, in each run of another loop, which runs make what is not 0.
func (m *member) segments() []int {
	added := m
	if m.fold != nil {
		added = m.adding()
	}
	var out []int
	for i, l := range m.loops {
		if added != nil && slices.ContainsFunc(added.loops, func(by *kernel.Loop) bool { return by.Var != l.Var && added.told(l, by) }) {
			out = append(out, i)
		}
	}
	return out
}
