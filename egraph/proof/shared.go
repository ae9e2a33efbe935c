package proof

import (
	"fmt"

	"egad/egraph"
	"egad/slot"
)

// Equation says that the terms of two references are equal. A shared proof is a
// list of equations, in which each may rest on those before it: what is equal in
// many places is proved once.
type Equation struct {
	From, To egraph.Ref
	Links    []Link // from From to To
}

// Link is a step of an equation between two terms: an equation that was given, or
// that the children are equal.
type Link struct {
	From, To egraph.Ref
	Given    int  // the number of the equation that was given, from 1 on; 0 if the children are equal
	Reverse  bool // the given equation is used from right to left
	// Kids has for each child of the two terms, or for each equation that the given one
	// rests on, the number of its equation; -1 where both are the same. It holds up to
	// the names of variables.
	Kids []int
}

// Shared proves that two terms are equal, of which the graph has the e-nodes. The
// last equation of the proof says it; there is none if the terms are the same.
func (x *Explainer) Shared(from, to egraph.Ref) ([]Equation, error) {
	s := &sharing{x: x, known: make(map[string]int)}
	x.steps = 0
	_, err := s.equation(from, to, len(x.edges))
	return s.list, err
}

// sharing puts a shared proof together.
type sharing struct {
	x     *Explainer
	list  []Equation
	known map[string]int // by the two terms, up to names
}

// equation proves that two references are equal by edges before limit, and gives the
// number of the equation, -1 if they are the same.
func (s *sharing) equation(from, to egraph.Ref, limit int) (int, error) {
	x := s.x
	if from.Equal(to) {
		return -1, nil
	}
	var names slot.Numbering
	key := fmt.Sprint(from.ID, positions(from.Args, &names), to.ID, positions(to.Args, &names))
	if k, ok := s.known[key]; ok {
		return k, nil
	}
	route, err := x.route(from, to, limit)
	if err != nil {
		return 0, err
	}
	eq := Equation{From: from, To: to}
	for _, h := range route {
		if err := x.more(); err != nil {
			return 0, err
		}
		l := Link{From: h.from, To: h.to, Reverse: h.reverse}
		switch e := &x.edges[h.edge]; {
		case e.rule == byUser:
			l.Given = int(e.data)
			if l.Kids, err = s.equations(x.log.rests[l.Given], h.edge); err != nil {
				return 0, err
			}
		case e.rule == byCongruence:
			if l.Kids, err = s.children(h); err != nil {
				return 0, err
			}
		default:
			return 0, fmt.Errorf("an application of a rule has no shared proof")
		}
		eq.Links = append(eq.Links, l)
	}
	s.list = append(s.list, eq)
	s.known[key] = len(s.list) - 1
	return len(s.list) - 1, nil
}

// children proves that the children of the ends of a leg are equal.
func (s *sharing) children(h leg) ([]int, error) {
	x := s.x
	binders := x.binders(x.opOf(h.from.ID))
	_, _, from := x.term(h.from, binders)
	_, _, to := x.term(h.to, binders)
	pairs := make([][2]egraph.Ref, len(from))
	for k := range from {
		pairs[k] = [2]egraph.Ref{from[k], to[k]}
	}
	return s.equations(pairs, h.edge)
}

// equations proves that references are equal by edges before limit.
func (s *sharing) equations(pairs [][2]egraph.Ref, limit int) ([]int, error) {
	out := make([]int, len(pairs))
	for k, p := range pairs {
		var err error
		if out[k], err = s.equation(p[0], p[1], limit); err != nil {
			return nil, err
		}
	}
	return out, nil
}
