package egraph

import (
	"fmt"
	"slices"
	"testing"

	"egad/slot"
)

// A metavariable alone matches every class once, and again only what is new.
func TestClassPattern(t *testing.T) {
	l := NewLanguage()
	r := l.Rule("?a", "(+ ?a 0)")
	g := New(l.Sig)
	l.Add(g, ParseSexp("(+ x y)"))
	rep := g.Saturate([]*Rule{r}, Limits{}, nil)
	if rep.Iterations[0].Matches != 3 {
		t.Errorf("%d matches, want one for each of 3 classes", rep.Iterations[0].Matches)
	}
	if rep.Stop != Saturated || rep.Classes != 4 || rep.Nodes != 8 {
		t.Errorf("%v, want + x y, x, y and 0, each with its sum with 0", rep)
	}
}

// From says what the other side equals.
func TestFrom(t *testing.T) {
	l := NewLanguage()
	r := l.Rule("(f ?a)", "yes")
	var vars []string
	l.pattern(ParseSexp("(f ?a)"), &vars)
	from, err := CompileTemplate(l.Sig, l.pattern(ParseSexp("(good ?a)"), &vars))
	if err != nil {
		t.Fatal(err)
	}
	r.From = from
	g := New(l.Sig)
	fx := l.Add(g, ParseSexp("(f x)"))
	g.Saturate([]*Rule{r}, Limits{}, nil)
	yes := l.Add(g, ParseSexp("yes"))
	if !g.Same(l.Add(g, ParseSexp("(good x)")), yes) || g.Same(fx, yes) {
		t.Error("good x = yes was to be added, and f x left alone")
	}
}

// Lookup finds what Add would, and adds nothing.
func TestLookup(t *testing.T) {
	sig := NewSignature()
	head := func(h Head) Op {
		id, err := sig.AddHead(h)
		if err != nil {
			t.Fatal(err)
		}
		op, err := sig.AddOp(id)
		if err != nil {
			t.Fatal(err)
		}
		return op
	}
	v := head(Head{Name: "var", Own: 1})
	lam := head(Head{Name: "lam", Arity: 1, Binders: 1, Under: 1})
	c, d := head(Head{Name: "c"}), head(Head{Name: "d"})
	g := New(sig)
	x, y := g.Fresh(), g.Fresh()
	if _, ok := g.Lookup(c, nil, nil, nil); ok {
		t.Error("c is found in an empty graph")
	}
	g.Add(c, nil, nil, nil)
	if _, ok := g.Lookup(c, nil, nil, nil); !ok {
		t.Error("c is not found")
	}
	vx := g.Add(v, []slot.Name{x}, nil, nil)
	id := g.Add(lam, nil, []slot.Name{x}, []Ref{vx})
	nodes := g.Size()
	vy, ok := g.Lookup(v, []slot.Name{y}, nil, nil)
	if !ok || vy.ID != vx.ID || !slices.Equal(vy.Args, []slot.Name{y}) {
		t.Errorf("y is found as %v, %v", vy, ok)
	}
	if r, ok := g.Lookup(lam, nil, []slot.Name{y}, []Ref{vy}); !ok || !g.Same(r, id) {
		t.Error("λy.y is not found as λx.x")
	}
	if _, ok := g.Lookup(lam, nil, []slot.Name{x}, []Ref{vy}); ok {
		t.Error("λx.y is found")
	}
	if _, ok := g.Lookup(d, nil, nil, nil); ok || g.Size() != nodes {
		t.Error("looking something up added it")
	}
}

// A rule that matches too often is banned, for longer each time, and in the end
// the graph is saturated as without bans.
func TestBackoff(t *testing.T) {
	g, rules := ac(6)
	free := g.Saturate(rules, Limits{}, nil)
	for _, how := range []Backoff{{8, 2}, {1, 1}, {1, 3}, {2, 2}, {20, 1}, {20, 5}, {100, 1}, {100, 4}} {
		g, rules = ac(6)
		for _, r := range rules {
			r.Backoff = how
		}
		rep := g.Saturate(rules, Limits{}, nil)
		if rep.Stop != Saturated || rep.Nodes != free.Nodes || rep.Classes != free.Classes {
			t.Errorf("%v: %v, and without back-off %v", how, rep, free)
		}
		if len(rep.Iterations) < len(free.Iterations) || rep.Rules[0].Bans+rep.Rules[1].Bans == 0 {
			t.Errorf("%v: %d bans in %d iterations", how, rep.Rules[0].Bans, len(rep.Iterations))
		}
		for i, it := range rep.Iterations {
			if it.Matches > 2*how.Matches<<i {
				t.Errorf("%v: iteration %d has %d matches", how, i+1, it.Matches)
			}
		}
	}
}

// doubling is an analysis of numbers with names 0, 1, …: f doubles.
type doubling struct{ nums map[Op]int }

func (d doubling) Make(c *Column[int], n Node) int {
	if k, ok := d.nums[n.Op]; ok {
		return k
	}
	if len(n.Kids) == 1 {
		return 2 * c.Get(n.Kids[0].ID)
	}
	return 0
}

func (doubling) Merge(a, b int) (int, error) {
	if a != 0 && b != 0 && a != b {
		return a, fmt.Errorf("%d = %d", a, b)
	}
	return max(a, b), nil
}

func (doubling) Equal(a, b int) bool { return a == b }

func (d doubling) Modify(g *Graph, class Ref, v int) {
	for op, k := range d.nums {
		if k == v {
			g.Union(class, g.Add(op, nil, nil, nil))
		}
	}
}

// What an analysis finds out is added to the graph, and goes on from there.
func TestModify(t *testing.T) {
	l := NewLanguage()
	d := doubling{make(map[Op]int)}
	for k := 1; k <= 16; k++ {
		d.nums[l.Op(fmt.Sprint(k), 0)] = k
	}
	for _, patience := range []int{0, 1, 12} {
		g := New(l.Sig)
		g.patience = patience
		Attach(g, d)
		x := l.Add(g, ParseSexp("x"))
		top := l.Add(g, ParseSexp("(f (f (f x)))"))
		g.Union(x, l.Add(g, ParseSexp("2")))
		g.Rebuild()
		if !g.Same(top, l.Add(g, ParseSexp("16"))) || g.Err() != nil {
			t.Errorf("f (f (f 2)) is not 16 (%v)", g.Err())
		}
		g.Union(l.Add(g, ParseSexp("(f x)")), l.Add(g, ParseSexp("5")))
		g.Rebuild()
		if g.Err() == nil {
			t.Error("4 = 5 is not noticed")
		}
	}
}

// A leaf of a pattern that is an operator with payloads stands for each of them,
// however many are in the graph, and for those that come later.
func TestLeaves(t *testing.T) {
	sig := NewSignature()
	head := func(name string, arity int) HeadID {
		h, err := sig.AddHead(Head{Name: name, Arity: arity})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	op := func(h HeadID) Op {
		o, err := sig.AddOp(h)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	num, pair, sym, next := head("num", 0), head("pair", 2), head("sym", 0), head("next", 1)
	pairOp, nextOp, x := op(pair), op(next), op(sym)
	prog, err := Compile(sig, &Pattern{Kind: PApp, Head: pair, Kids: []*Pattern{{Kind: PVar}, {Kind: PApp, Head: num, Position: 1}}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	rhs, err := CompileTemplate(sig, &Pattern{Kind: PApp, Op: nextOp, Kids: []*Pattern{{Kind: PVar}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, naive := range []bool{false, true} {
		g := New(sig)
		a := g.Add(x, nil, nil, nil)
		for n := range 4 {
			k := g.Add(op(num), nil, nil, nil)
			g.Add(pairOp, nil, nil, []Ref{a, k})
			g.Rebuild()
			var found []Op
			g.Matches(&Rule{Lhs: prog}, func(m *Match) bool {
				found = append(found, m.Op(1, 0))
				return true
			})
			if len(found) != n+1 || slices.Max(found) != op(num)-1 {
				t.Errorf("%d numbers: %v", n+1, found)
			}
			rep := g.Saturate([]*Rule{{Name: "r", Lhs: prog, Rhs: rhs}}, Limits{Naive: naive}, nil)
			if want := g.Add(nextOp, nil, nil, []Ref{a}); rep.Stop != Saturated || g.Size() != 2+2*(n+1) || !g.Same(want, g.Add(pairOp, nil, nil, []Ref{a, k})) {
				t.Errorf("naive %v, %d numbers: %v", naive, n+1, rep)
			}
		}
	}
}
