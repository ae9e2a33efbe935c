package lower

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// nest is a kernel that is being made: loops around one store, with a fold in
// the innermost loop or without.
type nest struct {
	*making
	top      uint32 // the node whose array it fills
	b        *kernel.Builder
	loops    []*kernel.Loop
	elements map[string]*kernel.Value

	array  *kernel.Array
	target []*kernel.Value // the indices of what is stored
	value  *kernel.Value   // what is stored, or folded
	add    bool
	fold   ops.Sym      // SymNone: no fold
	call   *kernel.Call // all there is, if it is not nil
	often  bool         // the call is in the step of a loop

	steps *stepping // not nil: no nest of loops, but the steps of a loop
}

// nest is a kernel of an array, with loops of some sizes for the index variables on which a node depends.
func (m *making) nest(a *kernel.Array, id uint32, sizes []int) (*nest, site) {
	k := &nest{making: m, top: id, b: kernel.NewBuilder(&m.values), array: a, elements: make(map[string]*kernel.Value)}
	m.nests = append(m.nests, k)
	slots := k.addLoops(sizes, kernel.Parallel)
	k.target = slices.Clone(slots)
	return k, site{id, slots}
}

// addLoops adds a loop in the innermost one for each size, and gives their
// indices: 0 that of a loop of one run, so that what is computed there is computed before it.
func (k *nest) addLoops(sizes []int, order kernel.Order) []*kernel.Value {
	var at []*kernel.Value
	for _, n := range sizes {
		v := k.b.Variable(n, len(k.loops)+1)
		k.loops = append(k.loops, &kernel.Loop{Var: v, N: n, Order: order})
		if n == 1 {
			v = k.b.Int(0)
		}
		at = append(at, v)
	}
	return at
}

// kernel is the finished kernel: every value is computed in the outermost loop
// in which it can be.
func (k *nest) kernel() *kernel.Kernel {
	if k.steps != nil {
		return &kernel.Kernel{Steps: k.steps.Steps}
	}
	if k.call != nil {
		body := []kernel.Stmt{k.call}
		if x := newSmall(k.call, k.often); x != nil {
			body, k.loops = storesIn(x.loops, x.stores), x.loops
		}
		return &kernel.Kernel{Body: body}
	}
	target, value := k.made(k.target, k.value)
	if k.add && k.rowsLast(target) {
		target, value = k.made(target, value)
	}
	acc := kernel.Access{Array: k.array, At: target}
	acc.Checked = !kernel.Fits(acc)
	store := &kernel.Store{Access: acc, Value: value, Add: k.add}
	in := opened(len(k.loops), append(target, value))
	loops := k.loops
	if last := len(loops) - 1; k.fold != ops.SymNone {
		store.Value = &kernel.Value{Kind: kernel.Folded, Elem: k.array.Elem, Range: k.array.Range, Level: last}
		loops[last].Folds = []kernel.Fold{{Op: k.fold, Value: value, Result: store.Value}}
		in.Close(loops[last])
		loops = loops[:last]
	}
	in.Add(store)
	return &kernel.Kernel{Body: closed(in, loops)}
}

// made are values made anew, by the order of the loops.
func (k *nest) made(target []*kernel.Value, value *kernel.Value) ([]*kernel.Value, *kernel.Value) {
	b := k.b.Another()
	c := kernel.NewCopier(b, b.Load)
	for i, l := range k.loops {
		v := b.Variable(l.N, i+1)
		c.Done[l.Var] = v
		l.Var = v
	}
	return slice.Map(target, c.Value), c.Value(value)
}

// opened has loops open in which values are computed, each in the outermost one in which it can be.
func opened(loops int, needs []*kernel.Value) kernel.Nest {
	in := kernel.NewNest()
	for range loops {
		in.Begin()
	}
	in.Need(needs...)
	return in
}

// closed are the statements of open loops.
func closed(in kernel.Nest, loops []*kernel.Loop) []kernel.Stmt {
	for _, l := range slices.Backward(loops) {
		in.Close(l)
	}
	return in.Bodies[0]
}
