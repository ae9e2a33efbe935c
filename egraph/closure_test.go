package egraph

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/slot"
)

// The slow, obvious counterpart of the e-graph: terms over a fixed set of names,
// closed under renaming, with equality closed under everything that the e-graph
// promises. Nothing here knows slots.

// nterm is a term with named variables.
type nterm struct {
	op   string // "var", "lam", or an operator
	name int    // of var and lam
	kids []*nterm
}

func (t *nterm) String() string {
	switch t.op {
	case "var":
		return fmt.Sprintf("v%d", t.name)
	case "lam":
		return fmt.Sprintf("(lam v%d %s)", t.name, t.kids[0])
	}
	parts := []string{t.op}
	for _, k := range t.kids {
		parts = append(parts, k.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// rename applies a permutation of the names, binders included.
func (t *nterm) rename(p []int) *nterm {
	u := &nterm{op: t.op, name: t.name}
	if t.op == "var" || t.op == "lam" {
		u.name = p[t.name]
	}
	for _, k := range t.kids {
		u.kids = append(u.kids, k.rename(p))
	}
	return u
}

func (t *nterm) free() map[int]bool {
	out := map[int]bool{}
	if t.op == "var" {
		out[t.name] = true
	}
	for _, k := range t.kids {
		for n := range k.free() {
			if !(t.op == "lam" && n == t.name) {
				out[n] = true
			}
		}
	}
	return out
}

// closure decides equality by closing a finite universe of terms: all terms
// that were added, their subterms, and all their renamings.
type closure struct {
	names  int
	perms  [][]int
	id     map[string]int
	terms  []*nterm
	kids   [][]int // of each term
	parent []int

	members map[int][]int // of each class, while rules are matched
}

func newClosure(names int) *closure {
	c := &closure{names: names, id: map[string]int{}}
	var build func(p []int)
	build = func(p []int) {
		if len(p) == names {
			c.perms = append(c.perms, slices.Clone(p))
			return
		}
		for n := range names {
			if !slices.Contains(p, n) {
				build(append(p, n))
			}
		}
	}
	build(nil)
	return c
}

func (c *closure) find(i int) int {
	for c.parent[i] != i {
		i = c.parent[i]
	}
	return i
}

func (c *closure) add(t *nterm) {
	if _, ok := c.id[t.String()]; ok {
		return // and so are its renamings
	}
	for _, p := range c.perms {
		c.addOne(t.rename(p))
	}
}

func (c *closure) addOne(t *nterm) int {
	key := t.String()
	if i, ok := c.id[key]; ok {
		return i
	}
	var kids []int
	for _, k := range t.kids {
		kids = append(kids, c.addOne(k))
	}
	c.kids = append(c.kids, kids)
	i := len(c.terms)
	c.id[key] = i
	c.terms = append(c.terms, t)
	c.parent = append(c.parent, i)
	return i
}

func (c *closure) join(a, b int) bool {
	a, b = c.find(a), c.find(b)
	if a == b {
		return false
	}
	c.parent[b] = a
	return true
}

// union makes a and b equal under all renamings, and closes.
func (c *closure) union(a, b *nterm) {
	for _, p := range c.perms {
		c.join(c.id[a.rename(p).String()], c.id[b.rename(p).String()])
	}
	c.close()
}

// close adds congruence, under binders too: lam x t = lam y u if for a name z
// that is free in neither, t with z for x equals u with z for y. Both are in the
// universe, being renamings.
func (c *closure) close() {
	for changed := true; changed; {
		changed = false
		seen := map[string]int{}
		for i, t := range c.terms {
			var keys []string
			if t.op == "lam" {
				fv := t.free()
				for z := range c.names {
					if !fv[z] {
						body := t.kids[0].rename(swap(c.names, t.name, z))
						keys = append(keys, fmt.Sprintf("lam %d %d", z, c.find(c.id[body.String()])))
					}
				}
			} else {
				k := fmt.Sprintf("%s %d", t.op, t.name)
				for _, kid := range t.kids {
					k += fmt.Sprintf(" %d", c.find(c.id[kid.String()]))
				}
				keys = []string{k}
			}
			for _, k := range keys {
				if j, ok := seen[k]; !ok {
					seen[k] = i
				} else if c.join(i, j) {
					changed = true
				}
			}
		}
	}
}

func swap(n, a, b int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	p[a], p[b] = b, a
	return p
}

func (c *closure) equal(a, b *nterm) bool {
	return c.find(c.id[a.String()]) == c.find(c.id[b.String()])
}

// testLang is a language with constants, f/1, g/2, c/2 (commutative), variables
// and lam.
type testLang struct {
	sig *Signature
	ops map[string]Op
}

func newTestLang(t testing.TB) *testLang {
	l := &testLang{sig: NewSignature(), ops: map[string]Op{}}
	for _, h := range []Head{
		{Name: "a"}, {Name: "b"}, {Name: "f", Arity: 1}, {Name: "g", Arity: 2},
		{Name: "c", Arity: 2, Commutative: true},
		{Name: "var", Own: 1}, {Name: "lam", Arity: 1, Binders: 1, Under: 1},
	} {
		id, err := l.sig.AddHead(h)
		if err != nil {
			t.Fatal(err)
		}
		if l.ops[h.Name], err = l.sig.AddOp(id); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *testLang) add(g *Graph, t *nterm) Ref {
	var kids []Ref
	for _, k := range t.kids {
		kids = append(kids, l.add(g, k))
	}
	switch t.op {
	case "var":
		return g.Add(l.ops["var"], []slot.Name{slot.Name(t.name)}, nil, nil)
	case "lam":
		return g.Add(l.ops["lam"], nil, []slot.Name{slot.Name(t.name)}, kids)
	}
	return g.Add(l.ops[t.op], nil, nil, kids)
}

// grow makes a new term out of earlier ones: renamed, wrapped or combined, for
// equalities only meet in terms that are alike. Its free variables are among the
// first three names, so that the universe has names to spare.
func grow(r *rand.Rand, terms []*nterm) *nterm {
	part := func() *nterm {
		if len(terms) == 0 || r.Intn(4) == 0 {
			if r.Intn(5) == 0 {
				return &nterm{op: string("ab"[r.Intn(2)])}
			}
			return &nterm{op: "var", name: r.Intn(3)}
		}
		t := terms[r.Intn(len(terms))]
		if r.Intn(2) == 0 {
			t = t.rename(append(r.Perm(3), 3, 4))
		}
		return t
	}
	switch k := r.Intn(8); {
	case k < 2:
		return part()
	case k < 3:
		return &nterm{op: "f", kids: []*nterm{part()}}
	case k < 7:
		return &nterm{op: string("gc"[r.Intn(2)]), kids: []*nterm{part(), part()}}
	}
	return &nterm{op: "lam", name: r.Intn(3), kids: []*nterm{part()}}
}

// renaming is a permutation of the five names that moves the first three, or
// the first four.
func renaming(r *rand.Rand) []int {
	if r.Intn(2) == 0 {
		return append(r.Perm(3), 3, 4)
	}
	return append(r.Perm(4), 4)
}

// size is the number of nodes, to keep the universe small.
func (t *nterm) size() int {
	n := 1
	for _, k := range t.kids {
		n += k.size()
	}
	return n
}

// TestAgainstClosure drives random additions and unions through the e-graph, in
// all ways of rebuilding, and through the closure, and finds no difference.
func TestAgainstClosure(t *testing.T) {
	runs := 900
	if testing.Short() {
		runs = 150
	}
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		l := newTestLang(t)
		g := New(l.sig)
		linked := seed%2 == 0
		if linked {
			g.link()
		} else {
			g.patience = []int{0, 1, 2, 12}[seed/2%4]
		}
		c := newClosure(5)
		var terms []*nterm
		refs := map[*nterm]Ref{}
		var log []string
		for range 4 + r.Intn(8) {
			u := grow(r, terms)
			if u.size() > 12 {
				continue
			}
			terms = append(terms, u)
			c.add(u)
			refs[u] = l.add(g, u)
			log = append(log, "add "+u.String())
			if seed%3 == 0 && len(terms) > 1 && r.Intn(2) == 0 {
				joinRandom(r, l, g, c, terms, refs, &log)
			}
		}
		// c is commutative by declaration.
		for _, u := range slices.Clone(c.terms) {
			if u.op == "c" {
				flipped := &nterm{op: "c", kids: []*nterm{u.kids[1], u.kids[0]}}
				c.add(flipped)
				c.join(c.id[u.String()], c.id[flipped.String()])
			}
		}
		c.close()
		for range 1 + r.Intn(5) {
			joinRandom(r, l, g, c, terms, refs, &log)
		}
		g.Rebuild()
		if err := checkInvariants(g); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(log, "\n"))
		}
		all := slices.Clone(terms)
		for _, a := range terms {
			b := a.rename(renaming(r))
			all = append(all, b)
			refs[b] = l.add(g, b)
		}
		for _, a := range all {
			for _, b := range all {
				if got, want := g.Same(refs[a], refs[b]), c.equal(a, b); got != want {
					t.Fatalf("seed %d (linked %v): %s = %s: e-graph says %v, closure %v\n%s",
						seed, linked, a, b, got, want, strings.Join(log, "\n"))
				}
			}
		}
	}
}

func joinRandom(r *rand.Rand, l *testLang, g *Graph, c *closure, terms []*nterm, refs map[*nterm]Ref, log *[]string) {
	if len(terms) == 0 {
		return
	}
	a, b := terms[r.Intn(len(terms))], terms[r.Intn(len(terms))]
	if r.Intn(3) == 0 { // a symmetry, or a redundant name
		b = a.rename(renaming(r))
	}
	g.Union(refs[a], l.add(g, b))
	c.union(a, b)
	*log = append(*log, "union "+a.String()+" = "+b.String())
	if r.Intn(2) == 0 {
		g.Rebuild()
		*log = append(*log, "rebuild")
	}
}

// checkInvariants looks at a graph that has been rebuilt: e-nodes are canonical,
// no two are equal, each is in its class, each class has as many slots as each
// of its e-nodes shows, and if parents are listed, an e-node is listed once for each child.
func checkInvariants(g *Graph) error {
	var err error
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
	}
	seen := map[string]NodeID{}
	live := 0
	g.eachNode(func(r NodeID, n int) {
		live++
		g.updateClass(r)
		c := g.arena[r+nodeClass]
		if g.unionFind[c] != c {
			fail("e-node %d is in class %d, which was merged", r, c)
		}
		if m := g.vecs.Len(g.cmap(r, n)); m != g.slotsOf(c) {
			fail("e-node %d shows %d slots of class %d, which has %d", r, m, c, g.slotsOf(c))
		}
		key := fmt.Sprint(g.op(r), g.vecs.Get(g.own(r, n)))
		for k, kid := range g.kids(r, n) {
			if g.unionFind[kid] != kid {
				fail("e-node %d has child %d, which was merged", r, kid)
			}
			if m := g.vecs.Len(g.arg(r, n, k)); m != g.slotsOf(kid) {
				fail("e-node %d passes %d slots to class %d, which has %d", r, m, kid, g.slotsOf(kid))
			}
			key += fmt.Sprint(" ", kid, g.vecs.Get(g.arg(r, n, k)))
		}
		if q, dup := seen[key]; dup {
			fail("e-nodes %d and %d are equal: %s", q, r, key)
		}
		seen[key] = r
	})
	if g.links != nil {
		checkUsers(g, fail)
	}
	if live != g.live {
		fail("%d live e-nodes, and %d are counted", live, g.live)
	}
	return err
}

func checkUsers(g *Graph, fail func(format string, args ...any)) {
	listed := map[[2]uint32]int{}
	for c := range g.unionFind {
		for x := g.links.parents[c].head; x != 0; x = g.links.next[x].next {
			listed[[2]uint32{g.links.next[x].node, uint32(c)}]++
		}
	}
	g.eachNode(func(r NodeID, n int) {
		for _, kid := range g.kids(r, n) {
			if m := listed[[2]uint32{r, kid}]; m != 1 {
				fail("e-node %d is listed %d times among the parents of class %d", r, m, kid)
			}
		}
	})
}
