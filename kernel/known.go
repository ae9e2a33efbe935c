package kernel

import (
	"cmp"
	"maps"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// truth is a truth value that is known.
type truth struct {
	of  *Value
	one bool
}

// knower finds what is known wherever a value is needed: of where c a b, in which a and b
// are chosen, a is needed only where c is true. So where c (f (where c x 0)) 0, of which the
// rules that keep 0 times an infinity from harm make many, is where c (f x) 0.
type knower struct {
	known  []truth            // everywhere
	needed map[*Value][]truth // in all uses; nothing of those without a use
	made   map[*Value]*Value
}

// chosen replaces choices that are decided wherever they are needed.
func (p *Program) chosen() {
	for _, k := range p.Kernels {
		x := &knower{needed: make(map[*Value][]truth), made: make(map[*Value]*Value)}
		if x.uses(k.Body) {
			k.Body = live(remade(k.Body, make(map[*Value]bool), x.value))
		}
	}
}

// maxKnown bounds what is kept of what is known.
const maxKnown = 8

func (x *knower) need(v *Value, ts []truth) {
	old, ok := x.needed[v]
	if !ok {
		x.needed[v] = slices.Clone(ts)
		return
	}
	x.needed[v] = slices.DeleteFunc(old, func(t truth) bool { return !slices.Contains(ts, t) })
}

// uses goes backwards through statements, and reports whether a choice is decided.
func (x *knower) uses(body []Stmt) (decided bool) {
	for _, s := range slices.Backward(body) {
		if s, ok := s.(*Let); ok {
			decided = x.let(s.Value) || decided
			continue
		}
		l, ok := s.(*Loop)
		if !ok {
			for _, v := range uses(s) {
				x.need(v, nil)
			}
			continue
		}
		for _, f := range l.Folds { // what is folded is needed where the result is
			ts := x.needed[f.Result]
			x.need(f.Value, ts)
			if f.From != nil {
				x.need(f.From, ts)
			}
		}
		for _, c := range l.Carries {
			x.need(c.From, nil)
			x.need(c.Next, nil)
		}
		decided = x.uses(l.Body) || decided
	}
	return decided
}

func (x *knower) let(v *Value) (decided bool) {
	ts := x.needed[v]
	if v.Kind != Compute {
		ts = nil
	}
	if v.Op != ops.SymWhere || v.Kind != Compute {
		for _, a := range slices.Concat(v.Args, v.At) {
			x.need(a, ts)
		}
		return false
	}
	c := v.Args[0]
	x.need(c, ts)
	for i, one := range []bool{true, false} {
		also := ts
		if t := (truth{c, one}); !slices.Contains(ts, t) && len(ts) < maxKnown {
			also = append(slices.Clone(ts), t)
		}
		x.need(v.Args[i+1], also)
	}
	return x.decision(v) != nil
}

// decision is what a choice is wherever it is needed, if that is known.
func (x *knower) decision(v *Value) *Value {
	if v.Op != ops.SymWhere || v.Kind != Compute {
		return nil
	}
	for _, t := range slices.Concat(x.known, x.needed[v]) {
		switch {
		case t.of != v.Args[0]:
		case t.one:
			return v.Args[1]
		default:
			return v.Args[2]
		}
	}
	return nil
}

// value is v with the choices made that it is computed of.
func (x *knower) value(v *Value) *Value {
	return memo.Of(x.made, v, func() *Value {
		if w := x.decision(v); w != nil {
			return x.value(w)
		}
		for _, t := range x.known {
			if t.of == v {
				return NewBuilder(nil).Lit(ops.ScalarB(t.one))
			}
		}
		w := v.remade(x.value)
		if w != v && w.Kind == Compute && w.Args[0].Elem == types.B {
			w = cmp.Or(NewBuilder(nil).simpler(ops.Op{Sym: w.Op, N: w.N}, w.Args), w)
		}
		return w
	})
}

// remade computes v of what a function makes of its operands: it is v itself, if they are the same.
func (v *Value) remade(f func(*Value) *Value) *Value {
	args, at := slice.Map(v.Args, f), slice.Map(v.At, f)
	if slices.Equal(args, v.Args) && slices.Equal(at, v.At) {
		return v
	}
	copied := *v
	copied.Args, copied.At = args, at
	copied.plus = v.plus || v.Kind == Compute && neverMinus(v.Op, args)
	return &copied
}

// remade puts what a function makes of their values into statements. A value is computed once,
// and not where it is there already.
func remade(stmts []Stmt, there map[*Value]bool, f func(*Value) *Value) []Stmt {
	var out []Stmt
	for _, s := range stmts {
		switch s := s.(type) {
		case *Let:
			v := f(s.Value)
			if v.Kind != Lit && v.Kind != Var && v.Kind != Linear && v.Kind != Folded && v.Kind != Carried && !there[v] {
				there[v] = true
				out = append(out, &Let{v})
			}
		case *Store:
			out = append(out, s.remade(f))
		case *Loop:
			*s = *s.remade(remade(s.Body, maps.Clone(there), f), f)
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// live takes the values out of a body that nobody uses any more.
func live(body []Stmt) []Stmt {
	var ends []*Value
	Walk(body, func(s Stmt) {
		if !isLet(s) {
			ends = append(ends, uses(s)...)
		}
	})
	used := needed(ends...)
	var keep func(body []Stmt) []Stmt
	keep = func(body []Stmt) []Stmt {
		return slices.DeleteFunc(body, func(s Stmt) bool {
			if l, ok := s.(*Loop); ok {
				l.Body = keep(l.Body)
			}
			let, ok := s.(*Let)
			return ok && !used[let.Value]
		})
	}
	return keep(body)
}
