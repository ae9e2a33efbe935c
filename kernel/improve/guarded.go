package improve

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// guardedRuns is how many runs a loop has at least that is asked about: it does not share loops that compute
// more of the same elements then.
const guardedRuns = 16

// guarded has loops store 0 for what is hardly ever needed, as the norm of numbers without their squares is only
// if these are very small or very large: who needs a number says when, and that is asked where it is made,
// so that the loop which makes it can be jumped over (see [schedule.rare]).
func guarded(p *kernel.Program) {
	for i := len(p.Arrays); i > 0; {
		g := guardsOf(p)
		for i--; i >= 0 && !g.guard(p.Arrays[i]); i-- {
		}
	}
}

// guards knows when numbers are needed.
type guards struct {
	*accessed
	*sparsity.Knower
	order map[kernel.Stmt]int
}

func guardsOf(p *kernel.Program) *guards {
	g := &guards{accessed: accessedIn(p), Knower: &sparsity.Knower{Needed: make(map[*kernel.Value][]sparsity.Truth), Made: make(map[*kernel.Value]*kernel.Value)}, order: make(map[kernel.Stmt]int)}
	for _, k := range p.Kernels {
		kernel.Walk(k.Body, func(s kernel.Stmt) { g.order[s] = len(g.order) })
		g.Knower.Uses(k.Body)
	}
	return g
}

// guard has the loop that makes elements of an array ask when they are needed, where they are loaded, and reports
// whether it does.
func (g *guards) guard(a *kernel.Array) bool {
	at, loads := g.places[a], g.loads[a]
	if a.Role != kernel.Temp || a.Elem != types.R || g.whole[a] || len(at) != 1 || len(loads) == 0 || at[0].store.Add || !sparsity.IsEach(at[0].store) {
		return false
	}
	in := at[0]
	if !slices.ContainsFunc(*in.body, func(s kernel.Stmt) bool {
		l, ok := s.(*kernel.Loop)
		return ok && l.N >= guardedRuns && slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Result == in.store.Value })
	}) {
		return false
	}
	var c *kernel.Value
	var lets []kernel.Stmt
	one := false
	for _, load := range loads {
		found := false
		for _, t := range g.Needed[load] {
			if !slices.Contains(schedule.SeldomIs(t.Of), t.One) {
				continue
			}
			m := &asking{guards: g, load: load, in: in, done: make(map[*kernel.Value]*kernel.Value)}
			d := m.value(t.Of)
			if d == nil || c != nil && (one != t.One || !equal(c, d)) {
				continue
			}
			if found = true; c == nil {
				c, lets, one = d, m.lets, t.One
			}
		}
		if !found {
			return false
		}
	}
	yes, no := in.store.Value, kernel.Real64(0)
	if !one {
		yes, no = no, yes
	}
	in.store.Value = kernel.RealOf(ops.SymWhere, c, yes, no)
	i := slices.IndexFunc(*in.body, func(s kernel.Stmt) bool { return s == in.store })
	*in.body = slices.Insert(*in.body, i, kernel.Stmt(&kernel.Let{Value: in.store.Value}))
	*in.body = slices.Insert(*in.body, 0, lets...)
	if len(in.store.At) == 0 { // it is a loop of which runs are jumped over
		*in.body = []kernel.Stmt{&kernel.Loop{Name: "once", Var: kernel.NewBuilder(nil).Variable(1, 1), N: 1, Body: *in.body}}
	}
	return true
}

// equal reports whether two values are computed in the same way of the same elements.
func equal(v, w *kernel.Value) bool {
	if v == w {
		return true
	}
	return v.Kind == w.Kind && v.Op == w.Op && v.N == w.N && v.Elem == w.Elem && v.Array == w.Array && v.Const.Key() == w.Const.Key() && v.Kind != kernel.Var &&
		v.Checked == w.Checked && slices.Equal(v.Coef, w.Coef) && slices.EqualFunc(v.Args, w.Args, equal) && slices.EqualFunc(v.At, w.At, equal)
}

// asking has values, as they are where an element is loaded, computed where it is stored.
type asking struct {
	*guards
	load *kernel.Value
	in   storeIn
	done map[*kernel.Value]*kernel.Value
	lets []kernel.Stmt
}

// value is nil if not all is known there.
func (m *asking) value(v *kernel.Value) *kernel.Value {
	if w, ok := m.done[v]; ok {
		return w
	}
	m.done[v] = nil
	switch v.Kind {
	case kernel.Lit:
		m.done[v] = v
		return v
	case kernel.Var:
		if i := slices.Index(m.load.At, v); i >= 0 {
			m.done[v] = m.in.store.At[i]
		}
		return m.done[v]
	case kernel.Load:
		if at := m.places[v.Array]; v.Checked || v.Array.Role == kernel.Temp && (m.whole[v.Array] || len(at) != 1 || at[0].store.Add || m.order[at[0].store] > m.begins(m.in)) {
			return nil
		}
	case kernel.Compute:
	default:
		return nil
	}
	w := *v
	w.Args, w.At = slice.Map(v.Args, m.value), slice.Map(v.At, m.value)
	if slices.Contains(w.Args, nil) || slices.Contains(w.At, nil) {
		return nil
	}
	m.done[v] = &w
	m.lets = append(m.lets, &kernel.Let{Value: &w})
	return &w
}

// begins is the number of the first statement of the loops around a store that are run as one nest.
func (g *guards) begins(in storeIn) int {
	first := g.order[in.store]
	for s, n := range g.order {
		if l, ok := s.(*kernel.Loop); ok && !l.Order.Whole() && slices.Contains(in.store.At, l.Var) {
			first = min(first, n)
		}
	}
	return first
}
