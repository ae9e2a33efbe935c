package egraph

import (
	"slices"
	"testing"
)

// TestSnapshot: what is done again after going back is done in the same way.
func TestSnapshot(t *testing.T) {
	l := NewLanguage()
	rules := l.Rules(MicroRules)
	g := New(l.Sig)
	listen(g)
	for _, s := range MicroSeeds {
		l.Add(g, ParseSexp(s))
	}
	facts := Attach(g, depthLattice{})
	start := g.Snapshot()
	first := g.Saturate(rules, Limits{Iterations: 4}, nil)
	middle := g.Snapshot()
	arena, table := slices.Clone(g.arena), slices.Clone(g.table.entries)
	second := g.Saturate(rules, Limits{Iterations: 2}, nil)
	depths := slices.Clone(facts.data)
	if err := g.Restore(middle); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(arena, g.arena) || !slices.Equal(table, g.table.entries) {
		t.Error("the graph is not the one of the snapshot")
	}
	if err := CheckInvariants(g); err != nil {
		t.Error(err)
	}
	if again := g.Saturate(rules, Limits{Iterations: 2}, nil); again.String() != second.String() || !slices.Equal(depths, facts.data) {
		t.Errorf("%v, and again %v", second, again)
	}
	if err := g.Restore(start); err != nil {
		t.Fatal(err)
	}
	if again := g.Saturate(rules, Limits{Iterations: 4}, nil); again.String() != first.String() {
		t.Errorf("%v, and again %v", first, again)
	}
	if err := g.Restore(middle); err == nil {
		t.Error("a snapshot of a state that is no more was restored")
	}
	other, _ := micro()
	if err := other.Restore(start); err == nil {
		t.Error("a snapshot of another graph was restored")
	}
}

// depthLattice is the least depth of a class's terms.
type depthLattice struct{}

func (depthLattice) Make(c *Column[int], n Node) int {
	d := 0
	for _, k := range n.Kids {
		d = max(d, 1+c.Get(k.ID))
	}
	return d
}

func (depthLattice) Merge(a, b int) (int, error) { return min(a, b), nil }

func (depthLattice) Equal(a, b int) bool { return a == b }

// TestRestoredProgress: what was known of the rules is forgotten with the e-nodes.
func TestRestoredProgress(t *testing.T) {
	g, rules := micro()
	before := g.Snapshot()
	var p Progress
	first := g.Continue(&p, rules, Limits{Iterations: 3}, nil)
	if err := g.Restore(before); err != nil {
		t.Fatal(err)
	}
	if again := g.Continue(&p, rules, Limits{Iterations: 3}, nil); again.String() != first.String() {
		t.Errorf("%v, and the first time %v", again, first)
	}
}

// TestDifference: the changes of the causes are all changes.
func TestDifference(t *testing.T) {
	g, rules := micro()
	before := g.Snapshot()
	rep := g.Saturate(rules, Limits{Iterations: 3}, nil)
	ids, classes := g.ClassIDs(), g.Classes()
	after := g.Snapshot()
	d, err := after.Since(before)
	if err != nil {
		t.Fatal(err)
	}
	added, merged := 0, 0
	for _, c := range d.By {
		added += len(c.Added)
		merged += len(c.Merged)
		for _, m := range c.Merged {
			if m[0] == m[1] || g.Find(m[0]) != m[1] {
				t.Errorf("%s: %v merged", c.Cause, m)
			}
		}
		i := slices.IndexFunc(rep.Rules, func(r RuleReport) bool { return r.Name == c.Cause })
		if c.Cause != Congruence && (i < 0 || rep.Rules[i].Unions < len(c.Merged)) {
			t.Errorf("%s: %d merges", c.Cause, len(c.Merged))
		}
	}
	if added != ids-35 || merged != ids-classes {
		t.Errorf("%d classes added and %d merged, not %d and %d", added, merged, ids-35, ids-classes)
	}
	if _, err := before.Since(after); err == nil {
		t.Error("compared the wrong way round")
	}
}

func BenchmarkSnapshot(b *testing.B) {
	g, rules := micro()
	g.Saturate(rules, Limits{Iterations: 11}, nil)
	for b.Loop() {
		s := g.Snapshot()
		if err := g.Restore(s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(g.Size()), "e-nodes")
}
