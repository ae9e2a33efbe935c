package improve

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
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
func idle(p *kernel.Program, b *sparsity.Bounder, w *cost.Weights) {
	for _, k := range p.Kernels {
		if k.Steps == nil && !k.Calls() {
			k.Body = idleIn(b, k.Body, nil, w)
		}
	}
}

// idleIn is a body with idle runs done apart; before are integers that are known there.
func idleIn(b *sparsity.Bounder, body []kernel.Stmt, before []*kernel.Value, w *cost.Weights) (out []kernel.Stmt) {
	before = before[:len(before):len(before)]
	for _, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			if s.Value.Elem == types.I {
				before = append(before, s.Value)
			}
		case *kernel.Loop:
			if apart := idleOf(b, s, before); apart != nil && schedule.Cost(w, apart) < schedule.Cost(w, []kernel.Stmt{s})*schedule.ApartShare {
				out = append(out, apart...)
				continue
			}
			inPlace := false
			for a := range kernel.Stores(s.Body) {
				_, over := b.Over[a]
				inPlace = inPlace || over
			}
			if !inPlace { // else it is stored at one place: see elementByElement
				s.Body = idleIn(b, s.Body, append(before, s.Var), w)
			}
		}
		out = append(out, s)
	}
	return out
}

// idleOf is a nest with the idle runs of its innermost loop done after it, or nil.
func idleOf(b *sparsity.Bounder, l *kernel.Loop, before []*kernel.Value) []kernel.Stmt {
	chain, _, rest := schedule.NestOf(l)
	if len(chain) == 0 || slices.ContainsFunc(chain, func(l *kernel.Loop) bool { return l.If != nil }) {
		return nil
	}
	inner := chain[len(chain)-1]
	var stores []*kernel.Store
	for _, s := range rest {
		if store, ok := s.(*kernel.Store); ok && !store.Add && !store.Checked {
			stores = append(stores, store)
		} else if !kernel.IsLet(s) {
			return nil
		}
	}
	in := slices.Concat(before, slice.Map(chain, func(l *kernel.Loop) *kernel.Value { return l.Var }))
	var best sparsity.Limit
	var constants []*kernel.Value // what is stored in the idle runs, or nil where nothing is
	most := idleShare * float64(inner.N)
	for _, s := range stores {
		for _, c := range idleBy(b, s.Value, in, inner) {
			left := constantsOf(b, stores, c)
			if left == nil {
				continue
			}
			one := *inner
			one.Only = append(slices.Clone(inner.Only), sparsity.Limits{c}.Notes()...)
			trips := schedule.Trips(&one, false, func(v *kernel.Value) int {
				if i := slices.IndexFunc(chain, func(l *kernel.Loop) bool { return l.Var == v }); i >= 0 {
					return chain[i].N
				} else if v.Kind != kernel.Var {
					return 1
				}
				return 0
			})
			if idle := float64(inner.N) - trips; idle > most {
				best, constants, most = c, left, idle
			}
		}
	}
	if constants == nil {
		return nil
	}
	fill := &kernel.Loop{Name: inner.Name, Var: inner.Var, N: inner.N}
	rests := best.Not()
	do := func(v *kernel.Value) *kernel.Value {
		fill.Body = append(fill.Body, &kernel.Let{Value: v})
		return v
	}
	less := sparsity.Limits{best}.Notes()[0].Less
	not := do(&kernel.Value{Kind: kernel.Compute, Elem: types.B, Op: ops.SymLt, Args: []*kernel.Value{less, kernel.NewBuilder(nil).Int(0)}, Range: ops.AnyInt})
	for i, s := range stores {
		if constants[i] == nil {
			continue
		}
		there := do(&kernel.Value{Kind: kernel.Load, Elem: s.Array.Elem, Range: s.Array.Range, Access: s.Access})
		value := do(&kernel.Value{Kind: kernel.Compute, Elem: s.Array.Elem, Op: ops.SymWhere, Args: []*kernel.Value{not, there, constants[i]}, Range: s.Array.Range})
		fill.Body = append(fill.Body, &kernel.Store{Access: s.Access, Value: value})
	}
	busy := *inner
	busy.Only = append(slices.Clone(inner.Only), sparsity.Limits{best}.Notes()...)
	fill.Only = sparsity.Limits{rests}.Notes()
	nested := func(s kernel.Stmt) kernel.Stmt {
		for _, l := range slices.Backward(chain[:len(chain)-1]) {
			s = l.With(append(slices.DeleteFunc(slices.Clone(l.Body), func(s kernel.Stmt) bool { return !kernel.IsLet(s) }), s))
		}
		return s
	}
	out := []kernel.Stmt{nested(&busy)}
	if len(fill.Body) > 1 {
		out = append(out, kernel.Freshen([]kernel.Stmt{schedule.Box(nested(fill).(*kernel.Loop), nil, 0, 0)})...)
	}
	return out
}

// idleBy are the conditions of what a store chooses that an innermost loop can begin or end by, without which
// its runs may be idle.
func idleBy(b *sparsity.Bounder, v *kernel.Value, in []*kernel.Value, inner *kernel.Loop) (out sparsity.Limits) {
	if v.Kind != kernel.Compute {
		return nil
	}
	there := sparsity.Limits(slice.Map(inner.Only, func(o kernel.Only) sparsity.Limit { return sparsity.Limit{Form: kernel.FormOf(o.Less)} }))
	add := func(ls sparsity.Limits) {
		for _, x := range ls {
			x = x.Among(in)
			i := slices.Index(x.Args, inner.Var)
			// What may be large may wrap in the sum that the other loop compares.
			if i >= 0 && kernel.IsUnit(x.Coef[i]) && len(x.Args) > 1 && !imply(there, x) && !slices.ContainsFunc(x.Args, func(v *kernel.Value) bool { return !slices.Contains(in, v) || !v.Near() }) {
				out = out.And(sparsity.Limits{x})
			}
		}
	}
	switch {
	case v.Elem == types.B:
		add(b.Holds(v, true))
		add(b.Holds(v, false))
	case v.Op == ops.SymWhere:
		add(b.Holds(v.Args[0], true))
		add(b.Holds(v.Args[0], false))
		fallthrough
	case v.Op == ops.SymAdd:
		for _, x := range v.Args {
			if x.Elem != types.B {
				out = out.And(idleBy(b, x, in, inner))
			}
		}
	}
	return out
}

// constantsOf are what stores store where a condition does not hold, nil where nobody needs it or it is there,
// or nil if one of them stores something else, or none a constant.
func constantsOf(b *sparsity.Bounder, stores []*kernel.Store, c sparsity.Limit) []*kernel.Value {
	out := make([]*kernel.Value, len(stores))
	for i, s := range stores {
		if imply(b.Wanted(s), c) {
			continue
		}
		if out[i] = without(b, s.Value, c); out[i] == nil {
			return nil
		}
	}
	return out
}

// without is the constant that a value is where a condition does not hold, or nil.
func without(b *sparsity.Bounder, v *kernel.Value, c sparsity.Limit) *kernel.Value {
	switch {
	case v.Kind == kernel.Lit:
		return v
	case v.Elem == types.B:
		for _, one := range []bool{false, true} {
			if imply(b.Holds(v, !one), c) {
				return kernel.NewBuilder(nil).Lit(ops.ScalarB(one))
			}
		}
	case v.Kind != kernel.Compute:
	case v.Op == ops.SymWhere:
		for i, one := range []bool{false, true} {
			if imply(b.Holds(v.Args[0], !one), c) {
				return without(b, v.Args[2-i], c)
			}
		}
	case v.Op == ops.SymAdd && v.Elem == types.R:
		x, y := without(b, v.Args[0], c), without(b, v.Args[1], c)
		if x != nil && y != nil && x.IsZero() && y.IsZero() {
			return x
		}
	}
	return nil
}

// imply reports whether a condition holds where these do.
func imply(a sparsity.Limits, c sparsity.Limit) bool {
	return slices.ContainsFunc(a, func(x sparsity.Limit) bool {
		konst := x.Const
		x.Const = c.Const
		return konst >= c.Const && x.Equal(c)
	})
}
