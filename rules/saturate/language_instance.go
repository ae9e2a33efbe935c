package saturate

import (
	"errors"
	"slices"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// instance is a match of a rule that speaks of attributes or lists, on what the left side
// matched in a step. It is found again without an e-graph: a step says what metavariables
// for terms stand for, and operators have their attributes.
type instance struct {
	*rules.Match
	terms rules.Terms
}

// instanceOf is the match of a step, in which the variables that the left side binds are
// called as in the step.
func (g *Graph) instanceOf(r *form, s *proof.Step) (out instance, err error) {
	err = term.Guard(func() error {
		out, err = g.findInstance(r, s)
		return err
	})
	return out, err
}

func (g *Graph) findInstance(r *form, s *proof.Step) (out instance, err error) {
	matched := s.From
	if s.Reverse {
		matched = s.To
	}
	if s.Left != nil {
		matched = s.Left
	}
	out.terms = rules.Terms{Store: term.NewStore(g.lang.sig)}
	used := make(map[slot.Name]bool)
	for _, t := range append(slices.Clone(s.Vars), matched) {
		t.Names(used)
	}
	for n := range used {
		out.terms.Reserve(n)
	}
	for _, n := range s.Bound {
		out.terms.Reserve(n)
	}
	var want []term.Term
	for _, t := range s.Vars {
		want = append(want, g.termOfTree(out.terms.Store, t))
	}
	rule := *r.rule
	rule.Conds = r.rest // the others are claims, which have proofs
	err = rules.FindMatches(out.terms, &rule, g.termOfTree(out.terms.Store, matched), false, func(m *rules.Match) bool {
		is := make(map[slot.Name]slot.Name)
		vars := (&rules.Application{Match: m}).Variables()
		find := func(name string) *rules.Variable {
			return &vars[slices.IndexFunc(vars, func(v rules.Variable) bool { return v.Name == name })]
		}
		for i, n := range r.boundNames[:r.left] {
			is[find(n).Names[0]] = s.Bound[i]
		}
		var got []term.Term
		for _, n := range slices.Concat(r.metaNames, r.lists) {
			for _, t := range find(n).Terms {
				got = append(got, t.Rename(func(n slot.Name) slot.Name { return slot.Renamed(is, n) }))
			}
		}
		if !slices.EqualFunc(got, want, term.Term.Equal) {
			return true
		}
		rename := func(n slot.Name) slot.Name { return slot.Renamed(is, n) }
		out.Match = m.In(rename, func(t slot.Ref) slot.Ref { return t.Rename(rename) })
		return false
	})
	if err == nil && out.Match == nil {
		err = errors.New("the left side is another term")
	}
	return out, err
}

// termOfTree is a term of the engine in a store.
func (g *Graph) termOfTree(s *term.Store, t *egraph.Tree) term.Term {
	var kids []term.Term
	for _, k := range t.Kids {
		kids = append(kids, g.termOfTree(s, k))
	}
	return s.MustMake(g.TermOp(t.Op), t.Own, t.Binders, kids)
}

// tree is the term that a pattern of the rule is.
func (in *instance) tree(g *Graph, p *rules.Pattern) (*egraph.Tree, error) {
	r, ok := in.Find(in.terms, p)
	if !ok {
		return nil, errors.New("a function has no value")
	}
	return g.Tree(in.terms.Store, r)
}

// list is the terms that a list metavariable stands for.
func (in *instance) list(g *Graph, name string) (out []*egraph.Tree) {
	for _, v := range (&rules.Application{Match: in.Match}).Variables() {
		if v.Name != name {
			continue
		}
		for _, t := range v.Terms {
			if u, err := g.Tree(in.terms.Store, t); err == nil {
				out = append(out, u)
			}
		}
	}
	return out
}

// same reports whether two terms are the same up to the order of operands that commute.
func (in *instance) same(g *Graph, a, b *egraph.Tree) bool {
	var x, y term.Term
	err := term.Guard(func() error {
		x, y = g.termOfTree(in.terms.Store, g.ordered(a)), g.termOfTree(in.terms.Store, g.ordered(b))
		return nil
	})
	return err == nil && x.Equal(y)
}

// ordered is a term with the operands of commutative operators in the order of their keys.
func (g *Graph) ordered(t *egraph.Tree) *egraph.Tree {
	out := *t
	out.Kids = nil
	for _, k := range t.Kids {
		out.Kids = append(out.Kids, g.ordered(k))
	}
	sig := g.Graph.Signature()
	if sig.HeadInfo(sig.Head(t.Op)).Commutative && out.Kids[1].Key(sig) < out.Kids[0].Key(sig) {
		out.Kids[0], out.Kids[1] = out.Kids[1], out.Kids[0]
	}
	return &out
}
