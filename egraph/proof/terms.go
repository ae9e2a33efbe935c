package proof

import (
	"slices"

	"egad/egraph"
	"egad/slot"
)

// name is a name that nothing has yet.
func (x *Explainer) name() slot.Name {
	x.fresh++
	return x.fresh
}

// wildcard is a name that may turn out to be any but some.
func (x *Explainer) wildcard(not []slot.Name) slot.Name {
	n := x.name()
	x.wild[n] = not
	return n
}

// class is the class of a term at present.
func (x *Explainer) class(c egraph.ClassID) egraph.ClassID {
	if c&exactBit != 0 {
		c = x.log.exact[c&^exactBit].of
	}
	return x.g.Find(c)
}

// hasTerm reports whether a number is that of a term: a class that is in the place
// of one with more slots is not.
func (x *Explainer) hasTerm(c egraph.ClassID) bool {
	_, shrunk := x.log.shrunk[c]
	return !shrunk
}

// each calls f for all terms that there were at the start.
func (x *Explainer) each(f func(c egraph.ClassID)) {
	for c := range x.n {
		if x.hasTerm(c) {
			f(c)
		}
	}
	for k := range len(x.vertices) - int(x.n) {
		f(exactBit | egraph.ClassID(k))
	}
}

func (x *Explainer) opOf(c egraph.ClassID) egraph.Op {
	return egraph.Op(x.log.term(c)[0] &^ slotsFlag)
}

func (x *Explainer) headOf(op egraph.Op) *egraph.Head { return x.sig.HeadInfo(x.sig.Head(op)) }

// slotsOf is the number of slots of a term or a shrunk class.
func (x *Explainer) slotsOf(c egraph.ClassID) int {
	if s, ok := x.log.shrunk[c]; ok {
		return x.log.vecs.Len(s.keep)
	}
	if t := x.log.term(c); t[0]&slotsFlag != 0 {
		return int(t[1])
	}
	return 0
}

// term is the operator, the own slots and the children of a term, where its slots
// have the names args and what it binds is called binders.
func (x *Explainer) term(r egraph.Ref, binders []slot.Name) (op egraph.Op, own []slot.Name, kids []egraph.Ref) {
	op, own, kids = x.log.open(r, binders)
	for k, kid := range kids {
		kids[k] = x.whole(kid)
	}
	return op, own, kids
}

// whole is r, or, if its class has lost slots, the term that it was made from. The
// slots that were lost get names of their own, the same each time.
func (x *Explainer) whole(r egraph.Ref) egraph.Ref {
	for {
		s, ok := x.log.shrunk[r.ID]
		if !ok {
			return r
		}
		args := make([]slot.Name, x.slotsOf(s.of))
		keep := x.log.vecs.Get(s.keep)
		for k := range args {
			if i := slices.Index(keep, egraph.Pos(k)); i >= 0 {
				args[k] = r.Args[i]
			} else {
				args[k] = x.droppedName(r, k)
			}
		}
		r = egraph.Ref{ID: s.of, Args: args}
	}
}

// withTerm is whole for a logged term, of which any name would do for the slots that
// were lost.
func (x *Explainer) withTerm(id egraph.ClassID, args egraph.Vec) (egraph.ClassID, egraph.Vec) {
	for {
		s, ok := x.log.shrunk[id]
		if !ok {
			return id, args
		}
		out := slices.Repeat([]egraph.Pos{egraph.AnyPos}, x.slotsOf(s.of))
		for k, i := range x.log.vecs.Get(s.keep) {
			out[i] = x.log.vecs.Get(args)[k]
		}
		id, args = s.of, x.log.vecs.Intern(out)
	}
}

// droppedName is the name of slot k, which the class of r was made without. It is
// the same each time for the same r.
func (x *Explainer) droppedName(r egraph.Ref, k int) slot.Name {
	for try := 0; ; try++ {
		key := [3]uint32{r.ID, uint32(k), uint32(try)}
		n, ok := x.dropped[key]
		if !ok {
			n = x.name()
			x.dropped[key] = n
		}
		if !r.Has(n) {
			return n
		}
	}
}

func (x *Explainer) binders(op egraph.Op) []slot.Name {
	out := make([]slot.Name, x.headOf(op).Binders)
	for k := range out {
		out[k] = x.name()
	}
	return out
}

// variable is the class that was made for variables of an operator.
func (x *Explainer) variable(op egraph.Op) egraph.ClassID {
	if x.variables == nil {
		x.variables = make(map[egraph.Op]egraph.ClassID)
		for c := range x.n {
			if x.hasTerm(c) && x.headOf(x.opOf(c)).Own > 0 {
				x.variables[x.opOf(c)] = c
			}
		}
	}
	return x.variables[op]
}

// tree is a term with all that is in it.
func (x *Explainer) tree(r egraph.Ref) *egraph.Tree {
	if t, ok := x.trees[r.ID]; ok {
		return t
	}
	t := &egraph.Tree{Binders: x.binders(x.opOf(r.ID))}
	var kids []egraph.Ref
	t.Op, t.Own, kids = x.term(r, t.Binders)
	for _, k := range kids {
		t.Kids = append(t.Kids, x.tree(k))
	}
	if len(r.Args) == 0 && len(t.Binders) == 0 {
		x.trees[r.ID] = t
	}
	return t
}
