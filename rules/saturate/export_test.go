package saturate

import (
	"egad/egraph"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
)

// Result is what a rule makes of a match: the class that matched and the other
// side, in the names of the root.
type Result struct {
	Root, Rhs slot.Ref
}

// Results lists what a rule makes of its matches in the graph, without uniting
// anything. It is for looking at rules; nodes of the other sides are added.
func (g *Graph) Results(r *rules.Rule) ([]Result, error) {
	g.Rebuild()
	f, err := g.lang.formOf(r, false)
	if err != nil {
		return nil, err
	}
	x, err := g.engine(ruleOf{r, false})
	if err != nil {
		return nil, err
	}
	var out []Result
	var matches []*match.Match
	g.Matches(x, func(m *egraph.Match) bool {
		var full *match.Match
		var ok bool
		if ok, err = g.holds(f, m); ok {
			if full, ok, err = f.match(&g.reading, m, f.rest); ok {
				matches = append(matches, full.Clone())
			}
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range matches {
		rhs, ok, err := m.Build(g)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, Result{m.Root, rhs})
		}
	}
	return out, nil
}

// Matcher matches with one class of the graph at a time.
func (g *Graph) Matcher() *Matcher { return &Matcher{reading: reading{space: g, lang: g.lang}} }

// Compute has the right sides of all rules computed, those too that the engine can build.
func (g *Graph) Compute(sets ...*rules.Set) error {
	for _, s := range sets {
		for _, r := range s.Rules {
			if !applicable(r) {
				continue
			}
			x, err := g.engine(ruleOf{r, s.Opaque})
			if err != nil {
				return err
			}
			f := x.Owner.(*form)
			if x.Apply, x.Guard = f.apply, nil; f.open || len(f.conds) > 0 {
				x.Guard = f.guard
			}
		}
	}
	return nil
}
