package rules

import (
	"math/big"
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// IsNumber reports whether an operator is a number of a language.
func IsNumber(op ops.Op) bool { return op.Sym == ops.SymConst && op.Type.Kind == types.KSort }

// IsSymbol reports whether an operator is a symbol of the language.
func (l *Language) IsSymbol(op ops.Op) bool {
	d := l.Signature.Operator(op.Sym).Sorted
	return d != nil && d.Symbol
}

// IsAtom reports whether an operator is a number or a symbol: of these rules may ask
// whether they are distinct.
func (l *Language) IsAtom(op ops.Op) bool { return IsNumber(op) || l.IsSymbol(op) }

// Differ reports whether two numbers or symbols of a sort are different ones. If something says
// what the values of the sort are, it is values that differ, as far as they are known.
func (l *Language) Differ(a, b ops.Op) bool {
	if a.Key() == b.Key() {
		return false
	}
	sort := a.Type
	if !IsNumber(a) {
		sort = l.Signature.Operator(a.Sym).Sorted.Result
	}
	_, meant := l.Elem[sort]
	return !meant || l.valuesDiffer(a, b)
}

// valuesDiffer reports whether the values of two numbers or symbols are known, and differ.
func (l *Language) valuesDiffer(a, b ops.Op) bool {
	x, y := l.value(a), l.value(b)
	return x != nil && y != nil && x.Cmp(y) != 0
}

// Valued reports whether it is known from which other numbers and symbols this one differs.
func (l *Language) Valued(op ops.Op) bool {
	if IsNumber(op) {
		return true
	}
	_, meant := l.Elem[l.Signature.Operator(op.Sym).Sorted.Result]
	return !meant || l.value(op) != nil
}

// value is the value of a number or a symbol, 1 for true; nil if it is none that is known.
func (l *Language) value(op ops.Op) *big.Rat {
	if n, ok := l.Number(op); ok || l.Meaning == nil {
		return n
	}
	return l.Meaning.value(op.Sym)
}

// Number is the number that an operator of the language is; it is false if it is none.
func (l *Language) Number(op ops.Op) (*big.Rat, bool) {
	if !IsNumber(op) {
		return nil, false
	}
	return op.Const.Fill.Num.Rat(), true
}

// Says reports whether an operator says what it cannot equal: it is a constant, or a symbol that
// means a known value.
func (l *Language) Says(op ops.Op) bool { return l.IsConstant(op) || l.value(op) != nil }

// Contradict reports whether two terms of which this is said are never equal: they are different
// constants, or mean different values.
func (l *Language) Contradict(a, b ops.Op) bool {
	if l.IsConstant(a) && l.IsConstant(b) {
		return a.Key() != b.Key()
	}
	return l.valuesDiffer(a, b)
}

// IsConstant reports whether an operator is a number or what a comparison gives: different
// ones are never equal.
func (l *Language) IsConstant(op ops.Op) bool {
	return IsNumber(op) || slices.ContainsFunc(l.Folds, func(f Fold) bool { return f.Compares() && (op.Sym == f.Yes || op.Sym == f.No) })
}
