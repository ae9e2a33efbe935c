package kernel

import (
	"maps"
	"slices"

	"egad/term/ops"
)

// withoutMasks has loops that are limited by data add up without masks. Where all that a run adds is 0 unless
// integers that are known before the loop are on one side of its index,
//
//	fold j < n, only j < end and start < j + 1
//	  sum (where (j < end and start <= j) x[j] 0)
//
// the loop is to do no other run, and asks nothing in each. A loop around which there is none keeps its
// masks: goroutines may share it.
func withoutMasks(body []Stmt) []Stmt {
	found := false
	var in func(body []Stmt, nested bool) []Stmt
	in = func(body []Stmt, nested bool) []Stmt {
		out := slices.Clone(body)
		for i, s := range body {
			l, ok := s.(*Loop)
			if !ok {
				continue
			}
			if one := l.withoutMasks(); nested && one != nil {
				out[i], found = one, true
				continue
			}
			copied := *l
			copied.Body = in(l.Body, true)
			out[i] = &copied
		}
		return out
	}
	if out := in(body, false); found {
		return live(out)
	}
	return body
}

// withoutMasks is a loop that asks in no run what tells which runs are done, or nil if data do not tell.
func (l *Loop) withoutMasks() *Loop {
	if l.Order.Whole() || len(l.Carries) > 0 || !l.Innermost() {
		return nil
	}
	added := slices.Clone(l.Folds)
	for _, s := range l.Body {
		if s, ok := s.(*Store); ok {
			if !s.Add {
				return nil
			}
			added = append(added, Fold{Op: ops.SymSum, Value: s.Value})
		}
	}
	var asked []truth // for all that is added
	for i, f := range added {
		if f.Op != ops.SymSum {
			return nil
		}
		ts := slices.DeleteFunc(masksOf(f.Value), func(t truth) bool { return !l.foretells(t) })
		if i == 0 {
			asked = ts
		} else {
			asked = slices.DeleteFunc(asked, func(t truth) bool { return !slices.Contains(ts, t) })
		}
	}
	only, some := slices.Clone(l.Only), false
	for _, t := range asked {
		x, _ := t.limit()
		i := slices.IndexFunc(only, func(o Only) bool { return limit{Form: FormOf(o.Less)}.equal(x) })
		if i < 0 {
			i, only = len(only), append(only, limits{x}.notes()...)
		}
		only[i].Finite, only[i].Sure = false, true
		some = some || slices.Contains(x.Args, l.Var) && slices.ContainsFunc(x.Args, (*Value).data)
	}
	if !some {
		return nil
	}
	x := &knower{known: asked, made: make(map[*Value]*Value)}
	out := *l
	out.Only = nil
	out = *out.remade(remade(l.Body, make(map[*Value]bool), x.value), x.value)
	out.Only = only
	return &out
}

// foretells reports whether what is known before a loop, and its index, tell a truth value, so that bounds
// do.
func (l *Loop) foretells(t truth) bool {
	x, ok := t.limit()
	return ok && !slices.ContainsFunc(x.Args, func(v *Value) bool {
		return v != l.Var && (needed(v)[l.Var] || l.computes(v))
	}) && !slices.ContainsFunc(x.Coef, func(c int64) bool { return !unit(c) })
}

// computes reports whether a value is computed in a loop.
func (l *Loop) computes(v *Value) bool {
	return slices.ContainsFunc(l.Body, func(s Stmt) bool { let, ok := s.(*Let); return ok && let.Value == v })
}

// masksOf are the truth values without which a number is 0, as nothing else is chosen then.
func masksOf(v *Value) (out []truth) {
	var all func(t truth)
	all = func(t truth) {
		switch c := t.of; {
		case c.Kind == Compute && c.Op == ops.SymNot:
			all(truth{c.Args[0], !t.one})
		case c.Kind == Compute && (c.Op == ops.SymAnd && t.one || c.Op == ops.SymOr && !t.one):
			all(truth{c.Args[0], t.one})
			all(truth{c.Args[1], t.one})
		default:
			out = append(out, t)
		}
	}
	for of, when, ok := orZero(v); ok; of, when, ok = orZero(of) {
		all(when)
	}
	return out
}

// limit is the condition that a truth value says, if it is the same for integers that do not wrap
// around: of those that are compared one at most may be large, and it is not computed.
func (t truth) limit() (limit, bool) {
	x, y, or, ok := t.less()
	if !ok || !x.Near() && (x.Kind == Linear || !y.Near()) || y.Kind == Linear && !y.Near() {
		return limit{}, false
	}
	f := FormOf(NewBuilder(nil).linear(-or, []int64{1, -1}, []*Value{x, y}))
	rest, _ := f.near()
	return limit{Form: f}, rest.atMost(MaxIndex / 2)
}

// certain reports whether loops whose runs are sure know which ones where they begin, and there is but one
// answer for all that is done in lock step: in statements of which some loops are in lanes or in rows. What is
// computed outside the statements is known; around says that there is a loop.
func certain(body []Stmt, together []*Loop, around bool) bool {
	inside, some := make(map[*Value]bool), false
	Walk(body, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			inside[s.Value] = true
		case *Loop:
			inside[s.Var] = true
			some = some || s.Sure()
		}
	})
	if !some {
		return true
	}
	apart := NewVariance(body, together...)
	var all func(body []Stmt, around bool) bool
	all = func(body []Stmt, around bool) bool {
		for _, s := range body {
			if let, ok := s.(*Let); ok {
				delete(inside, let.Value)
			}
			l, ok := s.(*Loop)
			if !ok {
				continue
			}
			for _, o := range l.Only {
				if o.Sure && (!around || slices.ContainsFunc(o.Less.Args, func(v *Value) bool { return v != l.Var && (inside[v] || apart.Varies(v)) })) {
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
		!slices.ContainsFunc(s.Panels, func(p *Panel) bool { return p.Fold.Sure() })
}

// certain reports whether loops whose runs are sure may be run so.
func (w *way) certain() bool {
	together := w.tile.lanes
	if w.tile.jam != nil {
		together = append(slices.Clone(together), w.tile.jam)
	}
	return certain([]Stmt{w.Loop}, together, true)
}

// Sure reports whether no run of a loop is done but those that its conditions tell, of which some are sure.
func (l *Loop) Sure() bool { return slices.ContainsFunc(l.Only, func(o Only) bool { return o.Sure }) }
