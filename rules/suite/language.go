package suite

import (
	"slices"
	"strings"

	"egad/rules"
	"egad/rules/saturate"
	"egad/term/ops"
	"egad/term/types"
)

// expected reports whether the test itself, or a rule, says of two symbols of a sort
// that they are equal.
func (a *attempt) expected(s *types.Type) bool {
	l := a.file.Language
	symbol := func(sym ops.Sym) bool {
		d := l.Signature.Operator(sym).Sorted
		return d != nil && d.Symbol && d.Result == s
	}
	for _, e := range slices.Concat(a.test.Assume, a.test.Prove) {
		x, y := a.store.Op(e.A).Sym, a.store.Op(e.B).Sym
		if symbol(x) && symbol(y) && x != y {
			return true
		}
	}
	return slices.ContainsFunc(l.All(), func(r *rules.Rule) bool {
		x, y := r.Lhs.Sym, r.Rhs.Sym
		return symbol(x) && symbol(y) && x != y
	})
}

// listed is a chain of equal symbols in print.
func listed(l *saturate.Language, s *types.Type) string {
	var out []string
	for _, o := range l.Symbols(s) {
		if len(out) == maxListed {
			out = append(out, "…")
			break
		}
		out = append(out, o.Name)
	}
	return strings.Join(out, " = ")
}

const maxListed = 8
