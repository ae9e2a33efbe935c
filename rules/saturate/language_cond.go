package saturate

import (
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// cond is a condition, about terms for the engine.
type cond struct {
	kind rules.CondKind
	a, b *egraph.Pattern
	// mirror is a fact with its sides exchanged, if it is symmetric.
	mirror *egraph.Pattern
	// v is the variable that is not in b; -1-m is the one that metavariable m stands for.
	v  int
	op egraph.Op // of variables of the sort of a
}

// cond translates a condition of a rule of a language.
func (c *compiler) cond(k *rules.Cond) {
	x, l := cond{kind: k.Kind}, c.language
	if k.Static() {
		c.open = true
		return
	}
	if k.L != nil {
		x.a = c.pattern(k.L)
	}
	if k.R != nil {
		x.b = c.pattern(k.R)
	}
	switch k.Kind {
	case rules.CondLiteral:
		l.columns = true
	case rules.CondSymbol:
		l.atoms = true
	case rules.CondDistinct:
		l.columns, l.atoms = true, true
	case rules.CondVariable:
		x.op = c.variable(c.rule.SortOf(k.L.Name))
	case rules.CondNotIn:
		x.b, x.v = &egraph.Pattern{Kind: egraph.PVar, Var: slices.Index(c.metaNames, k.Terms[0])}, c.binder(k.Name)
		if x.b.Var < 0 {
			x.b = &egraph.Pattern{Kind: egraph.PList, Var: number(&c.lists, k.Terms[0])}
		}
	case rules.CondFact:
		if l.distinct != nil && k.L.Sym == l.distinct.Sym {
			m := *x.a
			m.Kids = []*egraph.Pattern{x.a.Kids[1], x.a.Kids[0]}
			x.mirror = &m
		}
	}
	c.conds = append(c.conds, x)
}

// stable reports whether what the conditions say of a match changes only with the
// e-nodes of the match. The sort of a class never changes; what equals a constant goes
// on to; and a class that no longer depends on a variable changes the e-nodes that
// pass it the variable.
func (f *form) stable() bool {
	return !slices.ContainsFunc(f.conds, func(k cond) bool { return k.kind != rules.CondNotIn || k.v < 0 })
}

// variables has the metavariables that are variables, with their operators.
func (f *form) variables() (of map[int]egraph.Op) {
	for _, k := range f.conds {
		if k.kind == rules.CondVariable {
			if of == nil {
				of = make(map[int]egraph.Op)
			}
			of[k.a.Var] = k.op
		}
	}
	return of
}

// conds decides the conditions of a match.
type conds struct {
	g     *Graph
	match *egraph.Match
	rule  *form
	full  *rules.Match      // the same, with attributes and lists; nil if the rule does not ask for it
	names map[int]slot.Name // of variables that the left side does not bind
	kids  []egraph.Ref      // of the operators that are being looked at
}

// holds reports whether the conditions of a rule hold for a match. What they rest on
// only grows: a condition that holds goes on to hold.
func (g *Graph) holds(x *form, m *egraph.Match) bool {
	if x.root != nil && !x.root.Equal(g.sortOf(m.RootClass())) {
		return false
	}
	e := &g.conds
	e.g, e.match, e.rule, e.full = g, m, x, nil
	clear(e.names)
	if x.open {
		full, ok, err := x.match(g, m)
		if m.Note = g.found.keep(full); !ok || err != nil {
			return err != nil // a mistake shows when the rule is applied
		}
		e.full = full
	}
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
func (e *conds) isVariable(k *cond) bool {
	r := e.match.Var(k.a.Var)
	if len(r.Args) != 1 {
		return false
	}
	found, ok := e.g.Graph.Lookup(k.op, r.Args, nil, nil)
	return ok && e.g.Same(found, r)
}

func (e *conds) condition(k *cond) bool {
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
		if k.b.Kind == egraph.PList {
			return !slices.ContainsFunc(e.match.List(k.b.Var), func(r egraph.Ref) bool { return r.Has(e.name(k.v)) })
		}
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
	if q := e.rule.computed[p]; q != nil {
		return e.full.Find(e.g, q)
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
