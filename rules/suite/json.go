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
	// Conditions are those that hold by what terms are.
	Conditions []string `json:"conditions,omitempty"`
}

// Write makes a proof what is written of it.
func (p *Proof) Write() (*Written, error) {
	out := &Written{Claim: p.Text, Steps: []Step{}, Assumed: p.Assumed}
	texts := func(ts ...term.Term) (out []string) {
		if p.Sorted != nil {
			return p.Sorted(p.Store, ts...)
		}
		for _, t := range ts {
			pr := &term.Printer{Store: p.Store}
			pr.NameFree(t)
			out = append(out, pr.Term(t))
		}
		return out
	}
	var err error
	p.Walk(p.Equation, false, func(l *proof.Link, from term.Term, at proof.Place) {
		s, ts := Step{Reason: "instance", Reverse: l.Reverse, Path: append([]int{}, at.Path...)}, texts(from, l.To)
		switch l.Kind {
		case proof.Assumed, proof.Computed:
			s.Reason = l.Reason
		case proof.ByRule:
			a := p.Proof.Steps[l.Step]
			sides, e := a.Sides(rules.Terms{Store: p.Store})
			if e != nil {
				err = e
				return
			}
			s.Reason, s.Conditions = a.Match.Rule.Name, p.Shown(l, from, sides, texts)
			for _, c := range a.Match.Rule.Assumes {
				s.Assuming = append(s.Assuming, c.Text)
			}
		}
		s.From, s.To = ts[0], ts[1]
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
