package saturate

import (
	"slices"
	"strings"

	"egad/rules"
	"egad/slot"
	"egad/term"
)

// Say unites two terms of a store because somebody says so.
func (g *Graph) Say(s *term.Store, a, b term.Term) error {
	x, err := g.AddTerm(s, a, nil)
	if err != nil {
		return err
	}
	y, err := g.AddTerm(s, b, nil)
	if err != nil {
		return err
	}
	g.Union(x, y)
	return nil
}

// Assumption is what a rule assumed where it was applied, or asked for where it was not, and what was not
// proved.
type Assumption struct {
	Rule  string
	Facts string // as they are written
	Times int    // how often
}

// Assumed lists the assumptions that were made, by rule.
func (g *Graph) Assumed() []Assumption { return inOrder(g.assumed) }

// Withheld lists, by rule, what would have to be known to be finite where rules matched and were not
// applied for want of that alone.
func (g *Graph) Withheld() []Assumption { return inOrder(g.withheld) }

func inOrder(all []Assumption) []Assumption {
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b Assumption) int { return strings.Compare(a.Rule+" "+a.Facts, b.Rule+" "+b.Facts) })
	return out
}

// noteAssumptions notes what a rule assumes where its result is news.
func (g *Graph) noteAssumptions(m *rules.Match, result slot.Ref) error {
	if len(m.Rule.Assumes) == 0 || g.Same(m.Root, result) {
		return nil
	}
	facts, err := m.Unproved(g)
	if err != nil || len(facts) == 0 {
		return err
	}
	g.assumed = noted(g.assumed, m.Rule, facts)
	return nil
}

// noted notes facts of a rule that are not proved once more.
func noted(all []Assumption, r *rules.Rule, facts []string) []Assumption {
	text := strings.Join(facts, ", ")
	at := slices.IndexFunc(all, func(a Assumption) bool { return a.Rule == r.Name && a.Facts == text })
	if at < 0 {
		at, all = len(all), append(all, Assumption{Rule: r.Name, Facts: text})
	}
	all[at].Times++
	return all
}

// LeaveOut makes runs of rule sets do without some rules.
func (g *Graph) LeaveOut(names ...string) {
	g.leftOut = make(map[string]bool)
	for _, n := range names {
		g.leftOut[n] = true
	}
}

// uses reports whether a rule is for rewriting and not left out.
func (g *Graph) uses(r *rules.Rule) bool { return applicable(r) && !g.leftOut[r.Name] }
