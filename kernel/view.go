package kernel

import (
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
		return l.light(id) <= maxLight
	default:
		return l.elementwise(sym) && l.light(id) <= maxLight
	}
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
