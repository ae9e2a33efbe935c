package rules

import (
	"math/big"
	"slices"
	"strings"

	"egad/slot"
	"egad/term"
)

// sortedHolds reports whether a condition of a rule of a language holds, as far as the space
// shows what terms are equal to.
func (b *builder) sortedHolds(c *Cond) bool {
	l := b.m.Rule.Language
	some := func(r slot.Ref, is func(v term.View) bool) (found bool) {
		b.space.Nodes(r, func(v term.View) bool {
			found = is(v)
			return !found
		})
		return found
	}
	switch c.Kind {
	case CondLiteral:
		return some(b.term(c.L, nil), func(v term.View) bool { return isNumber(v.Op) })
	case CondSymbol:
		return some(b.term(c.L, nil), func(v term.View) bool { return l.isSymbol(v.Op) })
	case CondVariable:
		is := false
		b.space.Nodes(b.term(c.L, nil), func(v term.View) bool { // the term itself comes first: right sides bind its name
			is = len(v.Own) > 0
			return false
		})
		return is
	case CondNotIn:
		x := b.m.Get(c.Name)
		n := x.Index
		if x.Type == nil {
			if len(x.Ref.Args) != 1 {
				return false
			}
			n = x.Ref.Args[0]
		}
		return !slices.ContainsFunc(b.m.Get(c.Terms[0]).terms(), func(r slot.Ref) bool { return r.Has(n) })
	case CondDistinct:
		y := b.term(c.R, nil)
		return some(b.term(c.L, nil), func(v term.View) bool {
			return l.IsAtom(v.Op) && some(y, func(w term.View) bool { return l.IsAtom(w.Op) && l.Differ(v.Op, w.Op) })
		})
	}
	return b.holds(c)
}

func isNumber(op term.Op) bool { return op.Sym == term.SymConst && op.Type.Kind == term.KSort }

func (l *Language) isSymbol(op term.Op) bool {
	d := l.Signature.Operator(op.Sym).Sorted
	return d != nil && d.Symbol
}

// IsAtom reports whether an operator is a number or a symbol: of these rules may ask
// whether they are distinct.
func (l *Language) IsAtom(op term.Op) bool { return isNumber(op) || l.isSymbol(op) }

// Differ reports whether two numbers or symbols of a sort are different ones. If something says
// what the values of the sort are, it is values that differ, as far as they are known.
func (l *Language) Differ(a, b term.Op) bool {
	if a.Key() == b.Key() {
		return false
	}
	sort := a.Type
	if !isNumber(a) {
		sort = l.Signature.Operator(a.Sym).Sorted.Result
	}
	if _, meant := l.Elem[sort]; !meant {
		return true
	}
	x, y := l.value(a), l.value(b)
	return x != nil && y != nil && x.Cmp(y) != 0
}

// Valued reports whether it is known from which other numbers and symbols this one differs.
func (l *Language) Valued(op term.Op) bool {
	if isNumber(op) {
		return true
	}
	_, meant := l.Elem[l.Signature.Operator(op.Sym).Sorted.Result]
	return !meant || l.value(op) != nil
}

// value is the value of a number or a symbol, 1 for true; nil if it is none that is known.
func (l *Language) value(op term.Op) *big.Rat {
	if n, ok := l.Number(op); ok || l.Meaning == nil {
		return n
	}
	return l.Meaning.value(op.Sym)
}

// Shown are the conditions of a rule of a language that no equation gives, with what
// variables stand for, of which text makes a text: that something is a number, a symbol or
// a variable, or distinct, or does not mention what a metavariable stands for. It is nil of
// arrays.
func (a *Application) Shown(t Terms, text func(...term.Term) []string) (out []string) {
	if a.Match.Rule.Language == nil {
		return nil
	}
	b := &builder{space: t, m: a.Match}
	for i := range a.Match.Rule.Conds {
		c, kind := &a.Match.Rule.Conds[i], ""
		switch c.Kind {
		case CondLiteral:
			kind = "number"
		case CondSymbol:
			kind = "symbol"
		case CondVariable:
			kind = "variable"
		case CondDistinct:
			if ok, err := b.guard(func() {
				ts := text(b.term(c.L, nil), b.term(c.R, nil))
				out = append(out, "distinct "+ts[0]+" "+ts[1])
			}); !ok || err != nil {
				continue
			}
		case CondNotIn:
			if x := b.m.Get(c.Name); x.Type == nil {
				ts := text(append([]term.Term{x.Ref}, b.m.Get(c.Terms[0]).terms()...)...)
				out = append(out, ts[0]+" not in "+strings.Join(ts[1:], ", "))
			}
		}
		if kind != "" {
			out = append(out, text(b.m.Get(c.L.Name).Ref)[0]+" is "+kind)
		}
	}
	return out
}

// Number is the number that an operator of the language is; it is false if it is none.
func (l *Language) Number(op term.Op) (*big.Rat, bool) {
	if !isNumber(op) {
		return nil, false
	}
	return op.Const.Fill.Num.Rat(), true
}

// Says reports whether an operator says what it cannot equal: it is a constant, or a symbol that
// means a known value.
func (l *Language) Says(op term.Op) bool { return l.IsConstant(op) || l.value(op) != nil }

// Contradict reports whether two terms of which this is said are never equal: they are different
// constants, or mean different values.
func (l *Language) Contradict(a, b term.Op) bool {
	if l.IsConstant(a) && l.IsConstant(b) {
		return a.Key() != b.Key()
	}
	x, y := l.value(a), l.value(b)
	return x != nil && y != nil && x.Cmp(y) != 0
}

// IsConstant reports whether an operator is a number or what a comparison gives: different
// ones are never equal.
func (l *Language) IsConstant(op term.Op) bool {
	return isNumber(op) || slices.ContainsFunc(l.Folds, func(f Fold) bool { return f.Compares() && (op.Sym == f.Yes || op.Sym == f.No) })
}
