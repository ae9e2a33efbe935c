package saturate

import (
	"egad/egraph"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
)

// ruleOf is a rule of an opaque set, or of another.
type ruleOf struct {
	*rules.Rule
	opaque bool
}

// engine is a rule for the engine, the same each time.
func (g *Graph) engine(r ruleOf) (*egraph.Rule, error) {
	if x, ok := g.compiled[r]; ok {
		return x, nil
	}
	if g.language != nil { // goroutines share the language, and each has graphs of its own
		x := g.language.rules[r].engine.Copy()
		if g.compiled == nil {
			g.compiled = make(map[ruleOf]*egraph.Rule, len(g.language.rules))
		}
		g.compiled[r] = x
		return x, nil
	}
	f, err := g.lang.formOf(r.Rule, r.opaque)
	if err != nil {
		return nil, err
	}
	x := &egraph.Rule{
		Name: r.Name, Lhs: f.prog, Stable: r.Local(),
		Atom:      func(_ *egraph.Graph, c egraph.ClassID) bool { return g.atom(c) },
		Constants: f.in(g.lang),
	}
	switch {
	case f.right != nil && g.record == nil:
		var right *typedTemplate // of the first match: operators of right sides that nobody needs are not made
		x.Guard = func(m *egraph.Match) bool {
			ok, err := g.holds(f, m)
			if ok && right == nil {
				if right, err = g.template(f); err == nil {
					x.Rhs = right.Template
				}
			}
			if ok && err == nil && !right.fits(m) {
				ok = false
				var full *rules.Match
				if full, _, err = f.match(g, m); full != nil {
					_, _, err = full.Build(g) // says what does not fit
				}
			}
			if g.mistake == nil {
				g.mistake = err
			}
			return ok && err == nil
		}
	default:
		x.Apply = f.apply
		if f.open || len(f.conds) > 0 {
			x.Guard = f.guard
		}
	}
	g.compiled[r] = x
	return x, nil
}

// guard decides the conditions of a match. A mistake shows when the rule is applied.
func (f *form) guard(m *egraph.Match) bool {
	ok, err := m.Graph().Owner.(*Graph).holds(f, m)
	return ok || err != nil
}

// apply computes the right side of a match.
func (f *form) apply(e *egraph.Graph, m *egraph.Match) (egraph.Ref, bool, error) {
	g := e.Owner.(*Graph)
	full, ok, err := g.found.take(m.Note), true, error(nil)
	if full == nil {
		if full, ok, err = f.match(g, m); err != nil || !ok {
			return egraph.Ref{}, false, err
		}
	}
	r, ok, err := full.Build(g)
	if ok && err == nil && g.language != nil && e.Recorder() != nil {
		r = e.Recorded() // the term that was built, and not what it equals
	}
	root := full.Root
	if ok && err == nil && f.rule.Kind == syntax.Fact {
		root = r
		r, ok, err = full.True(g, root)
		if g.language != nil && e.Recorder() != nil {
			r = e.Recorded()
		}
	}
	if !ok || err != nil {
		return r, false, err
	}
	switch f.rule.Kind {
	case syntax.Demand:
		return full.Root, true, nil
	case syntax.Fact:
		m.Side = &root
	}
	err = g.noteAssumptions(full, r)
	if g.record != nil && err == nil {
		err = g.record.applied(full, f.operators(g, m), root, r)
	}
	return r, ok, err
}

// operators are those of a match, in the order of the left side.
func (f *form) operators(g *Graph, m *egraph.Match) (out []term.Op) {
	var walk func(from, to, place int)
	walk = func(from, to, place int) {
		for at := from; at < to; at++ {
			s := &f.sites[at]
			if s.each > 0 && place < 0 {
				for k := range m.Len(s.each - 1) {
					walk(at, s.end, k)
				}
				at = s.end - 1
				continue
			}
			op := g.TermOp(m.OpAt(at, max(place, 0)))
			if s.p.Kind == rules.PSizeVal && s.p.X != nil && op.Sym == term.SymConst {
				at = s.end - 1 // and not arithmetic
			}
			out = append(out, op)
		}
	}
	walk(0, len(f.sites), -1)
	return out
}

// match is the match of the rule that a match of the engine is. It is false if a condition
// does not hold.
func (f *form) match(g *Graph, m *egraph.Match) (full *rules.Match, ok bool, err error) {
	c := &g.reader
	c.Begin(g, f.rule)
	for i := range f.statics {
		x, v := &f.statics[i], m.Static(i)
		switch {
		case v == 0:
		case x.bound > 0:
			c.Index(x.name, m.Bound(x.bound-1), g.lang.statics.value(v))
		case x.list > 0:
			c.Indices(x.name, m.BoundList(x.list-1), g.lang.statics.value(v))
		default:
			c.Static(x.name, g.lang.statics.value(v), x.size, x.whole)
		}
	}
	for i, name := range f.metaNames {
		c.Term(name, m.Var(i))
	}
	for i, name := range f.lists {
		c.Terms(name, m.List(i))
	}
	if f.rule.Language != nil {
		for i, name := range f.boundNames[:f.left] {
			c.Variable(name, m.Bound(i), f.rule.SortOf(name))
		}
	}
	return c.End(m.Root(), f.open, f.rest)
}

// completed are the matches that guards have accepted and that are not applied
// yet, as many as there is room for: the others are read again.
type completed struct {
	list  []*rules.Match
	taken bool // matches are being applied
}

const maxCompleted = 1 << 12

// keep gives the number of a match, 0 if it is not kept.
func (c *completed) keep(m *rules.Match) uint32 {
	if c.taken {
		c.list, c.taken = c.list[:0], false
	}
	if m == nil || len(c.list) == maxCompleted {
		return 0
	}
	c.list = append(c.list, m)
	return uint32(len(c.list))
}

// take is the match of a number, nil if it was not kept.
func (c *completed) take(n uint32) *rules.Match {
	c.taken = true
	if n == 0 {
		return nil
	}
	return c.list[n-1]
}
