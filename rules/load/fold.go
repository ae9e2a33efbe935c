package load

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ops"
	"egad/term/types"
)

// operations are the operators of programs that compute rational numbers from rational
// numbers, or compare them, by the names that a fold gives them.
var operations = map[string]ops.Sym{
	"+": ops.SymAdd, "-": ops.SymSub, "*": ops.SymMul, "/": ops.SymDiv, "^": ops.SymPow, "neg": ops.SymNeg,
	"==": ops.SymEq, "<": ops.SymLt, "<=": ops.SymLe,
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
		if !o.Sorted.Known() || !f.foldable(w, o.Sorted, ops.Builtin(sym).Arity) {
			continue
		}
		x := rules.Fold{Sym: o.Sym, As: sym}
		if sym == ops.SymEq || sym == ops.SymLt || sym == ops.SymLe {
			if d.Truth == nil {
				f.errs.Add(f.src, as.Pos, "say what the comparison gives: fold %s gives true false", w.Text)
				continue
			}
			if x.Yes, x.No = f.outcome(d.Truth[0], o.Sorted), f.outcome(d.Truth[1], o.Sorted); min(x.Yes, x.No) == ops.SymNone {
				continue
			} else if x.Yes == x.No {
				f.errs.Add(f.src, d.Truth[1].Pos, "the comparison gives %s if it holds, and another symbol if it does not", d.Truth[0].Text)
				continue
			}
		} else if t := o.Sorted.Result; !f.lang.Numbers[t] {
			f.errs.Add(f.src, w.Pos, "the sort %s has no numbers", rules.SortName(t))
		} else if f.lang.Elem[t] == types.I && (sym == ops.SymDiv || sym == ops.SymPow || !whole(f.lang, o.Sorted)) {
			f.errs.Add(f.src, w.Pos, "%s gives fractions, and the values of the sort %s are integers: without the fold, numbers are computed by what %s means", as.Text, rules.SortName(t), w.Text)
			continue
		}
		if o.Sorted.Commutative() && !slices.Contains([]ops.Sym{ops.SymAdd, ops.SymMul, ops.SymEq}, sym) {
			f.errs.Add(f.src, w.Pos, "%s is commutative, and the operation %s on numbers is not", w.Text, as.Text)
			continue
		}
		f.lang.Folds = append(f.lang.Folds, x)
		f.means.laws = append(f.means.laws, law{folds, f.src, w.Pos, o.Name, x})
	}
}

// whole reports whether the values of all operands are integers.
func whole(l *rules.Language, d *ops.Sorted) bool {
	return !slices.ContainsFunc(d.Children, func(c ops.Child) bool { return l.Elem[c.Type] != types.I })
}

// foldable reports whether an operator has the operands of an operation.
func (f *fileParser) foldable(w syntax.Name, d *ops.Sorted, arity int) bool {
	if len(d.Children) != arity || len(d.Binders)+len(d.Attrs) > 0 || d.List() {
		f.errs.Add(f.src, w.Pos, "the operation has %s without binders or attributes, and %s has not", operands(arity), w.Text)
		return false
	}
	for _, x := range d.Children {
		if !f.lang.Numbers[x.Type] {
			f.errs.Add(f.src, w.Pos, "%s is computed with numbers, and the sort %s has none", w.Text, rules.SortName(x.Type))
			return false
		}
	}
	return true
}

// outcome is a symbol that a comparison gives.
func (f *fileParser) outcome(w syntax.Name, of *ops.Sorted) ops.Sym {
	o, ok := f.sig.Lookup(w.Text)
	if !ok || !o.Sorted.Symbol || o.Sorted.Result != of.Result {
		f.errs.Add(f.src, w.Pos, "%s is not a symbol of the sort %s", w.Text, rules.SortName(of.Result))
		return ops.SymNone
	}
	return o.Sym
}
