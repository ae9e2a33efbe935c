package egraph

import (
	"fmt"
	"time"

	"egad/diag"
	"egad/internal/slice"
)

// Limits bound a run. A limit of 0 is no limit. They hold inside an iteration
// too. All but Time count work, so that the result of a run does not depend on
// the clock.
type Limits struct {
	Iterations int
	Nodes      int // of the graph; checked after every match that is applied
	Matches    int // found in the whole run
	Work       int // e-nodes looked at in the whole run
	Bytes      int // of the graph and the matches, and of what they are about to need
	Time       time.Duration
	// Naive finds all matches again in every iteration, not only the new ones.
	// It is for comparison.
	Naive bool
}

// Stop is why a run ended.
type Stop string

// The reasons.
const (
	Saturated     Stop = "saturated"
	IterLimit     Stop = "iteration limit"
	NodeLimit     Stop = "e-node limit"
	MatchLimit    Stop = "match limit"
	WorkLimit     Stop = "work limit"
	MemoryLimit   Stop = "memory limit"
	TimeLimit     Stop = "time limit"
	Goal          Stop = "goal reached"
	Contradiction Stop = "contradiction"
	// Interrupted is that nobody waits for the run, or that the process is to end.
	Interrupted Stop = "interrupted"
	Failed      Stop = "error"
	// SymmetryLimit is that nothing new was found, but that there may be more: a
	// group of symmetries was not extended, or the least form of an e-node not found,
	// since it would have been too much work.
	SymmetryLimit Stop = "symmetry limit"
	// TermLimit is that nothing new was found, and that what a rule would have made is larger
	// than may be, so that it was not applied.
	TermLimit Stop = "term limit"
)

// CutOff reports whether a limit ended the run, so that more may follow from the
// rules.
func (s Stop) CutOff() bool {
	switch s {
	case Saturated, Goal, Contradiction, Failed:
		return false
	}
	return true
}

// Report says what a run did.
type Report struct {
	Stop       Stop
	Iterations []Iteration
	Rules      []RuleReport // in the order of the rules
	Nodes      int
	Classes    int
	Peak       int   // most e-nodes there were before congruence was restored: limits are on these
	Work       int   // e-nodes looked at to find matches
	Rebuilt    int   // e-nodes that were looked at to restore congruence and to spread facts
	Err        error // of a rule, or the contradiction
}

// Iteration is the size of the graph after an iteration, and the matches found
// in it: those in which some e-node is new or has changed since the iteration
// before, and all of a rule with conditions that may have become true.
type Iteration struct {
	Nodes, Classes, Matches int
}

// RuleReport is the part of one rule in a run.
type RuleReport struct {
	Name    string
	Matches int // found
	Unions  int // that were news
	Bans    int // by back-off
	// Search and Apply are the time it took to find the matches, and to add
	// what they say.
	Search, Apply time.Duration
}

// Add adds what another run of the rule took.
func (r *RuleReport) Add(more RuleReport) {
	r.Matches += more.Matches
	r.Unions += more.Unions
	r.Bans += more.Bans
	r.Search += more.Search
	r.Apply += more.Apply
}

// Matches returns the number of matches found in the run.
func (r *Report) Matches() int {
	return slice.Sum(r.Rules, func(x RuleReport) int { return x.Matches })
}

// String makes a line for people.
func (r *Report) String() string {
	return fmt.Sprintf("%s after %s, %s in %s, %s", r.ended(), diag.Count(len(r.Iterations), "iteration"),
		diag.Count(r.Nodes, "e-node"), diag.Count(r.Classes, "e-class"), diag.Count(r.Matches(), "match"))
}

// ended says why a run ended: at the limit on e-nodes, how many there were, if fewer are left.
func (r *Report) ended() string {
	if r.Stop == NodeLimit && r.Peak > r.Nodes {
		return fmt.Sprintf("%s (at %d e-nodes, some of which are equal)", r.Stop, r.Peak)
	}
	return string(r.Stop)
}

// Saturate applies rules until nothing new follows, a limit is reached, or goal
// (which may be nil) is true. In each iteration all rules are matched on the
// same graph, then all matches are applied, then the graph is rebuilt.
func (g *Graph) Saturate(rules []*Rule, lim Limits, goal func() bool) *Report {
	return g.Continue(&Progress{}, rules, lim, goal)
}

// Continue does what Saturate does after other runs, of these rules or of others, of which p
// has the progress.
func (g *Graph) Continue(p *Progress, rules []*Rule, lim Limits, goal func() bool) *Report {
	n := len(rules)
	s := &saturation{
		g: g, rules: rules, lim: lim, rep: &Report{Rules: make([]RuleReport, n)}, start: time.Now(), m: g.machine(),
		ends: make([]int, n), past: p, states: p.of(g, rules),
	}
	for i, r := range rules {
		s.rep.Rules[i].Name = r.Name
	}
	g.note(Outside)
	g.reopen()
	g.links, g.rebuilt = nil, 0
	g.Rebuild()
	g.note(Congruence)
	g.late = s.late
	defer func() { g.late = nil }()
	s.rep.Stop = s.run(goal)
	switch s.rep.Stop {
	case Saturated, SymmetryLimit, IterLimit, Goal:
	default: // there may be matches that were found and not applied
		p.forget()
	}
	g.Rebuild()
	if g.err != nil {
		s.rep.Stop, s.rep.Err = Contradiction, g.err
	}
	s.rep.Nodes, s.rep.Classes, s.rep.Work, s.rep.Rebuilt = g.Size(), g.Classes(), s.work+s.m.spent, g.rebuilt
	return s.rep
}

type saturation struct {
	g       *Graph
	rules   []*Rule
	lim     Limits
	rep     *Report
	start   time.Time
	m       *machine
	matches int
	work    int
	hits    []uint32 // the matches of all rules, one after the other
	ends    []int    // by rule: where its matches end in hits
	past    *Progress
	states  []*ruleState // by rule
	tmpl    templateRun
	temps   []ClassID

	nodeTime float64 // nanoseconds for each e-node in the last rebuild

	// Of the search for matches of one rule:
	rule  *Rule
	found int
	limit int // of back-off; 0 is none
	stop  Stop
}

func (s *saturation) run(goal func() bool) Stop {
	g := s.g
	for {
		if goal != nil && goal() {
			return Goal
		}
		if s.lim.Iterations > 0 && len(s.rep.Iterations) >= s.lim.Iterations {
			return IterLimit
		}
		if stop := s.over(); stop != "" {
			return stop
		}
		before := s.matches
		s.search()
		full := s.stop
		nodes, classes := g.Size(), g.Classes()
		changed, stop := s.apply()
		s.rebuild()
		g.links = nil // a rule may have looked at the graph after it had changed it
		g.note(Congruence)
		s.rep.Iterations = append(s.rep.Iterations, Iteration{g.Size(), g.Classes(), s.matches - before})
		s.past.iterations++
		switch {
		case g.err != nil:
			return Contradiction
		case stop != "":
			return stop
		case full != "":
			return full
		case s.late():
			return s.over() // perhaps not everything was looked at
		case !changed && nodes == g.Size() && classes == g.Classes() && !release(s.states, s.past.iterations-1):
			return g.saturated()
		}
	}
}

// saturated is why a run ended that found nothing new.
func (g *Graph) saturated() Stop {
	if g.lossy {
		return SymmetryLimit
	}
	return Saturated
}

// search finds the matches of all rules, or some of them if a limit is reached.
func (s *saturation) search() {
	g, m := s.g, s.m
	s.hits, s.stop = s.hits[:0], ""
	m.found, m.work = s.match, s.worked
	if g.index == nil {
		if s.stop = s.within(g.indexBytes()); s.stop != "" {
			for i := range s.ends {
				s.ends[i] = 0
			}
			return
		}
		g.buildIndex()
	}
	now := s.past.iterations
	since := g.stamp
	g.stamp++ // what a guard adds, to ask for its facts, is new to all rules
	clock := time.Since(s.start)
	for i, r := range s.rules {
		s.ends[i] = len(s.hits)
		state := s.states[i]
		if state.until > now || s.stop != "" {
			continue
		}
		m.load(r)
		s.rule, s.found, s.limit = r, 0, state.limit(r.Backoff)
		if r.local() && !s.lim.Naive {
			m.since = state.since
		}
		m.roots()
		if s.limit > 0 && s.found > s.limit {
			state.strike(r.Backoff, now)
			s.rep.Rules[i].Bans++
			s.hits, s.found = s.hits[:s.ends[i]], 0
		} else if s.stop == "" {
			state.since = since
		}
		s.ends[i] = len(s.hits)
		s.matches += s.found
		s.rep.Rules[i].Matches += s.found
		before := clock
		clock = time.Since(s.start)
		s.rep.Rules[i].Search += clock - before
	}
}

// match saves the match that the machine has found.
func (s *saturation) match() bool {
	if !s.m.accepted() {
		return true
	}
	if s.lim.Matches > 0 && s.matches+s.found >= s.lim.Matches {
		s.stop = MatchLimit
		return false
	}
	if s.found++; s.limit > 0 && s.found > s.limit {
		return false
	}
	// The list is copied when it grows: there are the old one and one of twice the size.
	if cap(s.hits)-len(s.hits) < nearlyFull {
		if s.stop = s.within(8 * cap(s.hits)); s.stop != "" {
			return false
		}
	}
	s.hits = s.m.save(s.hits, s.rule.Apply != nil || s.g.recorder != nil)
	return true
}

// worked counts a unit of work.
func (s *saturation) worked() bool {
	s.work += workUnit
	s.stop = s.over()
	return s.stop == ""
}

// over is the limit that has been reached, if it is one of those that are looked
// at now and then.
func (s *saturation) over() Stop {
	switch {
	case s.g.Stop.Requested():
		return Interrupted
	case s.lim.Work > 0 && s.work+s.m.spent > s.lim.Work:
		return WorkLimit
	case s.late():
		return TimeLimit
	}
	return s.within(0)
}

// late reports whether the run has to end now. What is left to do is done as
// quickly as it can be.
func (s *saturation) late() bool {
	return s.lim.Time > 0 && time.Since(s.start) > s.lim.Time || s.g.Stop.Requested()
}

// within is the limit on memory, if it would be reached with so many bytes more.
func (s *saturation) within(more int) Stop {
	if s.lim.Bytes > 0 && s.g.Bytes()+4*cap(s.hits)+more > s.lim.Bytes {
		return MemoryLimit
	}
	return ""
}

// applied is the limit that has been reached while matches are applied. The graph
// has to be rebuilt then, which takes time and memory too.
func (s *saturation) applied() Stop {
	if stop := s.over(); stop != "" {
		return stop
	}
	if s.lim.Time > 0 && time.Since(s.start)+time.Duration(s.nodeTime*float64(s.g.Size())) > s.lim.Time {
		return TimeLimit
	}
	if s.lim.Bytes == 0 {
		return ""
	}
	return s.within(s.g.growth())
}

// rebuild rebuilds the graph and measures how long that takes.
func (s *saturation) rebuild() {
	start, nodes := time.Now(), s.g.Size()
	s.g.Rebuild()
	if nodes > 0 {
		s.nodeTime = time.Since(start).Seconds() * float64(time.Second) / float64(nodes)
	}
}

// How much work is done between two looks at the limits: e-nodes looked at, and
// matches applied.
const (
	workUnit  = 1 << 14
	applyUnit = 1 << 8
)

// nearlyFull is how much room is left in the list of matches when its growth is
// looked at; few matches need more.
const nearlyFull = 1 << 10

// withArgs marks a saved root with whose classes their arguments are saved. Class
// numbers are below it.
const withArgs = 1 << 31

// save appends what applying the rule needs: the root and the metavariables, the
// names of the bound variables, and for computed right sides the operators, the static
// terms and the note. Arguments of classes come last; they are left out if none has any.
func (m *Match) save(out []uint32, ops bool) []uint32 {
	out = roomFor(out, 2+2*len(m.prog.vars))
	at := len(out)
	out = append(out, m.cls[0])
	for _, r := range m.prog.vars {
		out = append(out, m.cls[r])
	}
	for _, n := range m.names {
		out = append(out, uint32(n))
	}
	if ops {
		for _, o := range m.ops[:m.prog.positions] {
			out = append(out, uint32(o))
		}
		for _, s := range m.statics.Vars {
			out = append(out, uint32(s))
		}
		out = append(out, m.Note)
	}
	if m.prog.special() {
		out = m.saveLists(out)
	}
	if !m.g.vecs.Any() {
		return out
	}
	args := m.arg[0]
	for _, r := range m.prog.vars {
		args |= m.arg[r]
	}
	if args == 0 {
		return out
	}
	out[at] |= withArgs
	out = append(out, m.arg[0])
	for _, r := range m.prog.vars {
		out = append(out, m.arg[r])
	}
	return out
}

// restore is the inverse of save; the registers of the metavariables hold them.
func (m *Match) restore(in []uint32, ops bool) (rest []uint32) {
	next := func(n int) (part []uint32) {
		part, in = in[:n], in[n:]
		return part
	}
	args := in[0]&withArgs != 0
	m.cls[0], m.arg[0] = next(1)[0]&^withArgs, 0
	for k, c := range next(len(m.prog.vars)) {
		m.cls[m.prog.vars[k]], m.arg[m.prog.vars[k]] = c, 0
	}
	for k, n := range next(len(m.names)) {
		m.names[k] = Pos(n)
	}
	if ops {
		for k, o := range next(m.prog.positions) {
			m.ops[k] = Op(o)
		}
		for k, s := range next(m.prog.statics) {
			m.statics.Vars[k] = Static(s)
		}
		m.Note = next(1)[0]
	}
	if m.prog.special() {
		in = m.restoreLists(in)
	}
	if !args {
		return in
	}
	m.arg[0] = next(1)[0]
	for k, v := range next(len(m.prog.vars)) {
		m.arg[m.prog.vars[k]] = v
	}
	return in
}

// apply adds the right sides of all matches and unites them with their roots.
func (s *saturation) apply() (changed bool, stop Stop) {
	g := s.g
	g.stamp++
	m := s.m
	applied, cause := 0, ""
	defer func() { g.note(cause) }()
	clock := time.Since(s.start)
	for i, r := range s.rules {
		in := s.hits[:s.ends[i]]
		if i > 0 {
			in = in[s.ends[i-1]:]
		}
		if len(in) == 0 {
			continue
		}
		if cause != "" {
			g.note(cause)
		}
		cause = r.Name
		m.load(r)
		flat := r.Apply == nil && r.From == nil && r.Rhs.flat && len(m.names) == 0 && !m.prog.special()
		ops := r.Apply != nil || g.recorder != nil
		for len(in) > 0 {
			if applied++; applied%applyUnit == 0 {
				if stop := s.applied(); stop != "" {
					return changed, stop
				}
			}
			var ok bool
			var err error
			if flat && in[0]&withArgs == 0 {
				n := 1 + len(m.prog.vars)
				var c ClassID
				c, s.temps = g.buildFlat(r.Rhs, in[1:n], s.temps)
				ok = g.unionFlat(g.chase(in[0]), g.Find(c))
				switch {
				case g.recorder == nil:
					in = in[n:]
				case ok:
					in = m.restore(in, true)
					g.recorder.Applied(r, &m.Match, nil, Term{})
				default:
					in = in[n+m.prog.positions+m.prog.statics+1:]
				}
			} else {
				in = m.restore(in, ops)
				ok, _, err = g.applyMatch(r, &m.Match, &s.tmpl)
			}
			if err != nil {
				s.rep.Err = err
				return changed, Failed
			}
			if ok {
				s.rep.Rules[i].Unions++
				changed = true
			}
			n := g.Size()
			s.rep.Peak = max(s.rep.Peak, n)
			if s.lim.Nodes > 0 && n > s.lim.Nodes {
				return changed, NodeLimit
			}
			if g.err != nil {
				return changed, Contradiction
			}
		}
		before := clock
		clock = time.Since(s.start)
		s.rep.Rules[i].Apply += clock - before
	}
	return changed, ""
}

// applyMatch unites the root of a match with the other side of the rule. It
// reports whether that was news, and whether there is another side.
func (g *Graph) applyMatch(r *Rule, m *Match, run *templateRun) (news, has bool, err error) {
	if r.Apply != nil {
		m.Side = nil
		if g.recorder != nil {
			m.update()
		}
		out, ok, err := r.Apply(g, m)
		if err != nil || !ok {
			return false, false, err
		}
		root := m.Root()
		if m.Side != nil {
			root = *m.Side
		}
		x, y := g.numbered(root, out)
		if news = g.union(root.ID, x, out.ID, y); news {
			g.computed(r, m, out)
		}
		return news, true, nil
	}
	run.start(m)
	own := r.Rhs.bound
	if r.From != nil {
		own = max(own, r.From.bound)
	}
	for k := len(run.names); k < own; k++ {
		run.names = append(run.names, Pos(ownNames+k))
	}
	from := value{m.cls[0], m.arg[0]}
	if r.From != nil {
		from = g.build(r.From, run)
	}
	v := g.build(r.Rhs, run)
	if news = g.union(from.class, from.args, v.class, v.args); news && g.recorder != nil {
		g.recorder.Applied(r, m, nil, Term{})
	}
	return news, true, nil
}

// start begins to apply templates to a match.
func (run *templateRun) start(m *Match) {
	run.vars = run.vars[:0]
	for _, reg := range m.prog.vars {
		run.vars = append(run.vars, value{m.cls[reg], m.arg[reg]})
	}
	run.names = append(run.names[:0], m.names...)
}
