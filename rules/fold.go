package rules

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"egad/internal/raise"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// MaxFoldedBits bounds the numerator and the denominator of a folded number; beyond it
// a term stays as it is.
const MaxFoldedBits = 4096

// Compares reports whether the operation is a comparison.
func (x Fold) Compares() bool { return x.Yes != ops.SymNone }

// FoldOf returns how an operator is computed, nil if it is not.
func (l *Language) FoldOf(op ops.Sym) *Fold {
	if i := slices.IndexFunc(l.Folds, func(f Fold) bool { return f.Sym == op }); i >= 0 {
		return &l.Folds[i]
	}
	return nil
}

// Folded returns what an operator gives for operators that are numbers: a number, or a symbol if
// it compares. Integers wrap around where the values of a sort are such, as in programs.
func (l *Language) Folded(op ops.Op, operands []ops.Op) (value ops.Op, err error) {
	f := l.FoldOf(op.Sym)
	if f == nil {
		return value, errors.New("the operator is not computed")
	}
	args := make([]*big.Rat, len(operands))
	for i, o := range operands {
		var number bool
		if args[i], number = l.Number(o); !number {
			return value, errors.New("an operand is no number")
		}
	}
	x, holds, ok := f.compute(op, args)
	d := l.Signature.Operator(op.Sym).Sorted
	if ok && x != nil && l.Elem[d.Result] == types.I {
		x = wrapped(x)
	}
	switch {
	case !ok || x != nil && max(x.Num().BitLen(), x.Denom().BitLen()) > MaxFoldedBits:
		return value, errors.New("it has no value")
	case !f.Compares():
		return ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarR(numeric.Of(x))), Type: d.Result}, nil
	case holds:
		return ops.Op{Sym: f.Yes}, nil
	}
	return ops.Op{Sym: f.No}, nil
}

// wrapped is the integer of 64 bits that a sum or a product of such integers is.
func wrapped(x *big.Rat) *big.Rat {
	if x.Num().IsInt64() {
		return x
	}
	low := new(big.Int).And(x.Num(), new(big.Int).SetUint64(math.MaxUint64))
	return new(big.Rat).SetInt64(int64(low.Uint64()))
}

// compute returns the value of an operator with its attributes for numbers: a number, or of a comparison whether it holds. It is
// false if there is none.
func (x Fold) compute(op ops.Op, args []*big.Rat) (value *big.Rat, holds, ok bool) {
	exact := eval.Rationals{Bits: MaxFoldedBits}
	switch {
	case x.Meaning != nil:
		return x.Meaning.compute(op, args)
	case x.Compares():
		return nil, exact.Compare(x.As, args[0], args[1]), true
	}
	err := raise.Catch(func() {
		if len(args) == 1 {
			value = exact.Unary(x.As, 0, args[0])
		} else {
			value = exact.Binary(x.As, args[0], args[1])
		}
	})
	return value, false, err == nil
}

// compute is [Fold.compute] by the program that an operator means.
func (m *Meaning) compute(op ops.Op, args []*big.Rat) (value *big.Rat, holds, ok bool) {
	o := m.l.Signature.Operator(op.Sym)
	s := term.NewStore(m.Signature)
	var out *eval.Value[*big.Rat]
	err := overflow.Guard(func() error {
		kids := make([]term.Term, len(args))
		for i, a := range args {
			if m.l.Elem[o.Sorted.Child(i).Type] == types.I {
				if !a.IsInt() || !a.Num().IsInt64() {
					return errors.New("not an integer")
				}
				kids[i] = s.LitInt(a.Num().Int64())
			} else {
				kids[i] = s.Lit(ops.ScalarR(numeric.Of(a)))
			}
		}
		var err error
		out, err = eval.Interpret(s, m.apply(s, o, op, kids), eval.Arrays[*big.Rat]{Scalars: eval.Rationals{Bits: MaxFoldedBits}}, nil)
		return err
	})
	switch {
	case err != nil:
		return nil, false, false
	case out.Elem == types.R:
		return out.R[0], false, true
	case out.Elem == types.I:
		return new(big.Rat).SetInt64(out.N[0]), false, true
	}
	return nil, out.N[0] == 1, true
}
