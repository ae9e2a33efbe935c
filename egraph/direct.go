package egraph

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"egad/internal/interrupt"
	"egad/internal/memo"
	"egad/slot"
)

// Directed is a directed run: each class is rewritten once, by the first rule
// that applies, instead of by all rules in all ways. It is for rules that push
// one way, of which rounds of full matching would do one level at a time.
type Directed struct {
	// Rules gives the rules whose root has the given head, eager ones first:
	// lazy rules wait until the children have been rewritten.
	Rules func(h HeadID) (eager, lazy []*Rule, err error)
	// Time bounds the run; 0 is no limit.
	Time time.Duration
	// Matches and Nodes are how many rules are applied, and to how many e-nodes the graph grows, at most.
	// Where they are 0, it is what terms of such a size mostly need.
	Matches, Nodes int
}

// maxDirected is how many rule applications bring a term of n nodes to normal form
// at most, and maxInClass how many there are in one class. Rules that push one way
// take about 2 n, or as often as there are loops around what they push.
func maxDirected(n int) int { return 50*n + 5000 }

func maxInClass(n int) int { return 4*n + 1000 }

// maxNodes is how many e-nodes the graph of n e-nodes may grow to. They are about 5 n.
func maxNodes(n int) int { return min(100*n+20_000, max(4_000_000, 10*n)) }

// reached is the limit that a run has reached with the applications and those in one class, if there is one.
func (run *directedRun) reached(inClass int) Stop {
	total, once, nodes := maxDirected(run.nodes), maxInClass(run.nodes), maxNodes(run.nodes)
	if run.d.Matches > 0 {
		total, once = run.d.Matches, run.d.Matches
	}
	switch nodes = cmp.Or(run.d.Nodes, nodes); {
	case run.applied >= total || inClass >= once:
		return MatchLimit
	case run.g.Size() > nodes:
		return NodeLimit
	}
	return ""
}

// Endless is the error of a directed run that came to no normal form within its
// bounds.
type Endless struct {
	Limit Stop
	Nodes int           // at the start
	Time  time.Duration // that was over; 0 if another limit was reached
	// Total is the number of rule applications, Applied that of the rule that was
	// applied most, called Rule: "" if there was none.
	Total, Applied int
	Rule           string
	// Class is where that rule was applied most, and Grown the first e-nodes of that
	// class, in the order in which they were made.
	Class Ref
	Grown []Node
}

func (e *Endless) Error() string {
	return fmt.Sprintf("no normal form of a term of %d e-nodes after %d rule applications, %d of them by %s (%s)", e.Nodes, e.Total, e.Applied, e.Rule, e.Limit)
}

// Direct rewrites the classes of some roots and what they are made of. An e-node that a rule
// has rewritten, to what was there before or to something new, is passed over from then on,
// until the next run; it stays in its class.
func (g *Graph) Direct(roots []Ref, d *Directed) *Report {
	g.note(Outside)
	g.Rebuild()
	g.note(Congruence)
	g.reopen()
	g.passed = true
	g.Link()
	g.links.keepOpen(g)
	run := &directedRun{
		g: g, d: d, rep: &Report{}, state: make(map[ClassID]visitState),
		m: g.machine(), byRule: make(map[string]int), inClass: make(map[ClassID]int), where: make(map[place]int),
		nodes: g.Size(), start: time.Now(),
	}
	run.m.directed = true
	run.m.work = run.inTime
	run.m.found = func() bool {
		if !run.m.accepted() {
			return true
		}
		run.hit = run.m.save(run.hit, true)
		return false
	}
	g.late = func() bool { return !run.inTime() }
	for _, r := range roots {
		run.visit(r.ID)
	}
	g.Rebuild()
	g.late = nil
	switch {
	case g.err != nil:
		run.rep.Stop, run.rep.Err = Contradiction, g.err
	case run.rep.Stop == "":
		run.rep.Stop = g.saturated()
	case run.rep.Stop == Interrupted:
		run.rep.Err = interrupt.ErrEnded
	case run.rep.Stop != Failed:
		run.rep.Err = run.endless()
	}
	g.links.open = nil
	run.rep.Nodes, run.rep.Classes = g.Size(), g.Classes()
	return run.rep
}

// reopen has e-nodes looked at again that a directed run has rewritten.
func (g *Graph) reopen() {
	if g.passed {
		g.eachNode(func(r NodeID, n int) { g.arena[r] &^= flagPassed })
	}
	g.passed = false
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
	hit     []uint32 // the match that was found
	byRule  map[string]int
	applied int
	inClass map[ClassID]int // applications, by the class that they were applied to
	where   map[place]int   // the same, by rule too
	nodes   int             // at the start
	start   time.Time
}

// place is where a rule was applied.
type place struct {
	rule  string
	class ClassID
}

// inTime notes the end of the run's time.
func (run *directedRun) inTime() bool {
	switch {
	case run.g.Stop.Requested():
		run.rep.Stop = Interrupted
	case run.d.Time > 0 && time.Since(run.start) > run.d.Time:
		run.rep.Stop = TimeLimit
	}
	return run.rep.Stop == ""
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

// children visits the children of the e-nodes of c that have not been rewritten.
func (run *directedRun) children(c ClassID) {
	g := run.g
	var kids []ClassID
	for _, r := range g.links.openNodes(g, c) {
		kids = append(kids, g.kids(r, g.arity(r))...)
	}
	for _, k := range kids {
		run.visit(k)
	}
}

// try applies the first rule that matches at class c. An operand that is made of its own class, as g x where
// that is x, is looked at last: what is made of it is made of itself, and no term need come of that.
func (run *directedRun) try(c ClassID, lazy bool) bool {
	run.m.own, run.m.metOwn = false, false
	if run.first(c, lazy) {
		return true
	}
	run.m.own = true
	return run.m.metOwn && run.rep.Stop == "" && run.first(c, lazy)
}

// first is [directedRun.try] with the operands that are looked at now.
func (run *directedRun) first(c ClassID, lazy bool) bool {
	g := run.g
	for _, r := range g.links.openNodes(g, c) {
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

// rewrite applies rule to e-node r if it matches in a way that makes progress.
func (run *directedRun) rewrite(r NodeID, rule *Rule) (done bool) {
	g, m := run.g, run.m
	m.load(rule)
	run.hit = run.hit[:0]
	m.node(r)
	if len(run.hit) == 0 {
		return false
	}
	m.restore(run.hit, true)
	g.stamp++
	g.met = 0
	news, has, err := g.applyMatch(rule, &m.Match, &run.tmpl)
	g.note(rule.Name)
	switch {
	case err != nil:
		run.rep.Stop, run.rep.Err = Failed, err
		return false
	case !news:
		// What is made of its own class, as f (f a) where f a is a, is passed over: matches
		// would go round and round in it.
		if g.ofOwnClass(r) || has && run.known(r) {
			g.arena[r] |= flagPassed
		}
		return false
	}
	g.arena[r] |= flagPassed
	g.Rebuild()
	g.note(Congruence)
	run.count(rule)
	run.applied++
	c := g.Find(g.arena[r+nodeClass])
	run.inClass[c]++
	run.where[place{rule.Name, c}]++
	if g.err != nil {
		run.rep.Stop = Contradiction
	} else if run.rep.Stop = run.reached(run.inClass[c]); run.rep.Stop == "" && run.applied%64 == 0 {
		run.inTime()
	}
	return true
}

// known reports whether what e-node r has been rewritten to was there, and is no part of it: an
// e-node of its class that is not passed over itself. Of a metavariable alone any is.
func (run *directedRun) known(r NodeID) bool {
	g := run.g
	open := g.links.openNodes(g, g.Find(g.arena[r+nodeClass]))
	return slices.ContainsFunc(open, func(o NodeID) bool { return o != r && (o == g.met || g.met == 0) && !g.ofOwnClass(o) })
}

// endless says what the run was busy with.
func (run *directedRun) endless() *Endless {
	g := run.g
	e := &Endless{Limit: run.rep.Stop, Nodes: run.nodes, Total: run.applied}
	if e.Limit == TimeLimit {
		e.Time = run.d.Time
	}
	for _, r := range run.rep.Rules {
		if r.Matches > e.Applied {
			e.Rule, e.Applied = r.Name, r.Matches
		}
	}
	best := 0
	for p, n := range run.where {
		if p.rule == e.Rule && (n > best || n == best && p.class < e.Class.ID) {
			best, e.Class.ID = n, p.class
		}
	}
	if best == 0 {
		return e
	}
	e.Class = g.FindRef(e.Class)
	for i := range g.slotsOf(e.Class.ID) {
		e.Class.Args = append(e.Class.Args, slot.Name(i))
	}
	nodes := slices.Clone(g.nodesOf(e.Class.ID))
	slices.SortFunc(nodes, cmp.Compare)
	for _, r := range nodes[:min(len(nodes), 4)] {
		e.Grown = append(e.Grown, g.open(r, e.Class))
	}
	return e
}

func (run *directedRun) count(rule *Rule) {
	i := memo.Place(run.byRule, &run.rep.Rules, rule.Name, RuleReport{Name: rule.Name})
	run.rep.Rules[i].Matches++
	run.rep.Rules[i].Unions++
}

// ofOwnClass reports whether the class of e-node r is among its children, too.
func (g *Graph) ofOwnClass(r NodeID) bool {
	own := g.Find(g.arena[r+nodeClass])
	return slices.ContainsFunc(g.kids(r, g.arity(r)), func(k ClassID) bool { return g.Find(k) == own })
}
