package egraph

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"egad/internal/testflag"
)

// ListLang is a language with an operator of any number of children.
type ListLang struct {
	Sig  *Signature
	list HeadID
	of   []Op // list, by number of children
	Ops  []Op // the others
}

const mathLike = 1 // the class of some operators

func NewListLang(t *testing.T) *ListLang {
	l := &ListLang{Sig: NewSignature()}
	head := func(h Head) HeadID {
		id, err := l.Sig.AddHead(h)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	l.list = head(Head{Name: "list", Varies: true})
	for n := range 5 {
		op, err := l.Sig.AddVarying(l.list, n, 0)
		if err != nil {
			t.Fatal(err)
		}
		l.of = append(l.of, op)
	}
	for _, h := range []Head{{Name: "a"}, {Name: "b"}, {Name: "f", Arity: 1, Class: mathLike}, {Name: "plus", Arity: 2, Commutative: true, Class: mathLike}, {Name: "pair", Arity: 2}} {
		op, err := l.Sig.AddOp(head(h))
		if err != nil {
			t.Fatal(err)
		}
		l.Ops = append(l.Ops, op)
	}
	return l
}

// Graph makes a random graph in which some classes are united, and gives the terms that
// were added.
func (l *ListLang) Graph(r *rand.Rand, g *Graph) (terms []*Tree) {
	var refs []Ref
	add := func(op Op) {
		t, kids := &Tree{Op: op}, []Ref(nil)
		for range l.Sig.Arity(op) {
			k := r.Intn(len(refs))
			t.Kids, kids = append(t.Kids, terms[k]), append(kids, refs[k])
		}
		terms, refs = append(terms, t), append(refs, g.Add(op, nil, nil, kids))
	}
	add(l.Ops[0])
	add(l.Ops[1])
	for range 8 + r.Intn(20) {
		if r.Intn(2) == 0 {
			add(l.of[r.Intn(len(l.of))])
		} else {
			add(l.Ops[2+r.Intn(3)])
		}
	}
	for range r.Intn(4) {
		g.Union(refs[r.Intn(len(refs))], refs[r.Intn(len(refs))])
	}
	g.Rebuild()
	return terms
}

// LeftSide makes a random left side, with its number of metavariables; it is nil if the
// pattern is wrong.
func (l *ListLang) LeftSide(r *rand.Rand) (p *Program, metas int) {
	ps := &patterns{ListLang: l, r: r}
	p, err := Compile(l.Sig, ps.application(2), ps.metas, 0)
	if err != nil {
		return nil, 0
	}
	return p, ps.metas
}

// patterns makes random left sides.
type patterns struct {
	*ListLang
	r                *rand.Rand
	metas, lists, at int
}

func (p *patterns) any(depth int) *Pattern {
	if n := p.r.Intn(6); depth == 0 || n < 2 {
		v := p.r.Intn(p.metas + 1)
		p.metas = max(p.metas, v+1)
		return &Pattern{Kind: PVar, Var: v}
	}
	return p.application(depth)
}

func (p *patterns) position() int {
	p.at++
	return p.at - 1
}

func (p *patterns) application(depth int) *Pattern {
	q := &Pattern{Kind: PApp, Position: p.position()}
	switch n := p.r.Intn(8); {
	case n < 4:
		q.Head = p.list
		for range p.r.Intn(4) {
			q.Kids = append(q.Kids, p.item(depth-1))
		}
	case n < 5:
		q.Class = mathLike
		for range 1 + p.r.Intn(3) {
			q.Kids = append(q.Kids, p.item(depth-1))
		}
	default:
		op := p.Ops[p.r.Intn(len(p.Ops))]
		q.Head = p.Sig.Head(op)
		for range p.Sig.Arity(op) {
			q.Kids = append(q.Kids, p.any(depth-1))
		}
	}
	return q
}

func (p *patterns) item(depth int) *Pattern {
	newList := func() int {
		v := p.r.Intn(p.lists + 1)
		p.lists = max(p.lists, v+1)
		return v
	}
	switch p.r.Intn(6) {
	case 0, 1:
		return &Pattern{Kind: PList, Var: newList()}
	case 2:
		elem := &Pattern{Kind: PElem, Var: newList()}
		if p.r.Intn(2) == 0 {
			return &Pattern{Kind: PEach, Kids: []*Pattern{elem}}
		}
		op := p.Ops[2+p.r.Intn(3)]
		q := &Pattern{Kind: PApp, Head: p.Sig.Head(op), Position: p.position(), Kids: []*Pattern{elem}}
		for len(q.Kids) < p.Sig.Arity(op) {
			q.Kids = append(q.Kids, p.any(min(depth, 0)))
		}
		return &Pattern{Kind: PEach, Kids: []*Pattern{q}}
	case 3:
		leaf := func(op Op) *Pattern {
			return &Pattern{Kind: PApp, Head: p.Sig.Head(op), Position: p.position()}
		}
		return &Pattern{Kind: PEither, Kids: []*Pattern{leaf(p.Ops[0]), {Kind: PApp, Head: p.Sig.Head(p.Ops[2]), Position: p.position(), Kids: []*Pattern{leaf(p.Ops[1])}}}}
	}
	return p.any(max(depth, 0))
}

// stands is what metavariables and lists of a pattern stand for.
type stands struct {
	vars  map[int]ClassID
	lists map[int][]ClassID
	// open are the lists that are being collected, with the place.
	place int
	elems map[int][]ClassID
}

func (s stands) clone() stands {
	s.vars, s.lists, s.elems = maps.Clone(s.vars), maps.Clone(s.lists), maps.Clone(s.elems)
	return s
}

// obvious matches a pattern in all ways, by trying everything.
func obvious(g *Graph, p *Pattern, c ClassID, s stands, k func(stands)) {
	c = g.Find(c)
	switch p.Kind {
	case PVar:
		if old, ok := s.vars[p.Var]; ok {
			if old == c {
				k(s)
			}
			return
		}
		s = s.clone()
		s.vars[p.Var] = c
		k(s)
	case PElem:
		of := s.lists[p.Var]
		if of == nil {
			of = s.elems[p.Var]
		}
		switch {
		case s.place < len(of):
			if of[s.place] == c {
				k(s)
			}
		case s.place == len(of) && s.lists[p.Var] == nil:
			s = s.clone()
			s.elems[p.Var] = append(slices.Clone(of), c)
			k(s)
		}
	case PEither:
		for _, q := range p.Kids {
			obvious(g, q, c, s, k)
		}
	case PApp:
		g.Nodes(Ref{ID: c}, func(n Node) bool {
			h := g.sig.Head(n.Op)
			if p.Class == 0 && h != p.Head || g.sig.HeadInfo(h).Class&p.Class != p.Class {
				return true
			}
			var kids []ClassID
			for _, r := range n.Kids {
				kids = append(kids, r.ID)
			}
			items(g, p.Kids, kids, s, k)
			if g.sig.HeadInfo(h).Commutative && kids[0] != kids[1] {
				items(g, p.Kids, []ClassID{kids[1], kids[0]}, s, k)
			}
			return true
		})
	}
}

func items(g *Graph, ps []*Pattern, kids []ClassID, s stands, k func(stands)) {
	if len(ps) == 0 {
		if len(kids) == 0 {
			k(s)
		}
		return
	}
	p := ps[0]
	if p.Kind != PList && p.Kind != PEach {
		if len(kids) > 0 {
			obvious(g, p, kids[0], s, func(s stands) { items(g, ps[1:], kids[1:], s, k) })
		}
		return
	}
	for n := range len(kids) + 1 {
		rest := func(s stands) { items(g, ps[1:], kids[n:], s, k) }
		if p.Kind == PEach {
			s := s.clone()
			s.elems = make(map[int][]ClassID)
			each(g, p.Kids[0], kids[:n], s, rest)
			continue
		}
		if old, ok := s.lists[p.Var]; ok {
			if slices.Equal(old, kids[:n]) {
				rest(s)
			}
			continue
		}
		s := s.clone()
		s.lists[p.Var] = append([]ClassID{}, kids[:n]...)
		rest(s)
	}
}

// each matches a pattern at every one of some children, of which there must be one.
func each(g *Graph, p *Pattern, kids []ClassID, s stands, k func(stands)) {
	if s.place < len(kids) {
		obvious(g, p, kids[s.place], s, func(s stands) {
			s.place++
			each(g, p, kids, s, k)
		})
		return
	}
	if len(kids) == 0 {
		return
	}
	s = s.clone()
	maps.Copy(s.lists, s.elems)
	s.place = 0
	same := true
	p.each(func(q *Pattern) { same = same && (q.Kind != PElem || len(s.lists[q.Var]) == len(kids)) })
	if same {
		k(s)
	}
}

func (s stands) text(root ClassID) string {
	var lists [][]ClassID
	for i := range len(s.lists) {
		lists = append(lists, s.lists[i])
	}
	return fmt.Sprint(root, s.vars, lists)
}

// TestLists compares matches of random patterns with lists and alternatives with the obvious
// ones; once the graph has changed, with those that have something new.
func TestLists(t *testing.T) {
	seeds := testflag.Count(3000, 40_000)
	compared, several := 0, 0
	for seed := range seeds {
		r := rand.New(rand.NewSource(int64(seed)))
		l := NewListLang(t)
		ps := &patterns{ListLang: l, r: r}
		p := ps.application(2)
		prog, err := Compile(l.Sig, p, ps.metas, 0)
		if err != nil {
			continue // as a variable in one alternative only
		}
		g := New(l.Sig)
		l.Graph(r, g)
		rule := &Rule{Lhs: prog}
		got := make(map[string]bool)
		g.Matches(rule, func(m *Match) bool {
			s := stands{vars: make(map[int]ClassID), lists: make(map[int][]ClassID)}
			for i := range ps.metas {
				s.vars[i] = m.VarClass(i)
			}
			// What is kept of a match is the match.
			kept := m.save(nil, true)
			m2 := g.machine()
			m2.load(rule)
			if rest := m2.restore(kept, true); len(rest) > 0 {
				t.Fatalf("seed %d: %d words too many are kept", seed, len(rest))
			}
			for i := range ps.lists {
				s.lists[i] = []ClassID{}
				for _, x := range m2.List(i) {
					s.lists[i] = append(s.lists[i], x.ID)
				}
				if len(s.lists[i]) != m.Len(i) {
					t.Fatalf("seed %d: list %d is kept with %d elements of %d", seed, i, len(s.lists[i]), m.Len(i))
				}
			}
			got[s.text(m.RootClass())] = true
			return true
		})
		want := make(map[string]bool)
		for c := range ClassID(g.ClassIDs()) {
			if g.Find(c) == c {
				obvious(g, p, c, stands{vars: make(map[int]ClassID), lists: make(map[int][]ClassID)}, func(s stands) { want[s.text(c)] = true })
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: %d matches, and %d obvious ones\n%v\n%v", seed, len(got), len(want), got, want)
		}
		if compared += len(want); len(want) > 1 {
			several++
		}
	}
	if compared < seeds || several < seeds/10 {
		t.Errorf("only %d matches, of %d patterns more than one", compared, several)
	}
}

// TestListsSemiNaive applies rules with lists to random graphs: the graphs are equal
// whether all matches are found again in each iteration or only the new ones.
func TestListsSemiNaive(t *testing.T) {
	grown := 0
	for seed := range 3000 {
		var sizes [2]string
		for k, naive := range []bool{true, false} {
			r := rand.New(rand.NewSource(int64(seed)))
			l := NewListLang(t)
			g := New(l.Sig)
			l.Graph(r, g)
			var rules []*Rule
			for range 2 {
				ps := &patterns{ListLang: l, r: r}
				prog, err := Compile(l.Sig, ps.application(2), ps.metas, 0)
				if err != nil {
					continue
				}
				rules = append(rules, &Rule{Lhs: prog, Stable: true, Apply: func(g *Graph, m *Match) (Ref, bool, error) {
					var kids []Ref
					for i := range ps.metas {
						kids = append(kids, m.Var(i))
					}
					for i := range ps.lists {
						kids = append(kids, m.List(i)...)
					}
					if len(kids) >= len(l.of) {
						return Ref{}, false, nil
					}
					slices.Reverse(kids)
					return g.Add(l.of[len(kids)], nil, nil, kids), true, nil
				}})
			}
			rep := g.Saturate(rules, Limits{Iterations: 4, Nodes: 300, Naive: naive}, nil)
			if rep.Stop == NodeLimit {
				sizes = [2]string{}
				break
			}
			for _, it := range rep.Iterations {
				sizes[k] += fmt.Sprintln(it.Nodes, it.Classes)
			}
			if rep.Nodes > 25 && len(rep.Iterations) > 2 {
				grown++
			}
		}
		if sizes[0] != sizes[1] {
			t.Fatalf("seed %d: naively\n%s, and\n%s", seed, sizes[0], sizes[1])
		}
	}
	if grown < 50 {
		t.Errorf("only %d graphs have grown", grown)
	}
}
