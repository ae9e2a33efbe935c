package rules

import (
	"cmp"
	"errors"

	"egad/diag"
	"egad/term"
)

// results lists what the rule makes of a term, up to what is wanted.
func (r *Rule) results(space Terms, of, want term.Term) (got []term.Term, err error) {
	var wrong error
	err = FindMatches(space, r, of, false, func(m *Match) bool {
		t, ok, err := m.Build(space)
		if ok {
			got = append(got, t)
		}
		wrong = err
		return err == nil && !(ok && t.Equal(want))
	})
	return got, cmp.Or(err, wrong)
}

// CheckExamples runs the examples of a rule: the rule applied once at the root of
// the left side must give the right side.
func (r *Rule) CheckExamples(sig *term.Signature) error {
	var errs diag.List
	for _, ex := range r.Examples {
		p, ts, err := term.Elaborate(sig, r.Src, ex.Inputs, ex.Lhs, ex.Rhs)
		if err != nil {
			if list, ok := err.(diag.List); ok {
				errs = append(errs, list...)
				continue
			}
			return err
		}
		space := Terms{Store: p.Store}
		got, err := r.results(space, ts[0], ts[1])
		if len(got) == 0 && err == nil && r.guarded != nil {
			got, err = r.guarded.results(space, ts[0], ts[1])
		}
		pr := &term.Printer{Store: p.Store}
		var mistake *Mistake
		switch {
		case errors.As(err, &mistake):
			errs.Add(r.Src, ex.Pos, "rule %s: %s", r.Name, mistake.Msg)
		case err != nil:
			errs.Add(r.Src, ex.Pos, "%v", err)
		case len(got) == 0:
			errs.Add(r.Src, ex.Pos, "the rule %s does not match this example", r.Name)
		case !got[len(got)-1].Equal(ts[1]):
			errs.Add(r.Src, ex.Pos, "the rule %s gives %s in this example", r.Name, pr.Term(got[len(got)-1]))
		}
	}
	return errs.Err()
}
