package egraph

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/testflag"
	"egad/slot"
)

// The slow, obvious counterpart of the e-graph: terms over a fixed set of names,
// closed under renaming, with equality closed under everything that the e-graph
// promises. Nothing here knows slots.

// NTerm is a term with named variables.
type NTerm struct {
	Op   string // "var", "lam", or an operator
	Name int    // of var and lam
	Kids []*NTerm
}

func (t *NTerm) String() string {
	switch t.Op {
	case "var":
		return fmt.Sprintf("v%d", t.Name)
	case "lam":
		return fmt.Sprintf("(lam v%d %s)", t.Name, t.Kids[0])
	}
	parts := []string{t.Op}
	for _, k := range t.Kids {
		parts = append(parts, k.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Rename applies a permutation of the names, binders included.
func (t *NTerm) Rename(p []int) *NTerm {
	u := &NTerm{Op: t.Op, Name: t.Name}
	if t.Op == "var" || t.Op == "lam" {
		u.Name = p[t.Name]
	}
	for _, k := range t.Kids {
		u.Kids = append(u.Kids, k.Rename(p))
	}
	return u
}

func (t *NTerm) free() map[int]bool {
	out := map[int]bool{}
	if t.Op == "var" {
		out[t.Name] = true
	}
	for _, k := range t.Kids {
		for n := range k.free() {
			if !(t.Op == "lam" && n == t.Name) {
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
	terms  []*NTerm
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

func (c *closure) add(t *NTerm) {
	if _, ok := c.id[t.String()]; ok {
		return // and so are its renamings
	}
	for _, p := range c.perms {
		c.addOne(t.Rename(p))
	}
}

func (c *closure) addOne(t *NTerm) int {
	key := t.String()
	if i, ok := c.id[key]; ok {
		return i
	}
	var kids []int
	for _, k := range t.Kids {
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
func (c *closure) union(a, b *NTerm) {
	for _, p := range c.perms {
		c.join(c.id[a.Rename(p).String()], c.id[b.Rename(p).String()])
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
			if t.Op == "lam" {
				fv := t.free()
				for z := range c.names {
					if !fv[z] {
						body := t.Kids[0].Rename(swap(c.names, t.Name, z))
						keys = append(keys, fmt.Sprintf("lam %d %d", z, c.find(c.id[body.String()])))
					}
				}
			} else {
				k := fmt.Sprintf("%s %d", t.Op, t.Name)
				for _, kid := range t.Kids {
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

func (c *closure) equal(a, b *NTerm) bool {
	return c.find(c.id[a.String()]) == c.find(c.id[b.String()])
}

// TestLang is a language with constants, f/1, g/2, c/2 (commutative), variables
// and lam.
type TestLang struct {
	Sig *Signature
	Ops map[string]Op
}

func NewTestLang(t testing.TB) *TestLang {
	l := &TestLang{Sig: NewSignature(), Ops: map[string]Op{}}
	for _, h := range []Head{
		{Name: "a"}, {Name: "b"}, {Name: "f", Arity: 1}, {Name: "g", Arity: 2},
		{Name: "c", Arity: 2, Commutative: true},
		{Name: "var", Own: 1}, {Name: "lam", Arity: 1, Binders: 1, Under: 1},
	} {
		id, err := l.Sig.AddHead(h)
		if err != nil {
			t.Fatal(err)
		}
		if l.Ops[h.Name], err = l.Sig.AddOp(id); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *TestLang) Add(g *Graph, t *NTerm) Ref {
	var kids []Ref
	for _, k := range t.Kids {
		kids = append(kids, l.Add(g, k))
	}
	switch t.Op {
	case "var":
		return g.Add(l.Ops["var"], []slot.Name{slot.Name(t.Name)}, nil, nil)
	case "lam":
		return g.Add(l.Ops["lam"], nil, []slot.Name{slot.Name(t.Name)}, kids)
	}
	return g.Add(l.Ops[t.Op], nil, nil, kids)
}

// Grow makes a new term out of earlier ones: renamed, wrapped or combined, for
// equalities only meet in terms that are alike. Its free variables are among the
// first three names, so that the universe has names to spare.
func Grow(r *rand.Rand, terms []*NTerm) *NTerm {
	part := func() *NTerm {
		if len(terms) == 0 || r.Intn(4) == 0 {
			if r.Intn(5) == 0 {
				return &NTerm{Op: string("ab"[r.Intn(2)])}
			}
			return &NTerm{Op: "var", Name: r.Intn(3)}
		}
		t := terms[r.Intn(len(terms))]
		if r.Intn(2) == 0 {
			t = t.Rename(append(r.Perm(3), 3, 4))
		}
		return t
	}
	switch k := r.Intn(8); {
	case k < 2:
		return part()
	case k < 3:
		return &NTerm{Op: "f", Kids: []*NTerm{part()}}
	case k < 7:
		return &NTerm{Op: string("gc"[r.Intn(2)]), Kids: []*NTerm{part(), part()}}
	}
	return &NTerm{Op: "lam", Name: r.Intn(3), Kids: []*NTerm{part()}}
}

// Renaming is a permutation of the five names that moves the first three, or
// the first four.
func Renaming(r *rand.Rand) []int {
	if r.Intn(2) == 0 {
		return append(r.Perm(3), 3, 4)
	}
	return append(r.Perm(4), 4)
}

// Size is the number of nodes, to keep the universe small.
func (t *NTerm) Size() int {
	n := 1
	for _, k := range t.Kids {
		n += k.Size()
	}
	return n
}

// TestAgainstClosure drives random additions and unions through the e-graph, in
// all ways of rebuilding, and through the closure, and finds no difference.
func TestAgainstClosure(t *testing.T) {
	runs := testflag.Count(300, 3000)
	for seed := range runs {
		r := rand.New(rand.NewSource(int64(seed)))
		l := NewTestLang(t)
		g := New(l.Sig)
		linked := seed%2 == 0
		if linked {
			g.Link()
		} else {
			g.patience = []int{0, 1, 2, 12}[seed/2%4]
		}
		c := newClosure(5)
		var terms []*NTerm
		refs := map[*NTerm]Ref{}
		var log []string
		for range 4 + r.Intn(8) {
			u := Grow(r, terms)
			if u.Size() > 12 {
				continue
			}
			terms = append(terms, u)
			c.add(u)
			refs[u] = l.Add(g, u)
			log = append(log, "add "+u.String())
			if seed%3 == 0 && len(terms) > 1 && r.Intn(2) == 0 {
				joinRandom(r, l, g, c, terms, refs, &log)
			}
		}
		// c is commutative by declaration.
		for _, u := range slices.Clone(c.terms) {
			if u.Op == "c" {
				flipped := &NTerm{Op: "c", Kids: []*NTerm{u.Kids[1], u.Kids[0]}}
				c.add(flipped)
				c.join(c.id[u.String()], c.id[flipped.String()])
			}
		}
		c.close()
		for range 1 + r.Intn(5) {
			joinRandom(r, l, g, c, terms, refs, &log)
		}
		g.Rebuild()
		if err := CheckInvariants(g); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(log, "\n"))
		}
		all := slices.Clone(terms)
		for _, a := range terms {
			b := a.Rename(Renaming(r))
			all = append(all, b)
			refs[b] = l.Add(g, b)
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

func joinRandom(r *rand.Rand, l *TestLang, g *Graph, c *closure, terms []*NTerm, refs map[*NTerm]Ref, log *[]string) {
	if len(terms) == 0 {
		return
	}
	a, b := terms[r.Intn(len(terms))], terms[r.Intn(len(terms))]
	if r.Intn(3) == 0 { // a symmetry, or a redundant name
		b = a.Rename(Renaming(r))
	}
	g.Union(refs[a], l.Add(g, b))
	c.union(a, b)
	*log = append(*log, "union "+a.String()+" = "+b.String())
	if r.Intn(2) == 0 {
		g.Rebuild()
		*log = append(*log, "rebuild")
	}
}

// CheckInvariants looks at a graph that has been rebuilt: e-nodes are canonical,
// no two are equal, each is in its class, each class has as many slots as each
// of its e-nodes shows, and if parents are listed, an e-node is listed once for each child.
func CheckInvariants(g *Graph) error {
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
		checkParents(g, fail)
	}
	if live != g.live {
		fail("%d live e-nodes, and %d are counted", live, g.live)
	}
	return err
}

func checkParents(g *Graph, fail func(format string, args ...any)) {
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
