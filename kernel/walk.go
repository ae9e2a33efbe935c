package kernel

import (
	"iter"
	"slices"
)

// Walk visits statements, a loop before its body.
func Walk(body []Stmt, f func(Stmt)) {
	Any(body, func(s Stmt) bool {
		f(s)
		return false
	})
}

// Any reports whether a function holds of a statement of one kind: it is asked until it does, of a loop
// before its body.
func Any[S Stmt](body []Stmt, holds func(S) bool) bool {
	for _, s := range body {
		if t, ok := s.(S); ok && holds(t) {
			return true
		}
		if l, ok := s.(*Loop); ok && Any(l.Body, holds) {
			return true
		}
	}
	return false
}

// All gives the statements of one kind, a loop before its body.
func All[S Stmt](body []Stmt) iter.Seq[S] {
	return func(yield func(S) bool) { Any(body, func(s S) bool { return !yield(s) }) }
}

// Among gives the statements of one kind of a body, with their places: none of those in loops.
func Among[S Stmt](body []Stmt) iter.Seq2[int, S] {
	return func(yield func(int, S) bool) {
		for i, s := range body {
			if t, ok := s.(S); ok && !yield(i, t) {
				return
			}
		}
	}
}

// WalkRuns visits statements, as [Walk], with how often a statement is run, as part of so many runs of the body.
func WalkRuns(body []Stmt, runs int64, f func(s Stmt, runs int64)) {
	for _, s := range body {
		f(s, runs)
		if l, ok := s.(*Loop); ok {
			WalkRuns(l.Body, runs*int64(l.N), f)
		}
	}
}

// Uses lists the values that a statement uses, a loop for what it folds and carries.
func Uses(s Stmt) []*Value {
	switch s := s.(type) {
	case *Let:
		return slices.Concat(s.Value.Args, s.Value.At)
	case *Store:
		return append(slices.Clone(s.At), s.Value)
	case *Loop:
		var out []*Value
		if s.If != nil {
			out = append(out, s.If)
		}
		for _, f := range s.Folds {
			if out = append(out, f.Value); f.From != nil {
				out = append(out, f.From)
			}
		}
		for _, c := range s.Carries {
			out = append(out, c.From, c.Next)
		}
		for _, o := range s.Only {
			if o.Sure {
				out = append(out, o.Less)
			}
		}
		return out
	}
	return nil
}

// Accesses calls f with the accesses of statements.
func Accesses(body []Stmt, f func(Access)) {
	Walk(body, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			if s.Value.Kind == Load {
				f(s.Value.Access)
			}
		case *Store:
			f(s.Access)
		}
	})
}

// Stores are the arrays to which statements store.
func Stores(body []Stmt) map[*Array]bool {
	out := make(map[*Array]bool)
	for s := range All[*Store](body) {
		out[s.Array] = true
	}
	return out
}

// Needed finds values and all that they are computed of.
func Needed(of ...*Value) map[*Value]bool {
	out := make(map[*Value]bool)
	var need func(vs []*Value)
	need = func(vs []*Value) {
		for _, v := range vs {
			if v != nil && !out[v] {
				out[v] = true
				need(v.Args)
				need(v.At)
			}
		}
	}
	need(of)
	return out
}

// NeededBy finds the values that statements need, and all that these are computed of.
func NeededBy(body []Stmt) map[*Value]bool {
	var used []*Value
	Walk(body, func(s Stmt) { used = append(used, Uses(s)...) })
	return Needed(used...)
}

// Innermost reports whether there is no loop in a loop.
func (l *Loop) Innermost() bool {
	return !Any(l.Body, func(*Loop) bool { return true })
}

// IsLet reports whether a statement computes a value.
func IsLet(s Stmt) bool {
	_, ok := s.(*Let)
	return ok
}

// FirstLoop is the number of the first loop among statements, if there are but values
// before it, else -1.
func FirstLoop(body []Stmt) int {
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

// CountStatements counts statements, those of loops among them.
func CountStatements(body []Stmt) (n int) {
	Walk(body, func(Stmt) { n++ })
	return n
}

// Sure reports whether no run of a loop is done but those that its conditions tell, of which some are sure.
func (l *Loop) Sure() bool { return slices.ContainsFunc(l.Only, func(o Only) bool { return o.Sure }) }
