package kernel

import (
	"fmt"
	"slices"

	"egad/term"
)

// maxPartial is of how many parts a long fold is made. It does not depend on the number of
// threads, so results do not.
const maxPartial = 64

// partial is a program in which long folds are folds over parts, which are folded first
// and in any order, so that threads can share them. It is for code that is not exact.
func (p *Program) partial(least float64) *Program {
	out := *p
	out.Arrays, out.Kernels = slices.Clone(p.Arrays), nil
	for _, k := range p.Kernels {
		out.Kernels = append(out.Kernels, k.partial(&out, least)...)
	}
	return &out
}

// partial is the kernels that do what k does: one for the parts, which it stores, and one
// for the rest; or k alone. Around the fold there may be loops, if they have few runs.
func (k *Kernel) partial(p *Program, least float64) []*Kernel {
	alone := []*Kernel{k}
	around, inner := []*Loop(nil), k.Body
	at := firstLoop(inner)
	if at == len(inner)-1 && at >= 0 && inner[at].(*Loop).Order == Parallel {
		var lets []Stmt
		around, lets, inner = nestOf(inner[at].(*Loop))
		inner = slices.Concat(k.Body[:at], lets, inner)
		at = firstLoop(inner)
	}
	if at < 0 {
		return alone
	}
	l, runs := inner[at].(*Loop), 1
	for _, a := range around {
		runs *= a.N
	}
	size := ((l.N+maxPartial-1)/maxPartial + 7) / 8 * 8
	if l.N == 0 || l.N < 2*size || runs == 0 || runs >= maxPartial || !l.separable() || (&chooser{Weights: p.costs()}).best(k.Body).time < least {
		return alone
	}
	parts := l.N / size
	number := func(n int) *Value { return newBuilder(nil).variable(n, 1) }
	b, j := number(parts), number(size)
	one := l.at(l.linear(0, []int64{int64(size), 1}, []*Value{b, j}), j, size)
	first := append(slices.Clone(inner[:at]), one)
	c := number(parts)
	join := &Loop{Name: "part", Var: c, N: parts, Order: Folding}
	d := number(l.N % size)
	last := l.at(l.linear(int64(parts*size), []int64{1}, []*Value{d}), d, l.N%size)
	for i, f := range l.Folds {
		a := &Array{Name: fmt.Sprintf("part %d of %s", i+1, k.Writes()[0].Name), Elem: f.Result.Elem, Shape: []int{parts}, Role: Temp, Range: term.AnyInt}
		to, from := []*Value{b}, []*Value{c}
		for _, o := range around {
			a.Shape, to, from = append(a.Shape, o.N), append(to, o.Var), append(from, o.Var)
		}
		p.Arrays = append(p.Arrays, a)
		first = append(first, &Store{Access: Access{Array: a, At: to}, Value: one.Folds[i].Result})
		x := &Value{Kind: Load, Elem: a.Elem, Access: Access{Array: a, At: from}, Range: term.AnyInt}
		joined := &Value{Kind: Folded, Elem: a.Elem, Range: term.AnyInt}
		join.Body = append(join.Body, &Let{x})
		join.Folds = append(join.Folds, Fold{Op: f.Op, Value: x, Result: joined})
		last.Folds[i].From, last.Folds[i].Result = joined, f.Result
	}
	outer := &Loop{Name: "part", Var: b, N: parts}
	rest := slices.Concat(inner[:at], []Stmt{join, last}, inner[at+1:])
	if len(around) == 0 {
		outer.Body = first
		return []*Kernel{{Body: []Stmt{outer}}, {Body: rest}}
	}
	outer.Body = []Stmt{nestIn(around, nil, first)[0]}
	return []*Kernel{{Body: []Stmt{outer}}, {Body: []Stmt{nestIn(around, nil, rest)[0]}}}
}

// firstLoop is the number of the first loop among statements, if there are but values
// before it, else -1.
func firstLoop(body []Stmt) int {
	for i, s := range body {
		switch s.(type) {
		case *Let:
		case *Loop:
			return i
		default:
			return -1
		}
	}
	return -1
}

// separable reports whether the runs of a loop that folds may be folded in parts, in any
// order: whether they find no place, and add to nothing in memory.
func (l *Loop) separable() bool {
	ok := l.Order == Folding && len(l.Folds) > 0
	for _, f := range l.Folds {
		ok = ok && f.From == nil && !positional(f.Op)
	}
	walk(l.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Store:
			ok = ok && !s.Add
		case *Loop:
			ok = ok && s.Order != Blocks
		}
	})
	return ok
}

// linear is an index of the loop, which is a sum.
func (l *Loop) linear(c int64, coef []int64, args []*Value) *Value {
	return &Value{Kind: Linear, Elem: term.I, Const: term.ScalarI(c), Coef: coef, Args: args, Range: l.Var.Range}
}

// at is a loop of n runs whose index is v and which does what l does where its index is
// another value.
func (l *Loop) at(index, v *Value, n int) *Loop {
	c := &replacer{variance: newVariance([]Stmt{l}, l), done: map[*Value]*Value{l.Var: index}}
	out := c.loop(l)
	out.Var, out.N = v, n
	return out
}

// replacer makes those values anew that depend on the index of a loop.
type replacer struct {
	*variance
	done map[*Value]*Value
}

func (c *replacer) loop(l *Loop) *Loop {
	out := *l
	out.Body, out.Folds, out.Only = make([]Stmt, len(l.Body)), slices.Clone(l.Folds), slices.Clone(l.Only)
	for i, o := range l.Only {
		out.Only[i].Less = c.value(o.Less)
	}
	for i, s := range l.Body {
		switch s := s.(type) {
		case *Let:
			out.Body[i] = &Let{c.value(s.Value)}
		case *Store:
			t := *s
			t.At, t.Value = mapped(s.At, c.value), c.value(s.Value)
			out.Body[i] = &t
		case *Loop:
			out.Body[i] = c.loop(s)
		}
	}
	for i, f := range l.Folds {
		out.Folds[i].Value = c.value(f.Value)
		if f.From != nil {
			out.Folds[i].From = c.value(f.From)
		}
		r := *f.Result
		c.done[f.Result] = &r
		out.Folds[i].Result = &r
	}
	return &out
}

func (c *replacer) value(v *Value) *Value {
	if w, ok := c.done[v]; ok {
		return w
	}
	if !c.varies(v) {
		return v
	}
	w := *v
	w.Args, w.At = mapped(v.Args, c.value), mapped(v.At, c.value)
	if v.Kind == Linear { // sums of sums are one
		w.Coef, w.Args, w.Const = nil, nil, v.Const
		for i, a := range mapped(v.Args, c.value) {
			coef, args, konst := a.sum()
			w.Const.Int += v.Coef[i] * konst
			for k, x := range args {
				w.Coef, w.Args = append(w.Coef, v.Coef[i]*coef[k]), append(w.Args, x)
			}
		}
	}
	c.done[v] = &w
	return &w
}
