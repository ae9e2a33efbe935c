package lint

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ops"
)

// Use is a way in which rule sets are used together.
type Use struct {
	Sets []string
	// Directed says that the first rule that matches is applied, in the order of
	// the sets, as in a directed run or where derivatives are looked up; otherwise
	// all are.
	Directed bool
	// Bulk says that what is rewritten is a program of bulk operations, unless build
	// is differentiated as it is.
	Bulk bool
}

// Library says what of the rules of some sources cannot be meant: sets that
// nothing uses, and rules that are never applied, or say what another says. Lib
// has all rules, in the order in which they were loaded; schedules are the names of
// those that are run.
func Library(lib *rules.Library, uses []Use, schedules []string, srcs ...*diag.Source) diag.List {
	w := &warnings{lib: lib, uses: uses, srcs: srcs}
	for _, s := range lib.Schedules {
		if slices.Contains(srcs, s.Src) && !slices.Contains(schedules, s.Name) && !lib.Tested(s.Src, s.Name) {
			w.list.Add(s.Src, s.Pos, "warning: no stage runs the schedule %s%s", s.Name, diag.DidYouMean(s.Name, schedules))
		}
	}
	for _, g := range lib.Grammars {
		if slices.Contains(srcs, g.Src) && !lib.Takes(g) {
			w.list.Add(g.Src, g.Pos, "%s", g.NotTaken())
		}
	}
	for _, r := range lib.All() {
		if slices.Contains(srcs, r.Src) {
			w.rule(r)
		} else {
			memo.Set(&w.others, r.Name, r)
		}
	}
	for _, s := range lib.Sets {
		w.set(s)
	}
	for _, u := range uses {
		w.use(u)
	}
	if w.list.Err() == nil { // sorts it
		return nil
	}
	return w.list
}

type warnings struct {
	lib  *rules.Library
	uses []Use
	srcs []*diag.Source
	list diag.List
	// others are the rules that are not of the sources.
	others map[string]*rules.Rule
}

func (w *warnings) add(r *rules.Rule, format string, args ...any) {
	w.list.Add(r.Src, r.Pos, "warning: "+format, args...)
}

// What is said of rules that are not for a directed run.
const (
	alwaysApplies = "warning: the set %s is run until no rule applies, %s"
	bothWays      = "warning: the set %s is run until no rule applies, and one that goes both ways always does: write => for <=>"
)

// set warns of a rule set that nothing uses, and of rules of one that is used which cannot be beside others.
func (w *warnings) set(s *rules.Set) {
	used := func(name string) bool {
		return slices.ContainsFunc(w.uses, func(u Use) bool {
			return slices.ContainsFunc(u.Sets, func(n string) bool {
				r := w.lib.Rule(n) // of a step
				return n == name || r != nil && r.Set.Name == name
			})
		})
	}
	if used(s.Name) {
		for _, r := range s.Own() {
			if old := w.others[r.Name]; old != nil && slices.Contains(w.srcs, r.Src) && !duplicate(old, r) {
				w.add(r, "egad has another rule of this name, %s: --rules takes only one of them", place(old))
			}
		}
		return
	}
	if !slices.Contains(w.srcs, s.Src) {
		return
	}
	if w.lib.Tested(s.Src, s.Name) {
		return
	}
	own := s.Own()
	for _, t := range w.lib.Sets {
		if used(t.Name) && slices.ContainsFunc(t.Rules, func(r *rules.Rule) bool { return slices.Contains(own, r) }) {
			return // another set uses its rules
		}
	}
	var known []string
	for _, u := range w.uses {
		for _, n := range u.Sets {
			known = slice.With(known, n)
		}
	}
	w.list.Add(s.Src, s.Pos, "warning: no stage runs the rule set %s%s", s.Name, diag.DidYouMean(s.Name, known))
}

// rule warns of what is odd about a rule for arrays by itself.
func (w *warnings) rule(r *rules.Rule) {
	switch {
	case r.Nabla && r.Set.Name != "nabla":
		w.add(r, "derivatives are looked up in the rule set nabla, not in %s", r.Set.Name)
	case !r.Nabla && r.Set.Name == "nabla":
		w.add(r, "the rules of the set nabla are looked up, not rewritten with: the left side would be nabla of an operator")
	default:
		w.sides(r)
	}
	w.never(r)
	if p := rules.Find(r.Lhs, emptyAxis); p != nil {
		w.list.Add(r.Src, p.Pos, "warning: no axis of size 0 enters the e-graph: what has no elements is a literal before rules are applied")
	}
}

// sides warns of a rule that says nothing.
func (w *warnings) sides(r *rules.Rule) {
	if !r.Nabla && !r.BySharing && r.Kind == syntax.Rewrite && sameSides(r) {
		w.add(r, "both sides of the rule %s are the same", r.Name)
	}
}

// never warns of a rule that is never applied.
func (w *warnings) never(r *rules.Rule) {
	if c := never(r); c != nil {
		w.list.Add(r.Src, c.Pos, "warning: this never holds, so that the rule %s is never applied", r.Name)
	}
}

// again warns of a rule that says what another says, and reports whether it does.
func (w *warnings) again(r, old *rules.Rule) bool {
	switch {
	case !duplicate(old, r):
		return false
	case r.Name == old.Name:
		w.add(r, "there is such a rule already: %s", place(old))
	default:
		w.add(r, "the rule %s is %s under another name", r.Name, place(old))
	}
	return true
}

// use warns of rules that do nothing where they are used.
func (w *warnings) use(u Use) {
	var eager, lazy []*rules.Rule
	for _, n := range u.Sets {
		s := w.lib.Set(n)
		if s == nil {
			continue
		}
		for _, r := range s.Rules {
			switch {
			case r.BySharing || r.Nabla != (n == "nabla"):
			case u.Directed && r.ForSaturation():
				if slices.Contains(w.srcs, r.Src) {
					w.list.Add(r.Src, r.Pos, alwaysApplies, n, r.AlwaysApplies())
				}
				continue
			case s.Lazy:
				lazy = append(lazy, r)
			default:
				eager = append(eager, r)
			}
			if u.Directed && r.Reversed() && slices.Contains(w.srcs, r.Src) && slices.Contains(s.Rules, r.Of) {
				w.list.Add(r.Src, r.Pos, bothWays, n)
			}
			if u.Bulk && slices.Contains(w.srcs, r.Src) && r.Set.Name == n {
				if p := rules.Find(r.Lhs, isBuild); p != nil {
					w.list.Add(r.Src, p.Pos, "warning: where the set %s is run there is no build, as bulk operations have taken its place (but with --direct)", n)
				}
			}
		}
	}
	all := slices.Concat(eager, lazy)
	for i, r := range all {
		if !slices.Contains(w.srcs, r.Src) {
			continue
		}
		for _, old := range all[:i] {
			if old == r {
				continue
			}
			if w.again(r, old) {
				break
			}
			if u.Directed && subsumes(old, r) {
				w.add(r, "the rule %s is never applied: where it matches, %s does, which comes before it", r.Name, place(old))
				break
			}
		}
	}
}

// place is a rule with where it stands.
func place(r *rules.Rule) string {
	return fmt.Sprintf("%s (%s, line %d)", r.Name, r.Src.Name, r.Src.Line(r.Pos))
}

func isBuild(p *rules.Pattern) bool {
	return p.Kind == rules.PApp && p.Name == "" && p.Sym == ops.SymBuild
}

func emptyAxis(p *rules.Pattern) bool { return hasEmpty(p.Attrs.Sizes) || hasEmpty(p.Attrs.Targets) }

func hasEmpty(a *rules.AttrExpr) bool {
	if a == nil {
		return false
	}
	return a.Kind == rules.ASize && a.Size.IsConst(0) || (a.Kind == rules.ACons || a.Kind == rules.AFun && a.Name == "++") && slices.ContainsFunc(a.Args, hasEmpty)
}
