package kernel

import (
	"egad/slot"
	"egad/term"
)

// Bounds on what is always computed where it is used.
const (
	maxLight = 16 // nodes of integer arithmetic
	maxView  = 16 // nodes of views of views
)

// view reports whether a node is never kept in memory, unless it is the result.
// An index array that is looked up in another one is no view, as what it takes to
// find an element of it may double with every look-up; nor is a view of very many.
func (l *lowering) view(id uint32) bool {
	switch sym := l.op(id).Sym; sym {
	case term.SymVar, term.SymIvar, term.SymConst, term.SymIota:
		return true
	case term.SymIndex, term.SymGather:
		return !l.indirect(id) && l.weight(id) <= maxView
	case term.SymReplicate, term.SymTr, term.SymReshape, term.SymBuild:
		return l.weight(id) <= maxView
	case term.SymCond:
		return false
	default:
		return l.elementwise(sym) && l.light(id) <= maxLight
	}
}

func (l *lowering) elementwise(sym term.Sym) bool {
	return l.store.Signature().Operator(sym).Elementwise
}

// light is how many nodes an integer or logical expression has, more than
// [maxLight] if they are too many or if there are others in it.
func (l *lowering) light(id uint32) int {
	if n, ok := l.lights[id]; ok {
		return n
	}
	n := maxLight + 1
	if l.typ(id).Elem != term.R {
		switch sym := l.op(id).Sym; {
		case leaf(sym):
			n = 1
		case l.elementwise(sym) || !keeps(sym) && sym != term.SymCond:
			n = 1
			for _, k := range l.kids(id) {
				n = min(n+l.light(k.ID), maxLight+1)
			}
		}
	}
	l.lights[id] = n
	return n
}

// leaf reports whether an operator is a view of nothing else.
func leaf(sym term.Sym) bool {
	switch sym {
	case term.SymVar, term.SymIvar, term.SymConst, term.SymIota:
		return true
	}
	return false
}

// weight is how many nodes it takes to find an element of a view. What is no view
// is one.
func (l *lowering) weight(id uint32) int {
	if n, ok := l.weights[id]; ok {
		return n
	}
	n := 1
	for _, k := range l.kids(id) {
		if l.view(k.ID) {
			n += l.weight(k.ID)
		} else {
			n++
		}
	}
	l.weights[id] = n
	return n
}

// indirect reports whether a node is an integer array that is read where another
// array says.
func (l *lowering) indirect(id uint32) bool {
	if l.typ(id).Elem != term.I {
		return false
	}
	for _, f := range l.kids(id)[1:] {
		if l.reads(f.ID) {
			return true
		}
	}
	return false
}

// reads reports whether an element of an integer node is read from an array.
func (l *lowering) reads(id uint32) bool {
	r, ok := l.readers[id]
	if ok {
		return r
	}
	switch sym := l.op(id).Sym; {
	case leaf(sym):
		r = sym == term.SymVar && len(l.shape(id)) > 0 || sym == term.SymConst && l.op(id).Const.Data != nil
	case !l.view(id):
		r = true
	default:
		for _, k := range l.kids(id) {
			r = r || l.reads(k.ID)
		}
	}
	l.readers[id] = r
	return r
}

func (l *lowering) kids(id uint32) []slot.Kid { return l.store.Kids(term.Term{ID: id}) }
