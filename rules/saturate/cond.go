package saturate

import (
	"slices"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term/ops"
	"egad/term/types"
)

// cond is a condition, about terms for the engine.
type cond struct {
	kind rules.CondKind
	a, b *egraph.Pattern
	// differ says that a fact is that two terms differ.
	differ bool
	// v is the variable that is not in b; -1-m is the one that metavariable m stands for.
	// Of a list of variables it is the number of the list.
	v    int
	list bool
	op   egraph.Op // of variables of the sort of a
}

// compiled reports whether a condition is decided by looking at classes. The others are
// about attributes and types, some of which have to be computed, and about ranges.
func (c *compiler) compiled(k *rules.Cond) bool {
	if c.language != nil {
		return !k.Static()
	}
	switch k.Kind {
	case rules.CondClass:
		return k.Class.Arity == 0 || len(c.lists) == 0 // there the engine has looked at the operator
	case rules.CondNotIn:
		return true
	case rules.CondLiteral, rules.CondNotLiteral:
		return k.L.Kind == rules.PMeta
	case rules.CondFact:
		return applied(k.L)
	case rules.CondSame:
		return applied(k.L) && applied(k.R)
	}
	return false
}

// notIn translates that variables are not in terms.
func (c *compiler) notIn(k *rules.Cond) {
	x := cond{kind: k.Kind, list: k.List}
	if k.List {
		x.v = number(&c.boundLists, k.Name)
	} else {
		x.v = c.binder(k.Name)
	}
	for _, t := range k.Terms {
		x.b = &egraph.Pattern{Kind: egraph.PVar, Var: slices.Index(c.metaNames, t)}
		if x.b.Var < 0 {
			x.b = &egraph.Pattern{Kind: egraph.PList, Var: number(&c.lists, t)}
		}
		c.conds = append(c.conds, x)
	}
}

// cond translates a condition.
func (c *compiler) cond(k *rules.Cond) {
	x, l := cond{kind: k.Kind}, c.language
	switch k.Kind {
	case rules.CondClass:
		return
	case rules.CondNotIn:
		c.notIn(k)
		return
	}
	if k.L != nil {
		x.a = c.pattern(k.L)
	}
	if k.R != nil {
		x.b = c.pattern(k.R)
	}
	switch {
	case l == nil:
	case k.Kind == rules.CondLiteral:
		l.columns = true
	case k.Kind == rules.CondSymbol:
		l.atoms = true
	case k.Kind == rules.CondDistinct:
		l.columns, l.atoms = true, true
	case k.Kind == rules.CondVariable:
		x.op = c.variable(c.rule.SortOf(k.L.Name))
	case k.Kind == rules.CondFact:
		x.differ = l.distinct != nil && k.L.Sym == l.distinct.Sym
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

// apart reports whether what the conditions do not accept of variables that differ they do not
// accept either where some of these are the same. A class is of its sort, and has its type and its
// literals, whatever it is passed, and what a variable is in it stays in.
func (f *form) apart() bool {
	meta := func(p *rules.Pattern) bool { return p.Kind == rules.PMeta }
	return len(f.permuted)+len(f.computed) == 0 &&
		!slices.ContainsFunc(f.conds, func(k cond) bool { return !slices.Contains(ofClasses, k.kind) }) &&
		!slices.ContainsFunc(f.rest, func(k *rules.Cond) bool {
			switch k.Kind {
			case rules.CondLiteral, rules.CondNotLiteral:
				return !meta(k.L)
			case rules.CondType:
				return !meta(k.Of)
			case rules.CondEqual, rules.CondDiffer:
				return !ofMetas(k.A) || !ofMetas(k.B)
			case rules.CondOrder:
				return !ofNumbers(k.L) || !ofNumbers(k.R)
			}
			return !slices.Contains(ofClasses, k.Kind)
		})
}

// ofClasses are the conditions that, of metavariables, are about classes or say that a variable
// is not in something.
var ofClasses = []rules.CondKind{rules.CondNotIn, rules.CondClass, rules.CondLiteral, rules.CondNotLiteral, rules.CondSymbol}

// ofNumbers reports whether a term is made of numbers that are attributes alone.
func ofNumbers(p *rules.Pattern) bool {
	switch p.Kind {
	case rules.PNumber, rules.PLit, rules.PSizeVal:
		return ofMetas(p.Lit)
	}
	return p.Kind == rules.PApp && p.Sym != ops.SymNone && p.Binders == nil &&
		!slices.ContainsFunc(p.Kids, func(e rules.Elem) bool { return e.Pat == nil || !ofNumbers(e.Pat) })
}

// ofMetas reports whether an attribute is one of metavariables, and of no terms that are made of
// them.
func ofMetas(a *rules.AttrExpr) bool {
	return a == nil || a.Kind != rules.ADivisor && (a.Term == nil || a.Term.Kind == rules.PMeta) && !slices.ContainsFunc(a.Args, func(x *rules.AttrExpr) bool { return !ofMetas(x) })
}

// variables has the metavariables that are variables, with their operators.
func (f *form) variables() (of map[int]egraph.Op) {
	for _, k := range f.conds {
		if k.kind == rules.CondVariable {
			memo.Set(&of, k.a.Var, k.op)
		}
	}
	return of
}

// variable is the operator of the variables that a metavariable stands for; it is false if
// it may stand for something else.
func (f *form) variable(meta int) (egraph.Op, bool) {
	i := slices.IndexFunc(f.conds, func(k cond) bool { return k.kind == rules.CondVariable && k.a.Var == meta })
	if i < 0 {
		return 0, false
	}
	return f.conds[i].op, true
}

// conds decides the conditions of a match.
type conds struct {
	g     *Graph
	match *egraph.Match
	rule  *form
	full  *match.Match      // the same, with attributes and lists; nil if the rule does not ask for it
	names map[int]slot.Name // of variables that the left side does not bind
	kids  []egraph.Ref      // of the operators that are being looked at
}

// holds reports whether the conditions of a rule hold for a match. What they rest on
// only grows: a condition that holds goes on to hold. Of a rule that asks for attributes
// it leaves the match with these in a note.
func (g *Graph) holds(x *form, m *egraph.Match) (bool, error) {
	if x.root != nil && !x.root.Equal(g.sortOf(m.RootClass())) {
		return false, nil
	}
	e := &g.conds
	e.g, e.match, e.rule, e.full = g, m, x, nil
	clear(e.names)
	first := len(x.computed) == 0 // what is quick comes first
	if first && !e.all() {
		return false, nil
	}
	if x.open {
		full, ok, err := x.match(&g.reading, m, x.rest)
		if m.Note = g.found.keep(full); !ok || err != nil {
			for _, c := range g.reading.reader.Missing {
				if first {
					g.withheld[c] = x.rule
				}
			}
			return false, err
		}
		e.full = full
	}
	return first || e.all(), nil
}

// all decides the compiled conditions.
func (e *conds) all() bool {
	x := e.rule
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
func (g *Graph) sortOf(c egraph.ClassID) *types.Type {
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
	case rules.CondLiteral, rules.CondNotLiteral:
		return e.literal(e.match.Var(k.a.Var)) == (k.kind == rules.CondLiteral)
	case rules.CondSymbol:
		_, ok := e.g.known.symbol(e.match.Var(k.a.Var))
		return ok
	case rules.CondNotIn:
		return e.without(k)
	case rules.CondDistinct:
		a, okA := e.atom(k.a)
		b, okB := e.atom(k.b)
		return okA && okB && e.g.known.apart(a, b)
	case rules.CondSame:
		a, okA := e.find(k.a)
		b, okB := e.find(k.b)
		return okA && okB && e.g.Same(a, b)
	}
	return e.fact(k)
}

// literal reports whether a class has a literal: in a language, a number.
func (e *conds) literal(r egraph.Ref) (found bool) {
	if e.g.language != nil {
		c, ok := e.g.known.constant(r)
		return ok && e.g.language.ops[c].number
	}
	e.g.Graph.Nodes(r, func(n egraph.Node) bool {
		found = e.g.lang.terms[n.Op].Sym == ops.SymConst
		return !found
	})
	return found
}

// without reports whether the variables of a condition are not in its terms.
func (e *conds) without(k *cond) bool {
	var names []slot.Name
	if k.list {
		names = e.match.BoundList(k.v)
	} else {
		names = []slot.Name{e.name(k.v)}
	}
	in := func(r egraph.Ref) bool { return slices.ContainsFunc(names, r.Has) }
	if k.b.Kind == egraph.PList {
		return !slices.ContainsFunc(e.match.List(k.b.Var), in)
	}
	return !in(e.match.Var(k.b.Var))
}

// fact reports whether a fact is known: its term equals that of all facts, or it follows
// that two terms differ.
func (e *conds) fact(k *cond) bool {
	if r, ok := e.find(k.a); ok && e.g.isTrue(r) {
		return true
	}
	if !k.differ {
		return false
	}
	a, okA := e.find(k.a.Kids[0])
	b, okB := e.find(k.a.Kids[1])
	if okA && okB {
		return e.g.differ(a, b)
	}
	x, okX := e.value(k.a.Kids[0])
	y, okY := e.value(k.a.Kids[1])
	return okX && okY && x != y
}

// atom is what tells a term apart from others; it is false if nothing does. A number or a symbol of
// the rule need not be in the graph.
func (e *conds) atom(p *egraph.Pattern) (egraph.Op, bool) {
	if r, ok := e.find(p); ok {
		return e.g.known.atom(r)
	}
	x := p.Kind == egraph.PApp && len(p.Kids) == 0 && e.rule.computed[p] == nil
	return p.Op, x && (e.g.language.info(p.Op).number || e.g.language.info(p.Op).symbol)
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
	return memo.Of(e.names, v, func() slot.Name { return e.g.Fresh() })
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
	binders := slice.Map(p.Binders, e.name)
	at := len(e.kids)
	defer func() { e.kids = e.kids[:at] }()
	for _, k := range p.Kids {
		r, ok := e.find(k)
		if !ok {
			return r, false
		}
		e.kids = append(e.kids, r)
	}
	op, ok := p.Op, true
	if e.g.language == nil { // it has others in each graph
		op, ok = e.g.lang.ops[opKey{sym: ops.Sym(p.Head), kids: len(p.Kids)}]
	}
	if !ok {
		return egraph.Ref{}, false
	}
	return e.g.Graph.Lookup(op, nil, binders, e.kids[at:])
}
