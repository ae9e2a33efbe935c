package kernel

import (
	"maps"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// Rewrite puts what other gives in the place of each statement that is no loop, and in
// loops what value gives in that of values. Loops are copies.
func Rewrite(body []Stmt, value func(*Value) *Value, other func(s Stmt) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range body {
		if l, ok := s.(*Loop); ok {
			out = append(out, l.Map(Rewrite(l.Body, value, other), value))
		} else {
			out = append(out, other(s)...)
		}
	}
	return out
}

// Map copies a loop with another body, and with what a function makes of its values in their
// place.
func (l *Loop) Map(body []Stmt, value func(*Value) *Value) *Loop {
	out := *l
	out.Body, out.Only = body, slices.Clone(l.Only)
	out.Folds, out.Carries = l.MapFolds(value), l.MapCarries(value)
	if l.If != nil {
		out.If = value(l.If)
	}
	for i, o := range l.Only {
		out.Only[i].Less = value(o.Less)
	}
	return &out
}

// With copies a loop with another body.
func (l *Loop) With(body []Stmt) *Loop {
	out := *l
	out.Body = body
	return &out
}

// With copies a kernel with another body.
func (k *Kernel) With(body []Stmt) *Kernel {
	out := *k
	out.Body = body
	return &out
}

// Map is an access at what a function makes of its indices: it is checked if it was, and they may be out of range.
func (a Access) Map(value func(*Value) *Value) Access {
	a.At = slice.Map(a.At, value)
	a.Checked = a.Checked && !Fits(a)
	return a
}

// Map copies a store with what a function makes of its values.
func (s *Store) Map(value func(*Value) *Value) *Store {
	return &Store{s.Access.Map(value), value(s.Value), s.Add}
}

// Itself leaves a value in its own place.
func Itself(v *Value) *Value { return v }

// RealOf makes a real of others by an operator. No statement computes it yet.
func RealOf(op ops.Sym, args ...*Value) *Value {
	return &Value{Kind: Compute, Elem: types.R, Op: op, Args: args, Range: ops.AnyInt}
}

// Freshen gives statements loops and values of their own: of loops that are copies each has
// another index then, and what is computed in one is another value than what another one computes.
func Freshen(body []Stmt) []Stmt {
	made, linear := make(map[*Value]*Value), make(map[*Value]*Value)
	var value func(v *Value) *Value
	value = func(v *Value) *Value {
		switch w := made[v]; {
		case w != nil:
			return w
		case v.Kind != Linear:
			return v
		}
		return memo.Of(linear, v, func() *Value {
			w := *v
			w.Args = slice.Map(v.Args, value)
			return &w
		})
	}
	own := func(v *Value) *Value {
		maps.DeleteFunc(linear, func(of, _ *Value) bool { return Needed(of)[v] })
		w := *v
		w.Args, w.At = slice.Map(v.Args, value), slice.Map(v.At, value)
		made[v] = &w
		return &w
	}
	var stmts func(body []Stmt) []Stmt
	stmts = func(body []Stmt) []Stmt {
		return slice.Map(body, func(s Stmt) Stmt {
			switch s := s.(type) {
			case *Let:
				return &Let{own(s.Value)}
			case *Store:
				return s.Map(value)
			}
			l := s.(*Loop)
			out := *l
			out.Var = own(l.Var)
			return out.Map(stmts(l.Body), value)
		})
	}
	return stmts(body)
}

// MapCarries lists what a loop carries, with what a function makes of the values from which it begins and
// that runs leave.
func (l *Loop) MapCarries(f func(*Value) *Value) []Carry {
	out := slices.Clone(l.Carries)
	for i, c := range out {
		out[i].From, out[i].Next = f(c.From), f(c.Next)
	}
	return out
}

// MapFolds makes what a loop folds of values of what a function makes of them.
func (l *Loop) MapFolds(f func(*Value) *Value) []Fold {
	out := slices.Clone(l.Folds)
	for i, x := range out {
		if out[i].Value = f(x.Value); x.From != nil {
			out[i].From = f(x.From)
		}
	}
	return out
}

// MapArgs computes v of what a function makes of its operands: it is v itself, if they are the same.
func (v *Value) MapArgs(f func(*Value) *Value) *Value {
	args, a := slice.Map(v.Args, f), v.Access.Map(f)
	if slices.Equal(args, v.Args) && slices.Equal(a.At, v.At) && a.Checked == v.Checked {
		return v
	}
	copied := *v
	copied.Args, copied.Access = args, a
	copied.Plus = v.Plus || v.Kind == Compute && NeverMinus(v.Op, args)
	return &copied
}

// MapValues puts what a function makes of their values into statements. A value is computed once,
// and not where it is there already.
func MapValues(stmts []Stmt, there map[*Value]bool, f func(*Value) *Value) []Stmt {
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
			out = append(out, s.Map(f))
		case *Loop:
			*s = *s.Map(MapValues(s.Body, maps.Clone(there), f), f)
			out = append(out, s)
		default:
			out = append(out, s)
		}
	}
	return out
}

// DropUnused takes the values out of a body that nobody uses any more.
func DropUnused(body []Stmt) []Stmt {
	var ends []*Value
	Walk(body, func(s Stmt) {
		if !IsLet(s) {
			ends = append(ends, Uses(s)...)
		}
	})
	used := Needed(ends...)
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

// Clone copies statements and the loops among them.
func Clone(body []Stmt) []Stmt {
	out := slices.Clone(body)
	for i, l := range Among[*Loop](out) {
		l := *l
		l.Body, l.Folds, l.Carries, l.Only = Clone(l.Body), slices.Clone(l.Folds), slices.Clone(l.Carries), slices.Clone(l.Only)
		out[i] = &l
	}
	return out
}

// WithoutStores leaves out some stores, and loops in which nothing is left then.
func WithoutStores(body []Stmt, dead func(s *Store) bool) []Stmt {
	var out []Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *Store:
			if dead(s) {
				continue
			}
		case *Loop:
			s.Body = WithoutStores(s.Body, dead)
			if len(s.Folds)+len(s.Carries) == 0 && !slices.ContainsFunc(s.Body, func(s Stmt) bool { return !IsLet(s) }) {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// Substitute computes values of those that stand in the place of others.
func Substitute(made map[*Value]*Value) func(*Value) *Value {
	return Remade(made, func(_, of *Value) *Value { return of })
}

// Remade computes values of what make makes of them, which is asked once for a value and for what it is when it is
// computed of what its operands have become. What is in made already stands in the place of others.
func Remade(made map[*Value]*Value, remake func(v, of *Value) *Value) func(*Value) *Value {
	var value func(v *Value) *Value
	value = func(v *Value) *Value { return memo.Of(made, v, func() *Value { return remake(v, v.MapArgs(value)) }) }
	return value
}
