package egraph

import (
	"testing"

	"egad/slot"
)

// Facts about slots, most of which an implementation has got wrong before.

// lang2 adds what the tests say by name.
func (l *TestLang) v(g *Graph, n int) Ref {
	return g.Add(l.Ops["var"], []slot.Name{slot.Name(n)}, nil, nil)
}

func (l *TestLang) app(g *Graph, op string, kids ...Ref) Ref { return g.Add(l.Ops[op], nil, nil, kids) }

func (l *TestLang) lam(g *Graph, n int, body Ref) Ref {
	return g.Add(l.Ops["lam"], nil, []slot.Name{slot.Name(n)}, []Ref{body})
}

func TestSymmetryThenRedundancy(t *testing.T) {
	for _, first := range []string{"symmetry", "redundancy"} {
		l := NewTestLang(t)
		g := New(l.Sig)
		x, y, c := l.v(g, 1), l.v(g, 2), l.app(g, "a")
		xy, yx, xc := l.app(g, "g", x, y), l.app(g, "g", y, x), l.app(g, "g", x, c)
		if first == "symmetry" {
			g.Union(xy, yx)
			g.Rebuild()
			g.Union(xy, xc)
		} else {
			g.Union(xy, xc)
			g.Rebuild()
			g.Union(xy, yx)
		}
		g.Rebuild()
		// y is redundant, so by symmetry x is: x y is one value for all x, y.
		if !g.Same(xy, l.app(g, "g", l.v(g, 3), l.v(g, 4))) {
			t.Errorf("%s first: x y and z w differ", first)
		}
		if err := CheckInvariants(g); err != nil {
			t.Errorf("%s first: %v", first, err)
		}
	}
}

func TestRedundantSlotsAreDistinct(t *testing.T) {
	l := NewTestLang(t)
	g := New(l.Sig)
	xy, c := l.app(g, "g", l.v(g, 1), l.v(g, 2)), l.app(g, "a")
	xx := l.app(g, "g", l.v(g, 1), l.v(g, 1))
	g.Union(xy, c)
	g.Rebuild()
	if g.Same(xx, c) {
		t.Error("x y = c gives x x = c, but the names in x y are distinct")
	}
	if !g.Same(l.app(g, "g", l.v(g, 7), l.v(g, 8)), c) {
		t.Error("x y = c does not give z w = c")
	}
}

func TestAlphaEquivalence(t *testing.T) {
	l := NewTestLang(t)
	g := New(l.Sig)
	idX, idY := l.lam(g, 1, l.v(g, 1)), l.lam(g, 2, l.v(g, 2))
	if !idX.Equal(idY) {
		t.Error("λx.x and λy.y are two classes")
	}
	constant := l.lam(g, 1, l.v(g, 2))
	if g.Same(idX, constant) {
		t.Error("λx.x = λx.y")
	}
	if len(constant.Args) != 1 || constant.Args[0] != 2 {
		t.Errorf("λx.y passes %v, not [y]", constant.Args)
	}
	nodes := g.Size()
	l.lam(g, 5, l.lam(g, 6, l.app(g, "g", l.v(g, 5), l.v(g, 6))))
	added := g.Size() - nodes
	l.lam(g, 8, l.lam(g, 7, l.app(g, "g", l.v(g, 8), l.v(g, 7))))
	if g.Size() != nodes+added {
		t.Error("alpha-equivalent terms added e-nodes")
	}
}

func TestMemberLacksSlot(t *testing.T) {
	l := NewTestLang(t)
	g := New(l.Sig)
	fx := l.app(g, "f", l.v(g, 1))
	use := l.app(g, "g", fx, l.v(g, 2))
	bound := l.lam(g, 1, fx)
	g.Union(fx, l.app(g, "a"))
	g.Rebuild()
	if n := len(g.FindRef(fx).Args); n != 0 {
		t.Errorf("f x = a, and its class has %d slots", n)
	}
	if r := g.FindRef(use); r.Has(1) || !r.Has(2) {
		t.Errorf("g (f x) y passes %v", r.Args)
	}
	if !g.Same(bound, l.lam(g, 3, l.app(g, "a"))) {
		t.Error("λx. f x is not λx. a")
	}
}

// TestSymmetricSums: the sums of k distinct variables are one class for each k,
// whatever their order and association, and its symmetries are all k! orders.
func TestSymmetricSums(t *testing.T) {
	for n := 2; n <= 8; n++ {
		l := NewTestLang(t)
		g := New(l.Sig)
		sum := l.v(g, 0)
		for i := 1; i < n; i++ {
			sum = l.app(g, "g", l.v(g, i), sum)
		}
		plus := func(a, b *Pattern) *Pattern {
			return &Pattern{Kind: PApp, Head: l.Sig.Head(l.Ops["g"]), Op: l.Ops["g"], Kids: []*Pattern{a, b}}
		}
		v := func(i int) *Pattern { return &Pattern{Kind: PVar, Var: i} }
		assocL, assocR := plus(v(0), plus(v(1), v(2))), plus(plus(v(0), v(1)), v(2))
		assocL.Kids[1].Position, assocR.Kids[0].Position = 1, 1
		rules := []*Rule{
			rewrite(t, l.Sig, "commute", plus(v(0), v(1)), plus(v(1), v(0)), 2),
			rewrite(t, l.Sig, "associate", assocL, assocR, 3),
			rewrite(t, l.Sig, "associate back", assocR, assocL, 3),
		}
		rep := g.Saturate(rules, Limits{Iterations: 50}, nil)
		if rep.Stop != Saturated {
			t.Fatalf("n = %d: %s", n, rep)
		}
		if g.Classes() != n || g.Size() != n*(n-1)/2+1 {
			t.Errorf("n = %d: %d classes and %d e-nodes, want %d and %d", n, g.Classes(), g.Size(), n, n*(n-1)/2+1)
		}
		orders, want := uint64(0), uint64(0)
		for c := range ClassID(len(g.unionFind)) {
			if g.unionFind[c] == c {
				orders += g.groups.Get(g.groupOf(c)).Order()
			}
		}
		for k, f := uint64(1), uint64(1); k <= uint64(n); k++ {
			f *= k
			want += f
		}
		if orders != want {
			t.Errorf("n = %d: the orders of the groups sum to %d, want %d", n, orders, want)
		}
		if err := CheckInvariants(g); err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}

// rewrite makes a rule of two patterns with n metavariables.
func rewrite(t testing.TB, sig *Signature, name string, lhs, rhs *Pattern, n int) *Rule {
	t.Helper()
	prog, err := Compile(sig, lhs, n, lhs.boundVars())
	if err != nil {
		t.Fatal(err)
	}
	tmpl, err := CompileTemplate(sig, rhs)
	if err != nil {
		t.Fatal(err)
	}
	return &Rule{Name: name, Lhs: prog, Rhs: tmpl}
}

// boundVars is how many bound variables a pattern has.
func (p *Pattern) boundVars() int {
	n := len(p.Binders)
	for _, k := range p.Kids {
		n += k.boundVars()
	}
	return n
}
