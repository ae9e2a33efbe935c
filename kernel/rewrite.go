package kernel

import (
	"maps"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// rewritten puts what other gives in the place of each statement that is no loop, and in
// loops what value gives in that of values. Loops are copies.
func rewritten(body []Stmt, value func(*Value) *Value, other func(s Stmt) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range body {
		if l, ok := s.(*Loop); ok {
			out = append(out, l.remade(rewritten(l.Body, value, other), value))
		} else {
			out = append(out, other(s)...)
		}
	}
	return out
}

// remade copies a loop with another body, and with what a function makes of its values in their
// place.
func (l *Loop) remade(body []Stmt, value func(*Value) *Value) *Loop {
	out := *l
	out.Body, out.Folds, out.Only = body, slices.Clone(l.Folds), slices.Clone(l.Only)
	out.Carries = l.carries(value)
	if l.If != nil {
		out.If = value(l.If)
	}
	for i, o := range l.Only {
		out.Only[i].Less = value(o.Less)
	}
	for i, f := range l.Folds {
		if out.Folds[i].Value = value(f.Value); f.From != nil {
			out.Folds[i].From = value(f.From)
		}
	}
	return &out
}

// remade copies a store with what a function makes of its values.
func (s *Store) remade(value func(*Value) *Value) *Store {
	out := *s
	out.At, out.Value = slice.Map(s.At, value), value(s.Value)
	return &out
}

// itself is a value in its own place.
func itself(v *Value) *Value { return v }

// realOf makes a real of others by an operator. No statement computes it yet.
func realOf(op ops.Sym, args ...*Value) *Value {
	return &Value{Kind: Compute, Elem: types.R, Op: op, Args: args, Range: ops.AnyInt}
}

// anew gives statements loops and values of their own: of loops that are copies each has
// another index then, and what is computed in one is another value than what another one computes.
func anew(body []Stmt) []Stmt {
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
		maps.DeleteFunc(linear, func(of, _ *Value) bool { return needed(of)[v] })
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
				return s.remade(value)
			}
			l := s.(*Loop)
			out := *l
			out.Var = own(l.Var)
			out.Body = stmts(l.Body)
			return out.remade(out.Body, value)
		})
	}
	return stmts(body)
}
