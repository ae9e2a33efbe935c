package load

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
)

// use notes an occurrence of a metavariable of the given sort.
func (c *converter) use(name string, sort rules.Sort, pos diag.Pos) bool {
	if c.left && !c.computing {
		c.matched[name] = true
		c.sizes[name] = c.sizes[name] || sort == rules.SortSize
	}
	old, ok := c.v.Sort[name]
	switch {
	case !ok && !c.left && !(c.binding && sort == rules.SortTerm):
		known := slices.Concat(c.v.Order, slice.Map(c.bound, func(b boundVar) string { return b.name }))
		text := "%s is not bound by the left side%s"
		if c.f.lang != nil {
			text, known = "%s is no symbol and does not occur on the left%s", append(known, c.f.operatorNames()...)
			if c.inCondition {
				text = "%s is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms%s"
			}
		}
		c.errorf(pos, text, name, diag.DidYouMean(name, known))
		return false
	case !ok:
		c.v.Sort[name] = sort
		c.v.Order = append(c.v.Order, name)
		c.matched[name] = c.matched[name] || c.binding
		if sort == rules.SortTerm || sort == rules.SortTerms {
			c.v.Scope[name] = c.boundNames()
		}
		return true
	case old != sort:
		c.errorf(pos, "%s is %s elsewhere and %s here", name, old, sort)
		return false
	}
	if sort == rules.SortTerm || sort == rules.SortTerms {
		in := c.boundNames()
		if c.left {
			c.v.Scope[name] = slices.DeleteFunc(c.v.Scope[name], func(s string) bool { return !slices.Contains(in, s) })
		} else {
			for _, s := range c.v.Scope[name] {
				if !slices.Contains(in, s) {
					c.errorf(pos, "%s may mention %s, which is not bound here; add the condition: %s not in %s", name, s, s, name)
					return false
				}
			}
		}
	}
	return true
}

func (c *converter) boundNames() []string {
	return slice.Map(c.bound, func(b boundVar) string { return b.is })
}

func (c *converter) isBound(name string) (boundVar, bool) {
	for i := len(c.bound) - 1; i >= 0; i-- {
		if c.bound[i].name == name {
			return c.bound[i], true
		}
	}
	return boundVar{}, false
}
