package egraph

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/testflag"
	"egad/slot"

	"egad/egraph/internal/permtest"
)

// pattern makes a pattern, with sites, of a term whose names are metavariables,
// numbered by their place in vars. What lam binds is named by "bound".
func (l *TestLang) pattern(t *NTerm, vars []int, sites *int) *Pattern {
	if t.Op == "var" {
		return &Pattern{Kind: PVar, Var: slices.Index(vars, t.Name)}
	}
	if t.Op == "bound" {
		return &Pattern{Kind: PSlot, Op: l.Ops["var"], Var: t.Name - firstBound}
	}
	p := &Pattern{Kind: PApp, Head: l.Sig.Head(l.Ops[t.Op]), Op: l.Ops[t.Op], Position: *sites}
	*sites++
	if t.Op == "lam" {
		p.Binders = []int{t.Name - firstBound}
	}
	for _, k := range t.Kids {
		p.Kids = append(p.Kids, l.pattern(k, vars, sites))
	}
	return p
}

// rule makes a rule of two terms whose names are metavariables.
func (l *TestLang) rule(t testing.TB, name string, lhs, rhs *NTerm) *Rule {
	vars := slices.Sorted(maps.Keys(lhs.free()))
	n, m := 0, 0
	return rewrite(t, l.Sig, name, l.pattern(lhs, vars, &n), l.pattern(rhs, vars, &m), len(vars))
}

// firstBound is the first name of a bound variable in a pattern; those of
// metavariables are below.
const firstBound = 10

func v(n int) *NTerm { return &NTerm{Op: "var", Name: n} }

func app(op string, kids ...*NTerm) *NTerm { return &NTerm{Op: op, Kids: kids} }

// randomPattern is a term in which variables are those of vars.
func randomPattern(r *rand.Rand, depth int, vars []int) *NTerm {
	switch n := r.Intn(10); {
	case len(vars) > 0 && (depth == 0 || n < 4):
		return v(vars[r.Intn(len(vars))])
	case depth == 0 || n == 4:
		return app(string("ab"[r.Intn(2)]))
	case n == 5:
		return app("f", randomPattern(r, depth-1, vars))
	case n == 6:
		return app("c", randomPattern(r, depth-1, vars), randomPattern(r, depth-1, vars))
	}
	return app("g", randomPattern(r, depth-1, vars), randomPattern(r, depth-1, vars))
}

// TestNewSymmetriesGiveNewMatches: an e-node that has not changed may match when its
// child has become symmetric.
func TestNewSymmetriesGiveNewMatches(t *testing.T) {
	l := NewTestLang(t)
	g := New(l.Sig)
	xy, yx := app("g", v(0), v(1)), app("g", v(1), v(0))
	u := app("g", app("f", v(0)), xy)
	rules := []*Rule{
		l.rule(t, "found", app("g", app("f", v(0)), app("g", v(1), v(0))), app("a")),
		l.rule(t, "swap", app("g", app("f", app("b")), v(0)), app("b")),
	}
	ref := l.Add(g, u)
	var p Progress
	if rep := g.Continue(&p, rules, Limits{}, nil); rep.Stop != Saturated {
		t.Fatal(rep)
	}
	g.Union(l.Add(g, xy), l.Add(g, yx))
	g.Continue(&p, rules, Limits{}, nil)
	if !g.Same(ref, l.Add(g, app("a"))) {
		t.Error("the new match was not found")
	}
}

// TestSymmetricMatches runs random rules on random terms with variables: whether
// all matches are looked for or only new ones makes no difference.
func TestSymmetricMatches(t *testing.T) {
	runs := testflag.Count(4000, 48000)
	symmetric := 0
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		var starts []*NTerm
		for range 2 + r.Intn(6) {
			if u := Grow(r, starts); u.Size() <= 10 {
				starts = append(starts, u)
			}
		}
		var rules [][2]*NTerm
		rules = append(rules, [2]*NTerm{app("g", v(0), v(1)), app("g", v(1), v(0))})
		if r.Intn(2) == 0 {
			rules[0] = [2]*NTerm{app("g", app("f", v(0)), app("f", v(1))), app("g", app("f", v(1)), app("f", v(0)))}
		}
		for len(rules) < 2+r.Intn(3) {
			lhs := randomPattern(r, 1+r.Intn(2), []int{0, 1, 2})
			vars := slices.Sorted(maps.Keys(lhs.free()))
			if lhs.Op != "var" {
				rules = append(rules, [2]*NTerm{lhs, randomPattern(r, r.Intn(3), vars)})
			}
		}
		var log []string
		for _, s := range starts {
			log = append(log, s.String())
		}
		for _, x := range rules {
			log = append(log, x[0].String()+" => "+x[1].String())
		}
		var reps [2]*Report
		for k, naive := range []bool{true, false} {
			l := NewTestLang(t)
			g := New(l.Sig)
			for _, s := range starts {
				l.Add(g, s)
			}
			var engine []*Rule
			for i, x := range rules {
				engine = append(engine, l.rule(t, fmt.Sprint(i), x[0], x[1]))
			}
			reps[k] = g.Saturate(engine, Limits{Iterations: 5, Nodes: 300, Naive: naive}, nil)
			if err := CheckInvariants(g); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(log, "\n"))
			}
			if n, err := checkWays(g); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(log, "\n"))
			} else if n > 0 {
				symmetric++
			}
		}
		a, b := reps[0], reps[1]
		if a.Stop == NodeLimit || b.Stop == NodeLimit {
			continue
		}
		same := a.Stop == b.Stop && len(a.Iterations) == len(b.Iterations)
		for i := 0; same && i < len(a.Iterations); i++ {
			same = a.Iterations[i].Nodes == b.Iterations[i].Nodes && a.Iterations[i].Classes == b.Iterations[i].Classes
		}
		if !same {
			t.Fatalf("seed %d: all matches: %v, new ones: %v\n%s", seed, a.Iterations, b.Iterations, strings.Join(log, "\n"))
		}
	}
	if symmetric < runs/4 {
		t.Errorf("only %d graphs had symmetries", symmetric)
	}
}

// checkWays compares the ways to pass names to an e-node with all symmetries of its
// class: one way gives the children that a symmetry gives. It counts the e-nodes.
func checkWays(g *Graph) (nodes int, err error) {
	g.buildIndex()
	g.eachNode(func(r NodeID, n int) {
		g.updateClass(r)
		c := g.arena[r+nodeClass]
		if g.groupOf(c) == 0 {
			return
		}
		nodes++
		// The children if the class is passed p.
		kids := func(p []Pos) []Ref {
			free := make([]slot.Name, g.nodeSlots(r, n))
			for i := range free {
				free[i] = slot.Name(100 + i)
			}
			for k, i := range g.vecs.Get(g.cmap(r, n)) {
				free[i] = slot.Name(p[k])
			}
			var out []Ref
			for k, c := range g.kids(r, n) {
				x := Ref{ID: c}
				for _, i := range g.vecs.Get(g.arg(r, n, k)) {
					if i&bound != 0 {
						x.Args = append(x.Args, slot.Name(i))
					} else {
						x.Args = append(x.Args, free[i])
					}
				}
				out = append(out, x)
			}
			return out
		}
		same := func(a, b []Ref) bool {
			return slices.EqualFunc(a, b, g.Same) ||
				g.sig.heads[g.sig.ops[g.op(r)]].Commutative && g.Same(a[0], b[1]) && g.Same(a[1], b[0])
		}
		w := g.waysOf(r)
		var list [][]Ref
		for k := 0; w.grow(g, k); k++ {
			list = append(list, kids(g.vecs.Get(w.list[k])))
		}
		var gens [][]Pos
		for _, p := range g.symmetriesOf(c) {
			gens = append(gens, g.vecs.Get(p))
		}
		for _, p := range permtest.Elements(g.slotsOf(c), gens) {
			x, count := kids(p), 0
			for _, y := range list {
				if same(x, y) {
					count++
				}
			}
			if count != 1 {
				err = fmt.Errorf("symmetry %v of class %d gives e-node %d children that %d of %d ways give", p, c, r, count, len(list))
			}
		}
	})
	return nodes, err
}

// TestRenamedRefs: references to one class are the same if a symmetry says so.
func TestRenamedRefs(t *testing.T) {
	l := NewTestLang(t)
	g := New(l.Sig)
	x := l.app(g, "g", l.v(g, 0), l.app(g, "g", l.v(g, 1), l.v(g, 2)))
	turn := func(n ...slot.Name) Ref { return x.RenameFrom([]slot.Name{0, 1, 2}, n) }
	g.Union(x, turn(1, 2, 0))
	g.Rebuild()
	if !g.Same(x, turn(2, 0, 1)) || g.Same(x, turn(1, 0, 2)) || g.Same(x, turn(1, 2, 3)) {
		t.Error("turning three slots is not the same as itself, or is the same as a swap, or as other names")
	}
}
