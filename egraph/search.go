package egraph

import (
	"slices"

	"egad/slot"
)

// A Space is where a left side can be looked for one reference at a time: an e-graph, or
// terms, of which each is one node.
type Space interface {
	// Nodes calls f for every node that r stands for, with fresh names for its binders,
	// until f returns false.
	Nodes(r Ref, f func(Node) bool)
	// Same reports whether two references are known to be equal.
	Same(a, b Ref) bool
}

// Search is a left side that is looked for in a [Space], with what it has found so far. It
// finds what the instructions of the program find in an e-graph, one after the other by
// backtracking, and needs no index.
type Search struct {
	Space
	Statics
	Atom func(Ref) bool // what opaque applications are not looked for in; may be nil
	// Ops are the operators found, in the order of the pattern.
	Ops []Op

	root      Ref
	vars      []found[Ref]
	lists     []found[[]Ref]
	bound     []found[slot.Name]
	boundList []found[[]slot.Name]
	elems     [][]Ref // by list: those up to the present place of a spread
	place     int
}

// found is what a variable stands for, if it stands for something.
type found[T any] struct {
	is    T
	known bool
}

// with goes on with a variable that stands for something.
func (x *found[T]) with(is T, then func() bool) bool {
	*x = found[T]{is, true}
	ok := then()
	x.known = false
	return ok
}

// Matches calls f for every way in which the left side matches r, until f returns false. What
// is joined to it is for e-graphs.
func (s *Search) Matches(p *Program, r Ref, f func() bool) {
	s.root = r
	s.vars, s.lists = make([]found[Ref], len(p.vars)), make([]found[[]Ref], len(p.lists))
	s.bound, s.boundList = make([]found[slot.Name], p.bound), make([]found[[]slot.Name], p.boundLists)
	s.elems = make([][]Ref, len(p.lists))
	s.Vars, s.Ops = make([]Static, p.statics), s.Ops[:0]
	s.pattern(p.source, r, f)
}

// pattern goes on with then for every way in which p matches r. It is false if then was.
func (s *Search) pattern(p *Pattern, r Ref, then func() bool) bool {
	switch p.Kind {
	case PVar:
		if x := &s.vars[p.Var]; !x.known {
			return x.with(r, then)
		}
		return s.same(s.vars[p.Var].is, r, then)
	case PSlot:
		return !s.variable(r, s.bound[p.Var].is) || then()
	case PElem:
		return s.element(p.Var, r, then)
	case PEither:
		for _, q := range p.Kids {
			if !s.pattern(q, r, then) {
				return false
			}
		}
		return true
	}
	if p.Opaque && s.Atom != nil && s.Atom(r) {
		return true
	}
	ok := true
	s.Nodes(r, func(n Node) bool {
		known := s.mark()
		if s.operator(p, &n) {
			s.Ops = append(s.Ops, n.Op)
			ok = s.binders(p, 0, &n, n.Binders, then)
			s.Ops = s.Ops[:len(s.Ops)-1]
		}
		s.back(known)
		return ok
	})
	return ok
}

func (s *Search) same(a, b Ref, then func() bool) bool { return !s.Same(a, b) || then() }

// variable reports whether r is the variable n.
func (s *Search) variable(r Ref, n slot.Name) (is bool) {
	s.Nodes(r, func(x Node) bool {
		is = len(x.Own) > 0 && x.Own[0] == n
		return !is
	})
	return is
}

// operator matches the operator of a node with what it carries.
func (s *Search) operator(p *Pattern, n *Node) bool {
	h := s.Sig.Head(n.Op)
	if p.Class == 0 && h != p.Head || s.Sig.heads[h].Class&p.Class != p.Class {
		return false
	}
	if b := len(n.Binders) - len(p.Binders); b < 0 || b > 0 && p.Rest == 0 {
		return false
	}
	return s.carried(p.Statics, n.Op)
}

// binders goes on with what a node binds from binder k on. Names are those by which it
// is read: what is bound before has a name.
func (s *Search) binders(p *Pattern, k int, n *Node, names []slot.Name, then func() bool) bool {
	switch {
	case k < len(p.Binders):
		x := &s.bound[p.Binders[k]]
		if !x.known {
			return x.with(names[k], func() bool { return s.binders(p, k+1, n, names, then) })
		}
		names = slices.Clone(names)
		names[k] = x.is
		return s.binders(p, k+1, n, names, then)
	case p.Rest > 0:
		x := &s.boundList[p.Rest-1]
		if !x.known {
			return x.with(names[k:], func() bool { return s.children(p, n, names, then) })
		}
		if len(x.is) != len(names)-k {
			return true
		}
		names = slices.Concat(names[:k], x.is)
	}
	return s.children(p, n, names, then)
}

// children matches the children of a node, in both orders if they commute.
func (s *Search) children(p *Pattern, n *Node, names []slot.Name, then func() bool) bool {
	kids := n.Kids
	if !slices.Equal(names, n.Binders) {
		kids = make([]Ref, len(n.Kids))
		for i, k := range n.Kids {
			kids[i] = k.RenameFrom(n.Binders, names)
		}
	}
	if !s.items(p.Kids, kids, then) {
		return false
	}
	if len(kids) == 2 && s.Sig.heads[s.Sig.Head(n.Op)].Commutative && !kids[0].Equal(kids[1]) {
		return s.items(p.Kids, []Ref{kids[1], kids[0]}, then)
	}
	return true
}

// items matches children, in all ways to divide those that are left among lists of
// unknown length.
func (s *Search) items(ps []*Pattern, kids []Ref, then func() bool) bool {
	if len(ps) == 0 {
		return len(kids) > 0 || then()
	}
	p, rest := ps[0], ps[1:]
	from, to, known := 0, len(kids), false
	if from, known = s.length(p); known {
		to = min(from, to)
	} else {
		open := false
		for _, q := range rest {
			n, known := s.length(q)
			to -= n
			open = open || !known
		}
		if !open {
			from = max(to, 0)
		}
	}
	for n := from; n <= to; n++ {
		more := func() bool { return s.items(rest, kids[n:], then) }
		if !s.item(p, kids[:n], more) {
			return false
		}
	}
	return true
}

// length is how many children a pattern stands for, if that is known.
func (s *Search) length(p *Pattern) (n int, known bool) {
	switch p.Kind {
	case PList:
		n, known = len(s.lists[p.Var].is), s.lists[p.Var].known
	case PSlots:
		n, known = len(s.boundList[p.Var].is), s.boundList[p.Var].known
	case PEach:
		p.each(func(q *Pattern) {
			if q.Kind == PElem && !known {
				n, known = len(s.lists[q.Var].is), s.lists[q.Var].known
			}
		})
	default:
		return 1, true
	}
	if !known {
		n = 0
	}
	return n, known
}

// item matches what stands for some of the children.
func (s *Search) item(p *Pattern, kids []Ref, then func() bool) bool {
	switch p.Kind {
	case PEach:
		return s.each(p, kids, then)
	case PSlots:
		for i, r := range kids {
			if !s.variable(r, s.boundList[p.Var].is[i]) {
				return true
			}
		}
		return then()
	case PList:
		x := &s.lists[p.Var]
		if !x.known {
			return x.with(kids, then)
		}
		return !slices.EqualFunc(x.is, kids, s.Same) || then()
	}
	return s.pattern(p, kids[0], then)
}

// each matches a pattern at each of some children. There is at least one, so that
// everything in the pattern stands for something.
func (s *Search) each(p *Pattern, kids []Ref, then func() bool) bool {
	fits := len(kids) > 0
	var own []int // the lists that are collected
	p.each(func(q *Pattern) {
		switch {
		case q.Kind != PElem:
		case s.lists[q.Var].known:
			fits = fits && len(s.lists[q.Var].is) == len(kids)
		case !slices.Contains(own, q.Var):
			own = append(own, q.Var)
		}
	})
	if !fits {
		return true
	}
	return s.from(p.Kids[0], 0, kids, own, then)
}

// from is each from place i on.
func (s *Search) from(p *Pattern, i int, kids []Ref, own []int, then func() bool) bool {
	if s.place = i; i < len(kids) {
		return s.pattern(p, kids[i], func() bool {
			ok := s.from(p, i+1, kids, own, then)
			s.place = i
			return ok
		})
	}
	for _, v := range own {
		s.lists[v] = found[[]Ref]{slices.Clone(s.elems[v]), true}
	}
	ok := then()
	for _, v := range own {
		s.lists[v].known = false
	}
	return ok
}

// element matches the element of a list at the present place.
func (s *Search) element(list int, r Ref, then func() bool) bool {
	if x := &s.lists[list]; x.known {
		return s.same(x.is[s.place], r, then)
	}
	seen := s.elems[list]
	if s.place < len(seen) {
		return s.same(seen[s.place], r, then)
	}
	s.elems[list] = append(seen[:s.place:s.place], r)
	ok := then()
	s.elems[list] = seen
	return ok
}

// Root returns what the left side matched.
func (s *Search) Root() Ref { return s.root }

// Var returns what metavariable i stands for.
func (s *Search) Var(i int) Ref { return s.vars[i].is }

// List returns what list i stands for.
func (s *Search) List(i int) []Ref { return slices.Clone(s.lists[i].is) }

// Bound returns the name of bound variable i.
func (s *Search) Bound(i int) slot.Name { return s.bound[i].is }

// BoundList returns the names of list i of bound variables.
func (s *Search) BoundList(i int) []slot.Name { return s.boundList[i].is }

// Static returns what variable i for static terms stands for, 0 if it stands for nothing.
func (s *Search) Static(i int) Static { return s.Vars[i] }
