package saturate

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/leanovate/gopter"

	"egad/egraph"
	"egad/internal/programs"
	"egad/rules/load"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// TestSearch compares the two ways to look for a left side, instructions on the whole
// graph and a search at one class after the other, for random left sides: parts of what
// is in the graphs of random programs, with variables, lists, spreads, operator
// variables, binders and attributes of all kinds in some places. Half of the graphs are
// the terms of the program alone, to the others some rules have been applied.
func TestSearch(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	gen := programs.Gen(programs.Everything, types.NoElem)
	params := gopter.DefaultGenParameters()
	params.Rng = rand.New(rand.NewSource(11))
	matches, forms := 0, make(map[egraph.PatternKind]int)
	for k := range 200 {
		c, _ := gen(params).Retrieve()
		p := c.(programs.Case).Program(sig)
		g := New(sig)
		if _, err := g.AddTerm(p.Store, p.Root, nil); err != nil {
			t.Fatal(err)
		}
		if k%2 == 1 {
			if _, err := g.Saturate(egraph.Limits{Iterations: 2, Nodes: 300}, nil, lib.Set("arrays"), lib.Set("scalars")); err != nil {
				t.Fatal(err)
			}
		}
		g.Rebuild()
		roots := g.Roots()
		if slices.ContainsFunc(roots, func(r slot.Ref) bool { return redundant(g, r) }) {
			continue // in a search it is another name each time, and one name in the instructions
		}
		for range 40 {
			x := &randomSide{g: g, r: params.Rng}
			left := x.pattern(roots[x.r.Intn(len(roots))], 3, nil)
			prog, err := egraph.Compile(g.lang.eng, left, x.vars, x.bound)
			if err != nil {
				continue // a part has a variable that the whole binds
			}
			count(left, forms)
			rule := &egraph.Rule{Name: "r", Lhs: prog, Constants: x.constants}
			var got, want []hit
			g.Matches(rule, func(m *egraph.Match) bool {
				got = append(got, x.hit(m, func(i int) egraph.Op { return m.Op(i, 0) }))
				return len(got) < 2000
			})
			for _, root := range roots {
				s := &egraph.Search{Space: g.Graph, Statics: egraph.Statics{Sig: g.lang.eng, Constants: x.constants}}
				s.Matches(prog, root, func() bool {
					want = append(want, x.hit(s, func(i int) egraph.Op { return s.Ops[i] }))
					return len(want) < 2000
				})
			}
			if matches += len(want); len(got) == 0 {
				t.Fatalf("the instructions do not find what %v was made of", left)
			}
			if len(got) >= 2000 || len(want) >= 2000 {
				continue
			}
			x.within(t, got, want, "the search does not find")
			x.within(t, want, got, "the instructions do not find")
		}
	}
	if matches < 10000 || len(forms) < 6 {
		t.Errorf("only %d matches were compared, of left sides with %v", matches, forms)
	}
}

// redundant reports whether a node of a class has a name that the class does not depend on.
func redundant(g *Graph, r slot.Ref) (is bool) {
	g.Graph.Nodes(r, func(n egraph.Node) bool {
		for _, k := range n.Kids {
			is = is || slices.ContainsFunc(k.Args, func(x slot.Name) bool { return !r.Has(x) && !slices.Contains(n.Binders, x) })
		}
		return !is
	})
	return is
}

func count(p *egraph.Pattern, forms map[egraph.PatternKind]int) {
	forms[p.Kind]++
	for _, k := range p.Kids {
		count(k, forms)
	}
}

// randomSide makes a left side that matches something in a graph.
type randomSide struct {
	g                         *Graph
	r                         *rand.Rand
	vars, lists, bound, rests int
	statics, positions        int
	constants                 []egraph.Static
	is                        map[string]int // the variable that stands for a class, by its text
	staticIs                  map[egraph.Static]int
	spread                    bool // there is one, so that positions are no prefix order
}

// pattern matches a class, with the numbers of the bound variables around it.
func (x *randomSide) pattern(r slot.Ref, depth int, bound map[slot.Name]int) *egraph.Pattern {
	var nodes []egraph.Node
	x.g.Graph.Nodes(r, func(n egraph.Node) bool {
		nodes = append(nodes, n)
		return true
	})
	n := nodes[x.r.Intn(len(nodes))]
	if len(n.Own) > 0 {
		if v, ok := bound[n.Own[0]]; ok {
			return &egraph.Pattern{Kind: egraph.PSlot, Var: v}
		}
	}
	root := depth == 3
	if !root && (depth == 0 || x.r.Intn(3) == 0 || len(n.Own) > 0) {
		key := fmt.Sprint(r)
		v, seen := x.is[key]
		if !seen || x.r.Intn(4) == 0 {
			v = x.vars
			x.vars++
			if x.is == nil {
				x.is = make(map[string]int)
			}
			x.is[key] = v
		}
		return &egraph.Pattern{Kind: egraph.PVar, Var: v}
	}
	p := &egraph.Pattern{Kind: egraph.PApp, Head: x.g.lang.eng.Head(n.Op), Position: x.positions}
	x.positions++
	if o := x.g.lang.sig.Operator(x.g.TermOp(n.Op).Sym); o.Elementwise && x.r.Intn(4) == 0 {
		p.Class = bitOf("elementwise")
	}
	for s := range slots {
		if x.r.Intn(5) == 0 {
			q := x.static(x.g.lang.carries(n.Op, s), 3)
			q.Slot = s
			p.Statics = append(p.Statics, q)
		}
	}
	if len(n.Binders) > 0 {
		inner := make(map[slot.Name]int)
		for k, v := range bound {
			inner[k] = v
		}
		single := len(n.Binders)
		if x.r.Intn(4) == 0 && x.g.TermOp(n.Op).Sym != ops.SymStates {
			single = x.r.Intn(len(n.Binders))
			x.rests++
			p.Rest = x.rests
		}
		for _, b := range n.Binders[:single] {
			inner[b] = x.bound
			p.Binders = append(p.Binders, x.bound)
			x.bound++
		}
		bound = inner
	}
	for k := 0; k < len(n.Kids); {
		some := k + x.r.Intn(len(n.Kids)-k+1)
		switch {
		case depth > 0 && x.r.Intn(6) == 0:
			p.Kids = append(p.Kids, &egraph.Pattern{Kind: egraph.PList, Var: x.lists})
			x.lists++
			k = some
		case !x.spread && some > k && x.r.Intn(6) == 0:
			x.spread = true
			p.Kids = append(p.Kids, &egraph.Pattern{Kind: egraph.PEach, Kids: []*egraph.Pattern{{Kind: egraph.PElem, Var: x.lists}}})
			x.lists++
			k = some
		default:
			p.Kids = append(p.Kids, x.pattern(n.Kids[k], depth-1, bound))
			k++
		}
	}
	return p
}

// static matches a static term.
func (x *randomSide) static(a egraph.Static, depth int) *egraph.StaticPattern {
	list := x.g.lang.eng.Elements(a)
	how := x.r.Intn(4)
	if depth == 0 || list == nil {
		how %= 2
	}
	part := func(b egraph.Static) *egraph.StaticPattern { return x.static(b, depth-1) }
	switch how {
	case 0:
		v, seen := x.staticIs[a]
		if !seen || x.r.Intn(4) == 0 {
			v = x.statics
			x.statics++
			if x.staticIs == nil {
				x.staticIs = make(map[egraph.Static]int)
			}
			x.staticIs[a] = v
		}
		return &egraph.StaticPattern{Kind: egraph.StaticVar, Var: v}
	case 1:
		x.constants = append(x.constants, a)
		return &egraph.StaticPattern{Kind: egraph.StaticIs, Is: []int{len(x.constants) - 1}}
	case 2:
		p := &egraph.StaticPattern{Kind: egraph.StaticList}
		for _, e := range list {
			p.Kids = append(p.Kids, part(e))
		}
		return p
	}
	at := x.r.Intn(len(list) + 1)
	p := &egraph.StaticPattern{Kind: egraph.StaticJoin, Var: x.statics}
	x.statics++
	front, rest := x.g.lang.eng.ListOf(list[:at]...), x.g.lang.eng.ListOf(list[at:]...)
	fixed := &egraph.StaticPattern{Kind: egraph.StaticList}
	if x.r.Intn(2) == 0 {
		for _, e := range list[:at] {
			fixed.Kids = append(fixed.Kids, part(e))
		}
		p.Kids = []*egraph.StaticPattern{fixed, part(rest)}
	} else {
		for _, e := range list[at:] {
			fixed.Kids = append(fixed.Kids, part(e))
		}
		p.Kids = []*egraph.StaticPattern{part(front), fixed}
	}
	return p
}

// hit is a match: all that its variables stand for.
type hit struct {
	root    slot.Ref
	refs    []slot.Ref
	statics string
}

func (x *randomSide) hit(m finding, op func(int) egraph.Op) hit {
	h := hit{root: m.Root()}
	text := ""
	for v := range x.vars {
		h.refs = append(h.refs, m.Var(v))
	}
	for l := range x.lists {
		list := m.List(l)
		text += fmt.Sprint(len(list), " ")
		h.refs = append(h.refs, list...)
	}
	for l := range x.rests {
		text += fmt.Sprint(len(m.BoundList(l)), " ")
	}
	for i := range x.statics {
		text += fmt.Sprint(m.Static(i), " ")
	}
	if !x.spread {
		for i := range x.positions {
			text += fmt.Sprint("op", op(i), " ")
		}
	}
	h.statics = text
	// Names that are not of the root are fresh in one way or the other.
	names := make(map[slot.Name]slot.Name)
	for i, r := range h.refs {
		h.refs[i] = r.Rename(func(n slot.Name) slot.Name {
			if h.root.Has(n) {
				return n
			}
			if _, ok := names[n]; !ok {
				names[n] = slot.Name(1<<30 + len(names))
			}
			return names[n]
		})
	}
	return h
}

// within looks for every match of a in b.
func (x *randomSide) within(t *testing.T, a, b []hit, what string) {
	t.Helper()
	for _, h := range a {
		if !slices.ContainsFunc(b, func(k hit) bool {
			return h.root.ID == k.root.ID && h.statics == k.statics && slices.EqualFunc(h.refs, k.refs, x.g.Same)
		}) {
			t.Fatalf("%s %v", what, h)
		}
	}
}
