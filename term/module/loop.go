package module

import (
	"slices"

	"egad/slot"
	"egad/term"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Loops: fold, scan, mapAccum and iterate read the states that the operator states
// keeps.

// looped applies fold, scan or mapAccum.
func (c *generalCall[V]) looped() *val[V] {
	f, z := c.function(0, 2), c.state(1)
	if f == nil || z == nil {
		return nil
	}
	a := c.args[2].val
	n, ok := c.outer(2, a)
	if !ok {
		return nil
	}
	l := c.loop(0, n)
	step := func(i, state *val[V]) *val[V] {
		x := c.w.index(c.s, c.at, a, []*val[V]{i})
		if x == nil {
			return nil
		}
		return l.apply(f, state, x)
	}
	switch c.g.Name {
	case "fold":
		return l.last(l.states(z, step))
	case "scan":
		return l.rest(l.states(z, step))
	}
	// The outputs are kept like states that nobody reads: they begin as zeros of their
	// type.
	_, is := c.w.indices(c.s, c.at, []size.Size{n})
	if is == nil {
		return nil
	}
	r := step(is[0], z)
	if r == nil {
		return nil
	}
	if !r.tuple || len(r.parts) != 2 {
		c.fail(0, "the function of mapAccum results in a pair of the next state and an output, and this one in %s", c.w.describe(r))
		return nil
	}
	y := c.w.each(r.parts[1], func(v *val[V]) *val[V] {
		if v.fn != nil {
			c.fail(0, "a loop keeps arrays, and this is %s", c.w.describe(v))
			return nil
		}
		t := c.w.dom.typ(v.v)
		return c.w.make(c.s, c.at, ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarZero(t.Elem)), Type: t}, nil, nil, nil, nil)
	})
	if y == nil {
		return nil
	}
	all := l.states(&val[V]{tuple: true, parts: []*val[V]{z, y}}, func(i, state *val[V]) *val[V] { return step(i, state.parts[0]) })
	if all == nil {
		return nil
	}
	last, outputs := l.last(all.parts[0]), l.rest(all.parts[1])
	if last == nil || outputs == nil {
		return nil
	}
	return &val[V]{tuple: true, parts: []*val[V]{last, outputs}}
}

// iterated applies iterate.
func (c *generalCall[V]) iterated() *val[V] {
	f, z := c.function(1, 1), c.state(2)
	if f == nil || z == nil {
		return nil
	}
	if k := c.args[0].val; k != nil {
		return c.counted(k, f, z)
	}
	l := c.loop(1, c.args[0].size)
	return l.last(l.states(z, func(_, state *val[V]) *val[V] { return l.apply(f, state) }))
}

// counted applies iterate to a number of steps k that is an integer: rounds of steps.
func (c *generalCall[V]) counted(k *val[V], f *closure[V], z *val[V]) *val[V] {
	most := size.Const(ops.MaxSteps)
	lit := func(n int64) *val[V] { return c.w.literal(c.s, c.at, ops.ScalarI(n)) }
	count, steps := term.RoundsOf(c.op(ops.SymMax, k, lit(0)), lit, c.op)
	rounds := c.loop(1, most)
	rounds.count = count
	return rounds.last(rounds.states(z, func(i, state *val[V]) *val[V] {
		round := c.loop(1, most)
		round.count = steps(i)
		return round.last(round.states(state, func(_, state *val[V]) *val[V] { return round.apply(f, state) }))
	}))
}

// stepCount reads how many steps iterate makes: a size, or an integer.
func (w *walker[V]) stepCount(e ast.Expr, a *arg[V], s *scope[V]) (ok bool) {
	if _, err := size.Read(e, w.sizesFor(e, s)); err == nil {
		a.size, ok = w.size(e, s)
		return ok
	}
	if a.val = w.eval(e, s); a.val == nil {
		return false
	}
	if a.val.tuple || a.val.fn != nil || !w.dom.unify().Types(w.dom.typ(a.val.v), types.ArrayOf(types.I)) {
		w.errorf(s, e.At(), "the number of steps of iterate is a size or an integer, and this is %s", w.describe(a.val))
		return false
	}
	return true
}

// explicit evaluates the operator states n z k (\i s -> t).
func (w *walker[V]) explicit(e *ast.Call, n size.Size, values []ast.Expr, fAt ast.Expr, s *scope[V]) *val[V] {
	zAt := values[0]
	f, z, k := w.eval(fAt, s), w.eval(zAt, s), w.array(values[1], s)
	if f == nil || z == nil || k == nil {
		return nil
	}
	c := &generalCall[V]{w, &General{Name: "states"}, e, []*arg[V]{{val: z, e: zAt, scope: s}, {val: f, e: fAt, scope: s}}, s}
	step := c.function(1, 2)
	if z = c.state(0); step == nil || z == nil {
		return nil
	}
	if lam := step.lambda; lam != nil && len(step.given) == 0 && lam.Params[0].Kind == ast.PatName {
		w.dom.binder(lam.Params[0].Name, n, s.ctx.src, lam.Params[0].Pos)
	}
	l := c.loop(1, n)
	l.count, l.countAt = k, values[1]
	return l.states(z, func(i, state *val[V]) *val[V] { return l.apply(step, i, state) })
}

// state is argument i, which a loop begins with: arrays.
func (c *generalCall[V]) state(i int) *val[V] {
	z := c.args[i].val
	if z.hasFunction() {
		c.fail(i, "a loop keeps arrays, and this is %s", c.w.describe(z))
		return nil
	}
	if z.tuple && z.leaves() == 1 {
		c.fail(i, "a loop needs something to keep, and this is a tuple of nothing")
		return nil
	}
	return z
}

// loop is a loop that is being evaluated, of n steps by the function that stands at e,
// or of count, which stands at countAt, if it is not nil.
type loop[V any] struct {
	*generalCall[V]
	e       ast.Expr
	n       size.Size
	count   *val[V]
	countAt ast.Expr
}

func (c *generalCall[V]) loop(f int, n size.Size) *loop[V] {
	_, e := c.args[f].where(c.at, c.s)
	return &loop[V]{generalCall: c, e: e, n: n, countAt: c.at}
}

func (l *loop[V]) apply(f *closure[V], vs ...*val[V]) *val[V] {
	return l.w.applyValues(f, l.e, vs, l.s)
}

// arrays lists the arrays of a value.
func (v *val[V]) arrays(to []*val[V]) []*val[V] {
	if !v.tuple {
		return append(to, v)
	}
	for _, p := range v.parts {
		to = p.arrays(to)
	}
	return to
}

// states are all states that begin with z, in arrays: the state of the operator states
// is one array, or one tuple of the arrays that have elements.
func (l *loop[V]) states(z *val[V], step func(i, state *val[V]) *val[V]) *val[V] {
	w := l.w
	none := func(v *val[V]) bool { return w.dom.typ(v.v).HasEmptyAxis() }
	kept := func(v *val[V]) []*val[V] { return slices.DeleteFunc(v.arrays(nil), none) }
	if len(kept(z)) == 0 {
		return w.each(z, l.copies)
	}
	first := l.packed(kept(z))
	if first == nil {
		return nil
	}
	op := ops.Op{Sym: ops.SymStates, Sizes: []size.Size{l.n}, Type: w.dom.typ(first.v)}
	names, is := w.indices(l.s, l.at, op.Sizes)
	if is == nil {
		return nil
	}
	names = append(names, w.dom.fresh(1)...)
	local := w.make(l.s, l.at, ops.Op{Sym: ops.SymLocal, Type: op.Type}, names[1:], nil, nil, nil)
	if local == nil {
		return nil
	}
	// like is z with others in the place of its arrays.
	like := func(v *val[V], empty func(leaf *val[V]) *val[V]) *val[V] {
		arrays := v.arrays(nil)
		return w.each(z, func(leaf *val[V]) *val[V] {
			if none(leaf) {
				return empty(leaf)
			}
			x := arrays[0]
			arrays = arrays[1:]
			return x
		})
	}
	next := step(is[0], like(local, func(leaf *val[V]) *val[V] { return leaf }))
	if next == nil {
		return nil
	}
	if next.hasFunction() || w.mismatch(w.typeOf(z), next) != "" {
		return w.errorf(l.s, l.e.At(), "the state of a loop changes its type: it begins as %s and becomes %s", w.describe(z), w.describe(next))
	}
	body := l.packed(kept(next))
	if body == nil {
		return nil
	}
	count := l.count
	if count == nil {
		count = w.sizeValue(l.s, l.at, l.n)
	}
	all := w.make(l.s, l.at, op, nil, names, []ast.Expr{l.at, l.countAt, l.e}, []*val[V]{first, count, body})
	if all == nil {
		return nil
	}
	return like(all, l.copies)
}

// copies is an array without elements, once for each state.
func (l *loop[V]) copies(leaf *val[V]) *val[V] {
	return l.w.replicate(l.s, l.at, []size.Size{l.n.Add(size.Const(1))}, leaf)
}

// packed is one array, or the tuple of several.
func (l *loop[V]) packed(vs []*val[V]) *val[V] {
	if len(vs) == 1 {
		return vs[0]
	}
	return l.w.pack(l.s, l.at, &val[V]{tuple: true, parts: vs})
}

// last is the last of all states.
func (l *loop[V]) last(all *val[V]) *val[V] {
	return l.w.index(l.s, l.at, all, []*val[V]{l.w.sizeValue(l.s, l.at, l.n)})
}

// rest are the states after the first one.
func (l *loop[V]) rest(all *val[V]) *val[V] {
	return l.w.each(all, func(leaf *val[V]) *val[V] {
		ranges := []size.Size{l.n}
		names, is := l.w.indices(l.s, l.at, ranges)
		if is == nil {
			return nil
		}
		next := l.op(ops.SymAdd, is[0], l.w.literal(l.s, l.at, ops.ScalarI(1)))
		return l.gather(ranges, names, leaf, next)
	})
}

func (l *loop[V]) gather(ranges []size.Size, names []slot.Name, kids ...*val[V]) *val[V] {
	if slices.Contains(kids, nil) {
		return nil
	}
	return l.w.make(l.s, l.at, ops.Op{Sym: ops.SymGather, Sizes: ranges}, nil, names, nil, kids)
}
