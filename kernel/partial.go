package kernel

import (
	"cmp"
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// maxPartial is of how many parts a long fold is made. It does not depend on the number of
// threads, so results do not.
const maxPartial = 64

// Partial is a program in which long folds are folds over parts, which are folded first
// and in any order, so that threads can share them. It is for code that is not exact.
func (p *Program) Partial(threads int) *Program {
	out := *p
	out.Arrays, out.Kernels, out.whole = slices.Clone(p.Arrays), nil, p
	for _, k := range p.Kernels {
		out.Kernels = append(out.Kernels, k.partial(p, &out, threads)...)
	}
	return &out
}

// partial is the kernels that do what k, a kernel of p, does: one for the parts, which it
// stores in new arrays of to, and one for the rest; or k alone. Around the fold there may be
// loops, if they have few runs.
func (k *Kernel) partial(p, to *Program, threads int) []*Kernel {
	alone := []*Kernel{k}
	around, inner := []*Loop(nil), k.Body
	at := FirstLoop(inner)
	if at == len(inner)-1 && at >= 0 && inner[at].(*Loop).Order == Parallel {
		var lets []Stmt
		around, lets, inner = nestOf(inner[at].(*Loop))
		inner = slices.Concat(k.Body[:at], lets, inner)
		at = FirstLoop(inner)
	}
	if at < 0 {
		return alone
	}
	l, runs := inner[at].(*Loop), 1
	if l.Order == Blocks || l.Order == InOrder && len(around)+len(l.Folds) == 0 {
		return k.blockParts(p, to, at, threads)
	}
	l = p.costs().rowwise(l, false)
	for _, a := range around {
		runs *= a.N
	}
	size := ((l.N+maxPartial-1)/maxPartial + 7) / 8 * 8
	if l.N == 0 || l.N < 2*size || runs == 0 || runs >= maxPartial || !l.separable() || k.time(p.costs()) < p.costs().of[costParts] {
		return alone
	}
	parts := l.N / size
	number := func(n int) *Value { return NewBuilder(nil).Variable(n, 1) }
	b, j := number(parts), number(size)
	one := l.at(linearOf(0, []int64{int64(size), 1}, []*Value{b, j}), j, size)
	first := append(slices.Clone(inner[:at]), one)
	c := number(parts)
	join := &Loop{Name: "part", Var: c, N: parts, Order: Folding}
	d := number(l.N % size)
	last := l.at(linearOf(int64(parts*size), []int64{1}, []*Value{d}), d, l.N%size)
	for i, f := range l.Folds {
		a := &Array{Name: fmt.Sprintf("part %d of %s", i+1, k.Writes()[0].Name), Elem: f.Result.Elem, Shape: []int{parts}, Role: Temp, Range: ops.AnyInt}
		place, from := []*Value{b}, []*Value{c}
		for _, o := range around {
			a.Shape, place, from = append(a.Shape, o.N), append(place, o.Var), append(from, o.Var)
		}
		to.Arrays = append(to.Arrays, a)
		first = append(first, &Store{Access: Access{Array: a, At: place}, Value: one.Folds[i].Result})
		last.Folds[i].From, last.Folds[i].Result = join.joins(f.Op, Access{Array: a, At: from}), f.Result
	}
	outer := &Loop{Name: "part", Var: b, N: parts}
	rest := slices.Concat(inner[:at], []Stmt{join, last}, inner[at+1:])
	if len(around) == 0 {
		outer.Body = first
		return []*Kernel{{Body: []Stmt{outer}}, {Body: rest}}
	}
	outer.Body = []Stmt{nestIn(around, nil, first, nil)[0]}
	return []*Kernel{{Body: []Stmt{outer}}, {Body: []Stmt{nestIn(around, nil, rest, nil)[0]}}}
}

// joins folds an element of an array in a loop too.
func (l *Loop) joins(op ops.Sym, from Access) *Value {
	x := &Value{Kind: Load, Elem: from.Array.Elem, Access: from, Range: ops.AnyInt}
	joined := &Value{Kind: Folded, Elem: x.Elem, Range: ops.AnyInt, plus: op == ops.SymSum}
	l.Body, l.Folds = append(l.Body, &Let{x}), append(l.Folds, Fold{Op: op, Value: x, Result: joined})
	return joined
}

// time estimates what a kernel takes on one thread.
func (k *Kernel) time(w *Weights) float64 { return w.best(k.Body, false) }

// separable reports whether the runs of a loop that folds may be folded in parts, in any
// order: whether they find no place, and add to nothing in memory.
func (l *Loop) separable() bool {
	ok := l.Order == Folding && len(l.Folds) > 0
	for _, f := range l.Folds {
		ok = ok && f.From == nil && !f.Positional()
	}
	Walk(l.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Store:
			ok = ok && !s.Add
		case *Loop:
			ok = ok && !s.Order.Whole()
		}
	})
	return ok
}

// linearOf makes an index, which is konst + the sum of coef[i] * args[i].
func linearOf(konst int64, coef []int64, args []*Value) *Value {
	return &Value{Kind: Linear, Elem: types.I, Const: ops.ScalarI(konst), Coef: coef, Args: args, Range: linearRange(konst, coef, args)}
}

// at is a loop of n runs whose index is v and which does what l does where its index is
// another value.
func (l *Loop) at(index, v *Value, n int) *Loop {
	out := l.replacer(index).loop(l)
	out.Var, out.N = v, n
	return out
}

// replacer makes those values anew that depend on the index of a loop, and those that are
// sums, of which each part has its own.
type replacer struct {
	*Variance
	done  map[*Value]*Value
	part  *Value
	sums  map[*Array]*Array
	loops map[*Value]*Loop // by their indices, with the index and the number of runs instead
	there map[*Value]bool  // what has been computed
}

// replacer is one for l, in the place of whose index comes another value.
func (l *Loop) replacer(index *Value) *replacer {
	return &replacer{Variance: NewVariance([]Stmt{l}, l), done: map[*Value]*Value{l.Var: index}, there: make(map[*Value]bool)}
}

// access is an access in the place of a.
func (c *replacer) access(a Access) Access {
	a.At = slice.Map(a.At, c.value)
	if s := c.sums[a.Array]; s != nil {
		a.Array, a.At = s, append([]*Value{c.part}, a.At...)
	}
	a.Checked = a.Checked && !Fits(a)
	return a
}

// loop is a loop in the place of l.
func (c *replacer) loop(l *Loop) *Loop {
	for _, x := range l.Carries {
		v, r := *x.Value, *x.Result
		c.done[x.Value], c.done[x.Result] = &v, &r
	}
	body := make([]Stmt, 0, len(l.Body))
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Let:
			// No division has become an index, and no choice what there is.
			if v := c.value(s.Value); v.Kind == s.Value.Kind && !c.there[v] {
				c.there[v] = true
				body = append(body, &Let{v})
			}
		case *Store:
			t := *s
			t.Access, t.Value = c.access(s.Access), c.value(s.Value)
			body = append(body, &t)
		case *Loop:
			body = append(body, c.loop(s))
		}
	}
	out := l.remade(body, c.value)
	if of := c.loops[l.Var]; of != nil {
		out.Var, out.N = of.Var, of.N
	}
	out.Only = slices.DeleteFunc(out.Only, func(o Only) bool { return o.Less.Range.Hi < 0 })
	for i, x := range out.Carries {
		out.Carries[i].Value, out.Carries[i].Result = c.done[x.Value], c.done[x.Result]
	}
	for i, f := range l.Folds {
		r := *f.Result
		c.done[f.Result] = &r
		out.Folds[i].Result = &r
	}
	return out
}

func (c *replacer) value(v *Value) *Value {
	if w, ok := c.done[v]; ok {
		return w
	}
	if !c.Varies(v) && c.sums[v.Array] == nil {
		return v
	}
	w := *v
	w.Args, w.Access = slice.Map(v.Args, c.value), c.access(v.Access)
	if v.Kind == Linear { // sums of sums are one, with each of their values once
		w.Coef, w.Args, w.Const = nil, nil, v.Const
		for i, a := range slice.Map(v.Args, c.value) {
			coef, args, konst := a.sum()
			w.Const.Int += v.Coef[i] * konst
			for k, x := range args {
				at := slices.Index(w.Args, x)
				if at < 0 {
					at = len(w.Args)
					w.Coef, w.Args = append(w.Coef, 0), append(w.Args, x)
				}
				w.Coef[at] += v.Coef[i] * coef[k]
			}
		}
		for i := slices.Index(w.Coef, 0); i >= 0; i = slices.Index(w.Coef, 0) {
			w.Coef, w.Args = slices.Delete(w.Coef, i, i+1), slices.Delete(w.Args, i, i+1)
		}
		w.Range = linearRange(w.Const.Int, w.Coef, w.Args)
	}
	c.done[v] = w.undivided()
	if w.Kind == Compute && (w.Elem == types.B || w.Op == ops.SymWhere) {
		c.done[v] = cmp.Or(NewBuilder(nil).simpler(ops.Op{Sym: w.Op, N: w.N}, w.Args), &w)
	}
	return c.done[v]
}

// undivided is a quotient, or a remainder, of which it is known how often the divisor goes
// into its operand, without a division; a remainder of a sum without the multiples of the
// divisor that are in it; and any other value as it is.
func (v *Value) undivided() *Value {
	sym, x, d, ok := v.division()
	if !ok || d < 0 {
		return v
	}
	if floorDiv(x.Range.Lo, d) != floorDiv(x.Range.Hi, d) {
		multiples, rest, ok := NewBuilder(nil).split(x, d)
		if sym == ops.SymIdiv || !ok || multiples.Kind == Lit {
			return v
		}
		w := *v
		w.Args = []*Value{rest, v.Args[1]}
		return w.undivided()
	}
	often := floorDiv(x.Range.Lo, d)
	if sym == ops.SymIdiv {
		return linearOf(often, nil, nil)
	}
	coef, args, konst := x.sum()
	return linearOf(konst-often*d, coef, args)
}
