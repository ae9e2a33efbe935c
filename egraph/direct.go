package egraph

import "fmt"

// Directed is a directed run: each class is rewritten once, by the first rule
// that applies, instead of by all rules in all ways. It is for rules that push
// one way, of which rounds of full matching would do one level at a time.
type Directed struct {
	// Rules gives the rules whose root has the given head, eager ones first:
	// lazy rules wait until the children have been rewritten.
	Rules func(h HeadID) (eager, lazy []*Rule, err error)
	// Fuel bounds the rule applications, Rows the rows of the graph.
	Fuel, Rows int
}

// Direct rewrites the class of root and what it is made of. A row that a rule
// has rewritten is passed over from then on; it stays in its class.
func (g *Graph) Direct(root Ref, d *Directed) *Report {
	g.note(Outside)
	g.Rebuild()
	g.note(Congruence)
	g.link()
	run := &directedRun{
		g: g, d: d, rep: &Report{}, state: make(map[ClassID]visitState),
		m: g.machine(), byRule: make(map[*Rule]int),
	}
	run.m.directed = true
	run.visit(root.ID)
	g.Rebuild()
	if run.rep.Stop == "" {
		run.rep.Stop = g.saturated()
	}
	if g.err != nil {
		run.rep.Stop, run.rep.Err = Contradiction, g.err
	}
	// Rows may be looked at again in later runs.
	g.eachRow(func(r RowID, n int) { g.arena[r] &^= flagPassed })
	run.rep.Rows, run.rep.Classes = g.Rows(), g.Classes()
	return run.rep
}

type visitState uint8

const (
	visitNone visitState = iota
	visitActive
	visitDone
)

type directedRun struct {
	g       *Graph
	d       *Directed
	rep     *Report
	state   map[ClassID]visitState
	m       *machine
	tmpl    templateRun
	byRule  map[*Rule]int
	applied int
}

// visit brings class c and its children to normal form.
func (run *directedRun) visit(c ClassID) {
	g := run.g
	c = g.Find(c)
	if run.state[c] != visitNone || run.rep.Stop != "" {
		return
	}
	for run.rep.Stop == "" {
		c = g.Find(c)
		run.state[c] = visitActive
		if run.try(c, false) {
			continue
		}
		before := run.applied
		run.children(c)
		c = g.Find(c)
		if run.applied > before && run.try(c, false) {
			continue
		}
		if !run.try(c, true) {
			break
		}
	}
	run.state[g.Find(c)] = visitDone
}

// children visits the children of the rows of c that have not been rewritten.
func (run *directedRun) children(c ClassID) {
	g := run.g
	var kids []ClassID
	for _, r := range g.rowsOf(c) {
		if g.arena[r]&flagPassed == 0 {
			kids = append(kids, g.kids(r, g.arity(r))...)
		}
	}
	for _, k := range kids {
		run.visit(k)
	}
}

// try applies the first rule that matches at class c.
func (run *directedRun) try(c ClassID, lazy bool) bool {
	g := run.g
	for _, r := range g.rowsOf(c) {
		if g.arena[r]&flagPassed != 0 {
			continue
		}
		eager, late, err := run.d.Rules(g.sig.ops[g.op(r)])
		if err != nil {
			run.rep.Stop, run.rep.Err = Failed, err
			return false
		}
		rules := eager
		if lazy {
			rules = late
		}
		for _, rule := range rules {
			if run.rewrite(r, rule) {
				return true
			}
			if run.rep.Stop != "" {
				return false
			}
		}
	}
	return false
}

// rewrite applies rule to row r if it matches in a way that makes progress.
func (run *directedRun) rewrite(r RowID, rule *Rule) (done bool) {
	g, m := run.g, run.m
	m.load(rule)
	var hit []uint32
	m.found = func() bool {
		if rule.Guard != nil && !rule.Guard(&m.Match) {
			return true
		}
		hit = m.save(nil, true)
		return false
	}
	m.row(r)
	if hit == nil {
		return false
	}
	m.restore(hit, true)
	g.stamp++
	news, err := g.applyMatch(rule, &m.Match, &run.tmpl)
	g.note(rule.Name)
	switch {
	case err != nil:
		run.rep.Stop, run.rep.Err = Failed, err
		return false
	case !news:
		return false
	}
	g.arena[r] |= flagPassed
	g.Rebuild()
	g.note(Congruence)
	run.count(rule)
	run.applied++
	switch {
	case g.err != nil:
		run.rep.Stop = Contradiction
	case run.d.Fuel > 0 && run.applied >= run.d.Fuel:
		run.rep.Stop, run.rep.Err = MatchLimit, fmt.Errorf("no normal form after %d rule applications", run.applied)
	case run.d.Rows > 0 && g.Rows() > run.d.Rows:
		run.rep.Stop, run.rep.Err = RowLimit, fmt.Errorf("no normal form within %d e-nodes", run.d.Rows)
	}
	return true
}

func (run *directedRun) count(rule *Rule) {
	i, ok := run.byRule[rule]
	if !ok {
		i = len(run.rep.Rules)
		run.byRule[rule] = i
		run.rep.Rules = append(run.rep.Rules, RuleReport{Name: rule.Name})
	}
	run.rep.Rules[i].Matches++
	run.rep.Rules[i].Unions++
}
