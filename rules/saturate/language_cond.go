package saturate

import (
	"egad/egraph"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// conds decides the conditions of a match.
type conds struct {
	g     *Graph
	match *egraph.Match
	rule  *sortedRule
	names map[int]slot.Name // of variables that the left side does not bind
	kids  []egraph.Ref      // of the operators that are being looked at
}

// holds reports whether the conditions of a rule hold for a match. What they rest on
// only grows: a condition that holds goes on to hold.
func (g *Graph) holds(x *sortedRule, m *egraph.Match) bool {
	if x.root != nil && !x.root.Equal(g.sortOf(m.RootClass())) {
		return false
	}
	e := &g.conds
	e.g, e.match, e.rule = g, m, x
	clear(e.names)
	// Others may look at the names of variables.
	for i := range x.conds {
		if k := &x.conds[i]; k.kind == rules.CondVariable && !e.isVariable(k) {
			return false
		}
	}
	for i := range x.conds {
		if !e.condition(&x.conds[i]) {
			return false
		}
	}
	return true
}

// sortOf is the sort of a class of a graph of a language.
func (g *Graph) sortOf(c egraph.ClassID) *term.Type {
	op := g.TermOp(g.AnyOp(c))
	if d := g.lang.sig.Operator(op.Sym).Sorted; d != nil {
		return d.Result
	}
	return op.Type
}

// isVariable reports whether a metavariable stands for a variable: it has one slot, and
// all variables of a sort are one class.
func (e *conds) isVariable(k *sortedCond) bool {
	r := e.match.Var(k.a.Var)
	if len(r.Args) != 1 {
		return false
	}
	found, ok := e.g.Graph.Lookup(k.op, r.Args, nil, nil)
	return ok && e.g.Same(found, r)
}

func (e *conds) condition(k *sortedCond) bool {
	switch k.kind {
	case rules.CondVariable:
		return true
	case rules.CondLiteral:
		c, ok := e.g.known.constant(e.match.Var(k.a.Var))
		return ok && e.g.language.ops[c].number != nil
	case rules.CondSymbol:
		_, ok := e.g.known.symbol(e.match.Var(k.a.Var))
		return ok
	case rules.CondNotIn:
		return !e.match.Var(k.b.Var).Has(e.name(k.v))
	case rules.CondDistinct:
		a, okA := e.find(k.a)
		b, okB := e.find(k.b)
		return okA && okB && e.g.known.apart(a, b)
	case rules.CondSame:
		a, okA := e.find(k.a)
		b, okB := e.find(k.b)
		return okA && okB && e.g.Same(a, b)
	}
	return e.fact(k.a, k.mirror)
}

// fact reports whether a fact is known: its term equals that of all facts. Of !=,
// where mirror has the sides exchanged, two more things are known: constants
// differ, and it is symmetric.
func (e *conds) fact(a, mirror *egraph.Pattern) bool {
	if r, ok := e.find(a); ok && e.g.isTrue(r) {
		return true
	}
	if mirror == nil {
		return false
	}
	x, okX := e.value(a.Kids[0])
	y, okY := e.value(a.Kids[1])
	if okX && okY && x != y {
		return true
	}
	r, ok := e.find(mirror)
	return ok && e.g.isTrue(r)
}

// value is the constant that a term equals; it is false if none is known.
func (e *conds) value(p *egraph.Pattern) (egraph.Op, bool) {
	if p.Kind == egraph.PApp && e.g.language.info(p.Op).constant {
		return p.Op, true
	}
	if r, ok := e.find(p); ok {
		return e.g.known.constant(r)
	}
	return 0, false
}

func (e *conds) name(v int) slot.Name {
	if v < 0 {
		return e.match.Var(-1 - v).Args[0]
	}
	if v < e.rule.left {
		return e.match.Bound(v)
	}
	if e.names == nil {
		e.names = make(map[int]slot.Name)
	}
	n, ok := e.names[v]
	if !ok {
		n = e.g.Fresh()
		e.names[v] = n
	}
	return n
}

// find looks a term up. It is false if the term is not in the graph.
func (e *conds) find(p *egraph.Pattern) (egraph.Ref, bool) {
	switch p.Kind {
	case egraph.PVar:
		return e.match.Var(p.Var), true
	case egraph.PSlot:
		return e.g.Graph.Lookup(p.Op, []slot.Name{e.name(p.Var)}, nil, nil)
	}
	var binders []slot.Name
	for _, b := range p.Binders {
		binders = append(binders, e.name(b))
	}
	at := len(e.kids)
	defer func() { e.kids = e.kids[:at] }()
	for _, k := range p.Kids {
		r, ok := e.find(k)
		if !ok {
			return r, false
		}
		e.kids = append(e.kids, r)
	}
	return e.g.Graph.Lookup(p.Op, nil, binders, e.kids[at:])
}
