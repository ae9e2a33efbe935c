package suite

import (
	"egad/rules"
	"egad/rules/proof"
	"egad/term"
)

// Written is a proof as JSON.
type Written struct {
	Claim   string     `json:"claim"`
	Steps   []Step     `json:"steps"`
	Assumed []string   `json:"assumed,omitempty"`
	As      []*Written `json:"as,omitempty"` // what conditions rest on
}

// Step is an application of a rule, with the path to where it is made first, as
// numbers of operands.
type Step struct {
	From     string   `json:"from"`
	To       string   `json:"to"`
	Reason   string   `json:"reason"`
	Reverse  bool     `json:"reverse,omitempty"`
	Path     []int    `json:"path"`
	Assuming []string `json:"assuming,omitempty"`
}

// Write makes a proof what is written of it.
func (p *Proof) Write() (*Written, error) {
	out := &Written{Claim: p.Text, Steps: []Step{}, Assumed: p.Assumed}
	text := func(t term.Term) string {
		pr := &term.Printer{Store: p.Store}
		pr.NameFree(t)
		return pr.Term(t)
	}
	var err error
	p.Walk(p.Equation, false, func(l *proof.Link, from term.Term, at proof.Place) {
		s := Step{From: text(from), To: text(l.To), Reason: "instance", Reverse: l.Reverse, Path: append([]int{}, at.Path...)}
		switch l.Kind {
		case proof.Assumed:
			s.Reason = l.Reason
		case proof.ByRule:
			a := p.Proof.Steps[l.Step]
			sides, e := a.Sides(rules.Terms{Store: p.Store})
			if e != nil {
				err = e
				return
			}
			from, to := sides.Lhs, sides.Rhs
			if l.Reverse {
				from, to = to, from
			}
			s.From, s.To, s.Reason = text(from), text(to), a.Match.Rule.Name
			for _, c := range a.Match.Rule.Assumes {
				s.Assuming = append(s.Assuming, c.Text)
			}
		}
		out.Steps = append(out.Steps, s)
	})
	if err != nil {
		return nil, err
	}
	for _, q := range p.As {
		w, err := q.Write()
		if err != nil {
			return nil, err
		}
		out.As = append(out.As, w)
	}
	return out, nil
}
