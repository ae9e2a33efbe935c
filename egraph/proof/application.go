package proof

import (
	"slices"

	"egad/egraph"
	"egad/slot"
)

// application is a logged application of a rule, in the names of a leg.
type application struct {
	x     *Explainer
	limit int // edges before it were known then
	names map[egraph.Pos]slot.Name
	vars  []egraph.Ref
	bound []slot.Name
	// matched is what the left side matched, if the rule says something of other terms.
	matched *side
}

// side is a side of a rule, with the terms of the e-nodes that it matched or built.
type side struct {
	source *egraph.Pattern
	terms  map[*egraph.Pattern]egraph.Term
}

// application is the steps from the term of a, which the left side of a rule
// matched, to the term of b, which the right side made: back to the instance of
// the left side, the rule, and on from the instance of the right side.
func (x *Explainer) application(h leg, a, b egraph.Ref) ([]Step, error) {
	r := x.log.list[x.edges[h.edge].rule]
	ap := &application{x: x, limit: h.edge, names: h.names}
	left, right := ap.read(r, h)
	rule := Step{Rule: r, Reason: r.Name, From: ap.instance(left, left.source), Moment: h.edge, Bound: ap.bound}
	var in []Step
	var err error
	if ap.matched != nil {
		rule.Left = ap.instance(*ap.matched, ap.matched.source)
	}
	if r.Beside {
		rule.From = x.tree(a)
	} else if in, err = ap.match(left, left.source, a); err != nil {
		return nil, err
	}
	for _, v := range ap.vars {
		rule.Vars = append(rule.Vars, x.tree(v))
	}
	if r.Apply != nil {
		rule.To = x.tree(b)
		return append(reversed(in), rule), nil
	}
	rule.To = ap.instance(right, right.source)
	out, err := ap.match(right, right.source, b)
	return slices.Concat(reversed(in), []Step{rule}, out), err
}

// read takes the log of an application apart. The left side is the rule's From if it
// has one.
func (ap *application) read(r *egraph.Rule, h leg) (left, right side) {
	x := ap.x
	matched := breadthFirst(r.Lhs.Pattern())
	var built, from []*egraph.Pattern
	if r.Apply == nil {
		built = childrenFirst(r.Rhs.Pattern(), nil)
	}
	if r.From != nil {
		from = childrenFirst(r.From.Pattern(), nil)
	}
	d := x.log.words.from(x.edges[h.edge].data)
	n, names := len(matched)+r.Lhs.Vars()+len(built)+len(from), int(d[0])-1
	ids, args := d[1:1+n], d[1+n:]
	next := func() (t egraph.Term) {
		t.ID, ids = ids[0], ids[1:]
		if names >= 0 {
			t.Args, args = args[0], args[1:]
		}
		return t
	}
	for k := range names {
		ap.bound = append(ap.bound, ap.name(egraph.Pos(args[n+k])))
	}
	take := func(p *egraph.Pattern, order []*egraph.Pattern) side {
		s := side{p, make(map[*egraph.Pattern]egraph.Term)}
		for _, q := range order {
			s.terms[q] = next()
		}
		return s
	}
	left = take(r.Lhs.Pattern(), matched)
	for m := range r.Lhs.Vars() {
		v := ap.ref(next())
		if op, ok := r.Variables[m]; ok {
			// The class may be named after another term that equals a variable.
			v.ID = x.variable(op)
		}
		ap.vars = append(ap.vars, v)
	}
	if r.Apply == nil {
		right = take(r.Rhs.Pattern(), built)
	}
	if matched := left; r.From != nil || r.Beside {
		ap.matched = &matched
	}
	if r.From != nil {
		left = take(r.From.Pattern(), from)
	}
	return left, right
}

// breadthFirst lists the parts of a left side that e-nodes match, in the order in
// which they are logged.
func breadthFirst(p *egraph.Pattern) (out []*egraph.Pattern) {
	for queue := []*egraph.Pattern{p}; len(queue) > 0; queue = queue[1:] {
		if queue[0].Kind != egraph.PVar {
			out = append(out, queue[0])
		}
		queue = append(queue, queue[0].Kids...)
	}
	return out
}

// childrenFirst appends the parts of a right side that are e-nodes to a list, in the
// order in which they are logged.
func childrenFirst(p *egraph.Pattern, to []*egraph.Pattern) []*egraph.Pattern {
	for _, k := range p.Kids {
		to = childrenFirst(k, to)
	}
	if p.Kind == egraph.PVar {
		return to
	}
	return append(to, p)
}

// name is what a name of the match is called now.
func (ap *application) name(p egraph.Pos) slot.Name {
	n, ok := ap.names[p]
	if !ok {
		n = ap.x.name()
		ap.names[p] = n
	}
	return n
}

func (ap *application) ref(t egraph.Term) egraph.Ref {
	r := egraph.Ref{ID: t.ID}
	for _, p := range ap.x.log.vecs.Get(t.Args) {
		n := egraph.AnyName
		if p != egraph.AnyPos {
			n = ap.name(p)
		}
		r.Args = append(r.Args, n)
	}
	return ap.x.complete(r)
}

func (ap *application) binders(p *egraph.Pattern) []slot.Name {
	var out []slot.Name
	for _, b := range p.Binders {
		if b < 0 {
			out = append(out, ap.vars[-1-b].Args[0])
			continue
		}
		out = append(out, ap.bound[b])
	}
	return out
}

// instance is the term that a part of a side stands for.
func (ap *application) instance(s side, p *egraph.Pattern) *egraph.Tree {
	x := ap.x
	if p.Kind == egraph.PVar {
		return x.tree(ap.vars[p.Var])
	}
	t := &egraph.Tree{Op: x.opOf(s.terms[p].ID)}
	if p.Kind == egraph.PSlot {
		t.Own = []slot.Name{ap.bound[p.Var]}
		return t
	}
	t.Binders = ap.binders(p)
	for _, k := range p.Kids {
		t.Kids = append(t.Kids, ap.instance(s, k))
	}
	if slices.ContainsFunc(p.Binders, func(b int) bool { return b < 0 }) {
		ap.rebind(t)
	}
	return t
}

// rebind gives what t binds new names: a variable of the left side, which is free
// there, must not have the same name here.
func (ap *application) rebind(t *egraph.Tree) {
	is := make(map[slot.Name]slot.Name)
	for k, n := range t.Binders {
		t.Binders[k] = ap.x.name()
		is[n] = t.Binders[k]
	}
	under := ap.x.headOf(t.Op).Under
	for k := range t.Kids {
		if under>>k&1 != 0 {
			t.Kids[k] = t.Kids[k].Rename(ap.x.sig, is)
		}
	}
}

// match is the steps from the instance of a part of a side to the term that it
// matched, or that was made for it.
func (ap *application) match(s side, p *egraph.Pattern, to egraph.Ref) ([]Step, error) {
	x := ap.x
	switch p.Kind {
	case egraph.PVar:
		return x.path(ap.vars[p.Var], to, ap.limit)
	case egraph.PSlot:
		return nil, nil
	}
	binders := ap.binders(p)
	op, _, kids := x.term(to, binders)
	var steps []Step
	from := make([]egraph.Ref, len(p.Kids))
	for k, q := range p.Kids {
		if q.Kind == egraph.PVar {
			from[k] = ap.vars[q.Var]
			continue
		}
		from[k] = ap.ref(s.terms[q])
		in, err := ap.match(s, q, from[k])
		if err != nil {
			return nil, err
		}
		steps = append(steps, x.inside(op, k, binders, in)...)
	}
	rest, err := x.children(op, nil, binders, from, kids, ap.limit)
	return append(steps, rest...), err
}
