package suite

import (
	"egad/rules/match"
	"egad/rules/proof"
)

// Written is a proof as JSON.
type Written struct {
	Claim   string     `json:"claim"`
	Steps   []Step     `json:"steps"`
	Assumed []string   `json:"assumed,omitempty"`
	As      []*Written `json:"as,omitempty"` // what steps rest on
}

// Step is a step of a chain: the part of the whole term at the path becomes another. The numbers of
// operands on paths begin with 1, as those of steps.
type Step struct {
	From     string   `json:"from"`
	To       string   `json:"to"`
	Reason   string   `json:"reason"`
	Reverse  bool     `json:"reverse,omitempty"`
	Path     []int    `json:"path"`
	Again    *Again   `json:"again,omitempty"`
	Instance string   `json:"instance,omitempty"` // the equation that it is an instance of
	Assuming []string `json:"assuming,omitempty"`
	// Conditions are those that hold by what terms are.
	Conditions []string `json:"conditions,omitempty"`
}

// Again says that some steps are made again, at another path in the place of this one.
type Again struct {
	First int   `json:"first"`
	Last  int   `json:"last"`
	Path  []int `json:"path"`
}

// Write makes a proof what is written of it.
func (p *Proof) Write() (*Written, error) {
	out, err := p.write(p.Chain)
	if err == nil {
		out.Claim, out.Assumed = p.Text, p.Assumed
	}
	return out, err
}

func (p *Proof) write(c *proof.Chain) (*Written, error) {
	all := func(c *proof.Chain) proof.Texts { return p.naming.Texts(p.Store, c) }
	out, texts := &Written{Claim: p.Claim(c, all), Steps: []Step{}}, all(c)
	for i := range c.Steps {
		x := &c.Steps[i]
		ts := texts(x.Scope, x.From, x.To)
		s := Step{From: ts[0], To: ts[1], Reason: p.Reason(x), Path: append([]int{}, x.Path...)}
		switch {
		case x.Link == nil:
			s.Again = &Again{x.First, x.Last, append([]int{}, x.At...)}
		case x.Kind == proof.Instance:
			of := &p.Equations[x.Kids[0]]
			s.Instance = p.Claim(&proof.Chain{From: of.From, To: of.To()}, all)
		case x.Kind == proof.ByRule:
			a := p.Steps[x.Step]
			sides, err := a.Sides(match.Terms{Store: p.Store})
			if err != nil {
				return nil, err
			}
			s.Conditions = p.Shown(x, sides, texts)
			for _, c := range a.Match.Rule.Assumes {
				s.Assuming = append(s.Assuming, c.Text)
			}
		}
		if x.Link != nil {
			s.Reverse = x.Reverse
		}
		out.Steps = append(out.Steps, s)
	}
	for _, q := range c.As() {
		w, err := p.write(q)
		if err != nil {
			return nil, err
		}
		out.As = append(out.As, w)
	}
	return out, nil
}
