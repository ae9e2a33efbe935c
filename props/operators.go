package props

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/interrupt"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
	"egad/term/ops"
)

// CheckOperators checks declared operators: that those that are declared linear
// are, on random operands. Operators whose meaning takes their place before
// differentiation are noted. The library has the rules that the operators are
// used with.
func (rep *RuleReport) CheckOperators(sig *term.Signature, lib *rules.Library, ops []*ops.Declared, how RuleChecks) {
	for _, d := range ops {
		if interrupt.Requested() {
			break
		}
		rep.Operators++
		rep.count(rep.checkOperator(sig, lib, d, how))
	}
}

func (rep *RuleReport) checkOperator(sig *term.Signature, lib *rules.Library, d *ops.Declared, how RuleChecks) Verdict {
	if d.Relation {
		return Holds // there is no way from one to a gradient
	}
	if missing, ok := lib.Derivable(sig, d); !ok {
		rep.Notes.Add(d.Src, d.Pos, "there is no rule for %s: the meaning of %s is differentiated", missing, d.Name)
	} else if !takesBuild(lib, d) {
		rep.Notes.Add(d.Src, d.Pos, "there is no rule for build of %s: in loops its meaning takes its place", d.Name)
	}
	if !d.Linear {
		return Holds
	}
	law, err := linearity(sig, d)
	if err != nil {
		rep.Findings.Add(d.Src, d.Pos, "%s: %v", d.Name, err)
		return Wrong
	}
	types := typing.Check(sig, law)
	res := testRule(sig, law, types.Instances(), how.Count, how.Seed, how.deadline())
	c := Checked{Tested: res.Tested, Skipped: res.Skipped, Late: res.Late}
	rep.Tested += c.Tested
	rep.Skipped += c.SkippedInAll()
	switch last := d.Params[len(d.Params)-1].Name; {
	case res.Counterexample != nil:
		e := diag.Errorf(d.Src, d.Pos, "%s is declared linear in %s and is not", d.Name, last)
		e.Detail = res.Counterexample.String()
		rep.Findings = append(rep.Findings, e)
		return Wrong
	case res.Err != nil:
		rep.Findings.Add(d.Src, d.Pos, "whether %s is linear cannot be tested: %v", d.Name, res.Err)
		return Wrong
	case res.Tested == 0:
		rep.Findings.Add(d.Src, d.Pos, "whether %s is linear is untested: no random instance says anything (%s)", d.Name, c.Why())
		return Untested
	}
	return Holds
}

func takesBuild(lib *rules.Library, d *ops.Declared) bool {
	return slices.ContainsFunc(lib.Schedule("bulk").Sets, func(set string) bool { return lib.Set(set).Takes(ops.SymBuild, d.Op) })
}

// linearity is the law of an operator that is linear in its last operand, as a
// rule: f (x + 3 * y) is f x + 3 * f y.
func linearity(sig *term.Signature, d *ops.Declared) (*rules.Rule, error) {
	var others strings.Builder
	for i := range d.Params[:len(d.Params)-1] {
		fmt.Fprintf(&others, " w%d", i+1)
	}
	f := d.Name + others.String()
	lib, err := load.Files(sig, &diag.Source{Name: "law", Text: fmt.Sprintf(
		"ruleset laws rule linear real %s (x + 3 * y) => %s x + 3 * %s y", f, f, f)})
	if err != nil {
		return nil, err
	}
	return lib.Rule("linear"), nil
}
