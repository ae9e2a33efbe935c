package theory

import (
	"slices"

	"egad/egraph"
)

// guard reports whether the conditions of a rule hold for a match. What they
// rest on only grows: a condition that holds goes on to hold.
func (g *Graph) guard(r *Rule, m *egraph.Match) bool {
	if r.lhs.kind == nodeMeta && g.sortOf(m.RootClass()) != r.scope.metas[r.lhs.v].sort {
		return false
	}
	e := &g.conds
	e.match, e.left = m, r.left
	clear(e.names)
	// Others may look at the names of variables.
	for i := range r.conds {
		if k := &r.conds[i]; k.kind == condIs && !e.is(k) {
			return false
		}
	}
	for i := range r.conds {
		if k := &r.conds[i]; k.kind != condIs && !e.condition(k) {
			return false
		}
	}
	return true
}

// sortOf is the sort of a class.
func (g *Graph) sortOf(c egraph.ClassID) *Sort { return g.t.byOp[g.AnyOp(c)].Sort }

func (e *env) is(k *cond) bool {
	r := e.match.Var(k.a.v)
	switch k.word {
	case "number":
		c := e.g.constant(r)
		return c != nil && c.Number != nil
	case "symbol":
		return e.g.symbol(r) != nil
	}
	// A variable has one slot, and all variables of a sort are one class.
	if len(r.Args) != 1 {
		return false
	}
	found, ok := e.g.Lookup(k.sort.variable.op, r.Args, nil, nil)
	return ok && e.g.Same(found, r)
}

// constant is the constant that a class equals, nil if none is known.
func (g *Graph) constant(r egraph.Ref) *Operator {
	if c := g.constants.Get(r.ID); c > 0 {
		return g.t.constants[c-1]
	}
	return nil
}

// symbol is the first of the symbols that are in the class, nil if there is none.
func (g *Graph) symbol(r egraph.Ref) *Operator {
	if s := g.atoms.Get(r.ID); s > 0 {
		return g.t.symbols[s-1]
	}
	return nil
}

func (e *env) condition(k *cond) bool {
	switch k.kind {
	case condNotIn:
		v := k.a.v
		if k.a.kind == nodeMeta {
			v = -1 - v
		}
		return !e.match.Var(k.b.v).Has(e.name(v))
	case condDistinct:
		a, okA := e.find(k.a)
		b, okB := e.find(k.b)
		return okA && okB && e.g.apart(a, b)
	case condEqual:
		a, okA := e.find(k.a)
		b, okB := e.find(k.b)
		return okA && okB && e.g.Same(a, b)
	}
	return e.fact(k.a, k.b)
}

// apart reports whether two classes of a sort have different atoms: numbers or
// symbols. That symbols differ is remembered: if they turn out to be equal, that
// is a contradiction.
func (g *Graph) apart(a, b egraph.Ref) bool {
	ca, cb := g.constant(a), g.constant(b)
	if ca != nil && cb != nil {
		return ca != cb
	}
	if ca == nil {
		ca = g.symbol(a)
	}
	if cb == nil {
		cb = g.symbol(b)
	}
	if ca == nil || cb == nil || ca == cb {
		return false
	}
	g.tell(ca, cb)
	return true
}

// tell remembers that a condition rests on two atoms being different.
func (g *Graph) tell(a, b *Operator) {
	pair := [2]*Operator{a, b}
	if g.toldOf[pair] {
		return
	}
	if g.toldOf == nil {
		g.toldOf = make(map[[2]*Operator]bool)
	}
	g.toldOf[pair] = true
	g.told = append(g.told, pair)
}

// confused is a pair of atoms that a condition took for different, and that are
// equal; nil if there is none.
func (g *Graph) confused() []*Operator {
	if g.merged == g.sure {
		return nil // what was told apart was so then
	}
	for _, p := range g.told {
		a, okA := g.Lookup(p[0].op, nil, nil, nil)
		b, okB := g.Lookup(p[1].op, nil, nil, nil)
		if okA && okB && g.Same(a, b) {
			return p[:]
		}
	}
	g.sure = g.merged
	return nil
}

// fact reports whether a fact is known: its term equals that of all facts. Of !=,
// where mirror has the sides exchanged, two more things are known: constants
// differ, and it is symmetric.
func (e *env) fact(n, mirror *node) bool {
	if r, ok := e.find(n); ok && e.g.known(r) {
		return true
	}
	if mirror == nil {
		return false
	}
	a, b := e.value(n.kids[0]), e.value(n.kids[1])
	if a != nil && b != nil && a != b {
		return true
	}
	r, ok := e.find(mirror)
	return ok && e.g.known(r)
}

// known reports whether a term of the sort of facts holds.
func (g *Graph) known(r egraph.Ref) bool {
	h, ok := g.Lookup(g.t.holds.op, nil, nil, nil)
	return ok && g.Same(r, h)
}

// irreflexive is a fact that a term is != to itself, nil if there is none.
func (g *Graph) irreflexive() *Term {
	if g.t.distinct == nil {
		return nil
	}
	var fact *Term
	g.Matches(&egraph.Rule{Lhs: g.t.selfDistinct}, func(m *egraph.Match) bool {
		if g.known(m.Root()) {
			if t, ok := g.Smallest(m.Var(0)); ok {
				fact = &Term{Op: g.t.distinct, Kids: []*Term{t, t}}
			}
		}
		return fact == nil
	})
	return fact
}

// congruent reports whether two terms without binders, of which nothing is
// folded, would be equal: what is not in the graph equals nothing that is.
func (e *env) congruent(a, b *node) bool {
	x, okA := e.find(a)
	y, okB := e.find(b)
	if okA || okB {
		return okA && okB && e.g.Same(x, y)
	}
	return a.op == b.op && a.kind == nodeApp && b.kind == nodeApp && slices.EqualFunc(a.kids, b.kids, e.congruent) ||
		a.kind == nodeVar && b.kind == nodeVar && a.v == b.v
}

// binds reports whether a term binds something.
func (n *node) binds() bool { return len(n.binders) > 0 || slices.ContainsFunc(n.kids, (*node).binds) }

// computes reports whether a part of a term that is not in the graph would be
// folded.
func (e *env) computes(n *node) bool {
	if slices.ContainsFunc(n.kids, e.computes) {
		return true
	}
	if n.kind != nodeApp || n.op.fold == nil || slices.ContainsFunc(n.kids, func(k *node) bool { return e.value(k) == nil }) {
		return false
	}
	_, ok := e.find(n)
	return !ok
}

// value is the constant that a term equals, nil if none is known.
func (e *env) value(n *node) *Operator {
	if n.kind == nodeApp && n.op.constant > 0 {
		return n.op
	}
	if r, ok := e.find(n); ok {
		return e.g.constant(r)
	}
	return nil
}
