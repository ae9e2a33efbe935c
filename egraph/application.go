package egraph

import (
	"slices"

	"egad/slot"
)

// application is a logged application of a rule, at the ends of a hop.
type application struct {
	x     *Explainer
	limit int // edges before it were known then
	names map[Pos]slot.Name
	vars  []Ref
	bound []slot.Name
	left  []site
	right []site
	from  []site // of the rule's From
}

// application is the steps from the term of a, which the left side of a rule
// matched, to the term of b, which the right side made: back to the instance of
// the left side, the rule, and on from the instance of the right side.
func (x *Explainer) application(h hop, a, b Ref) ([]Step, error) {
	e := &x.edges[h.edge]
	r := x.g.proofs.list[e.rule]
	ap := x.read(r, h)
	source, node, sites := r.Lhs.pattern(), r.Lhs.numbers(), ap.left
	if r.From != nil {
		source, node, sites = r.From.source, r.From.numbers, ap.from
	}
	in, err := ap.match(source, node, sites, a)
	if err != nil {
		return nil, err
	}
	rule := Step{Rule: r, Reason: r.Name, From: ap.instance(source, node, sites), Moment: h.edge, Bound: ap.bound}
	for _, v := range ap.vars {
		rule.Vars = append(rule.Vars, x.tree(v))
	}
	if r.Apply != nil {
		rule.To = x.tree(b)
		return append(reversed(in), rule), nil
	}
	rule.To = ap.instance(r.Rhs.source, r.Rhs.numbers, ap.right)
	out, err := ap.match(r.Rhs.source, r.Rhs.numbers, ap.right, b)
	return slices.Concat(reversed(in), []Step{rule}, out), err
}

// read takes the log of an application apart.
func (x *Explainer) read(r *Rule, h hop) *application {
	ap := &application{x: x, limit: h.edge, names: h.names}
	right, from := 0, 0
	if r.Apply == nil {
		right = len(r.Rhs.nodes)
	}
	if r.From != nil {
		from = len(r.From.nodes)
	}
	all := make([]site, r.Lhs.nodes+len(r.Lhs.vars)+right+from)
	d := x.g.proofs.words.from(x.edges[h.edge].data)
	names := int(d[0]) - 1
	d = d[1:]
	for k := range all {
		all[k].id = d[k]
		if names >= 0 {
			all[k].args = d[len(all)+k]
		}
	}
	for k := range names {
		ap.bound = append(ap.bound, ap.name(Pos(d[2*len(all)+k])))
	}
	take := func(n int) (out []site) {
		out, all = all[:n], all[n:]
		return out
	}
	ap.left = take(r.Lhs.nodes)
	for m, s := range take(len(r.Lhs.vars)) {
		v := ap.ref(s)
		if op, ok := r.Variables[m]; ok {
			// The class may be named after another term that equals a variable.
			v.ID = x.variable(op)
		}
		ap.vars = append(ap.vars, x.settle(v))
	}
	ap.right, ap.from = take(right), take(from)
	return ap
}

// name is what a name of the match is called now.
func (ap *application) name(p Pos) slot.Name {
	n, ok := ap.names[p]
	if !ok || p == noSlot {
		n = ap.x.name()
		if p != noSlot {
			ap.names[p] = n
		}
	}
	return n
}

func (ap *application) ref(s site) Ref {
	r := Ref{ID: s.id}
	for _, p := range ap.x.g.vecs.Get(s.args) {
		r.Args = append(r.Args, ap.name(p))
	}
	return r
}

func (ap *application) binders(p *Pattern) []slot.Name {
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

// instance is the term that a side stands for.
func (ap *application) instance(p *Pattern, node map[*Pattern]int, sites []site) *Tree {
	switch p.Kind {
	case PVar:
		return ap.x.tree(ap.vars[p.Var])
	case PSlot:
		return &Tree{Op: ap.x.opOf(sites[node[p]].id), Own: []slot.Name{ap.bound[p.Var]}}
	}
	t := &Tree{Op: ap.x.opOf(sites[node[p]].id), Binders: ap.binders(p)}
	for _, k := range p.Kids {
		t.Kids = append(t.Kids, ap.instance(k, node, sites))
	}
	if slices.ContainsFunc(p.Binders, func(b int) bool { return b < 0 }) {
		ap.rebind(t)
	}
	return t
}

// rebind gives what t binds new names: a variable of the left side, which is free
// there, must not have the same name here.
func (ap *application) rebind(t *Tree) {
	is := make(map[slot.Name]slot.Name)
	for k, n := range t.Binders {
		t.Binders[k] = ap.x.name()
		is[n] = t.Binders[k]
	}
	under := ap.x.g.sig.HeadInfo(ap.x.g.sig.Head(t.Op)).Under
	for k := range t.Kids {
		if under>>k&1 != 0 {
			t.Kids[k] = t.Kids[k].Rename(ap.x.g.sig, is)
		}
	}
}

// match is the steps from the instance of p to the term of the class that p
// matched, or that was made for it.
func (ap *application) match(p *Pattern, node map[*Pattern]int, sites []site, to Ref) ([]Step, error) {
	x := ap.x
	switch p.Kind {
	case PVar:
		return x.path(ap.vars[p.Var], to, ap.limit)
	case PSlot:
		return nil, nil
	}
	op, _, kids := x.term(to, ap.binders(p))
	var steps []Step
	from := make([]Ref, len(p.Kids))
	for k, q := range p.Kids {
		if q.Kind == PVar {
			from[k] = ap.vars[q.Var]
			continue
		}
		from[k] = x.settle(ap.ref(sites[node[q]]))
		s, err := ap.match(q, node, sites, from[k])
		if err != nil {
			return nil, err
		}
		steps = append(steps, x.inside(op, k, ap.binders(p), s)...)
	}
	s, err := x.children(op, ap.binders(p), from, kids, func() *Tree {
		t := &Tree{Op: op, Binders: ap.binders(p)}
		for _, r := range from {
			t.Kids = append(t.Kids, x.tree(r))
		}
		return t
	}, ap.limit)
	return append(steps, s...), err
}
