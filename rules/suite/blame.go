package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"egad/egraph"
	keep "egad/egraph/proof"
	"egad/internal/interrupt"
	"egad/internal/set"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/types"
)

// fault is what shows that rules or assumptions are wrong: a contradiction, or that
// what was to be refuted is proved, or that two inputs are equal, whatever they are, or
// of a language that all symbols of a sort are.
type fault struct {
	sort   *types.Type
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
	case e == nil:
		return a.Graph.Contradicted()
	case a.file.Language == nil && a.Graph.Err() != nil:
		return false
	}
	return a.holds(*e) || f.refute != nil && a.follows(*e)
}

// inputs are equations of the inputs of a test that the run has found, of any two of one type, and
// that the test itself does not say.
func (a *attempt) inputs() []rules.Equation {
	if len(a.test.Assume) > 0 {
		return nil // it may follow from what is assumed
	}
	var out []rules.Equation
	before := make(map[egraph.ClassID][]term.Input) // by class
	for _, y := range a.test.Program.Inputs {
		r, ok := a.finder().Find(a.store.Var(y.Name, y.Type))
		if !ok {
			continue
		}
		c := a.Graph.Find(r.ID)
		for _, x := range before[c] {
			e := rules.Equation{Claim: &syntax.Claim{Text: x.Name + " = " + y.Name}, A: a.store.Var(x.Name, x.Type), B: a.store.Var(y.Name, y.Type)}
			if x.Type.Equal(y.Type) && !slices.ContainsFunc(a.test.Prove, func(p rules.Equation) bool {
				return p.A.Equal(e.A) && p.B.Equal(e.B) || p.A.Equal(e.B) && p.B.Equal(e.A)
			}) {
				out = append(out, e)
			}
		}
		before[c] = append(before[c], y)
	}
	return out
}

// Faulty reports whether the run shows that rules or assumptions are wrong, for
// [File.Blame] to explain.
func (res *Result) Faulty() bool { return res.fault != nil }

// Contradicts has a run of a language that found several contradictions speak of the one that is
// proved.
func (res *Result) Contradicts(b *Blame) {
	if b.Proof == nil || res.file.Language == nil || res.Report.Stop != egraph.Contradiction {
		return
	}
	if f := res.Failed[0]; !strings.Contains(f.Msg, b.Proof.Text) {
		f.Msg = fmt.Sprintf("%s: contradiction: %s", res.Name, b.Proof.Text)
	}
}

// Blame explains what shows that rules or assumptions are wrong. Rules and
// assumptions that are not needed for it are left out.
type Blame struct {
	Text string // what is to blame
	// Proof is that of what cannot be, or was to be refuted.
	Proof *Proof
}

// Blame explains the fault that a run of a test shows: a contradiction, or that two
// inputs are equal, or that something holds that was to be refuted. Rules and
// assumptions that the fault does not need are left out, as the run, made again without
// them, shows. All of this takes the time of the options at most, and a minute if they
// say none. It is nil if there is no fault. With an error, the proof has gaps.
func (f *File) Blame(t *rules.Test, o runner.Options) (*Blame, error) {
	limit := o.Time
	if limit <= 0 {
		limit = blameTime
	}
	start := time.Now()
	again := func(within time.Duration, work int, only map[int]bool, record bool) (*attempt, *runner.Runner) {
		a := f.newAttempt(t, record)
		p := o
		p.Time, p.Work = max(1, within), work
		do, err := a.run(p, only)
		if err != nil {
			return nil, nil
		}
		return a, do
	}
	a, do := again(limit, 0, nil, false)
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
	needed, all := leftOver(matched, start.Add(limit/2), func(only map[int]bool, within time.Duration) bool {
		b, _ := again(within, a.Report.Work+workForTrial, only, false)
		return b.shows(found)
	})
	out, end := &Blame{}, start.Add(limit)
	by := suspects{notAll: !all}
	for _, x := range needed {
		if x < 0 {
			by.assumed = append(by.assumed, t.Assume[assumption(x)].Text)
		} else {
			by.rules = append(by.rules, do.Names[x])
		}
	}
	b, _ := again(time.Until(end), 0, set.Of(needed...), true)
	err := error(keep.ErrTime)
	if b != nil && b.shows(found) {
		err = out.explain(b, found, end)
	}
	if errors.Is(err, saturate.ErrNoClash) && len(by.rules) == 0 {
		err = nil // assumptions may be wrong together
	}
	if out.Proof != nil {
		order := out.Proof.Rules()
		if by.read = out.Proof.read; f.Language != nil {
			by.rules, by.assumed = order, out.Proof.said
		}
		slices.SortStableFunc(by.rules, func(x, y string) int { return place(order, x) - place(order, y) })
	}
	out.Text = by.text(found.refute != nil)
	return out, err
}

// explain proves the fault that a run shows.
func (b *Blame) explain(a *attempt, found *fault, end time.Time) (err error) {
	e := found.proved()
	if e == nil {
		b.Proof, err = a.proveFault(found, end)
		return err
	}
	k, err := a.known(end, *e)
	if err == nil {
		b.Proof, err = a.prove(k, *e)
	}
	return err
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

// blameTime bounds an explanation for which no time is set. A run without a rule may
// do as much work as the run with all, and workForTrial more.
const (
	blameTime    = time.Minute
	workForTrial = 100_000
)

// leftOver leaves rules out as long as a run shows what it shows: many at once, then
// one by one. It is false if the time was over before all had been tried.
func leftOver(rules []int, end time.Time, shows func(only map[int]bool, within time.Duration) bool) ([]int, bool) {
	for size := (len(rules) + 1) / 2; ; size = (size + 1) / 2 {
		before := len(rules)
		for i := 0; i < len(rules); {
			left := max(0, time.Until(end))
			if left == 0 || interrupt.Requested() {
				return rules, false
			}
			without := slices.Delete(slices.Clone(rules), i, min(i+size, len(rules)))
			if shows(set.Of(without...), left) {
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

// suspects are what is to blame.
type suspects struct {
	rules, assumed, read []string
	notAll               bool // there was no time to leave out what is not needed
}

// text says what is to blame for a contradiction, or if valid is set for what was
// to be refuted and is proved.
func (s suspects) text(valid bool) string {
	names, assumed, read := strings.Join(s.rules, ", "), strings.Join(s.assumed, ", "), strings.Join(s.read, ", ")
	if s.notAll && names != "" {
		names += " (there was no time to try which can be left out)"
	}
	var wrong, facts string // what else than a rule may be wrong
	switch {
	case assumed != "" && read != "":
		wrong, facts = "an assumption or what was read in", "; assumed: "+assumed+"; read in: "+read
	case assumed != "":
		wrong, facts = "an assumption", "; assumed: "+assumed
	case read != "":
		wrong, facts = "what was read in", "; read in: "+read
	}
	switch {
	case valid && names == "":
		return "what was to be refuted is so without any rule" + facts
	case valid:
		return "what was to be refuted follows from these rules: " + names + facts
	case facts == "":
		return "of these rules one is unsound: " + names
	case names != "":
		return "of these rules one is unsound, or " + wrong + " is wrong: " + names + facts
	case assumed == "":
		return "what was read in is wrong: " + read
	case read != "":
		return "of these assumptions one is wrong, or what was read in: " + assumed + "; read in: " + read
	case len(s.assumed) == 1:
		return "this assumption is wrong: " + assumed
	}
	return "of these assumptions one is wrong: " + assumed
}
