package egraph

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/testflag"
)

// slowGraph is an e-graph without any cleverness: a list of nodes, congruence by
// comparing all pairs, and matching by trying all nodes.
type slowGraph struct {
	nodes  []slowNode
	parent []int
}

type slowNode struct {
	op    string
	kids  []int
	class int
}

func (g *slowGraph) find(c int) int {
	for g.parent[c] != c {
		c = g.parent[c]
	}
	return c
}

func (g *slowGraph) add(op string, kids []int) int {
	for _, n := range g.nodes {
		if g.same(n, slowNode{op: op, kids: kids}) {
			return g.find(n.class)
		}
	}
	c := len(g.parent)
	g.parent = append(g.parent, c)
	g.nodes = append(g.nodes, slowNode{op, slices.Clone(kids), c})
	return c
}

func (g *slowGraph) same(a, b slowNode) bool {
	return a.op == b.op && slices.EqualFunc(a.kids, b.kids, func(x, y int) bool { return g.find(x) == g.find(y) })
}

// rebuild unites the classes of equal nodes, and drops all but one of them.
func (g *slowGraph) rebuild() {
	for changed := true; changed; {
		changed = false
		for i := 0; i < len(g.nodes); i++ {
			for j := i + 1; j < len(g.nodes); j++ {
				if !g.same(g.nodes[i], g.nodes[j]) {
					continue
				}
				g.parent[g.find(g.nodes[i].class)] = g.find(g.nodes[j].class)
				g.nodes = slices.Delete(g.nodes, j, j+1)
				j--
				changed = true
			}
		}
	}
}

func (g *slowGraph) classes() int {
	n := 0
	for c := range g.parent {
		if g.find(c) == c {
			n++
		}
	}
	return n
}

func (g *slowGraph) term(s *Sexp, env map[string]int) int {
	if c, ok := env[s.Atom]; ok {
		return c
	}
	var kids []int
	for _, k := range s.List {
		kids = append(kids, g.term(k, env))
	}
	return g.add(s.Atom, kids)
}

// match lists the ways in which a pattern matches a class.
func (g *slowGraph) match(p *Sexp, class int, env map[string]int) []map[string]int {
	if strings.HasPrefix(p.Atom, "?") {
		if c, ok := env[p.Atom]; ok {
			if g.find(c) != class {
				return nil
			}
			return []map[string]int{env}
		}
		with := map[string]int{p.Atom: class}
		for v, c := range env {
			with[v] = c
		}
		return []map[string]int{with}
	}
	var out []map[string]int
	for _, n := range g.nodes {
		if n.op != p.Atom || len(n.kids) != len(p.List) || g.find(n.class) != class {
			continue
		}
		envs := []map[string]int{env}
		for k, q := range p.List {
			var next []map[string]int
			for _, e := range envs {
				next = append(next, g.match(q, g.find(n.kids[k]), e)...)
			}
			envs = next
		}
		out = append(out, envs...)
	}
	return out
}

// iterate matches all rules, applies all matches and rebuilds.
func (g *slowGraph) iterate(rules [][2]*Sexp) {
	type hit struct {
		class int
		rhs   *Sexp
		env   map[string]int
	}
	var hits []hit
	for _, r := range rules {
		for c := range g.parent {
			if g.find(c) != c {
				continue
			}
			for _, env := range g.match(r[0], c, nil) {
				hits = append(hits, hit{c, r[1], env})
			}
		}
	}
	for _, h := range hits {
		a, b := g.find(g.term(h.rhs, h.env)), g.find(h.class)
		if a != b {
			g.parent[a] = b
		}
	}
	g.rebuild()
}

// randomTerm is a term over a few operators and, in a pattern, metavariables.
func randomTerm(r *rand.Rand, depth int, vars []string) string {
	switch n := r.Intn(8); {
	case len(vars) > 0 && (depth == 0 || n < 3):
		return vars[r.Intn(len(vars))]
	case depth == 0 || n == 3:
		return string("abc"[r.Intn(3)])
	case n == 4:
		return "(f " + randomTerm(r, depth-1, vars) + ")"
	case n == 5:
		return "(h " + randomTerm(r, depth-1, vars) + " " + randomTerm(r, depth-1, vars) + " " + randomTerm(r, depth-1, vars) + ")"
	default:
		return "(g " + randomTerm(r, depth-1, vars) + " " + randomTerm(r, depth-1, vars) + ")"
	}
}

// TestAgainstReference runs random rules on random terms: after every iteration
// the engine has as many e-nodes and e-classes as the slow one, whichever way it
// searches and rebuilds, and makes the same terms equal.
func TestAgainstReference(t *testing.T) {
	runs := testflag.Count(1333, 20000)
	grown := 0
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		var starts []string
		for range 1 + r.Intn(4) {
			starts = append(starts, randomTerm(r, 3, nil))
		}
		var rules []string
		for len(rules) < 1+r.Intn(5) {
			lhs := randomTerm(r, 1+r.Intn(2), []string{"?x", "?y", "?z"})
			var vars []string
			for _, v := range []string{"?x", "?y", "?z"} {
				if strings.Contains(lhs, v) {
					vars = append(vars, v)
				}
			}
			if lhs[0] == '?' || lhs[0] != '(' && r.Intn(4) > 0 {
				continue
			}
			rules = append(rules, lhs+" => "+randomTerm(r, r.Intn(3), vars))
		}
		slow := &slowGraph{}
		var slowRules [][2]*Sexp
		for _, x := range rules {
			lhs, rhs, _ := strings.Cut(x, " => ")
			slowRules = append(slowRules, [2]*Sexp{ParseSexp(lhs), ParseSexp(rhs)})
		}
		var classes []int
		for _, s := range starts {
			classes = append(classes, slow.term(ParseSexp(s), nil))
		}
		type engine struct {
			name  string
			g     *Graph
			rules []*Rule
			refs  []Ref
			lim   Limits
			at    []Iteration
			whole bool // no iteration was broken off
		}
		var engines []*engine
		for _, how := range []string{"plain", "naive", "proofs", "lists"} {
			l := NewLanguage()
			e := &engine{name: how, g: New(l.Sig), rules: l.Rules(strings.Join(rules, "\n")), lim: Limits{Iterations: 4, Nodes: 400, Naive: how == "naive"}}
			switch how {
			case "proofs":
				listen(e.g)
			case "lists":
				e.g.patience = r.Intn(2)
			}
			for _, s := range starts {
				e.refs = append(e.refs, l.Add(e.g, ParseSexp(s)))
			}
			rep := e.g.Saturate(e.rules, e.lim, nil)
			e.at, e.whole = rep.Iterations, rep.Stop != NodeLimit
			if !e.whole {
				e.at = e.at[:len(e.at)-1]
			}
			engines = append(engines, e)
		}
		what := fmt.Sprintf("seed %d: %s\n%s", seed, strings.Join(starts, ", "), strings.Join(rules, "\n"))
		for i := range engines[0].at {
			slow.iterate(slowRules)
			for _, e := range engines {
				if i >= len(e.at) && !e.whole {
					continue // e-nodes that are found to be equal only later count for the limit
				}
				if i >= len(e.at) || e.at[i].Nodes != len(slow.nodes) || e.at[i].Classes != slow.classes() {
					t.Fatalf("%s\n%s, iteration %d: %v; the slow graph has %d e-nodes in %d e-classes", what, e.name, i+1, e.at, len(slow.nodes), slow.classes())
				}
			}
		}
		if len(slow.nodes) > 20 {
			grown++
		}
		for i := range starts {
			for j := range starts {
				for _, e := range engines {
					if got, want := e.g.Same(e.refs[i], e.refs[j]), slow.find(classes[i]) == slow.find(classes[j]); e.whole && got != want {
						t.Fatalf("%s\n%s: %s = %s is %v, of the slow graph %v", what, e.name, starts[i], starts[j], got, want)
					}
				}
			}
		}
	}
	if grown < runs/10 {
		t.Errorf("only %d graphs have grown", grown)
	}
}
