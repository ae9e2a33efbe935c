package theory

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/internal/interrupt"
)

// fault is what shows that rules or assumptions are wrong: a contradiction, or that
// all symbols of a sort are equal, or that what was to be refuted is proved.
type fault struct {
	sort   *Sort
	refute *equation
}

// fault is the first fault of a run, nil if it has none.
func (r *attempt) fault() *fault {
	if r.contradicted() {
		return &fault{}
	}
	for _, s := range r.graph.t.Sorts {
		if f := (&fault{sort: s}); r.shows(f) && !r.expected(s) {
			return f
		}
	}
	for i := range r.test.refute {
		if f := (&fault{refute: &r.test.refute[i]}); r.shows(f) {
			return f
		}
	}
	return nil
}

// shows reports whether a run shows a fault.
func (r *attempt) shows(f *fault) bool {
	switch {
	case f.sort != nil:
		return r.collapsed(f.sort)
	case f.refute != nil:
		return r.holds(*f.refute) || r.entailed(*f.refute)
	}
	return r.contradicted()
}

func (r *attempt) contradicted() bool {
	return r.graph.Err() != nil || r.graph.confused() != nil || r.graph.irreflexive() != nil
}

// collapsed reports whether all symbols of a sort, of which there are several, are
// in the graph and equal.
func (r *attempt) collapsed(s *Sort) bool {
	list := s.symbols(r.graph.t)
	if len(list) < 2 {
		return false
	}
	var first egraph.Ref
	for i, o := range list {
		x, ok := r.graph.Lookup(o.op, nil, nil, nil)
		if i == 0 {
			first = x
		}
		if !ok || !r.graph.Same(x, first) {
			return false
		}
	}
	return true
}

// expected reports whether the test itself, or a rule, says of two symbols of a sort
// that they are equal.
func (r *attempt) expected(s *Sort) bool {
	symbols := func(a, b *node) bool {
		is := func(n *node) bool { return n.kind == nodeApp && n.op.Symbol && n.op.Sort == s }
		return is(a) && is(b) && a.op != b.op
	}
	for _, e := range slices.Concat(r.test.assume, r.test.prove) {
		if symbols(e.a, e.b) {
			return true
		}
	}
	return slices.ContainsFunc(r.graph.t.Rules, func(x *Rule) bool {
		return x.lhs != nil && len(x.rhs) == 1 && symbols(x.lhs, x.rhs[0])
	})
}

// symbols of a sort, in their order.
func (s *Sort) symbols(t *Theory) (out []*Operator) {
	for _, o := range t.symbols {
		if o.Sort == s {
			out = append(out, o)
		}
	}
	return out
}

// listed is a chain of equal symbols in print.
func (s *Sort) listed(t *Theory) string {
	var out []string
	for _, o := range s.symbols(t) {
		if len(out) == maxListed {
			out = append(out, "…")
			break
		}
		out = append(out, o.Name)
	}
	return strings.Join(out, " = ")
}

const maxListed = 8

// Blame proves the fault that a run shows: in a contradiction, that two different
// constants are equal, or symbols that a condition told apart, or that a term is
// != to itself; or that symbols are equal that are all there are of a sort, or that
// something holds that was to be refuted. Rules that the fault does not need are
// left out, as the run, made again without them, shows: none can be left out of
// those in the proof. All of this takes the time of the options at most, and a
// minute if they say none; a proof that was found when not all rules had been tried
// says so. It is nil if there is no fault. With an error, the proof has gaps.
func (t *Theory) Blame(test *Test, o Options) (*Proof, error) {
	limit := o.Time
	if limit <= 0 {
		limit = blameTime
	}
	start := time.Now()
	o.Proofs, o.Time = false, limit
	res, r := t.run(test, o, nil, 0)
	f := r.fault()
	switch {
	case f == nil && res.Report.Stop == egraph.TimeLimit:
		return nil, proof.ErrTime
	case f == nil:
		return nil, nil
	}
	needed, all := t.needed(test, o, f, r.matched(), maxTrial*res.Report.Work+workForTrial, start.Add(limit/2))
	o.Proofs, o.Time = true, max(1, time.Until(start.Add(limit)))
	res, r = t.run(test, o, t.set(needed), 0)
	var q *Proof
	err := proof.ErrTime
	if r.shows(f) {
		res.end = start.Add(limit)
		q, err = t.proved(res, f)
	}
	if q == nil {
		var names []string
		for _, x := range needed {
			names = append(names, x.Name)
		}
		return nil, fmt.Errorf("%s lead to it: %w", strings.Join(names, ", "), err)
	}
	q.rough, q.valid = !all, f.refute != nil
	if err == nil {
		err = res.Verify(q)
	}
	return q, err
}

// blameTime bounds an explanation for which no time is set. A run without a rule
// may do maxTrial as much work as the run with all, and workForTrial more.
const (
	blameTime    = time.Minute
	maxTrial     = 1
	workForTrial = 100_000
)

// matched lists the rules that have matched.
func (r *attempt) matched() (out []*Rule) {
	for _, x := range r.graph.t.Rules {
		if slices.ContainsFunc(r.rep.Rules, func(p egraph.RuleReport) bool { return p.Name == x.Name && p.Matches > 0 }) {
			out = append(out, x)
		}
	}
	return out
}

func (t *Theory) set(rules []*Rule) map[int]bool {
	out := make(map[int]bool)
	for _, x := range rules {
		out[x.index] = true
	}
	return out
}

// needed leaves rules out as long as the fault stays: many at once, then one by one.
// It is false if the time was over before all had been tried.
func (t *Theory) needed(test *Test, o Options, f *fault, rules []*Rule, work int, end time.Time) ([]*Rule, bool) {
	for size := (len(rules) + 1) / 2; ; size = (size + 1) / 2 {
		before := len(rules)
		for i := 0; i < len(rules); {
			left := max(0, time.Until(end))
			if left == 0 || interrupt.Requested() {
				return rules, false
			}
			o.Time = left
			without := slices.Delete(slices.Clone(rules), i, min(i+size, len(rules)))
			if _, r := t.run(test, o, t.set(without), work); r.shows(f) {
				rules = without
			} else {
				i += size
			}
		}
		if size <= 1 && len(rules) == before {
			return rules, true
		}
	}
}

// proved is the proof of a fault.
func (t *Theory) proved(res *Result, f *fault) (*Proof, error) {
	x, err := proof.For(res.Graph.Graph)
	if err != nil {
		return nil, err
	}
	x.Until(res.end)
	p := newProver(res, x)
	p.open = true
	switch {
	case f.sort != nil:
		s := f.sort.symbols(t)
		return p.prove(&egraph.Tree{Op: s[0].op}, &egraph.Tree{Op: s[1].op}, -1)
	case f.refute != nil:
		out, err := p.first(res.ways(p, *f.refute), -1)
		if len(out) == 0 {
			if err == nil {
				err = errors.New("the sides are different numbers")
			}
			return nil, err
		}
		return out[0], err
	}
	return t.contradiction(p)
}

func (t *Theory) contradiction(p *prover) (*Proof, error) {
	if p.g.Err() != nil {
		raw, err := p.x.Blame()
		if err != nil {
			return nil, err
		}
		t.compute(raw)
		terms := raw.Terms()
		return p.show(raw, terms[0], terms[len(terms)-1])
	}
	if pair := p.g.confused(); pair != nil {
		return p.prove(&egraph.Tree{Op: pair[0].op}, &egraph.Tree{Op: pair[1].op}, -1)
	}
	return p.prove(tree(p.g.irreflexive()), &egraph.Tree{Op: t.holds.op}, -1)
}

// compute goes on from both ends of a chain to the constants that they are.
func (t *Theory) compute(p *proof.Proof) {
	terms := p.Terms()
	before, after := t.computed(terms[0]), t.computed(terms[len(terms)-1])
	start := proof.Proof{Start: terms[0], Steps: before}
	for _, s := range before {
		s.From, s.To, s.Reverse = s.To, s.From, true
		p.Steps = slices.Insert(p.Steps, 0, s)
	}
	p.Start = start.Terms()[len(before)]
	p.Steps = append(p.Steps, after...)
	// The chain may have passed through the constants before.
	terms = p.Terms()
	is := func(c *egraph.Tree) func(*egraph.Tree) bool {
		return func(u *egraph.Tree) bool { return len(c.Kids) == 0 && u.Op == c.Op }
	}
	if i := slices.IndexFunc(terms, is(terms[len(terms)-1])); i >= 0 {
		p.Steps, terms = p.Steps[:i], terms[:i+1]
	}
	slices.Reverse(terms)
	if i := slices.IndexFunc(terms, is(p.Start)); i >= 0 {
		p.Steps = p.Steps[len(terms)-1-i:]
	}
}

// computed is the steps from a term to its value, the innermost first.
func (t *Theory) computed(u *egraph.Tree) (out []proof.Step) {
	value := *u
	value.Kids = nil
	for k, kid := range u.Kids {
		steps := t.computed(kid)
		for _, s := range steps {
			s.Path = slices.Insert(slices.Clone(s.Path), 0, k)
			out = append(out, s)
		}
		if n := len(steps); n > 0 && len(steps[n-1].Path) == 0 {
			kid = steps[n-1].To
		}
		value.Kids = append(value.Kids, kid)
	}
	o := t.byOp[u.Op]
	if o.fold == nil {
		return out
	}
	var args []*big.Rat
	for _, kid := range value.Kids {
		x := t.byOp[kid.Op].Number
		if x == nil {
			return out
		}
		args = append(args, x)
	}
	if c := t.folded(o, args); c != nil {
		out = append(out, proof.Step{Reason: Folded, From: &value, To: &egraph.Tree{Op: c.op}})
	}
	return out
}

// Rules are the names of the rules in a proof, each once, in order; those of
// conditions too.
func (p *Proof) Rules() (out []string) {
	p.walk(func(s *proof.Step) {
		if s.Rule != nil && !slices.Contains(out, s.Reason) {
			out = append(out, s.Reason)
		}
	})
	return out
}

// Assumptions are the assumptions of the test in a proof, likewise.
func (p *Proof) Assumptions(th *Theory) (out []string) {
	p.walk(func(s *proof.Step) {
		if s.Rule != nil || s.Reason != Assumed {
			return
		}
		a, b := s.From, s.To
		if s.Reverse {
			a, b = b, a
		}
		text := th.Text(th.term(a), p.names)
		if b.Op != th.holds.op {
			text += " = " + th.Text(th.term(b), p.names)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	})
	return out
}

// walk calls f for all steps, those of conditions too.
func (p *Proof) walk(f func(s *proof.Step)) {
	for i := range p.raw.Steps {
		f(&p.raw.Steps[i])
		for _, c := range p.Steps[i].Conditions {
			for _, q := range c.Proofs {
				q.walk(f)
			}
		}
	}
}

// Blamed says what a proof of a contradiction puts the blame on.
func (p *Proof) Blamed(th *Theory) string {
	rules, assumed := strings.Join(p.Rules(), ", "), p.Assumptions(th)
	if p.rough && rules != "" {
		rules += " (there was no time to try which can be left out)"
	}
	switch {
	case p.valid && len(assumed) == 0:
		return "what was to be refuted follows from these rules: " + rules
	case p.valid:
		return "what was to be refuted follows from these rules: " + rules + "; assumed: " + strings.Join(assumed, ", ")
	case len(assumed) == 0:
		return "of these rules one is unsound: " + rules
	case rules != "":
		return "of these rules one is unsound, or an assumption is wrong: " + rules + "; assumed: " + strings.Join(assumed, ", ")
	case len(assumed) == 1:
		return "this assumption is wrong: " + assumed[0]
	}
	return "of these assumptions one is wrong: " + strings.Join(assumed, ", ")
}
