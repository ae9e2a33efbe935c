package saturate

import (
	"slices"

	"egad/egraph"
	"egad/internal/memo"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/syntax"
	"egad/term/ops"
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
	f, err := (*form)(nil), error(nil)
	if g.language != nil {
		f = g.language.rules[r]
	} else if f, err = g.lang.formOf(r.Rule, r.opaque); err != nil {
		return nil, err
	}
	own := f.engine // goroutines share forms, and each has graphs of its own
	x := &own
	x.Constants = f.in(g.lang)
	if f.right != nil && x.Rhs == nil {
		g.typed(x, f)
	}
	memo.Set(&g.compiled, r, x)
	return x, nil
}

// finish makes what is the same in all graphs of a rule for the engine.
func (c *compiler) finish() (err error) {
	f, r, l, x := c.form, c.rule, c.language, &c.engine
	*x = egraph.Rule{Name: r.Name, Lhs: f.prog, Stable: r.Local(), Apart: f.apart(), Variables: f.variables(), Owner: f}
	if l != nil {
		x.Stable = f.stable()
		if r.Lhs.Kind == rules.PMeta && l.severalSorts() {
			f.root = r.SortOf(r.Lhs.Name)
		}
	}
	switch {
	case f.right == nil:
		x.Apply = f.apply
	case l == nil: // operators of right sides that nobody needs are not made: each graph has its own
	default:
		x.Rhs, err = egraph.CompileTemplate(l.lang.eng, f.right)
		if r.Kind == syntax.Fact || r.Kind == syntax.Demand {
			x.From = x.Rhs
		}
		if r.Kind == syntax.Fact && err == nil {
			x.Rhs, err = egraph.CompileTemplate(l.lang.eng, &egraph.Pattern{Kind: egraph.PApp, Op: l.holds})
		}
	}
	if f.root != nil || f.open || len(f.conds) > 0 {
		x.Guard = f.guard
	}
	prune := l != nil && l.Prune
	if l != nil && !prune && !c.opaque || len(r.Lhs.Kids) == 0 {
		return err
	}
	x.Atom = func(e *egraph.Graph, c egraph.ClassID) bool {
		g := e.Owner.(*Graph)
		switch {
		case f.opaque && g.atom(c):
			return true
		case l == nil:
			return !f.opaque && g.crowded(c)
		}
		return prune && g.known.isConstant(c)
	}
	if guard := x.Guard; prune && f.opaque { // a rule looks into an atom at its root, but not into a constant
		x.Guard = func(m *egraph.Match) bool {
			return !m.Graph().Owner.(*Graph).known.isConstant(m.RootClass()) && (guard == nil || guard(m))
		}
		x.Stable = false
	}
	return err
}

// manyWays is how many e-nodes the class of a literal may have for rules to look into it below their
// root, where [Graph.Brief] is set.
const manyWays = 16

// crowded reports whether a class is a literal that was found in many ways, of which a brief run does
// not look into all.
func (g *Graph) crowded(c egraph.ClassID) bool {
	return g.Brief && g.fills.Get(c) != nil && g.Indexed(c) > manyWays
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
		if full, ok, err = f.match(&g.reading, m, f.rest); err != nil || !ok {
			return egraph.Ref{}, false, err
		}
	}
	r, ok, err := full.Build(g)
	root := full.Root
	if ok && err == nil && f.rule.Kind == syntax.Fact {
		root = r
		r, ok, err = g.truth(full, root)
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
	return r, ok, g.noteAssumptions(full, r)
}

// truth is what a fact equals.
func (g *Graph) truth(m *match.Match, fact egraph.Ref) (egraph.Ref, bool, error) {
	if g.language != nil {
		return g.Add(g.language.holds, nil, nil, nil), true, nil
	}
	return m.True(g, fact)
}

// operators are those of a match, in the order of the left side.
func (f *form) operators(g *Graph, m *egraph.Match) (out []ops.Op) {
	var walk func(from, to, place int)
	walk = func(from, to, place int) {
		for at := from; at < to; at++ {
			s := &f.positions[at]
			if s.each > 0 && place < 0 {
				for k := range m.Len(s.each - 1) {
					walk(at, s.end, k)
				}
				at = s.end - 1
				continue
			}
			op := g.TermOp(m.Op(at, max(place, 0)))
			if s.p.Kind == rules.PSizeVal && s.p.X != nil && op.Sym == ops.SymConst {
				at = s.end - 1 // and not arithmetic
			}
			out = append(out, op)
		}
	}
	walk(0, len(f.positions), -1)
	return out
}

// completed are the matches that guards have accepted and that are not applied
// yet, as many as there is room for: the others are read again.
type completed struct {
	list  []match.Match
	taken bool // matches are being applied
}

const maxCompleted = 1 << 12

// keep gives the number of a match, 0 if it is not kept.
func (c *completed) keep(m *match.Match) uint32 {
	if c.taken {
		c.list, c.taken = c.list[:0], false
	}
	n := len(c.list)
	if m == nil || n == maxCompleted {
		return 0
	}
	c.list = slices.Grow(c.list, 1)[:n+1] // with the memory of what was kept there before
	c.list[n].Set(m)
	return uint32(n + 1)
}

// take is the match of a number, nil if it was not kept.
func (c *completed) take(n uint32) *match.Match {
	c.taken = true
	if n == 0 {
		return nil
	}
	return &c.list[n-1]
}
