package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// masked has those who read an array compare indices themselves, where its elements are 0, or false, unless
// these compare so. Then nobody needs the others, which need not be made, and sums of those there are
// need no other runs. That is so for what loops read about once: what a tile reads again and again
// had better be 0.
func (p *Program) masked() {
	b := p.bounder()
	for _, a := range p.Arrays {
		if ls := b.masks(a); len(ls) > 0 {
			p.masks(a, b.axes[a], ls)
		}
	}
}

// masks are the comparisons of indices without which an element of an array is +0, or false.
func (b *bounder) masks(a *Array) limits {
	if a.Role != Temp || a.Elem == types.I || b.whole[a] || len(b.stores[a]) != 1 {
		return nil
	}
	s := b.stores[a][0]
	if s.Add || !s.each() {
		return nil
	}
	return slices.DeleteFunc(b.of(b.lets(s.Value), s.Access), func(x limit) bool {
		return slices.ContainsFunc(x.Args, (*Value).data)
	})
}

// lets are the comparisons of indices without which a real is +0, as nothing else is chosen then, or a
// truth value false.
func (b *bounder) lets(v *Value) limits {
	if v.Elem == types.B {
		return b.holds(v, true)
	}
	of, when, ok := chosen(v)
	if !ok {
		return nil
	}
	return b.holds(when.of, when.one).and(b.lets(of))
}

// masks has all who read an array ask first whether indices compare so as conditions on its axes say,
// if they may.
func (p *Program) masks(a *Array, axes []*Value, ls limits) {
	read := make(map[int][]Stmt)
	for i, k := range p.Kernels {
		if !slices.Contains(k.Reads(), a) {
			continue
		}
		m := newMember(i, k)
		if m == nil || m.reads(a) > a.Len() {
			return
		}
		w := newWeaver(nil)
		w.masks = map[*Array]func(at []*Value) *Value{a: func(at []*Value) *Value {
			return w.b.compares(ls, axes, at)
		}}
		w.pass(m.pass())
		read[i] = w.bodies[0]
	}
	for i, body := range read {
		p.Kernels[i] = &Kernel{Body: body}
	}
}

// reads is how often a kernel reads an element of an array, at one place at most.
func (m *member) reads(a *Array) int {
	most := 0
	for _, v := range m.loads {
		if v.Array == a {
			n := 1
			for _, l := range m.loops[:min(v.Level, len(m.loops))] {
				n *= l.N
			}
			most = max(most, n)
		}
	}
	return most
}

// compares is whether conditions on axes hold at indices.
func (b *Builder) compares(ls limits, axes, at []*Value) *Value {
	out := b.Lit(ops.ScalarB(true))
	for _, l := range ls {
		var left, right Form
		for i, x := range l.Args {
			side, c := &left, l.Coef[i]
			if c < 0 {
				side, c = &right, -c
			}
			side.Coef, side.Args = append(side.Coef, c), append(side.Args, at[slices.Index(axes, x)])
		}
		op := ops.SymLt
		if left.Const = l.Const; l.Const < 0 { // as what is at most another one is less than one more
			op, left.Const, right.Const = ops.SymLe, 0, -1-l.Const
		}
		c := b.Op(ops.Op{Sym: op}, types.B, b.linear(left.Const, left.Coef, left.Args), b.linear(right.Const, right.Coef, right.Args))
		out = b.Op(ops.Op{Sym: ops.SymAnd}, types.B, out, c)
	}
	return out
}
