// Package saturate puts terms on the e-graph: operators as the engine's, and rules of
// package rules as the engine's rules. Of the array language, types, ranges and names
// are analyses; of a language that a file declares, constants, symbols and facts, and
// what is found in it is proved.
package saturate

import (
	"fmt"
	"slices"

	"egad/egraph"
	"egad/internal/memo"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// lang maps operators of terms to operators of the engine. The head of an operator of
// arrays has the number of its symbol: it is the same in all graphs.
type lang struct {
	sig      *term.Signature
	eng      *egraph.Signature
	heads    []egraph.HeadID // by symbol
	literals map[opKey]egraph.HeadID
	ops      map[opKey]egraph.Op
	terms    []ops.Op         // by engine operator
	made     map[ops.Sym]bool // the operators of terms
	plain    bool             // no operator is commutative
	statics  statics
}

// opKey tells operators apart: by a list of sizes, if there is one, and what else they carry.
type opKey struct {
	sym   ops.Sym
	kids  int
	sizes egraph.Static
	attrs string
}

// keyOf is the key of an operator.
func (l *lang) keyOf(op ops.Op, kids int) opKey {
	key := opKey{sym: op.Sym, kids: kids}
	if len(op.Sizes) > 0 {
		key.sizes, op.Sizes = l.statics.sizes(op.Sizes), nil
	}
	key.attrs = op.AttributesKey()
	return key
}

func newLang(sig *term.Signature, plain bool) *lang {
	l := &lang{sig: sig, eng: egraph.NewSignature(), ops: make(map[opKey]egraph.Op), made: make(map[ops.Sym]bool), plain: plain}
	l.statics.l, l.eng.Carries, l.eng.Slots = l, l.carries, slots
	l.add(&ops.Operator{}) // of no symbol
	return l
}

// add declares the next head.
func (l *lang) add(o *ops.Operator) egraph.HeadID {
	head := egraph.Head{
		Name: o.Name, Arity: o.Arity, Binders: len(o.Bound), Under: o.Scope,
		Commutative: o.Commutative && !l.plain, Class: classBits(o),
	}
	if o.Arity < 0 || o.Scope != 0 && o.Bound == nil {
		head.Arity, head.Varies = 0, true
	}
	if o.Variable {
		head.Own = 1
	}
	h, err := l.eng.AddHead(head)
	if err != nil {
		panic(err) // the signature allows no such operator
	}
	if int(o.Sym) == len(l.heads) {
		l.heads = append(l.heads, h)
	}
	return h
}

// head is the head of an operator. There are those of all operators that there are in
// the signature by now.
func (l *lang) head(sym ops.Sym) egraph.HeadID {
	for _, o := range l.sig.All()[len(l.heads)-1:] {
		l.add(o)
	}
	return l.heads[sym]
}

// headOf is the head of an operator with its attributes: a number or a variable of a
// language has one of its own, as there is one e-node of each number.
func (l *lang) headOf(op ops.Op, key opKey) egraph.HeadID {
	h := l.head(op.Sym)
	if op.Type == nil || op.Type.Kind != types.KSort {
		return h
	}
	of, ok := l.literals[key]
	if !ok {
		of = l.add(l.sig.Operator(op.Sym))
		memo.Set(&l.literals, key, of)
	}
	return of
}

// op returns the engine's operator.
func (l *lang) op(op ops.Op, kids int) (egraph.Op, error) {
	key := l.keyOf(op, kids)
	if o, ok := l.ops[key]; ok {
		return o, nil
	}
	h := l.headOf(op, key)
	var o egraph.Op
	var err error
	switch i := l.eng.HeadInfo(h); {
	case i.Varies:
		o, err = l.eng.AddVarying(h, kids, l.sig.Binders(op))
	case kids == i.Arity:
		o, err = l.eng.AddOp(h)
	default:
		err = fmt.Errorf("%s has %d operands, not %d", i.Name, i.Arity, kids)
	}
	if err != nil {
		return 0, err
	}
	l.ops[key], l.made[op.Sym] = o, true
	l.terms = append(l.terms, op)
	return o, nil
}

// classBits are the classes of an operator, a bit each.
func classBits(o *ops.Operator) (b uint64) {
	for _, c := range syntax.Classes {
		if (rules.Class{Name: c}).Has(o) {
			b |= bitOf(c)
		}
	}
	return b
}

func bitOf(class string) uint64 { return 1 << slices.Index(syntax.Classes, class) }
