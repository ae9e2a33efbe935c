package arrays

import (
	"errors"
	"slices"
	"time"

	"egad/egraph"
	keep "egad/egraph/proof"
	"egad/extract"
	"egad/rules"
	"egad/rules/syntax"
	"egad/runner"
)

// fault is what shows that rules or assumptions are wrong: a contradiction, or that
// two inputs are equal, whatever they are, or that what was to be refuted is proved.
type fault struct {
	refute *rules.Equation
	equal  *rules.Equation // of inputs
}

// proved is the equation that is proved and should not be, nil of a contradiction.
func (f *fault) proved() *rules.Equation {
	if f.equal != nil {
		return f.equal
	}
	return f.refute
}

// shown is the first fault of a run, nil if it has none.
func (a *attempt) shown() *fault {
	if f := (&fault{}); a.shows(f) {
		return f
	}
	for _, e := range a.inputs() {
		if f := (&fault{equal: &e}); a.shows(f) {
			return f
		}
	}
	for i := range a.test.Refute {
		if f := (&fault{refute: &a.test.Refute[i]}); a.shows(f) {
			return f
		}
	}
	return nil
}

// shows reports whether a run shows a fault.
func (a *attempt) shows(f *fault) bool {
	switch e := f.proved(); {
	case e == nil:
		return a.Report.Stop == egraph.Contradiction
	case a.Graph.Err() != nil:
		return false
	default:
		return a.holds(*e) || f.refute != nil && a.follows(*e)
	}
}

// inputs are equations of the inputs of a test, of any two of one type, that the test
// itself does not say.
func (a *attempt) inputs() []rules.Equation {
	if len(a.test.Assume) > 0 {
		return nil // it may follow from what is assumed
	}
	var out []rules.Equation
	ins := a.test.Program.Inputs
	for i, y := range ins {
		for _, x := range ins[:i] {
			e := rules.Equation{Claim: &syntax.Claim{Text: x.Name + " = " + y.Name}, A: a.store.Var(x.Name, x.Type), B: a.store.Var(y.Name, y.Type)}
			if x.Type.Equal(y.Type) && !slices.ContainsFunc(a.test.Prove, func(p rules.Equation) bool {
				return p.A.Equal(e.A) && p.B.Equal(e.B) || p.A.Equal(e.B) && p.B.Equal(e.A)
			}) {
				out = append(out, e)
			}
		}
	}
	return out
}

// Faulty reports whether the run shows that rules or assumptions are wrong, for
// [File.Blame] to explain.
func (res *Result) Faulty() bool { return res.fault != nil }

// Blame explains what shows that rules or assumptions are wrong. Rules and
// assumptions that are not needed for it are left out.
type Blame struct {
	Text string // what is to blame
	// Chain is the way to a contradiction, a line for each step.
	Chain string
	// Proof is that of what was to be refuted.
	Proof *Proof
}

// Blame explains the fault that a run of a test shows: a contradiction, or that two
// inputs are equal, or that something holds that was to be refuted. Rules and assumptions that the fault does
// not need are left out, as the run, made again without them, shows. All of this takes the time of the
// options at most, and a minute if they say none. It is nil if there is no fault.
func (f *File) Blame(t *rules.Test, o runner.Options) (*Blame, error) {
	limit := o.Time
	if limit <= 0 {
		limit = runner.BlameTime
	}
	start := time.Now()
	again := func(within time.Duration, work int, only map[int]bool, prepare func(*attempt)) (*attempt, *runner.Runner) {
		a := newAttempt(t)
		prepare(a)
		p := o
		p.Time, p.Work = max(1, within), work
		_, do, err := a.run(f, p, only)
		if err != nil {
			return nil, nil
		}
		return a, do
	}
	bare := func(*attempt) {}
	a, do := again(limit, 0, nil, bare)
	if a == nil {
		return nil, nil
	}
	found := a.shown()
	if found == nil {
		return nil, nil
	}
	var matched []int
	for i, name := range do.Names {
		if slices.ContainsFunc(a.Report.Rules, func(r egraph.RuleReport) bool { return r.Name == name && r.Matches > 0 }) {
			matched = append(matched, i)
		}
	}
	for i := range t.Assume {
		matched = append(matched, assumption(i))
	}
	needed, all := runner.Needed(matched, start.Add(limit/2), func(only map[int]bool, within time.Duration) bool {
		b, _ := again(within, a.Report.Work+runner.WorkForTrial, only, bare)
		return b.shows(found)
	})
	var names, assumed []string
	for _, x := range needed {
		if x < 0 {
			assumed = append(assumed, t.Assume[assumption(x)].Text)
		} else {
			names = append(names, do.Names[x])
		}
	}
	prepare := (*attempt).record
	if found.proved() == nil {
		prepare = func(a *attempt) { keep.Keep(a.Graph.Graph) }
	}
	b, _ := again(time.Until(start.Add(limit)), 0, runner.SetOf(needed), prepare)
	out := &Blame{}
	err := error(keep.ErrTime)
	switch {
	case !b.shows(found):
	case found.proved() != nil:
		e, p := found.proved(), newProver(&attempt{b.Result, b.kept})
		out.Proof, err = p.prove(e.A, e.B, len(p.eqs))
	default:
		var c *extract.Contradiction
		if err = extract.Blame(b.Graph, b.Report.Err); errors.As(err, &c) {
			out.Chain, err = c.Proof, nil
			slices.SortStableFunc(names, func(x, y string) int { return place(c.Rules, x) - place(c.Rules, y) })
		} else if err = nil; len(names) > 0 {
			err = errors.New("no two terms contradict each other by themselves")
		}
	}
	out.Text = runner.Blamed(names, assumed, !all, found.refute != nil)
	return out, err
}

// assumption is the number that stands for an assumption among those of rules, and
// the other way around.
func assumption(i int) int { return -1 - i }

// place is where a name is in a list, or behind it.
func place(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return len(names)
}
