package rules

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/numeric"
)

// operations are the operators of programs that compute rational numbers from rational
// numbers, or compare them, by the names that a fold gives them.
var operations = map[string]term.Sym{
	"+": term.SymAdd, "-": term.SymSub, "*": term.SymMul, "/": term.SymDiv, "^": term.SymPow, "neg": term.SymNeg,
	"==": term.SymEq, "<": term.SymLt, "<=": term.SymLe,
}

// fold notes that operators are computed of numbers.
func (f *fileParser) fold(d *syntax.Fold) {
	for _, w := range d.Ops {
		o, known := f.sig.Lookup(w.Text)
		if !known {
			f.errs.Add(f.src, w.Pos, "there is no operator %s%s", w.Text, diag.DidYouMean(w.Text, f.operatorNames()))
			continue
		}
		as := w
		if d.As != nil {
			as = *d.As
		}
		sym, known := operations[as.Text]
		if !known {
			names := slices.Sorted(maps.Keys(operations))
			f.errs.Add(f.src, as.Pos, "there is no operation %s on numbers%s; the operations are %s", as.Text, diag.DidYouMean(as.Text, names), names)
			continue
		}
		if !o.Sorted.Known() || !f.foldable(w, o.Sorted, term.Builtin(sym).Arity) {
			continue
		}
		x := Fold{Sym: o.Sym, As: sym}
		if sym == term.SymEq || sym == term.SymLt || sym == term.SymLe {
			if d.Truth == nil {
				f.errs.Add(f.src, as.Pos, "say what the comparison gives: fold %s gives true false", w.Text)
				continue
			}
			if x.Yes, x.No = f.outcome(d.Truth[0], o.Sorted), f.outcome(d.Truth[1], o.Sorted); min(x.Yes, x.No) == term.SymNone {
				continue
			} else if x.Yes == x.No {
				f.errs.Add(f.src, d.Truth[1].Pos, "the comparison gives %s if it holds, and another symbol if it does not", d.Truth[0].Text)
				continue
			}
		} else if t := o.Sorted.Result; !f.lang.numbers[t] {
			f.errs.Add(f.src, w.Pos, "the sort %s has no numbers", SortName(t))
		} else if f.lang.elem[t] == term.I && (sym == term.SymDiv || sym == term.SymPow || !f.lang.whole(o.Sorted)) {
			f.errs.Add(f.src, w.Pos, "%s gives fractions, and the values of the sort %s are integers: without the fold, numbers are computed by what %s means", as.Text, SortName(t), w.Text)
			continue
		}
		if o.Sorted.Commutative() && !slices.Contains([]term.Sym{term.SymAdd, term.SymMul, term.SymEq}, sym) {
			f.errs.Add(f.src, w.Pos, "%s is commutative, and the operation %s on numbers is not", w.Text, as.Text)
			continue
		}
		f.lang.Folds = append(f.lang.Folds, x)
		f.means.laws = append(f.means.laws, law{folds, f.src, w.Pos, o.Name, x})
	}
}

// MaxFoldedBits bounds the numerator and the denominator of a folded number; beyond it
// a term stays as it is.
const MaxFoldedBits = 4096

// Compares reports whether the operation is a comparison.
func (x Fold) Compares() bool { return x.Yes != term.SymNone }

// FoldOf returns how an operator is computed, nil if it is not.
func (l *Language) FoldOf(op term.Sym) *Fold {
	if i := slices.IndexFunc(l.Folds, func(f Fold) bool { return f.Sym == op }); i >= 0 {
		return &l.Folds[i]
	}
	return nil
}

// Folded returns what an operator gives for operators that are numbers: a number, or a symbol if
// it compares. Integers wrap around where the values of a sort are such, as in programs.
func (l *Language) Folded(op term.Op, operands []term.Op) (value term.Op, err error) {
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
	if ok && x != nil && l.elem[d.Result] == term.I {
		x = wrapped(x)
	}
	switch {
	case !ok || x != nil && max(x.Num().BitLen(), x.Denom().BitLen()) > MaxFoldedBits:
		return value, errors.New("it has no value")
	case !f.Compares():
		return term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarR(numeric.Of(x))), Type: d.Result}, nil
	case holds:
		return term.Op{Sym: f.Yes}, nil
	}
	return term.Op{Sym: f.No}, nil
}

// whole reports whether the values of all operands are integers.
func (l *Language) whole(d *term.Sorted) bool {
	return !slices.ContainsFunc(d.Children, func(c term.Child) bool { return l.elem[c.Type] != term.I })
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
func (x Fold) compute(op term.Op, args []*big.Rat) (value *big.Rat, holds, ok bool) {
	exact := term.Rationals{Bits: MaxFoldedBits}
	var err error
	switch {
	case x.Meaning != nil:
		return x.Meaning.compute(op, args)
	case x.Compares():
		return nil, exact.Compare(x.As, args[0], args[1]), true
	case len(args) == 1:
		value, err = exact.Unary(x.As, 0, args[0])
	default:
		value, err = exact.Binary(x.As, args[0], args[1])
	}
	return value, false, err == nil
}

// compute is [Fold.compute] by the program that an operator means.
func (m *Meaning) compute(op term.Op, args []*big.Rat) (value *big.Rat, holds, ok bool) {
	o := m.l.Signature.Operator(op.Sym)
	s := term.NewStore(m.Signature)
	var out *term.Value[*big.Rat]
	err := term.Guard(func() error {
		kids := make([]term.Term, len(args))
		for i, a := range args {
			if m.l.elem[o.Sorted.Child(i).Type] == term.I {
				if !a.IsInt() || !a.Num().IsInt64() {
					return errors.New("not an integer")
				}
				kids[i] = s.LitInt(a.Num().Int64())
			} else {
				kids[i] = s.Lit(term.ScalarR(numeric.Of(a)))
			}
		}
		var err error
		out, err = term.Interpret(s, m.apply(s, o, op, kids), term.Arrays[*big.Rat]{Scalars: term.Rationals{Bits: MaxFoldedBits}}, nil)
		return err
	})
	switch {
	case err != nil:
		return nil, false, false
	case out.Elem == term.R:
		return out.R[0], false, true
	case out.Elem == term.I:
		return new(big.Rat).SetInt64(out.N[0]), false, true
	}
	return nil, out.N[0] == 1, true
}

// foldable reports whether an operator has the operands of an operation.
func (f *fileParser) foldable(w syntax.Name, d *term.Sorted, arity int) bool {
	if len(d.Children) != arity || len(d.Binders)+len(d.Attrs) > 0 || d.List() {
		f.errs.Add(f.src, w.Pos, "the operation has %s without binders or attributes, and %s has not", operands(arity), w.Text)
		return false
	}
	for _, x := range d.Children {
		if !f.lang.numbers[x.Type] {
			f.errs.Add(f.src, w.Pos, "%s is computed with numbers, and the sort %s has none", w.Text, SortName(x.Type))
			return false
		}
	}
	return true
}

// outcome is a symbol that a comparison gives.
func (f *fileParser) outcome(w syntax.Name, of *term.Sorted) term.Sym {
	o, ok := f.sig.Lookup(w.Text)
	if !ok || !o.Sorted.Symbol || o.Sorted.Result != of.Result {
		f.errs.Add(f.src, w.Pos, "%s is not a symbol of the sort %s", w.Text, SortName(of.Result))
		return term.SymNone
	}
	return o.Sym
}
