package theory

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// at is the subterm at a path.
func (t *Term) at(path []int) *Term {
	for _, k := range path {
		t = t.Kids[k]
	}
	return t
}

// replace is t with the subterm at a path replaced.
func (t *Term) replace(path []int, by *Term) *Term {
	if len(path) == 0 {
		return by
	}
	out := *t
	out.Kids = slices.Clone(t.Kids)
	out.Kids[path[0]] = t.Kids[path[0]].replace(path[1:], by)
	return &out
}

// Write prints the chain as numbered steps: the first term, and for each step
// what it made, between « and », with the reason. The proofs of conditions stand
// below their steps.
func (p *Proof) Write(w io.Writer, th *Theory) error {
	var b strings.Builder
	p.write(&b, th, "")
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Proof) write(b *strings.Builder, th *Theory, indent string) {
	fmt.Fprintf(b, "%s%4s %s\n", indent, "", th.Text(p.Terms[0], p.names))
	for i, s := range p.Steps {
		reason := s.Reason
		if s.Reverse {
			reason += ", backwards"
		}
		t := p.Terms[i+1]
		fmt.Fprintf(b, "%s%3d. %s   by %s\n", indent, i+1, th.marked(t, p.names, t.at(s.Path)), reason)
		for _, c := range s.Conditions {
			if c.Open {
				fmt.Fprintf(b, "%s       as %s, of which no proof was found\n", indent, c.Text)
				continue
			}
			if len(c.Proofs) == 0 {
				fmt.Fprintf(b, "%s       as %s\n", indent, c.Text)
				continue
			}
			fmt.Fprintf(b, "%s       as %s:\n", indent, c.Text)
			for _, q := range c.Proofs {
				q.write(b, th, indent+"       ")
			}
		}
	}
}

// jsonProof is a proof in JSON.
type jsonProof struct {
	Start string     `json:"start"`
	Steps []jsonStep `json:"steps"`
}

type jsonStep struct {
	Term       string          `json:"term"`
	Reason     string          `json:"reason"`
	Reverse    bool            `json:"reverse,omitempty"`
	Path       []int           `json:"path"`
	Conditions []jsonCondition `json:"conditions,omitempty"`
}

type jsonCondition struct {
	Holds  string       `json:"holds"`
	Proofs []*jsonProof `json:"proofs,omitempty"`
}

func (p *Proof) json(th *Theory) *jsonProof {
	out := &jsonProof{Start: th.Text(p.Terms[0], p.names), Steps: []jsonStep{}}
	for i, s := range p.Steps {
		step := jsonStep{Term: th.Text(p.Terms[i+1], p.names), Reason: s.Reason, Reverse: s.Reverse, Path: s.Path}
		if step.Path == nil {
			step.Path = []int{}
		}
		for _, c := range s.Conditions {
			k := jsonCondition{Holds: c.Text}
			for _, q := range c.Proofs {
				k.Proofs = append(k.Proofs, q.json(th))
			}
			step.Conditions = append(step.Conditions, k)
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}

// JSON writes proofs as a list: each has the first term, and for each step the
// term that it made, the reason, the path to what changed as numbers of children
// (variables that an operator binds do not count), and the conditions.
func JSON(w io.Writer, th *Theory, proofs []*Proof) error {
	all := []*jsonProof{}
	for _, p := range proofs {
		all = append(all, p.json(th))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
