package load

import (
	"egad/internal/slice"
	"egad/rules"
)

// divided reports lists of attributes on the left side of a rule that could be divided in many ways,
// as in [ms..., 0, ns...]: how long all parts but one are has to follow from other lists there.
func (f *fileParser) divided(r *rules.Rule) {
	known := make(map[string]bool)
	open := func(p *rules.Pattern) []string {
		return slice.Filter(parts(p.Attrs.Sizes), func(name string) bool { return !known[name] })
	}
	for before := -1; len(known) > before; {
		before = len(known)
		for p := range r.Lhs.All() {
			if list := open(p); len(list) == 1 {
				known[list[0]] = true
			}
		}
	}
	for p := range r.Lhs.All() {
		if list := open(p); len(list) > 0 {
			f.errs.Add(f.src, p.Pos, "how long the list %s is follows from nothing: attributes have one list of any length", list[0])
		}
	}
}

// parts are the variables in a list of attributes of a left side that stand for lists.
func parts(a *rules.AttrExpr) (out []string) {
	switch {
	case a == nil:
	case a.Kind == rules.AVar && a.Sort == rules.SortSizes:
		out = []string{a.Name}
	default:
		for _, x := range a.Args {
			out = append(out, parts(x)...)
		}
	}
	return out
}
