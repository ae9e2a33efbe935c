package schedule

import (
	"slices"

	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// maxExchanged bounds the loops of a nest of sums that are exchanged.
const maxExchanged = 3

// sumsOf takes a nest of sums apart, in which each loop adds up what the next one results in, in all its runs:
// the loops from outside on, what is computed between them, and what the innermost one does.
func sumsOf(l *kernel.Loop) (chain []*kernel.Loop, lets, rest []kernel.Stmt) {
	if !sums(l) || len(l.Only) > 0 {
		return nil, nil, nil
	}
	return chainOf(l, maxExchanged, func(l, next *kernel.Loop) bool { return len(next.Only) == 0 && addsOn(l, next) })
}

// addsOn reports whether a loop of sums adds up what the next one results in.
func addsOn(l, next *kernel.Loop) bool {
	return sums(next) && slices.EqualFunc(l.Folds, next.Folds, func(f, g kernel.Fold) bool { return f.Value == g.Result && g.From == nil })
}

// sums reports whether all that a loop does is to add up reals, and to store what is not added to.
func sums(l *kernel.Loop) bool {
	return l.Order == kernel.Folding && len(l.Folds) > 0 &&
		!slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Op != ops.SymSum || f.Result.Elem != types.R }) &&
		!slices.ContainsFunc(l.Body, func(s kernel.Stmt) bool { t, ok := s.(*kernel.Store); return ok && t.Add })
}

// exchanged are nests that add up what a nest of sums does, in other orders: each other loop is
// innermost once.
func exchanged(l *kernel.Loop) []*kernel.Loop {
	chain, lets, rest := sumsOf(l)
	if len(chain) < 2 {
		return nil
	}
	varying, last := &variances{nest: l}, len(chain)-1
	var out []*kernel.Loop
	for i := range last {
		order := append(slices.Delete(slices.Clone(chain), i, i+1), chain[i])
		made := nestIn(order, lets, rest, varying)
		for j, m := range made {
			m.Folds = chain[j].Folds
		}
		out = append(out, made[0])
	}
	return out
}

// orders are the statements of a body, and those with a nest of sums in them in another order.
func orders(body []kernel.Stmt) [][]kernel.Stmt {
	out := [][]kernel.Stmt{body}
	for i, l := range kernel.Among[*kernel.Loop](body) {
		for _, x := range exchanged(l) {
			other := slices.Clone(body)
			other[i] = x
			out = append(out, other)
		}
	}
	return out
}
