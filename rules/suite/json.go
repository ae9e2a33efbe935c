package suite

import (
	"egad/rules"
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
	places := p.Places()
	for i, a := range p.Proof.Steps {
		sides, err := a.Sides(rules.Terms{Store: p.Store})
		if err != nil {
			return nil, err
		}
		from, to := sides.Lhs, sides.Rhs
		if places[i].Reverse {
			from, to = to, from
		}
		s := Step{From: text(from), To: text(to), Reason: a.Match.Rule.Name, Reverse: places[i].Reverse, Path: append([]int{}, places[i].Path...)}
		for _, c := range a.Match.Rule.Assumes {
			s.Assuming = append(s.Assuming, c.Text)
		}
		out.Steps = append(out.Steps, s)
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
