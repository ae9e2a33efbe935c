package kernel

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term"
)

// nest is a kernel that is being made: loops around one store, with a fold in
// the innermost loop or without.
type nest struct {
	r        *reading
	top      uint32 // the node whose array it fills
	l        *lowering
	scalars  map[string]*Value
	b        *builder
	loops    []*Loop
	elements map[string]*Value

	array  *Array
	target []*Value // the indices of what is stored
	value  *Value   // what is stored, or folded
	add    bool
	fold   term.Sym // SymNone: no fold
	call   *Call    // all there is, if it is not nil
	often  bool     // the call is in the step of a loop

	steps *stepping // not nil: no nest of loops, but the steps of a loop
}

func (l *lowering) nest(a *Array) *nest {
	k := &nest{l: l, b: newBuilder(&l.values), array: a, elements: make(map[string]*Value)}
	l.nests = append(l.nests, k)
	return k
}

// addLoops adds a loop in the innermost one for each size, and gives their
// variables.
func (k *nest) addLoops(sizes []int, order Order) []*Value {
	var vars []*Value
	for _, n := range sizes {
		v := k.b.variable(n, len(k.loops)+1)
		k.loops = append(k.loops, &Loop{Var: v, N: n, Order: order})
		vars = append(vars, v)
	}
	return vars
}

// trips is how often what depends on the outer loops only is evaluated.
func (k *nest) trips(level int) float64 {
	n := 1.0
	for _, l := range k.loops[:level] {
		n *= float64(l.N)
	}
	return n
}

// kernel is the finished kernel: every value is computed in the outermost loop
// in which it can be.
func (k *nest) kernel() *Kernel {
	if k.steps != nil {
		return &Kernel{Steps: k.steps.Steps}
	}
	if k.call != nil {
		body := []Stmt{k.call}
		if x := newSmall(k.call, k.often); x != nil {
			body, k.loops = storesIn(x.loops, x.stores), x.loops
		}
		return &Kernel{Body: body}
	}
	b := k.b.another()
	c := newCopier(b, b.load)
	for i, l := range k.loops {
		v := b.variable(l.N, i+1)
		c.done[l.Var] = v
		l.Var = v
	}
	target, value := slice.Map(k.target, c.value), c.value(k.value)
	acc := Access{Array: k.array, At: target}
	acc.Checked = !fits(acc)
	store := &Store{Access: acc, Value: value, Add: k.add}
	lets := byLevel(len(k.loops), append(target, value))
	inner := lets[len(k.loops)]
	from := len(k.loops)
	if k.fold != term.SymNone {
		from--
		l := k.loops[from]
		store.Value = &Value{Kind: Folded, Elem: k.array.Elem, Range: k.array.Range, level: from}
		l.Folds = []Fold{{Op: k.fold, Value: value, Result: store.Value}}
		l.Body = inner
		inner = append(lets[from], l)
	}
	return &Kernel{Body: around(k.loops[:from], lets, append(inner, store))}
}

// byLevel are the statements that compute values, by the number of loops that they have to be in.
func byLevel(loops int, needs []*Value) [][]Stmt {
	lets := make([][]Stmt, loops+1)
	schedule := memo.Once(func(v *Value, schedule func(*Value)) {
		for _, a := range slices.Concat(v.Args, v.At) {
			schedule(a)
		}
		if v.Kind == Compute || v.Kind == Load {
			lets[v.level] = append(lets[v.level], &Let{Value: v})
		}
	})
	for _, v := range needs {
		schedule(v)
	}
	return lets
}

// around are loops around statements, each with what is computed in it before.
func around(loops []*Loop, lets [][]Stmt, inner []Stmt) []Stmt {
	for i, l := range slices.Backward(loops) {
		l.Body = inner
		inner = append(lets[i], l)
	}
	return inner
}
