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
	case term.SymMaximum, term.SymMinimum, term.SymArgmax:
		return v, b.places(op.Sym, args[0], t)
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
	if sym == term.SymMinimum {
		neg := *a
		neg.R = make([]float64, len(a.R))
		for i, x := range a.R {
			neg.R[i] = -x
		}
		a = &neg
	}
	w, err := b.Arrays.Apply(term.Op{Sym: term.SymArgmax}, []*term.Value[float64]{a}, nil, term.ArrayOf(term.I, t.Shape...))
	if err == nil {
		b.note(w.N...)
	}
	return err
}
