package egraph

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"egad/internal/testflag"
)

// joining is a rule, left and right side, and pairs of patterns that match one class each.
type joining struct {
	sides  [2]string
	joined [][2]string
}

func (x joining) String() string { return fmt.Sprint(x.sides[0], " => ", x.sides[1], " if ", x.joined) }

func (x joining) rule(t *testing.T, l *Language) *Rule {
	t.Helper()
	var vars []string
	left := l.pattern(ParseSexp(x.sides[0]), &vars)
	var joined [][]*Pattern
	for _, ps := range x.joined {
		joined = append(joined, []*Pattern{l.pattern(ParseSexp(ps[0]), &vars), l.pattern(ParseSexp(ps[1]), &vars)})
	}
	right := l.pattern(ParseSexp(x.sides[1]), &vars)
	lhs, err := Compile(l.Sig, left, len(vars), 0, joined...)
	if err != nil {
		t.Fatal(err)
	}
	rhs, err := CompileTemplate(l.Sig, right)
	if err != nil {
		t.Fatal(err)
	}
	return &Rule{Name: x.String(), Lhs: lhs, Rhs: rhs}
}

// joins lists the ways in which a match goes on to pairs of patterns: all classes are tried.
func (g *slowGraph) joins(pairs [][2]string, env map[string]int) (out []map[string]int) {
	if len(pairs) == 0 {
		return []map[string]int{env}
	}
	for c := range g.parent {
		if g.find(c) != c {
			continue
		}
		for _, e := range g.match(ParseSexp(pairs[0][0]), c, env) {
			for _, e := range g.match(ParseSexp(pairs[0][1]), c, e) {
				out = append(out, g.joins(pairs[1:], e)...)
			}
		}
	}
	return out
}

// join is one iteration.
func (g *slowGraph) join(rules []joining) {
	var unite [][2]any
	for _, r := range rules {
		for c := range g.parent {
			if g.find(c) != c {
				continue
			}
			for _, env := range g.match(ParseSexp(r.sides[0]), c, nil) {
				for _, env := range g.joins(r.joined, env) {
					unite = append(unite, [2]any{c, func() int { return g.term(ParseSexp(r.sides[1]), env) }})
				}
			}
		}
	}
	for _, u := range unite {
		a, b := g.find(u[1].(func() int)()), g.find(u[0].(int))
		if a != b {
			g.parent[a] = b
		}
	}
	g.rebuild()
}

// randomJoining is a rule in which each pair has something that is known before it, or not.
func randomJoining(r *rand.Rand) joining {
	vars := []string{"?x", "?y", "?z", "?w"}
	var x joining
	for x.sides[0] = "?"; x.sides[0][0] == '?' && r.Intn(9) > 0 || x.sides[0] == "?"; {
		x.sides[0] = randomTerm(r, 1+r.Intn(2), vars[:2])
	}
	for range 1 + r.Intn(2) {
		p := [2]string{randomTerm(r, 1, vars), randomTerm(r, r.Intn(2), vars)}
		switch {
		case r.Intn(4) == 0 && x.sides[0][0] == '(':
			p[0] = x.sides[0]
		case r.Intn(4) == 0 && x.joined != nil:
			p[r.Intn(2)] = x.joined[0][r.Intn(2)]
		}
		if p[0][0] == '?' {
			p[0] = "(f " + p[0] + ")"
		}
		if r.Intn(2) > 0 {
			p[0], p[1] = p[1], p[0]
		}
		x.joined = append(x.joined, p)
	}
	var known []string
	for _, v := range vars {
		if strings.Contains(fmt.Sprint(x.sides[0], x.joined), v) {
			known = append(known, v)
		}
	}
	x.sides[1] = randomTerm(r, r.Intn(2), known)
	return x
}

// What is joined is found as by trying all classes, in each iteration, however the graph is
// searched, and whichever part of a match is the new one.
func TestJoined(t *testing.T) {
	runs := testflag.Count(1500, 20000)
	grown, fewer := 0, 0
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		var starts []string
		for range 3 + r.Intn(3) {
			starts = append(starts, randomTerm(r, 2, nil))
		}
		var rules []joining
		for range 1 + r.Intn(3) {
			rules = append(rules, randomJoining(r))
		}
		slow := &slowGraph{}
		var classes []int
		for _, s := range starts {
			classes = append(classes, slow.term(ParseSexp(s), nil))
		}
		what := fmt.Sprintf("seed %d: %s\n%v", seed, strings.Join(starts, ", "), rules)
		matches := make(map[string]int)
		var at [5]Iteration // of the slow graph
		for i := range at {
			if slow.join(rules); len(slow.nodes) > 80 {
				break
			}
			at[i] = Iteration{Nodes: len(slow.nodes), Classes: slow.classes()}
		}
		for _, how := range []string{"plain", "naive", "proofs", "lists"} {
			l := NewLanguage()
			g := New(l.Sig)
			switch how {
			case "proofs":
				listen(g)
			case "lists":
				g.patience = r.Intn(2)
			}
			var compiled []*Rule
			for _, x := range rules {
				compiled = append(compiled, x.rule(t, l))
			}
			var refs []Ref
			for _, s := range starts {
				refs = append(refs, l.Add(g, ParseSexp(s)))
			}
			lim := Limits{Naive: how == "naive"}
			for lim.Iterations < len(at) && at[lim.Iterations].Nodes > 0 {
				lim.Iterations++
			}
			if lim.Iterations == 0 {
				break
			}
			rep := g.Saturate(compiled, lim, nil)
			matches[how] = rep.Matches()
			for i, x := range rep.Iterations {
				if x.Matches = 0; x != at[i] {
					t.Fatalf("%s\n%s, iteration %d: %v; the slow graph %v", what, how, i+1, rep.Iterations, at)
				}
			}
			if n := len(rep.Iterations); rep.Stop == Saturated && n < lim.Iterations && (Iteration{Nodes: rep.Nodes, Classes: rep.Classes}) != at[lim.Iterations-1] {
				t.Fatalf("%s\n%s: saturated after %d iterations; the slow graph %v", what, how, n, at)
			}
			if lim.Iterations < len(at) {
				continue
			}
			for i := range starts {
				for j := range starts {
					if got, want := g.Same(refs[i], refs[j]), slow.find(classes[i]) == slow.find(classes[j]); got != want {
						t.Fatalf("%s\n%s: %s = %s is %v, of the slow graph %v", what, how, starts[i], starts[j], got, want)
					}
				}
			}
			if how == "plain" && len(slow.nodes) > len(starts)+8 {
				grown++
			}
		}
		if matches["plain"] < matches["naive"] {
			fewer++
		}
	}
	t.Logf("%d graphs have grown, and %d runs have fewer matches than naive ones", grown, fewer)
	if grown < runs/20 || fewer < runs/20 {
		t.Errorf("only %d graphs have grown, and %d runs only have fewer matches than naive ones", grown, fewer)
	}
}

// A relation is closed in work that does not rest on the order of what is joined, nor on what was found
// in the iterations before: here that of a chain, of which each step adds one element to each path.
func TestJoinedWork(t *testing.T) {
	const n = 60
	for _, x := range []joining{
		{[2]string{"(path ?a ?b)", "(path ?a ?c)"}, [][2]string{{"(path ?a ?b)", "holds"}, {"(edge ?b ?c)", "holds"}}},
		{[2]string{"(path ?a ?b)", "(path ?a ?c)"}, [][2]string{{"(edge ?b ?c)", "holds"}}},
		{[2]string{"(edge ?b ?c)", "(path ?a ?c)"}, [][2]string{{"(path ?a ?b)", "holds"}}},
	} {
		l := NewLanguage()
		g := New(l.Sig)
		holds := l.Add(g, ParseSexp("holds"))
		for i := range n {
			g.Union(holds, l.Add(g, ParseSexp(fmt.Sprintf("(edge x%d x%d)", i, i+1))))
			g.Union(holds, l.Add(g, ParseSexp(fmt.Sprintf("(path x%d x%d)", i, i+1))))
		}
		rep := g.Saturate([]*Rule{x.rule(t, l)}, Limits{}, nil)
		if paths := n * (n - 1) / 2; rep.Stop != Saturated || rep.Matches() != paths || rep.Work > 30*n*n {
			t.Errorf("%v: %v, want %d matches; work %d", x, rep, paths, rep.Work)
		}
	}
}

// What is joined by an operator whose children may change places is found both ways.
func TestJoinedCommutative(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 30 {
		l := NewLanguage()
		h, err := l.Sig.AddHead(Head{Name: "near", Arity: 2, Commutative: true})
		if err != nil {
			t.Fatal(err)
		}
		if l.Ops["near/2"], err = l.Sig.AddOp(h); err != nil {
			t.Fatal(err)
		}
		g := New(l.Sig)
		const n = 12
		var near [n][n]bool
		holds := l.Add(g, ParseSexp("holds"))
		for range 1 + r.Intn(80) {
			a, b := r.Intn(n), r.Intn(n)
			near[a][b], near[b][a] = true, true
			g.Union(holds, l.Add(g, ParseSexp(fmt.Sprintf("(near x%d x%d)", a, b))))
		}
		x := joining{[2]string{"(near ?a ?b)", "(corner ?a ?b ?c)"}, [][2]string{{"(near ?b ?c)", "holds"}, {"(near ?c ?a)", "holds"}}}
		if rep := g.Saturate([]*Rule{x.rule(t, l)}, Limits{}, nil); rep.Stop != Saturated {
			t.Fatal(rep)
		}
		for i := range n * n * n {
			a, b, c := i/n/n, i/n%n, i%n
			corner := l.Add(g, ParseSexp(fmt.Sprintf("(corner x%d x%d x%d)", a, b, c)))
			if got, want := g.Same(holds, corner), near[a][b] && near[b][c] && near[c][a]; got != want {
				t.Fatalf("%v: corner %d %d %d is %v, want %v", near, a, b, c, got, want)
			}
		}
	}
}

// What cannot be joined is an error.
func TestJoinedErrors(t *testing.T) {
	l := NewLanguage()
	v := func(n int) *Pattern { return &Pattern{Kind: PVar, Var: n} }
	f := l.Op("f", 1)
	left := &Pattern{Kind: PApp, Op: f, Head: l.Sig.Head(f), Kids: []*Pattern{v(0)}}
	for _, ps := range [][]*Pattern{
		{v(1), v(2)},
		{{Kind: PApp, Class: 1, Kids: []*Pattern{v(1)}}, v(0)},
		{{Kind: PApp, Head: l.Sig.Head(f), Kids: []*Pattern{{Kind: PList}}}, v(0)},
	} {
		if _, err := Compile(l.Sig, left, 3, 0, ps); err == nil {
			t.Errorf("%v is compiled", ps)
		}
	}
}
