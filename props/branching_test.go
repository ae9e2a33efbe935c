package props

import (
	"encoding/binary"
	"hash"

	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// branching is the algebra of float64 arrays that keeps a trace of everything
// that reals decide: comparisons, roundings, and which element is the largest.
type branching struct {
	eval.Arrays[float64]
	trace hash.Hash64
}

func (b branching) note(ns ...int64) {
	for _, n := range ns {
		_ = binary.Write(b.trace, binary.LittleEndian, n) // a hash takes all it is given
	}
}

// Apply notes integers and truth values made from reals, the sides that min, max and
// abs take, and where the largest and the smallest elements are.
func (b branching) Apply(op ops.Op, args []*eval.Value[float64], body eval.Body[*eval.Value[float64]], t *types.Type) (*eval.Value[float64], error) {
	v, err := b.Arrays.Apply(op, args, body, t)
	if err != nil {
		return nil, err
	}
	switch op.Sym {
	case ops.SymLt, ops.SymLe, ops.SymEq, ops.SymFloor, ops.SymRound:
		b.note(v.N...)
	case ops.SymAbs:
		for _, x := range args[0].R {
			b.note(sign(x))
		}
	case ops.SymMin, ops.SymMax:
		for i := range v.R {
			b.note(sign(args[0].R[i] - args[1].R[i]))
		}
	case ops.SymMaximum, ops.SymMinimum, ops.SymArgmax, ops.SymArgmin:
		return v, b.places(op.Sym, args[0], t)
	case ops.SymRelu, ops.SymSign:
		for _, x := range args[0].R {
			b.note(sign(x))
		}
	case ops.SymSort, ops.SymArgsort:
		return v, b.note1(ops.SymArgsort, args[0], types.ArrayOf(types.I, t.Shape...))
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
func (b branching) places(sym ops.Sym, a *eval.Value[float64], t *types.Type) error {
	at := ops.SymArgmax
	if sym == ops.SymMinimum || sym == ops.SymArgmin {
		at = ops.SymArgmin
	}
	return b.note1(at, a, types.ArrayOf(types.I, t.Shape...))
}

// note1 notes the integers that an operator gives.
func (b branching) note1(sym ops.Sym, a *eval.Value[float64], t *types.Type) error {
	w, err := b.Arrays.Apply(ops.Op{Sym: sym}, []*eval.Value[float64]{a}, nil, t)
	if err == nil {
		b.note(w.N...)
	}
	return err
}
