package sparsity

import (
	"cmp"
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Truth is a truth value that is known.
type Truth struct {
	Of  *kernel.Value
	One bool
}

// Conjuncts are the truth values that have to be known for t to be.
func (t Truth) Conjuncts() []Truth {
	v := t.Of
	switch {
	case v.Kind != kernel.Compute:
	case v.Op == ops.SymNot:
		return Truth{v.Args[0], !t.One}.Conjuncts()
	case v.Op == ops.SymAnd && t.One, v.Op == ops.SymOr && !t.One:
		return append(Truth{v.Args[0], t.One}.Conjuncts(), Truth{v.Args[1], t.One}.Conjuncts()...)
	}
	return []Truth{t}
}

// Knower finds what is known wherever a value is needed: of where c a b, in which a and b
// are chosen, a is needed only where c is true. So where c (f (where c x 0)) 0, of which the
// rules that keep 0 times an infinity from harm make many, is where c (f x) 0.
type Knower struct {
	Known  []Truth                   // everywhere
	Needed map[*kernel.Value][]Truth // in all uses; nothing of those without a use
	Made   map[*kernel.Value]*kernel.Value
}

// maxKnown bounds what is kept of what is known.
const maxKnown = 8

func (x *Knower) need(v *kernel.Value, ts []Truth) {
	old, ok := x.Needed[v]
	if !ok {
		x.Needed[v] = slices.Clone(ts)
		return
	}
	x.Needed[v] = slices.DeleteFunc(old, func(t Truth) bool { return !slices.Contains(ts, t) })
}

// Uses goes backwards through statements, and reports whether a choice is decided.
func (x *Knower) Uses(body []kernel.Stmt) (decided bool) {
	for _, s := range slices.Backward(body) {
		if s, ok := s.(*kernel.Let); ok {
			decided = x.let(s.Value) || decided
			continue
		}
		l, ok := s.(*kernel.Loop)
		if !ok {
			for _, v := range kernel.Uses(s) {
				x.need(v, nil)
			}
			continue
		}
		for _, f := range l.Folds { // what is folded is needed where the result is
			ts := x.Needed[f.Result]
			x.need(f.Value, ts)
			if f.From != nil {
				x.need(f.From, ts)
			}
		}
		for _, c := range l.Carries {
			x.need(c.From, nil)
			x.need(c.Next, nil)
		}
		decided = x.Uses(l.Body) || decided
	}
	return decided
}

func (x *Knower) let(v *kernel.Value) (decided bool) {
	ts := x.Needed[v]
	if v.Kind != kernel.Compute {
		ts = nil
	}
	if v.Op != ops.SymWhere || v.Kind != kernel.Compute {
		for _, a := range slices.Concat(v.Args, v.At) {
			x.need(a, ts)
		}
		return false
	}
	c := v.Args[0]
	x.need(c, ts)
	for i, one := range []bool{true, false} {
		also := ts
		if t := (Truth{c, one}); !slices.Contains(ts, t) && len(ts) < maxKnown {
			also = append(slices.Clone(ts), t)
		}
		x.need(v.Args[i+1], also)
	}
	return x.decision(v) != nil
}

// decision is what a choice is wherever it is needed, if that is known.
func (x *Knower) decision(v *kernel.Value) *kernel.Value {
	if v.Op != ops.SymWhere || v.Kind != kernel.Compute {
		return nil
	}
	for _, t := range slices.Concat(x.Known, x.Needed[v]) {
		switch {
		case t.Of != v.Args[0]:
		case t.One:
			return v.Args[1]
		default:
			return v.Args[2]
		}
	}
	return nil
}

// Value is v with the choices made that it is computed of.
func (x *Knower) Value(v *kernel.Value) *kernel.Value {
	return memo.Of(x.Made, v, func() *kernel.Value {
		if w := x.decision(v); w != nil {
			return x.Value(w)
		}
		for _, t := range x.Known {
			if t.Of == v {
				return kernel.NewBuilder(nil).Lit(ops.ScalarB(t.One))
			}
		}
		w := v.MapArgs(x.Value)
		if w != v && w.Kind == kernel.Compute && w.Args[0].Elem == types.B {
			w = cmp.Or(kernel.NewBuilder(nil).Simpler(ops.Op{Sym: w.Op, N: w.N}, w.Args), w)
		}
		return w
	})
}
