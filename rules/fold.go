package rules

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term"
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
		if !f.foldable(w, o.Sorted, term.Builtin(sym).Arity) {
			continue
		}
		x := Fold{Sym: o.Sym, As: sym}
		if x.Compares() {
			if d.Truth == nil {
				f.errs.Add(f.src, as.Pos, "say what the comparison gives: fold %s gives true false", w.Text)
				continue
			}
			x.Yes, x.No = f.outcome(d.Truth[0], o.Sorted), f.outcome(d.Truth[1], o.Sorted)
		} else if t := o.Sorted.Result; t != nil && !f.lang.numbers[t] {
			f.errs.Add(f.src, w.Pos, "the sort %s has no numbers", SortName(t))
		}
		f.lang.Folds = append(f.lang.Folds, x)
	}
}

// Compares reports whether the operation is a comparison.
func (x Fold) Compares() bool { return x.As == term.SymEq || x.As == term.SymLt || x.As == term.SymLe }

// foldable reports whether an operator has the operands of an operation.
func (f *fileParser) foldable(w syntax.Name, d *term.Sorted, arity int) bool {
	if len(d.Children) != arity || len(d.Binders) > 0 {
		f.errs.Add(f.src, w.Pos, "the operation has %s without binders, and %s has not", operands(arity), w.Text)
		return false
	}
	for _, x := range d.Children {
		if x.Type != nil && !f.lang.numbers[x.Type] {
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
