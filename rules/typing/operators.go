package typing

import (
	"slices"

	"egad/rules"
	"egad/term"
)

// operatorGroups are the operators that a variable may stand for, those of one type
// together.
func operatorGroups(sig *term.Signature, r *rules.Rule, name string) [][]term.Sym {
	var groups [][]term.Sym
	at := make(map[string]int)
	for _, o := range sig.All() {
		in := func(c rules.Class) bool { return c.Has(o) }
		if slices.ContainsFunc(r.Vars.Class[name], func(c rules.Class) bool { return !in(c) }) {
			continue
		}
		key := elementTypes(sig, o)
		k, ok := at[key]
		if !ok {
			k = len(groups)
			at[key] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], o.Sym)
	}
	return groups
}

// elementTypes says what an operator of a class makes of square matrices.
func elementTypes(sig *term.Signature, o *term.Operator) string {
	key := ""
	kids := make([]*term.Type, o.Arity)
	var choose func(k int)
	choose = func(k int) {
		if k == len(kids) {
			if t, err := term.TypeOf(sig, term.Op{Sym: o.Sym}, kids); err == nil {
				key += t.Key()
			}
			key += ","
			return
		}
		for _, e := range []term.Elem{term.R, term.I, term.B} {
			kids[k] = term.ArrayOf(e, number(2), number(2))
			choose(k + 1)
		}
	}
	choose(0)
	return key
}
