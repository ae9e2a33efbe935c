package props

import (
	"encoding/binary"
	"hash"

	"egad/term"
)

// branching is the algebra of float64 arrays that keeps a trace of everything
// that reals decide: comparisons, roundings, and which element is the largest.
type branching struct {
	term.Arrays[float64]
	trace hash.Hash64
}

func (b branching) note(ns ...int64) {
	for _, n := range ns {
		_ = binary.Write(b.trace, binary.LittleEndian, n) // a hash takes all it is given
	}
}

// Apply notes integers and truth values made from reals, the sides that min, max and
// abs take, and where the largest and the smallest elements are.
func (b branching) Apply(op term.Op, args []*term.Value[float64], body term.Body[*term.Value[float64]], t *term.Type) (*term.Value[float64], error) {
	v, err := b.Arrays.Apply(op, args, body, t)
	if err != nil {
		return nil, err
	}
	switch op.Sym {
	case term.SymLt, term.SymLe, term.SymEq, term.SymFloor, term.SymRound:
		b.note(v.N...)
	case term.SymAbs:
		for _, x := range args[0].R {
			b.note(sign(x))
		}
	case term.SymMin, term.SymMax:
		for i := range v.R {
			b.note(sign(args[0].R[i] - args[1].R[i]))
		}
	case term.SymMaximum, term.SymMinimum, term.SymArgmax, term.SymArgmin:
		return v, b.places(op.Sym, args[0], t)
	case term.SymRelu, term.SymSign:
		for _, x := range args[0].R {
			b.note(sign(x))
		}
	case term.SymSort, term.SymArgsort:
		return v, b.note1(term.SymArgsort, args[0], term.ArrayOf(term.I, t.Shape...))
	}
	return v, nil
}

func sign(x float64) int64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

// places notes where the largest, or the smallest, elements of a are.
func (b branching) places(sym term.Sym, a *term.Value[float64], t *term.Type) error {
	at := term.SymArgmax
	if sym == term.SymMinimum || sym == term.SymArgmin {
		at = term.SymArgmin
	}
	return b.note1(at, a, term.ArrayOf(term.I, t.Shape...))
}

// note1 notes the integers that an operator gives.
func (b branching) note1(sym term.Sym, a *term.Value[float64], t *term.Type) error {
	w, err := b.Arrays.Apply(term.Op{Sym: sym}, []*term.Value[float64]{a}, nil, t)
	if err == nil {
		b.note(w.N...)
	}
	return err
}
