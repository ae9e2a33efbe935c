package saturate

import (
	"fmt"
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// endless says what the error of the engine is about: the rule, and terms.
func (g *Graph) endless(err *egraph.Endless, sets []*rules.Set) *rules.Endless {
	e := &rules.Endless{Nodes: err.Nodes, Time: err.Time, Total: err.Total, Applied: err.Applied}
	for _, s := range sets {
		if i := slices.IndexFunc(s.Rules, func(r *rules.Rule) bool { return r.Name == err.Rule }); i >= 0 && e.Rule == nil {
			e.Rule = s.Rules[i]
		}
	}
	sketch := &sketch{g: g, Printer: term.Printer{Store: term.NewStore(g.lang.sig)}}
	for _, n := range err.Grown {
		sketch.left = sketchNodes
		if t, ok := sketch.node(n, sketchDepth); ok {
			e.Terms = append(e.Terms, sketch.text(t))
		}
	}
	return e
}

// sketchDepth and sketchNodes bound the part of a term that is shown.
const (
	sketchDepth = 12
	sketchNodes = 100
)

// sketch prints what is in a graph, not too deep.
type sketch struct {
	g    *Graph
	left int // how many nodes may be shown
	term.Printer
}

func (s *sketch) text(t term.Term) string {
	if s.g.language == nil {
		s.NameFree(t)
		return s.Term(t)
	}
	free := make(map[slot.Name]string)
	for _, n := range t.Args {
		free[n] = fmt.Sprint("x", len(free)+1)
	}
	return s.g.language.Text(s.Store, free, t)[0]
}

// class is the least term of a class.
func (s *sketch) class(r slot.Ref, depth int) (term.Term, bool) {
	if s.left--; depth == 0 || s.left < 0 {
		return s.Store.Var("…", s.g.Type(r)), true
	}
	return s.node(s.g.least(s.g.FindRef(r)), depth)
}

func (s *sketch) node(n egraph.Node, depth int) (term.Term, bool) {
	kids := make([]term.Term, len(n.Kids))
	for i, k := range n.Kids {
		t, ok := s.class(k, depth-1)
		if !ok {
			return t, false
		}
		kids[i] = t
	}
	t, err := s.Store.Make(s.g.TermOp(n.Op), n.Own, n.Binders, kids)
	return t, err == nil
}
