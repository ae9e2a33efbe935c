package kernel

import (
	"slices"

	"egad/term"
)

// rewritten are statements with what other gives in the place of each that is no loop, and in
// loops values with what value gives in their place. Loops are copies.
func rewritten(body []Stmt, value func(*Value) *Value, other func(s Stmt) []Stmt) []Stmt {
	var out []Stmt
	for _, s := range body {
		l, ok := s.(*Loop)
		if !ok {
			out = append(out, other(s)...)
			continue
		}
		copied := *l
		copied.Body, copied.Folds, copied.Only = rewritten(l.Body, value, other), slices.Clone(l.Folds), slices.Clone(l.Only)
		copied.Carries = l.carries(value)
		for i, o := range l.Only {
			copied.Only[i].Less = value(o.Less)
		}
		for i, f := range l.Folds {
			if copied.Folds[i].Value = value(f.Value); f.From != nil {
				copied.Folds[i].From = value(f.From)
			}
		}
		out = append(out, &copied)
	}
	return out
}

// itself is a value in its own place.
func itself(v *Value) *Value { return v }

// realOf is what an operator makes of reals: a real, which no statement computes yet.
func realOf(op term.Sym, args ...*Value) *Value {
	return &Value{Kind: Compute, Elem: term.R, Op: op, Args: args, Range: term.AnyInt}
}
