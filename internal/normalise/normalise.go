// Package normalise rewrites terms until no rule applies: the obvious counterpart
// of a directed run on an e-graph, to compare it with.
package normalise

import (
	"fmt"
	"slices"

	"egad/rules"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
)

// Stats counts the applications of rules.
type Stats struct {
	Applied map[string]int // by rule
	Total   int
}

// Add notes an application.
func (s *Stats) Add(rule string) {
	if s.Applied == nil {
		s.Applied = make(map[string]int)
	}
	s.Applied[rule]++
	s.Total++
}

// maxApplications is how many rule applications bring a term of n nodes to normal
// form at most. Rules that push one way take a few for each node.
func maxApplications(n int) int { return 50*n + 5000 }

// Term rewrites t with the rules of the sets until none applies, outermost
// first; the rules of lazy sets wait until the operands are normal. Each node is
// rewritten once, whatever the number of its uses. The names of atoms move to
// their normal forms in terms.Names. The error is a [*rules.Endless] if there are more
// rule applications than a term of that size should need.
func Term(terms match.Terms, t term.Term, sets ...*rules.Set) (term.Term, Stats, error) {
	n := &normaliser{terms: terms, find: saturate.NewMatcher(terms), memo: make(map[uint32]normalForm), first: make(map[*rules.Rule][]term.Term)}
	terms.Walk(t, func(term.Term) { n.nodes++ })
	for _, s := range sets {
		to := &n.eager
		if s.Lazy {
			to = &n.lazy
		}
		for _, r := range s.Rules {
			if !r.BySharing && !r.Nabla {
				*to = append(*to, ruleIn{r, s.Opaque})
			}
		}
	}
	var out term.Term
	err := overflow.Guard(func() (err error) {
		out, err = n.normal(t)
		return err
	})
	return out, n.stats, err
}

type ruleIn struct {
	rule   *rules.Rule
	opaque bool
}

// normalForm is the normal form of a node over names for its free slots.
type normalForm struct {
	names []slot.Name
	term  term.Term
}

type normaliser struct {
	terms       match.Terms
	find        *saturate.Matcher
	eager, lazy []ruleIn
	memo        map[uint32]normalForm
	nodes       int // of the term
	stats       Stats
	first       map[*rules.Rule][]term.Term // the first terms a rule made, after what it was applied to
}

func (n *normaliser) normal(t term.Term) (term.Term, error) {
	nf, ok := n.memo[t.ID]
	if !ok {
		names := n.terms.FreshN(len(t.Args))
		r, err := n.rewrite(term.Term{ID: t.ID, Args: names})
		if err != nil {
			return term.Term{}, err
		}
		nf = normalForm{names, r}
		n.memo[t.ID] = nf
		n.move(t.ID, r)
	}
	return nf.term.RenameFrom(nf.names, t.Args), nil
}

// move gives a normal form the name of the atom it comes from.
func (n *normaliser) move(from uint32, to term.Term) {
	h, ok := n.terms.Names[from]
	if _, has := n.terms.Names[to.ID]; ok && !has && len(n.terms.Kids(to)) > 0 {
		n.terms.Names[to.ID] = h
	}
}

// rewrite normalises a node over names of its own.
func (n *normaliser) rewrite(t term.Term) (term.Term, error) {
	n.nameBuild(t)
	if r, ok, err := n.step(t, n.eager); err != nil || ok {
		return n.again(r, err)
	}
	v := n.terms.Open(t)
	changed := false
	for i, k := range v.Kids {
		r, err := n.normal(k)
		if err != nil {
			return term.Term{}, err
		}
		changed = changed || !r.Equal(k)
		v.Kids[i] = r
	}
	if changed {
		u, terr := n.terms.Make(v.Op, v.Own, v.Binders, v.Kids)
		if terr != nil {
			return term.Term{}, fmt.Errorf("a normal form is ill-typed: %s", terr.Msg)
		}
		n.move(t.ID, u)
		if r, ok, err := n.step(u, n.eager); err != nil || ok {
			return n.again(r, err)
		}
		t = u
	}
	if r, ok, err := n.step(t, n.lazy); err != nil || ok {
		return n.again(r, err)
	}
	return t, nil
}

// nameBuild names the array of an atom that depends on the index variable: its
// let moves out of the build (Fig. 9, third rule).
func (n *normaliser) nameBuild(t term.Term) {
	if n.terms.Op(t).Sym != ops.SymBuild {
		return
	}
	if h, ok := n.terms.Names[n.terms.Kids(t)[0].ID]; ok {
		if _, has := n.terms.Names[t.ID]; !has {
			n.terms.Names[t.ID] = h
		}
	}
}

func (n *normaliser) again(t term.Term, err error) (term.Term, error) {
	if err != nil {
		return term.Term{}, err
	}
	return n.normal(t)
}

// step applies the first rule that matches at the root of t.
func (n *normaliser) step(t term.Term, rs []ruleIn) (out term.Term, applied bool, err error) {
	for _, r := range rs {
		var buildErr error
		err := n.find.Matches(r.rule, t, r.opaque, func(a *match.Application) bool {
			out, applied, buildErr = a.Match.Build(n.terms)
			return !applied && buildErr == nil
		})
		if err == nil {
			err = buildErr
		}
		if err != nil {
			return out, false, err
		}
		if applied && out.Equal(t) {
			applied = false
			continue
		}
		if applied {
			n.stats.Add(r.rule.Name)
			switch made := n.first[r.rule]; len(made) {
			case 0:
				n.first[r.rule] = []term.Term{t, out}
			case 2, 3:
				n.first[r.rule] = append(made, out)
			}
			if n.stats.Total >= maxApplications(n.nodes) {
				return out, false, n.endless()
			}
			return out, true, nil
		}
	}
	return out, false, nil
}

// endless says what rule was applied most.
func (n *normaliser) endless() *rules.Endless {
	e := &rules.Endless{Nodes: n.nodes, Total: n.stats.Total}
	for _, r := range slices.Concat(n.eager, n.lazy) {
		if k := n.stats.Applied[r.rule.Name]; k > e.Applied {
			e.Rule, e.Applied = r.rule, k
		}
	}
	pr := &term.Printer{Store: n.terms.Store}
	for _, t := range n.first[e.Rule] {
		pr.NameFree(t)
		e.Terms = append(e.Terms, pr.Term(t))
	}
	return e
}
