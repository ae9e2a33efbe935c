package schedule

import (
	"maps"
	"slices"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
)

// withoutMasks has loops that are limited by data add up without masks, and if all is set those that indices of
// loops around limit. Where all that a run adds is 0 unless integers that are known before the loop are on one side
// of its index,
//
//	fold j < n, only j < end and start < j + 1
//	  sum (where (j < end and start <= j) x[j] 0)
//
// the loop is to do no other run, and asks nothing in each. A loop around which there is none keeps its
// masks: goroutines may share it.
func withoutMasks(body []kernel.Stmt, all bool) []kernel.Stmt {
	found := false
	var in func(body []kernel.Stmt, nested bool) []kernel.Stmt
	in = func(body []kernel.Stmt, nested bool) []kernel.Stmt {
		out := slices.Clone(body)
		for i, l := range kernel.Among[*kernel.Loop](body) {
			if one := loopWithoutMasks(l, all); nested && one != nil {
				out[i], found = one, true
				continue
			}
			out[i] = l.With(in(l.Body, true))
		}
		return out
	}
	if out := in(body, false); found {
		return kernel.DropUnused(out)
	}
	return body
}

// loopWithoutMasks is a loop that asks in no run what tells which runs are done, or nil if data do not tell and,
// if all is set, no index does.
func loopWithoutMasks(l *kernel.Loop, all bool) *kernel.Loop {
	if l.Order.Whole() || len(l.Carries) > 0 || !l.Innermost() {
		return nil
	}
	added := slices.Clone(l.Folds)
	for _, s := range kernel.Among[*kernel.Store](l.Body) {
		if !s.Add {
			return nil
		}
		added = append(added, kernel.Fold{Op: ops.SymSum, Value: s.Value})
	}
	var known []sparsity.Truth // of which each or another one that says the same has to hold
	var asked []sparsity.Limit // for all that is added
	for i, f := range added {
		if f.Op != ops.SymSum {
			return nil
		}
		var ls []sparsity.Limit
		for _, t := range masksOf(f.Value) {
			if x, ok := foretold(l, t); ok {
				known, ls = append(known, t), append(ls, x)
			}
		}
		if i == 0 {
			asked = ls
		} else {
			asked = slices.DeleteFunc(asked, func(x sparsity.Limit) bool { return !slices.ContainsFunc(ls, x.Equal) })
		}
	}
	known = slices.DeleteFunc(known, func(t sparsity.Truth) bool {
		x, _ := t.Limit()
		return !slices.ContainsFunc(asked, x.Equal)
	})
	only, some := slices.Clone(l.Only), false
	for _, x := range asked {
		i := slices.IndexFunc(only, func(o kernel.Only) bool { return sparsity.Limit{Form: kernel.FormOf(o.Less)}.Equal(x) })
		if i < 0 {
			i, only = len(only), append(only, sparsity.Limits{x}.Notes()...)
		}
		only[i].Finite, only[i].Sure = false, true
		some = some || slices.Contains(x.Args, l.Var) && len(x.Args) > 1 && (all || slices.ContainsFunc(x.Args, sparsity.IsData))
	}
	if !some {
		return nil
	}
	x := &sparsity.Knower{Known: known, Made: make(map[*kernel.Value]*kernel.Value)}
	out := *l
	out.Only = nil
	out = *out.Map(kernel.MapValues(l.Body, make(map[*kernel.Value]bool), x.Value), x.Value)
	out.Only = only
	return &out
}

// foretold is what a truth value says of the runs of a loop, if bounds do: what is known before the loop, and its
// index, tell it.
func foretold(l *kernel.Loop, t sparsity.Truth) (sparsity.Limit, bool) {
	x, ok := t.Limit()
	return x, ok && !slices.ContainsFunc(x.Args, func(v *kernel.Value) bool {
		return v != l.Var && (kernel.Needed(v)[l.Var] || computes(l, v))
	}) && !slices.ContainsFunc(x.Coef, func(c int64) bool { return !kernel.IsUnit(c) })
}

// computes reports whether a value is computed in a loop.
func computes(l *kernel.Loop, v *kernel.Value) bool {
	return slices.ContainsFunc(l.Body, func(s kernel.Stmt) bool { let, ok := s.(*kernel.Let); return ok && let.Value == v })
}

// masksOf are the truth values without which a number is 0, as nothing else is chosen then.
func masksOf(v *kernel.Value) (out []sparsity.Truth) {
	for of, when, ok := sparsity.OrZero(v); ok; of, when, ok = sparsity.OrZero(of) {
		out = append(out, when.Conjuncts()...)
	}
	return out
}

// certain reports whether loops whose runs are sure know which ones where they begin, and there is but one
// answer for all that is done in lock step: in statements of which some loops are in lanes or in rows. What is
// computed outside the statements is known; around says that there is a loop.
func certain(body []kernel.Stmt, together []*kernel.Loop, around bool) bool {
	if !kernel.Any(body, (*kernel.Loop).Sure) {
		return true
	}
	inside := make(map[*kernel.Value]bool)
	kernel.Walk(body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Let:
			inside[s.Value] = true
		case *kernel.Loop:
			inside[s.Var] = true
		}
	})
	apart := kernel.NewVariance(body, together...)
	var all func(body []kernel.Stmt, around bool) bool
	all = func(body []kernel.Stmt, around bool) bool {
		for _, s := range body {
			if let, ok := s.(*kernel.Let); ok {
				delete(inside, let.Value)
			}
			l, ok := s.(*kernel.Loop)
			if !ok {
				continue
			}
			for _, o := range l.Only {
				if o.Sure && (!around || slices.ContainsFunc(o.Less.Args, func(v *kernel.Value) bool { return v != l.Var && (inside[v] || apart.Varies(v)) })) {
					return false
				}
			}
			delete(inside, l.Var)
			if !all(l.Body, true) {
				return false
			}
		}
		return true
	}
	return all(body, around)
}

// certain reports whether all loops are done right whose runs are sure.
func (s *Schedule) certain() bool {
	return certain(s.Body, slices.Concat(slices.Collect(maps.Keys(s.Lanes)), slices.Collect(maps.Keys(s.Rows))), false) &&
		!slices.ContainsFunc(s.Panels, func(p *kernel.Panel) bool { return p.Fold.Sure() })
}

// certain reports whether loops whose runs are sure may be run so.
func (w *way) certain() bool {
	together := w.tile.lanes
	if w.tile.jam != nil {
		together = append(slices.Clone(together), w.tile.jam)
	}
	return certain([]kernel.Stmt{w.Loop}, together, true)
}
