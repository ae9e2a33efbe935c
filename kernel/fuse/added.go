package fuse

import (
	"slices"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
)

// added is a kernel that sums along its last loop as one that adds to its sums in memory, in the order of
// that loop, which then need not be the innermost one: it can share loops with kernels that sum along
// another one. It is nil if there is none, or if what it sums is not in memory for each run of its loops,
// so that nothing would be spared by that.
func (m *member) added() *member {
	if !slices.ContainsFunc(m.loads, func(v *kernel.Value) bool {
		return v.Array.Role == kernel.Temp && !slices.ContainsFunc(m.loops, func(l *kernel.Loop) bool { return !slices.Contains(v.At, l.Var) })
	}) {
		return nil
	}
	return m.adding()
}

// adding is a kernel that sums along its last loop as one that adds to its sums in memory, or nil.
func (m *member) adding() *member {
	last := len(m.loops) - 1
	if m.fold == nil || m.fold.Op != ops.SymSum || last < 1 || len(m.store.At) != last || !sparsity.IsEach(m.store) {
		return nil
	}
	along := *m.loops[last]
	along.Order, along.Folds = kernel.InOrder, nil
	n := *m
	n.fold, n.byFold = nil, m
	n.store = &kernel.Store{Access: m.store.Access, Value: m.fold.Value, Add: true}
	n.loops = append(slices.Clone(m.loops[:last]), &along)
	return &n
}

// folded is a kernel that adds to its sums, as it was.
func (m *member) folded() *member {
	n := *m
	n.fold, n.store, n.loops, n.byFold = m.byFold.fold, m.byFold.store, m.byFold.loops, nil
	return &n
}
