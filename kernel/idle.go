package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// idleShare is what share of the runs of a loop have to be idle for another loop to do them.
const idleShare = 0.25

// idle has the runs of loops that do no more than to store constants done by loops of their own,
// where indices around them, or integers that are known before, tell which ones these are:
//
//	for j < 100
//	  t[j] := where (j <= k) (exp x[j]) 0
//
// leaves out the runs after k, in which 0 is stored afterwards. In a loop over those, what is there
// stays there in the other runs, so that it does not matter where it begins. What is done in the
// remaining runs of the first is right whether the condition holds or not. It is done where an estimate says that
// it takes less time. b knows who needs what.
func (p *Program) idle(b *bounder, w *Weights) {
	for _, k := range p.Kernels {
		if k.Steps == nil && !k.Calls() {
			k.Body = b.idle(k.Body, nil, w)
		}
	}
}

// idle is a body with idle runs done apart; before are integers that are known there.
func (b *bounder) idle(body []Stmt, before []*Value, w *Weights) (out []Stmt) {
	before = before[:len(before):len(before)]
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			if s.Value.Elem == types.I {
				before = append(before, s.Value)
			}
		case *Loop:
			if apart := b.idleOf(s, before); apart != nil && w.cost(apart) < w.cost([]Stmt{s})*apartShare {
				out = append(out, apart...)
				continue
			}
			inPlace := false
			for a := range Stores(s.Body) {
				_, over := b.over[a]
				inPlace = inPlace || over
			}
			if !inPlace { // else it is stored at one place: see elementByElement
				s.Body = b.idle(s.Body, append(before, s.Var), w)
			}
		}
		out = append(out, s)
	}
	return out
}

// idleOf is a nest with the idle runs of its innermost loop done after it, or nil.
func (b *bounder) idleOf(l *Loop, before []*Value) []Stmt {
	chain, _, rest := nestOf(l)
	if len(chain) == 0 || slices.ContainsFunc(chain, func(l *Loop) bool { return l.If != nil }) {
		return nil
	}
	inner := chain[len(chain)-1]
	var stores []*Store
	for _, s := range rest {
		if store, ok := s.(*Store); ok && !store.Add && !store.Checked {
			stores = append(stores, store)
		} else if !isLet(s) {
			return nil
		}
	}
	in := slices.Concat(before, slice.Map(chain, func(l *Loop) *Value { return l.Var }))
	var best limit
	var constants []*Value // what is stored in the idle runs, or nil where nothing is
	most := idleShare * float64(inner.N)
	for _, s := range stores {
		for _, c := range b.idleBy(s.Value, in, inner) {
			left := b.constants(stores, c)
			if left == nil {
				continue
			}
			one := *inner
			one.Only = append(slices.Clone(inner.Only), limits{c}.notes()...)
			trips := one.trips(false, func(v *Value) int {
				if i := slices.IndexFunc(chain, func(l *Loop) bool { return l.Var == v }); i >= 0 {
					return chain[i].N
				} else if v.Kind != Var {
					return 1
				}
				return 0
			}, func(*Value) int { return 0 }, 0)
			if idle := float64(inner.N) - trips; idle > most {
				best, constants, most = c, left, idle
			}
		}
	}
	if constants == nil {
		return nil
	}
	fill := &Loop{Name: inner.Name, Var: inner.Var, N: inner.N}
	rests := limit{Form: Form{Const: -1 - best.Const, Coef: slice.Map(best.Coef, func(c int64) int64 { return -c }), Args: best.Args}}
	do := func(v *Value) *Value {
		fill.Body = append(fill.Body, &Let{v})
		return v
	}
	less := limits{best}.notes()[0].Less
	not := do(&Value{Kind: Compute, Elem: types.B, Op: ops.SymLt, Args: []*Value{less, NewBuilder(nil).Int(0)}, Range: ops.AnyInt})
	for i, s := range stores {
		if constants[i] == nil {
			continue
		}
		there := do(&Value{Kind: Load, Elem: s.Array.Elem, Range: s.Array.Range, Access: s.Access})
		value := do(&Value{Kind: Compute, Elem: s.Array.Elem, Op: ops.SymWhere, Args: []*Value{not, there, constants[i]}, Range: s.Array.Range})
		fill.Body = append(fill.Body, &Store{Access: s.Access, Value: value})
	}
	busy := *inner
	busy.Only = append(slices.Clone(inner.Only), limits{best}.notes()...)
	fill.Only = limits{rests}.notes()
	nested := func(s Stmt) Stmt {
		for _, l := range slices.Backward(chain[:len(chain)-1]) {
			l := *l
			l.Body = append(slices.DeleteFunc(slices.Clone(l.Body), func(s Stmt) bool { return !isLet(s) }), s)
			s = &l
		}
		return s
	}
	out := []Stmt{nested(&busy)}
	if len(fill.Body) > 1 {
		out = append(out, anew([]Stmt{nested(fill).(*Loop).box(nil, 0, 0)})...)
	}
	return out
}

// idleBy are the conditions of what a store chooses that an innermost loop can begin or end by, without which
// its runs may be idle.
func (b *bounder) idleBy(v *Value, in []*Value, inner *Loop) (out limits) {
	if v.Kind != Compute {
		return nil
	}
	there := limits(slice.Map(inner.Only, func(o Only) limit { return limit{Form: FormOf(o.Less)} }))
	add := func(ls limits) {
		for _, x := range ls {
			x = x.among(in)
			i := slices.Index(x.Args, inner.Var)
			// What may be large may wrap in the sum that the other loop compares.
			if i >= 0 && unit(x.Coef[i]) && len(x.Args) > 1 && !there.imply(x) && !slices.ContainsFunc(x.Args, func(v *Value) bool { return !slices.Contains(in, v) || !v.Near() }) {
				out = out.and(limits{x})
			}
		}
	}
	switch {
	case v.Elem == types.B:
		add(b.holds(v, true))
		add(b.holds(v, false))
	case v.Op == ops.SymWhere:
		add(b.holds(v.Args[0], true))
		add(b.holds(v.Args[0], false))
		fallthrough
	case v.Op == ops.SymAdd:
		for _, x := range v.Args {
			if x.Elem != types.B {
				out = out.and(b.idleBy(x, in, inner))
			}
		}
	}
	return out
}

// constants are what stores store where a condition does not hold, nil where nobody needs it or it is there,
// or nil if one of them stores something else, or none a constant.
func (b *bounder) constants(stores []*Store, c limit) []*Value {
	out := make([]*Value, len(stores))
	for i, s := range stores {
		if b.wanted(s).imply(c) {
			continue
		}
		if out[i] = b.without(s.Value, c); out[i] == nil {
			return nil
		}
	}
	return out
}

// without is the constant that a value is where a condition does not hold, or nil.
func (b *bounder) without(v *Value, c limit) *Value {
	switch {
	case v.Kind == Lit:
		return v
	case v.Elem == types.B:
		for _, one := range []bool{false, true} {
			if b.holds(v, !one).imply(c) {
				return NewBuilder(nil).Lit(ops.ScalarB(one))
			}
		}
	case v.Kind != Compute:
	case v.Op == ops.SymWhere:
		for i, one := range []bool{false, true} {
			if b.holds(v.Args[0], !one).imply(c) {
				return b.without(v.Args[2-i], c)
			}
		}
	case v.Op == ops.SymAdd && v.Elem == types.R:
		x, y := b.without(v.Args[0], c), b.without(v.Args[1], c)
		if x != nil && y != nil && x.isZero() && y.isZero() {
			return x
		}
	}
	return nil
}

// imply reports whether a condition holds where these do.
func (a limits) imply(c limit) bool {
	return slices.ContainsFunc(a, func(x limit) bool {
		konst := x.Const
		x.Const = c.Const
		return konst >= c.Const && x.equal(c)
	})
}
