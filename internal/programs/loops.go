package programs

import (
	"slices"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Loops: a tree of the form TreeLoop has what the arrays of a state begin with, the number
// of steps, and what the arrays become in a step. It is the last state of array Op.N, or
// all after the first, where its type has one more axis.

// arrays is how many arrays the state of a loop has.
func (t *Tree) arrays() int { return len(t.Binds) - 1 }

// loop grows a loop: fold, scan and iterate, with more in the state than is read.
func (g *grower) loop(t *types.Type, depth int) *Tree {
	n, part := size.Const(g.size()), t
	if g.palette == Rational {
		n = size.Const(1 + int64(g.pick(2))) // or numbers grow long
	}
	if len(t.Shape) > 0 && g.pick(3) == 0 {
		n, part = t.Shape[0], types.ArrayOf(t.Elem, t.Shape[1:]...)
	}
	parts := []*types.Type{part}
	for len(parts) < 3 && g.pick(3) == 0 {
		parts = append(parts, types.ArrayOf([]types.Elem{types.R, types.R, types.I, types.B}[g.pick(4)], g.shape(1)...))
	}
	l := &Tree{Kind: TreeLoop, Type: t, Op: ops.Op{Sym: ops.SymStates, Sizes: []size.Size{n}, N: g.pick(len(parts))}}
	parts[0], parts[l.Op.N] = parts[l.Op.N], parts[0]
	for _, p := range parts {
		l.Kids = append(l.Kids, g.tree(p, depth-1))
	}
	c, _ := n.Const()
	count := whole(c)
	if g.pick(4) == 0 { // computed
		count = g.apply(count.Type, ops.SymMin, g.tree(count.Type, min(depth-1, 2)), count)
	}
	l.Kids = append(l.Kids, count)
	lets := len(g.lets)
	step := func() {
		for _, p := range parts {
			name := g.name()
			l.Binds = append(l.Binds, name)
			g.lets = append(g.lets, boundLet{name, p})
		}
		for i, p := range parts {
			if len(p.Shape) > 0 && p.Elem == types.R && g.pick(4) == 0 {
				l.Kids = append(l.Kids, g.change(&Tree{Kind: TreeUse, Type: p, Name: l.Binds[i]}, depth-1))
			} else {
				l.Kids = append(l.Kids, g.step(p, n, depth-1))
			}
		}
	}
	l.Binds = append(g.bound(l.Op.Sizes, step), l.Binds...)
	g.lets = g.lets[:lets]
	return l
}

// whole is a literal integer.
func whole(n int64) *Tree {
	t := scalarOf(types.I)
	return &Tree{Type: t, Op: ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarI(n)), Type: t}}
}

// step grows what an array of a state becomes, often of an element of an array along
// which the loop goes.
func (g *grower) step(t *types.Type, n size.Size, depth int) *Tree {
	next := func() *Tree {
		u := g.tree(t, depth)
		if t.Elem == types.R && g.palette == Smooth { // or it grows from step to step
			u = g.apply(t, ops.SymTanh, u)
		}
		return u
	}
	if g.pick(2) == 0 {
		return next()
	}
	x := types.ArrayOf(t.Elem, g.shape(1)...)
	a := g.tree(types.ArrayOf(x.Elem, append([]size.Size{n}, x.Shape...)...), depth-1)
	i := &Tree{Kind: TreeIvar, Type: scalarOf(types.I), Name: g.ivars[len(g.ivars)-1]}
	let := &Tree{Kind: TreeLet, Type: t, Name: g.name(), Kids: []*Tree{g.apply(x, ops.SymIndex, a, i)}}
	g.lets = append(g.lets, boundLet{let.Name, x})
	let.Kids = append(let.Kids, next())
	g.lets = g.lets[:len(g.lets)-1]
	return let
}

// change grows what an array of a state becomes if a few of its elements change: what is sent
// to some rows is added, or an element is another number.
func (g *grower) change(old *Tree, depth int) *Tree {
	t, n := old.Type, old.Type.Shape[0]
	if len(t.Shape) == 1 && g.pick(2) == 0 {
		iota := &Tree{Type: types.ArrayOf(types.I, n), Op: ops.Op{Sym: ops.SymIota, Sizes: t.Shape}}
		at := &Tree{Type: iota.Type, Op: ops.Op{Sym: ops.SymReplicate, Sizes: t.Shape}, Kids: g.indices(t.Shape, depth)}
		return g.apply(t, ops.SymWhere, g.apply(types.ArrayOf(types.B, n), ops.SymEq, iota, at), g.tree(t, depth-1), old)
	}
	ks := g.shape(1)
	sent := &Tree{Type: t, Op: ops.Op{Sym: ops.SymScatter, Sizes: ks, Targets: t.Shape[:1]}}
	sent.Kids = []*Tree{g.tree(types.ArrayOf(types.R, slices.Concat(ks, t.Shape[1:])...), depth-1)}
	sent.Binds = g.bound(ks, func() { sent.Kids = append(sent.Kids, g.indices(t.Shape[:1], depth)...) })
	return g.apply(t, ops.SymAdd, old, sent)
}

// states makes the term of a loop.
func (t *Tree) states(p *term.Program, env map[int]term.Term) term.Term {
	s, k := p.Store, t.arrays()
	op, names := t.Op, s.FreshN(2)
	op.N = 0
	terms := func(ts []*Tree) []term.Term {
		return slice.Map(ts, func(u *Tree) term.Term { return u.term(p, env) })
	}
	packed := func(ts []term.Term) term.Term {
		if k == 1 {
			return ts[0]
		}
		return s.Apply(ops.SymTuple, ts...)
	}
	part := func(i int, of term.Term) term.Term {
		if k == 1 {
			return of
		}
		return s.Proj(i, of)
	}
	first, count := packed(terms(t.Kids[:k])), t.Kids[k].term(p, env)
	op.Type = s.Type(first)
	env[t.Binds[0]] = s.Ivar(names[0], op.Sizes[0])
	local := s.MustMake(ops.Op{Sym: ops.SymLocal, Type: op.Type}, names[1:], nil, nil)
	for i, b := range t.Binds[1:] {
		env[b] = part(i, local)
	}
	all := part(t.Op.N, s.MustMake(op, nil, names, []term.Term{first, count, packed(terms(t.Kids[k+1:]))}))
	n, _ := op.Sizes[0].Const()
	if t.Kids[t.Op.N].Type.Equal(t.Type) {
		return s.Index(all, s.LitInt(n))
	}
	at := s.FreshN(1)
	next := s.Apply(ops.SymAdd, s.Ivar(at[0], op.Sizes[0]), s.LitInt(1))
	return s.MustMake(ops.Op{Sym: ops.SymGather, Sizes: op.Sizes}, nil, []slot.Name{at[0]}, []term.Term{all, next})
}

// smallerLoop lists simpler loops in the place of a loop: with one step instead of
// several, with all steps, and with an array less in the state.
func (t *Tree) smallerLoop() []*Tree {
	var out []*Tree
	k := t.arrays()
	with := func(f func(u *Tree)) {
		u := *t
		u.Kids, u.Binds = slices.Clone(t.Kids), slices.Clone(t.Binds)
		f(&u)
		out = append(out, &u)
	}
	n, _ := t.Op.Sizes[0].Const()
	if t.Kids[k].Op.Sym != ops.SymConst {
		with(func(u *Tree) { u.Kids[k] = whole(n) })
	} else if n > 1 && t.Kids[t.Op.N].Type.Equal(t.Type) {
		with(func(u *Tree) { u.Op.Sizes, u.Kids[k] = sizes(n-1), whole(n-1) })
	}
	for i := range k {
		if i == t.Op.N {
			continue
		}
		with(func(u *Tree) { // what reads it is not closed, and not taken
			u.Kids = slices.Delete(slices.Delete(u.Kids, k+1+i, k+2+i), i, i+1)
			if u.Binds = slices.Delete(u.Binds, 1+i, 2+i); i < t.Op.N {
				u.Op.N--
			}
		})
	}
	return out
}
