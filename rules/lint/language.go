package lint

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/rules"
)

// Language says which rules of a language say nothing, or what another says, or are never
// applied, which rule sets and schedules no test of it runs, and which grammars nothing names.
func Language(l *rules.Language) (out diag.List) {
	out.AddError(oddRules(l)...)
	out.AddError(directed(l)...)
	if len(l.Tests) == 0 {
		return out
	}
	for _, s := range l.Sets {
		if s.Name != "" && s.Src == l.Src && !l.Tested(s.Src, s.Name) && !slices.ContainsFunc(s.Own(), func(r *rules.Rule) bool { return l.Tested(s.Src, r.Known()) }) {
			out.Add(s.Src, s.Pos, "warning: no test runs the rule set %s", s.Name)
		}
	}
	for _, g := range l.Grammars {
		if g.Src == l.Src && !l.Takes(g) {
			out.Add(g.Src, g.Pos, "%s", g.NotTaken())
		}
	}
	for _, s := range l.Schedules {
		if s.Src == l.Src && !l.Tested(s.Src, s.Name) {
			out.Add(s.Src, s.Pos, "warning: no test runs the schedule %s", s.Name)
		}
	}
	return out
}

// directed warns of rules of a language that a schedule runs until none applies, and that always do.
func directed(l *rules.Language) (out diag.List) {
	for _, s := range l.Schedules {
		for _, n := range s.Sets {
			set := l.Named(n)
			if set == nil || !s.Directed {
				continue
			}
			for _, r := range set.Rules {
				switch {
				case r.Src != l.Src:
				case r.ForSaturation():
					out.Add(r.Src, r.Pos, alwaysApplies, n, r.AlwaysApplies())
				case r.Reversed() && slices.Contains(set.Rules, r.Of):
					out.Add(r.Src, r.Pos, bothWays, n)
				}
			}
		}
	}
	return out
}

// oddRules warns of rules. Of those that one with operator variables stands for some may well
// say nothing; it is odd if all do.
func oddRules(l *rules.Language) (out diag.List) {
	all := l.All()
	before := make(map[likeness][]*rules.Rule)
	for i := 0; i < len(all); {
		first, every, at := diag.List(nil), true, i
		for ; i == at || i < len(all) && all[i].Family != "" && all[i].Family == all[at].Family; i++ {
			w, r := &warnings{}, all[i]
			w.sides(r)
			w.never(r)
			like := likenessOf(r)
			for _, old := range before[like] {
				if w.again(r, old) {
					break
				}
			}
			before[like] = append(before[like], r)
			if every = every && len(w.list) > 0; first == nil {
				first = w.list
			}
		}
		if every && all[at].Src == l.Src {
			out.AddError(first...)
		}
	}
	return out
}

// likeness is what rules have in common that differ only in the names of what they bind and in the
// order of operands: the set, as another may be run in another way, and what the sides are made of.
type likeness struct {
	set  *rules.Set
	made string
}

func likenessOf(r *rules.Rule) likeness {
	var made []string
	for i, side := range []*rules.Pattern{r.Lhs, r.Rhs} {
		for p := range side.All() {
			switch {
			case p.Kind == rules.PApp && p.Name == "":
				made = append(made, fmt.Sprint(i, " ", p.Sym))
			case p.Kind == rules.PNumber:
				made = append(made, fmt.Sprint(i, " number ", p.Value.Key()))
			}
		}
	}
	slices.Sort(made)
	return likeness{r.Set, strings.Join(made, ",")}
}
