package schedule

import (
	"cmp"
	"fmt"
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/ops"
)

// maxPartial is of how many parts a long fold is made. It does not depend on the number of
// threads, so results do not.
const maxPartial = 64

// Partial is a program in which long folds are folds over parts, which are folded first
// and in any order, so that threads can share them. It is for code that is not exact.
func Partial(p *kernel.Program, threads int) *kernel.Program {
	out := *p
	out.Arrays, out.Kernels, out.Whole = slices.Clone(p.Arrays), nil, cmp.Or(p.Whole, p)
	for _, k := range p.Kernels {
		out.Kernels = append(out.Kernels, partial(k, p, &out, threads)...)
	}
	return &out
}

// partial is the kernels that do what k, a kernel of p, does: one for the parts, which it
// stores in new arrays of to, and one for the rest; or k alone. Around the fold there may be
// loops, if they have few runs.
func partial(k *kernel.Kernel, p, to *kernel.Program, threads int) []*kernel.Kernel {
	alone := []*kernel.Kernel{k}
	around, inner := []*kernel.Loop(nil), k.Body
	at := kernel.FirstLoop(inner)
	if at == len(inner)-1 && at >= 0 && inner[at].(*kernel.Loop).Order == kernel.Parallel {
		var lets []kernel.Stmt
		around, lets, inner = NestOf(inner[at].(*kernel.Loop))
		inner = slices.Concat(k.Body[:at], lets, inner)
		at = kernel.FirstLoop(inner)
	}
	if at < 0 {
		return alone
	}
	l, runs := inner[at].(*kernel.Loop), 1
	if l.Order == kernel.Blocks || l.Order == kernel.InOrder && len(around)+len(l.Folds) == 0 {
		return blockParts(k, p, to, at, threads)
	}
	l = rowwise(p.Costs(), l, false)
	for _, a := range around {
		runs *= a.N
	}
	size := ((l.N+maxPartial-1)/maxPartial + 7) / 8 * 8
	if l.N == 0 || l.N < 2*size || runs == 0 || runs >= maxPartial || !separable(l) || KernelTime(k, p.Costs()) < p.Costs().Of[cost.Parts] {
		return alone
	}
	parts := l.N / size
	number := func(n int) *kernel.Value { return kernel.NewBuilder(nil).Variable(n, 1) }
	b, j := number(parts), number(size)
	one := loopAt(l, kernel.LinearOf(0, []int64{int64(size), 1}, []*kernel.Value{b, j}), j, size)
	first := append(slices.Clone(inner[:at]), one)
	c := number(parts)
	join := &kernel.Loop{Name: "part", Var: c, N: parts, Order: kernel.Folding}
	d := number(l.N % size)
	last := loopAt(l, kernel.LinearOf(int64(parts*size), []int64{1}, []*kernel.Value{d}), d, l.N%size)
	for i, f := range l.Folds {
		a := &kernel.Array{Name: fmt.Sprintf("part %d of %s", i+1, k.Writes()[0].Name), Elem: f.Result.Elem, Shape: []int{parts}, Role: kernel.Temp, Range: ops.AnyInt}
		place, from := []*kernel.Value{b}, []*kernel.Value{c}
		for _, o := range around {
			a.Shape, place, from = append(a.Shape, o.N), append(place, o.Var), append(from, o.Var)
		}
		to.Arrays = append(to.Arrays, a)
		first = append(first, &kernel.Store{Access: kernel.Access{Array: a, At: place}, Value: one.Folds[i].Result})
		last.Folds[i].From, last.Folds[i].Result = joins(join, f.Joint(), kernel.Access{Array: a, At: from}), f.Result
	}
	outer := &kernel.Loop{Name: "part", Var: b, N: parts}
	rest := slices.Concat(inner[:at], []kernel.Stmt{join, last}, inner[at+1:])
	if len(around) == 0 {
		outer.Body = first
		return []*kernel.Kernel{{Body: []kernel.Stmt{outer}}, {Body: rest}}
	}
	outer.Body = []kernel.Stmt{nestIn(around, nil, first, nil)[0]}
	return []*kernel.Kernel{{Body: []kernel.Stmt{outer}}, {Body: []kernel.Stmt{nestIn(around, nil, rest, nil)[0]}}}
}

// joins folds an element of an array in a loop too.
func joins(l *kernel.Loop, op ops.Sym, from kernel.Access) *kernel.Value {
	x := loaded(from)
	joined := &kernel.Value{Kind: kernel.Folded, Elem: x.Elem, Range: ops.AnyInt, Plus: op == ops.SymSum}
	l.Body, l.Folds = append(l.Body, &kernel.Let{Value: x}), append(l.Folds, kernel.Fold{Op: op, Value: x, Result: joined})
	return joined
}

// KernelTime estimates what a kernel takes on one thread.
func KernelTime(k *kernel.Kernel, w *cost.Weights) float64 { return Time(w, k.Body, false) }

// separable reports whether the runs of a loop that folds may be folded in parts, in any
// order: whether they find no place, and add to nothing in memory.
func separable(l *kernel.Loop) bool {
	ok := l.Order == kernel.Folding && len(l.Folds) > 0
	for _, f := range l.Folds {
		ok = ok && f.From == nil && !f.Positional()
	}
	kernel.Walk(l.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Store:
			ok = ok && !s.Add
		case *kernel.Loop:
			ok = ok && !s.Order.Whole()
		}
	})
	return ok
}
