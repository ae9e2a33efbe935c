package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"egad/egraph"
	keep "egad/egraph/proof"
	"egad/extract"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/rules/syntax"
	"egad/term"
)

// fault is what shows that rules or assumptions are wrong: a contradiction, or that
// what was to be refuted is proved, or that two inputs are equal, whatever they are, or
// of a language that all symbols of a sort are.
type fault struct {
	sort   *term.Type
	refute *rules.Equation
	equal  *rules.Equation // of inputs
}

// proved is the equation that is proved and should not be, nil if there is none.
func (f *fault) proved() *rules.Equation {
	if f.equal != nil {
		return f.equal
	}
	return f.refute
}

// shown is the first fault of a run, nil if it has none.
func (a *attempt) shown() *fault {
	faults := []*fault{{}}
	if l := a.file.Language; l != nil {
		for _, s := range l.Sorts {
			if !a.expected(s) {
				faults = append(faults, &fault{sort: s})
			}
		}
	} else {
		for _, e := range a.inputs() {
			faults = append(faults, &fault{equal: &e})
		}
	}
	for i := range a.test.Refute {
		faults = append(faults, &fault{refute: &a.test.Refute[i]})
	}
	if i := slices.IndexFunc(faults, a.shows); i >= 0 {
		return faults[i]
	}
	return nil
}

// shows reports whether a run shows a fault.
func (a *attempt) shows(f *fault) bool {
	e := f.proved()
	switch {
	case f.sort != nil:
		return a.Graph.Collapsed(f.sort)
	case e == nil && a.file.Language != nil:
		return a.Graph.Contradicted()
	case e == nil:
		return a.Report.Stop == egraph.Contradiction
	case a.file.Language == nil && a.Graph.Err() != nil:
		return false
	}
	return a.holds(*e) || f.refute != nil && a.follows(*e)
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
	// Steps is the proof of the fault of a language.
	Steps *saturate.Proof
}

// Blame explains the fault that a run of a test shows: a contradiction, or that two
// inputs are equal, or that something holds that was to be refuted. Rules and
// assumptions that the fault does not need are left out, as the run, made again without
// them, shows. All of this takes the time of the options at most, and a minute if they
// say none. It is nil if there is no fault. With an error, the proof has gaps.
func (f *File) Blame(t *rules.Test, o runner.Options) (*Blame, error) {
	limit := o.Time
	if limit <= 0 {
		limit = runner.BlameTime
	}
	start := time.Now()
	again := func(within time.Duration, work int, only map[int]bool, proofs bool, prepare func(*attempt)) (*attempt, *runner.Runner) {
		a := f.newAttempt(t, proofs)
		prepare(a)
		p := o
		p.Time, p.Work = max(1, within), work
		_, do, err := a.run(p, only)
		if err != nil {
			return nil, nil
		}
		return a, do
	}
	bare := func(*attempt) {}
	a, do := again(limit, 0, nil, false, bare)
	if a == nil {
		return nil, nil
	}
	found := a.shown()
	switch {
	case found == nil && a.Report.Stop == egraph.TimeLimit:
		return nil, keep.ErrTime
	case found == nil:
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
		b, _ := again(within, a.Report.Work+runner.WorkForTrial, only, false, bare)
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
	end := start.Add(limit)
	if f.Language != nil {
		return f.blameLanguage(found, names, !all, end, func() *attempt {
			b, _ := again(time.Until(end), 0, runner.SetOf(needed), true, bare)
			return b
		})
	}
	prepare := (*attempt).record
	if found.proved() == nil {
		prepare = func(a *attempt) { keep.Keep(a.Graph.Graph) }
	}
	b, _ := again(time.Until(end), 0, runner.SetOf(needed), false, prepare)
	out := &Blame{}
	err := error(keep.ErrTime)
	switch {
	case !b.shows(found):
	case found.proved() != nil:
		out.Proof, err = (&attempt{Result: b.Result, store: b.kept}).prove(*found.proved())
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

// blameLanguage is the rest of [File.Blame] for a language: the run that is made again
// keeps what is needed for proofs.
func (f *File) blameLanguage(found *fault, names []string, notAll bool, end time.Time, again func() *attempt) (*Blame, error) {
	b, err := again(), error(keep.ErrTime)
	var p *languageProver
	var proof *saturate.Proof
	if b != nil && b.shows(found) {
		if p, err = b.prover(end); err == nil {
			p.Open = true
			proof, err = p.fault(found)
		}
	}
	if proof == nil {
		return nil, fmt.Errorf("%s lead to it: %w", strings.Join(names, ", "), err)
	}
	if err == nil {
		err = b.Graph.Verify(p.Verifier, proof)
	}
	return &Blame{Steps: proof, Text: runner.Blamed(proof.Rules(), proof.Assumptions(f.Language), notAll, found.refute != nil)}, err
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
