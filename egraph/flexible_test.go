package egraph

import (
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/testflag"
)

// env is what the variables of a pattern stand for in the closure: metavariables
// for terms, bound variables for names.
type env struct {
	metas map[int]int
	bound map[int]int
}

// match calls f for all ways in which a pattern matches the class of term i.
func (c *closure) match(p *NTerm, i int, e env, f func(env)) {
	if p.Op == "var" {
		if j, ok := e.metas[p.Name]; !ok {
			e.metas[p.Name] = i
			f(e)
			delete(e.metas, p.Name)
		} else if c.find(i) == c.find(j) {
			f(e)
		}
		return
	}
	for _, j := range c.members[c.find(i)] {
		t := c.terms[j]
		if t.Op != p.Op && (t.Op != "var" || p.Op != "bound") {
			continue
		}
		if p.Op == "bound" {
			if e.bound[p.Name] == t.Name {
				f(e)
			}
			continue
		}
		if p.Op == "lam" {
			if slices.Contains(values(e.bound), t.Name) {
				continue
			}
			e.bound[p.Name] = t.Name
		}
		var kids func(k int)
		kids = func(k int) {
			if k == len(p.Kids) {
				f(e)
				return
			}
			c.match(p.Kids[k], c.kids[j][k], e, func(env) { kids(k + 1) })
		}
		kids(0)
		if p.Op == "lam" {
			delete(e.bound, p.Name)
		}
	}
}

func values(m map[int]int) (out []int) {
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// instance is what a right side stands for.
func (c *closure) instance(p *NTerm, e env) *NTerm {
	switch p.Op {
	case "var":
		return c.terms[e.metas[p.Name]]
	case "bound":
		return &NTerm{Op: "var", Name: e.bound[p.Name]}
	}
	t := &NTerm{Op: p.Op, Name: p.Name}
	if p.Op == "lam" {
		t.Name = e.bound[p.Name]
	}
	for _, k := range p.Kids {
		t.Kids = append(t.Kids, c.instance(k, e))
	}
	return t
}

// saturate applies rules until nothing new follows. It is false if there were more
// terms than limit.
func (c *closure) saturate(rules [][2]*NTerm, limit int) bool {
	for {
		type hit struct {
			class int
			rhs   *NTerm
		}
		var hits []hit
		c.members = map[int][]int{}
		for i := range c.terms {
			c.members[c.find(i)] = append(c.members[c.find(i)], i)
		}
		for _, r := range rules {
			for i := range c.terms {
				if c.find(i) == i {
					c.match(r[0], i, env{map[int]int{}, map[int]int{}}, func(e env) {
						hits = append(hits, hit{i, c.instance(r[1], e)})
					})
				}
			}
		}
		terms, news := len(c.terms), false
		for _, h := range hits {
			c.add(h.rhs)
			if len(c.terms) > limit {
				return false
			}
		}
		for _, h := range hits {
			news = c.join(h.class, c.id[h.rhs.String()]) || news
		}
		c.close()
		if !news && len(c.terms) == terms {
			return true
		}
	}
}

// filled is t with terms for its variables.
func (t *NTerm) filled(by func(n int) *NTerm) *NTerm {
	if t.Op == "var" {
		return by(t.Name)
	}
	u := &NTerm{Op: t.Op, Name: t.Name}
	for _, k := range t.Kids {
		u.Kids = append(u.Kids, k.filled(by))
	}
	return u
}

// TestRedundantNames runs random rules, one of which at least makes variables
// redundant, in the e-graph and on ground terms: what is equal there is equal in a
// graph that says it is saturated, and what is not is not.
func TestRedundantNames(t *testing.T) {
	runs := testflag.Count(50, 600)
	compared, equal := 0, 0
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		l := NewTestLang(t)
		names := 4
		c := newClosure(names)
		var rules [][2]*NTerm
		var log []string
		var compiled []*Rule
		add := func(lhs, rhs *NTerm) {
			rules = append(rules, [2]*NTerm{lhs, rhs})
			log = append(log, lhs.String()+" => "+rhs.String())
			compiled = append(compiled, l.rule(t, log[len(log)-1], lhs, rhs))
		}
		lhs := func() *NTerm {
			for {
				if p := randomPattern(r, 2, []int{0, 1, 2}); len(p.Kids) > 0 {
					return p
				}
			}
		}
		// The first rule makes variables redundant. The others look for what it does
		// so, in places where there is only the value.
		redundant, value := lhs(), app(string("ab"[r.Intn(2)]))
		add(redundant, value)
		starts := []*NTerm{redundant.filled(func(int) *NTerm { return v(r.Intn(3)) })}
		for range 1 + r.Intn(2) {
			p := lhs()
			hole := r.Intn(3)
			q := p.filled(func(n int) *NTerm {
				if n != hole {
					return v(n)
				}
				return redundant.filled(func(int) *NTerm { return v(r.Intn(3)) })
			})
			if q.Size() <= 9 {
				add(q, randomPattern(r, r.Intn(2), slices.Sorted(maps.Keys(q.free()))))
			}
			for range 2 {
				is := []*NTerm{v(0), v(r.Intn(2)), app(string("ab"[r.Intn(2)]))}
				is[hole] = value
				starts = append(starts, p.filled(func(n int) *NTerm { return is[n] }))
			}
		}
		g := New(l.Sig)
		if seed%3 == 0 {
			listen(g)
		}
		refs := map[*NTerm]Ref{}
		for _, u := range append(starts, app("a"), app("b"), v(0), app("f", v(0))) {
			if r.Intn(4) == 0 && u.free()[0] {
				u = &NTerm{Op: "lam", Name: 0, Kids: []*NTerm{u}}
			}
			c.add(u)
			refs[u] = l.Add(g, u)
			log = append(log, "add "+u.String())
		}
		// c is commutative by declaration.
		rules = append(rules, [2]*NTerm{app("c", v(0), v(1)), app("c", v(1), v(0))})
		rep := g.Saturate(compiled, Limits{Iterations: 12, Nodes: 300, Matches: 5000, Naive: seed%2 == 0}, nil)
		if rep.Stop != Saturated || !c.saturate(rules, 250) {
			continue
		}
		compared++
		if err := CheckInvariants(g); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(log, "\n"))
		}
		// All terms there are on the ground, of which the graph has some instances.
		leaders := map[int]Ref{}
		var order []int
		for i, u := range c.terms {
			ref, root := l.Add(g, u), c.find(i)
			if _, ok := leaders[root]; !ok {
				leaders[root] = ref
				order = append(order, root)
			}
			if equal++; !g.Same(ref, leaders[root]) {
				t.Fatalf("seed %d: %s = %s on the ground, and not in the e-graph\n%s", seed, u, c.terms[root], strings.Join(log, "\n"))
			}
		}
		for k, i := range order {
			for _, j := range order[:k] {
				if g.Same(leaders[i], leaders[j]) {
					t.Fatalf("seed %d: %s = %s in the e-graph, and not on the ground\n%s", seed, c.terms[i], c.terms[j], strings.Join(log, "\n"))
				}
			}
		}
	}
	t.Logf("%d graphs, %d equalities", compared, equal)
	if compared < runs/3 {
		t.Errorf("only %d of %d runs were compared", compared, runs)
	}
}

// TestFlexible: what a class does not depend on may be any variable, the same
// twice, that of another child, or one that is bound above.
func TestFlexible(t *testing.T) {
	l := NewTestLang(t)
	zero, y := app("a"), &NTerm{Op: "bound", Name: firstBound}
	sub := app("g", v(0), v(0))
	none := l.rule(t, "none", sub, zero)
	x := func(g *Graph) Ref { return l.v(g, 1) }
	for _, test := range []struct {
		lhs   *NTerm
		start func(g *Graph) Ref
	}{
		{app("c", sub, app("f", sub)), func(g *Graph) Ref { return l.app(g, "c", l.app(g, "a"), l.app(g, "f", l.app(g, "a"))) }},
		{app("c", v(0), sub), func(g *Graph) Ref { return l.app(g, "c", x(g), l.app(g, "a")) }},
		{app("g", v(0), app("f", sub)), func(g *Graph) Ref { return l.app(g, "g", x(g), l.app(g, "f", l.app(g, "a"))) }},
		{&NTerm{Op: "lam", Name: firstBound, Kids: []*NTerm{app("c", y, app("g", y, y))}}, func(g *Graph) Ref {
			return l.lam(g, 1, l.app(g, "c", x(g), l.app(g, "a")))
		}},
	} {
		for _, proofs := range []bool{false, true} {
			g := New(l.Sig)
			if proofs {
				listen(g)
			}
			l.app(g, "g", x(g), x(g))
			start, b := test.start(g), l.app(g, "b")
			rule := l.rule(t, test.lhs.String(), test.lhs, app("b"))
			rep := g.Saturate([]*Rule{none, rule}, Limits{}, nil)
			if rep.Stop != Saturated || !g.Same(start, b) {
				t.Errorf("%s does not apply: %v", rule.Name, rep)
			}
		}
	}
}
