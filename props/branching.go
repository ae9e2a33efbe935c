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

// Elementwise notes integers and truth values made from reals, and the sides
// that min, max and abs take.
func (b branching) Elementwise(op term.Op, args []*term.Value[float64], t *term.Type) (*term.Value[float64], error) {
	v, err := b.Arrays.Elementwise(op, args, t)
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

// Reduce notes where the largest and the smallest elements are.
func (b branching) Reduce(sym term.Sym, a *term.Value[float64], t *term.Type) (*term.Value[float64], error) {
	if sym != term.SymSum && a.Elem == term.R {
		at := a
		if sym == term.SymMinimum {
			neg := *a
			neg.R = make([]float64, len(a.R))
			for i, x := range a.R {
				neg.R[i] = -x
			}
			at = &neg
		}
		w, err := b.Arrays.Reduce(term.SymArgmax, at, term.ArrayOf(term.I, t.Shape...))
		if err != nil {
			return nil, err
		}
		b.note(w.N...)
	}
	return b.Arrays.Reduce(sym, a, t)
}
