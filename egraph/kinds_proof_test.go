package egraph_test

import (
	"errors"
	"testing"

	. "egad/egraph"
	"egad/egraph/proof"
	"egad/slot"
)

// TestExplainKinds explains what rules of all kinds make equal: with guards, with computed right
// sides, which equal what matched or something beside it, that say something of other terms, for variables
// and for every class. Of all but the last somebody else has to vouch.
func TestExplainKinds(t *testing.T) {
	l := newBindingLang(t)
	pattern := func(text string) *Pattern {
		var metas, bound []string
		return l.pattern(ParseSexp(text), &metas, &bound)
	}
	add := func(g *Graph, text string) Ref {
		r, err := g.AddTree(l.tree(text))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		name, start, from, to string
		rule                  *Rule
		change                func(r *Rule)
		vouched               bool
	}{
		{"guard", "(id (app x y))", "(id (app x y))", "(app x y)", l.rule("(id ?a) => ?a"),
			func(r *Rule) { r.Guard = func(*Match) bool { return true } }, true},
		{"computed", "(id (app x y))", "(id (app x y))", "(c (app x y) two)", l.rule("(id ?a) => ?a"),
			func(r *Rule) {
				r.Rhs, r.Apply = nil, func(g *Graph, m *Match) (Ref, bool, error) {
					two := g.Add(l.ops["two"], nil, nil, nil)
					return g.Add(l.ops["c"], nil, nil, []Ref{two, m.Var(0)}), true, nil
				}
			}, true},
		{"beside", "(id (app x y))", "(app y x)", "one", l.rule("(id (app ?a ?b)) => ?a"),
			func(r *Rule) {
				r.Rhs, r.Apply = nil, func(g *Graph, m *Match) (Ref, bool, error) {
					side := g.Add(l.ops["app"], nil, nil, []Ref{m.Var(1), m.Var(0)})
					m.Side = &side
					return g.Add(l.ops["one"], nil, nil, nil), true, nil
				}
			}, true},
		{"other terms", "(id (app x (lam z (app z y))))", "(app (lam z (app z y)) x)", "one", l.rule("(id (app ?a ?b)) => one"),
			func(r *Rule) { r.From = swapApp(t, l) }, true},
		{"variable", "(let z y (lam x (app z x)))", "(let z y (lam x (app z x)))", "(lam y (lam x (app y x)))", l.rule("(let v ?e ?b) => (lam v ?b)"),
			func(r *Rule) { r.Variables = map[int]Op{0: l.ops["var"]} }, false},
		{"every class", "(app x one)", "(app x one)", "(id (app x one))", l.rule("(id ?a) => (id ?a)"),
			func(r *Rule) {
				var err error
				if r.Lhs, err = Compile(l.sig, pattern("?a"), 1, 0); err != nil {
					t.Fatal(err)
				}
				r.Name = "?a"
			}, false},
	} {
		g := New(l.sig)
		history := proof.Write(g)
		add(g, c.start)
		c.change(c.rule)
		g.Saturate([]*Rule{c.rule}, Limits{Iterations: 2, Nodes: 30}, nil)
		from, to := l.tree(c.from), l.tree(c.to)
		if !g.Same(add(g, c.from), add(g, c.to)) {
			t.Errorf("%s: the terms are not equal", c.name)
			continue
		}
		p := explain(t, history, from, to)
		asked := 0
		err := p.Check(l.sig, from, to, func(s *proof.Step) error {
			asked++
			if s.Rule != c.rule {
				return errors.New("it is by another rule")
			}
			return nil
		})
		if err != nil || len(p.Steps()) == 0 || (asked > 0) != c.vouched {
			t.Errorf("%s: %v, asked %d times", c.name, err, asked)
		}
		if err := p.Check(l.sig, from, to, nil); (err == nil) == c.vouched {
			t.Errorf("%s: without anybody to vouch: %v", c.name, err)
		}
	}
	// What is said of other terms has to say what matched.
	r := l.rule("(id (app ?a ?b)) => one")
	r.From = swapApp(t, l)
	s := proof.Step{Rule: r, Reason: r.Name, From: l.tree("(app y x)"), To: l.tree("one"), Vars: []*Tree{l.tree("x"), l.tree("y")}, Bound: []slot.Name{}, Ops: opsOf(r.Lhs.Pattern())}
	vouch := func(*proof.Step) error { return nil }
	for _, c := range []struct {
		left string
		ok   bool
	}{{"(id (app x y))", true}, {"(id (app y x))", false}, {"(app x y)", false}} {
		s.Left = l.tree(c.left)
		if err := alone(s).Check(l.sig, s.From, s.To, vouch); (err == nil) != c.ok {
			t.Errorf("matched %s: %v", c.left, err)
		}
	}
	s.Left = nil
	if alone(s).Check(l.sig, s.From, s.To, vouch) == nil {
		t.Error("it was not said what matched")
	}
}

// swapApp is the right side (app ?b ?a) of a left side with ?a before ?b.
func swapApp(t *testing.T, l *bindingLang) *Template {
	app := l.ops["app"]
	out, err := CompileTemplate(l.sig, &Pattern{Kind: PApp, Op: app, Kids: []*Pattern{{Var: 1}, {Var: 0}}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
