package saturate

import (
	"slices"
	"strings"

	"egad/internal/set"
	"egad/rules"
	"egad/rules/match"
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
func (g *Graph) Withheld() (all []Assumption) {
	for c, r := range g.withheld {
		all = append(all, Assumption{Rule: r.Name, Facts: c.Text})
	}
	return inOrder(all)
}

func inOrder(all []Assumption) []Assumption {
	out := slices.Clone(all)
	slices.SortFunc(out, func(a, b Assumption) int { return strings.Compare(a.Rule+" "+a.Facts, b.Rule+" "+b.Facts) })
	return out
}

// noteAssumptions notes what a rule assumes where its result is news.
func (g *Graph) noteAssumptions(m *match.Match, result slot.Ref) error {
	if len(m.Rule.Assumes) == 0 || g.Same(m.Root, result) {
		return nil
	}
	facts, err := m.Unproved(g)
	if err != nil || len(facts) == 0 {
		return err
	}
	text := strings.Join(facts, ", ")
	at := slices.IndexFunc(g.assumed, func(a Assumption) bool { return a.Rule == m.Rule.Name && a.Facts == text })
	if at < 0 {
		at, g.assumed = len(g.assumed), append(g.assumed, Assumption{Rule: m.Rule.Name, Facts: text})
	}
	g.assumed[at].Times++
	return nil
}

// LeaveOut makes runs of rule sets do without some rules.
func (g *Graph) LeaveOut(names ...string) {
	g.leftOut = set.Of(names...)
}

// uses reports whether a rule is for rewriting and not left out.
func (g *Graph) uses(r *rules.Rule) bool { return applicable(r) && !g.leftOut[r.Name] }
