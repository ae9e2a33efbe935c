package proof

import (
	"egad/egraph"
	"egad/slot"
)

// name is a name that nothing has yet.
func (x *Explainer) name() slot.Name {
	x.fresh++
	return x.fresh
}

// class is the class of a term at present.
func (x *Explainer) class(c egraph.ClassID) egraph.ClassID {
	if c&exactBit != 0 {
		c = x.log.exact[c&^exactBit].of
	}
	return x.g.Find(c)
}

// each calls f for all terms that there were at the start.
func (x *Explainer) each(f func(c egraph.ClassID)) {
	for c := range x.n {
		if _, ok := x.log.shrunk[c]; !ok {
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

// term is the operator, the own slots and the children of a term, where its slots
// have the names args and what it binds is called binders. A slot of a child that
// does not matter has a name of its own, the same each time.
func (x *Explainer) term(r egraph.Ref, binders []slot.Name) (op egraph.Op, own []slot.Name, kids []egraph.Ref) {
	op, own, kids = x.log.open(r, binders)
	for k := range kids {
		x.complete(kids[k])
	}
	return op, own, kids
}

// complete gives the slots of r for which any name would do names.
func (x *Explainer) complete(r egraph.Ref) egraph.Ref {
	for k, n := range r.Args {
		if n == egraph.AnyName {
			r.Args[k] = x.droppedName(r, k)
		}
	}
	return r
}

// droppedName is the name of slot k of r, which does not matter. It is the same each
// time for the same term.
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
	out := make([]slot.Name, x.sig.Binders(op))
	for k := range out {
		out[k] = x.name()
	}
	return out
}

// variable is the class that was made for variables of an operator.
func (x *Explainer) variable(op egraph.Op) egraph.ClassID {
	if x.variables == nil {
		x.variables = make(map[egraph.Op]egraph.ClassID)
		x.each(func(c egraph.ClassID) {
			if x.headOf(x.opOf(c)).Own > 0 && c < x.n {
				x.variables[x.opOf(c)] = c
			}
		})
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
