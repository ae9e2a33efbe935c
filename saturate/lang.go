// Package saturate puts the array language on the e-graph: its operators as the
// engine's, types, ranges and names as analyses, and rules of package rules as
// the engine's rules.
package saturate

import (
	"fmt"

	"egad/egraph"
	"egad/term"
)

// lang maps operators of terms to operators of the engine. A head of the engine
// is an operator of the language with a number of children and of binders.
type lang struct {
	sig   *term.Signature
	eng   *egraph.Signature
	heads map[headKey]egraph.HeadID
	keys  []headKey // by head
	bySym map[term.Sym][]egraph.HeadID
	ops   map[opKey]egraph.Op
	terms []term.Op // by engine operator
	plain bool      // no operator is commutative
}

type headKey struct {
	sym           term.Sym
	kids, binders int
	// literal is the operator of a number or of a variable of a language, which has a
	// head of its own: there is one e-node of each number.
	literal string
}

type opKey struct {
	head egraph.HeadID
	op   string
}

func newLang(sig *term.Signature) *lang {
	return &lang{
		sig: sig, eng: egraph.NewSignature(),
		heads: make(map[headKey]egraph.HeadID), bySym: make(map[term.Sym][]egraph.HeadID),
		ops: make(map[opKey]egraph.Op),
	}
}

// head returns the head for an operator with the given numbers of children and
// binders.
func (l *lang) head(sym term.Sym, kids, binders int) (egraph.HeadID, error) {
	return l.headOf(headKey{sym: sym, kids: kids, binders: binders})
}

func (l *lang) headOf(key headKey) (egraph.HeadID, error) {
	if h, ok := l.heads[key]; ok {
		return h, nil
	}
	sym, kids, binders := key.sym, key.kids, key.binders
	o := l.sig.Operator(sym)
	head := egraph.Head{
		Name: o.Name, Arity: kids, Binders: binders, Commutative: o.Commutative && !l.plain,
		Class: classBits(o),
	}
	if o.Variable {
		head.Own = 1
	}
	for k := range min(kids, 64) {
		if binders > 0 && o.Under(k) {
			head.Under |= 1 << k
		}
	}
	h, err := l.eng.AddHead(head)
	if err != nil {
		return 0, err
	}
	l.heads[key] = h
	l.keys = append(l.keys, key)
	l.bySym[sym] = append(l.bySym[sym], h)
	return h, nil
}

func (l *lang) headKey(op term.Op, kids int) headKey {
	key := headKey{sym: op.Sym, kids: kids, binders: l.sig.Binders(op)}
	if op.Type != nil && op.Type.Kind == term.KSort {
		key.literal = op.Key()
	}
	return key
}

// op returns the engine's operator.
func (l *lang) op(op term.Op, kids int) (egraph.Op, error) {
	h, err := l.headOf(l.headKey(op, kids))
	if err != nil {
		return 0, err
	}
	key := opKey{h, op.Key()}
	if o, ok := l.ops[key]; ok {
		return o, nil
	}
	o, err := l.eng.AddOp(h)
	if err != nil {
		return 0, fmt.Errorf("too many operators: %w", err)
	}
	l.ops[key] = o
	l.terms = append(l.terms, op)
	return o, nil
}

// Class bits of heads.
const (
	classElementwise = 1 << iota
	classZeroKeeping
	classCommutative
	classReduction
)

func classBits(o *term.Operator) uint64 {
	var b uint64
	if o.Elementwise {
		b |= classElementwise
		if o.ZeroKeeping {
			b |= classZeroKeeping
		}
		if o.Commutative {
			b |= classCommutative
		}
	}
	if o.Reduction {
		b |= classReduction
	}
	return b
}

func bitOf(class string) uint64 {
	switch class {
	case "zero-preserving":
		return classElementwise | classZeroKeeping
	case "commutative":
		return classElementwise | classCommutative
	case "reduction":
		return classReduction
	}
	return classElementwise
}
