package lower

import (
	"slices"

	"egad/internal/memo"
	"egad/slot"
	"egad/term/ops"
	"egad/term/types"
)

// Bounds on what is always computed where it is used.
const (
	maxLight = 40 // nodes of integer arithmetic
	maxView  = 16 // nodes of views of views
)

// view reports whether a node is never kept in memory, unless it is the result.
// An index array that is looked up in another one is no view, as what it takes to
// find an element of it may double with every look-up; nor is a view of very many.
func (l *lowering) view(id uint32) bool {
	switch sym := l.op(id).Sym; sym {
	case ops.SymVar, ops.SymIvar, ops.SymConst, ops.SymIota:
		return true
	case ops.SymIndex, ops.SymGather:
		return !l.indirect(id) && l.weight(id) <= maxView
	case ops.SymReplicate, ops.SymTr, ops.SymReshape, ops.SymBuild:
		return l.weight(id) <= maxView
	case ops.SymCond:
		return l.light(id) <= maxLight
	default:
		return l.elementwise(sym) && l.light(id) <= maxLight
	}
}

// leaf reports whether an operator is a view of nothing else.
func leaf(sym ops.Sym) bool {
	switch sym {
	case ops.SymVar, ops.SymIvar, ops.SymConst, ops.SymIota:
		return true
	}
	return false
}

// weight is how many nodes it takes to find an element of a view. What is no view
// is one, and so is integer arithmetic.
func (l *lowering) weight(id uint32) int {
	return memo.Of(l.weights, id, func() int {
		n := 1
		for _, k := range l.kids(id) {
			if l.view(k.ID) && l.light(k.ID) > maxLight {
				n += l.weight(k.ID)
			} else {
				n++
			}
		}
		return n
	})
}

// indirect reports whether a node is an integer array that is read where another
// array says.
func (l *lowering) indirect(id uint32) bool {
	return l.typ(id).Elem == types.I && slices.ContainsFunc(l.kids(id)[1:], func(f slot.Kid) bool { return l.reads(f.ID) })
}

// reads reports whether an element of an integer node is read from an array.
func (l *lowering) reads(id uint32) bool {
	return memo.Of(l.readers, id, func() bool {
		switch sym := l.op(id).Sym; {
		case leaf(sym):
			return sym == ops.SymVar && len(l.shape(id)) > 0 || sym == ops.SymConst && l.op(id).Const.Data != nil
		case !l.view(id):
			return true
		}
		return slices.ContainsFunc(l.kids(id), func(k slot.Kid) bool { return l.reads(k.ID) })
	})
}
