package lint

import (
	"slices"

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
	for i := 0; i < len(all); {
		first, every, at := diag.List(nil), true, i
		for ; i == at || i < len(all) && all[i].Family != "" && all[i].Family == all[at].Family; i++ {
			w, r := &warnings{}, all[i]
			w.sides(r)
			w.never(r)
			for _, old := range all[:i] {
				if old.Set == r.Set && w.again(r, old) { // another set may be run in another way
					break
				}
			}
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
