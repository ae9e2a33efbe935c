package fuse

import (
	"math"
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// Mask has those who read an array compare indices themselves, where its elements are 0, infinite or false unless
// these compare so. Then nobody needs the others, which need not be made, and sums of those there are
// need no other runs. That is so if no more reads are left then than the array has elements: what a tile reads
// again and again had better be 0, but a narrow band may be read often.
func Mask(p *kernel.Program) {
	b := sparsity.BounderOf(p)
	for _, a := range p.Arrays {
		if ls, other := masksIn(b, a); len(ls) > 0 {
			masks(p, a, b.Axes[a], ls, other)
		}
	}
}

// masksIn are the comparisons of indices without which an element of an array is 0, infinite or false, and which of
// these.
func masksIn(b *sparsity.Bounder, a *kernel.Array) (sparsity.Limits, ops.Scalar) {
	if a.Role != kernel.Temp || a.Elem == types.I || b.Whole[a] || len(b.Stores[a]) != 1 {
		return nil, ops.Scalar{}
	}
	s := b.Stores[a][0]
	if s.Add || !sparsity.IsEach(s) {
		return nil, ops.Scalar{}
	}
	ls, other := b.Unless(s.Value)
	if !other.IsInt(0) && !(other.Elem == types.R && math.IsInf(other.Num.Float64(), 0)) { // which no sum or extremum leaves out
		return nil, other
	}
	return slices.DeleteFunc(b.Of(ls, s.Access), func(x sparsity.Limit) bool {
		return slices.ContainsFunc(x.Args, sparsity.IsData)
	}), other
}

// masks has all who read an array ask first whether indices compare so as conditions on its axes say,
// if they may, and take another number where they do not.
func masks(p *kernel.Program, a *kernel.Array, axes []*kernel.Value, ls sparsity.Limits, other ops.Scalar) {
	read, some := make(map[int][]kernel.Stmt), share(a, axes, ls)
	for i, k := range p.Kernels {
		if !slices.Contains(k.Reads(), a) {
			continue
		}
		m := newMember(i, k)
		if m == nil || some*float64(m.reads(a)) > float64(a.Len()) || !other.IsInt(0) && m.checks(a) {
			return
		}
		w := newWeaver(nil)
		w.masks = map[*kernel.Array]mask{a: {func(at []*kernel.Value) *kernel.Value { return compares(w.b, ls, axes, at) }, other}}
		w.pass(m.pass())
		read[i] = w.Bodies[0]
	}
	for i, body := range read {
		p.Kernels[i] = &kernel.Kernel{Body: body}
	}
}

// share is the part of the elements of an array, about, for which conditions on its axes hold.
func share(a *kernel.Array, axes []*kernel.Value, ls sparsity.Limits) float64 {
	least := 1.0
	for i, n := range a.Shape {
		l := &kernel.Loop{Var: axes[i], N: n, Only: ls.Notes()}
		runs := schedule.Trips(l, false, func(v *kernel.Value) int { return a.Shape[slices.Index(axes, v)] })
		least = min(least, runs/float64(max(1, n)))
	}
	return least
}

// checks reports whether a kernel reads elements of an array that are not there, which are 0.
func (m *member) checks(a *kernel.Array) bool {
	return slices.ContainsFunc(m.loads, func(v *kernel.Value) bool { return v.Array == a && v.Checked })
}

// reads is how often a kernel reads an element of an array, at one place at most.
func (m *member) reads(a *kernel.Array) int {
	most := 0
	for _, v := range m.loads {
		if v.Array == a {
			most = max(most, int(kernel.Runs(m.loops[:min(v.Level, len(m.loops))])))
		}
	}
	return most
}

// compares is whether conditions on axes hold at indices.
func compares(b *kernel.Builder, ls sparsity.Limits, axes, at []*kernel.Value) *kernel.Value {
	out := b.Lit(ops.ScalarB(true))
	for _, l := range ls {
		var left, right kernel.Form
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
		c := b.Op(ops.Op{Sym: op}, types.B, b.Linear(left.Const, left.Coef, left.Args), b.Linear(right.Const, right.Coef, right.Args))
		out = b.Op(ops.Op{Sym: ops.SymAnd}, types.B, out, c)
	}
	return out
}
