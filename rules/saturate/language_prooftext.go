package saturate

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Write prints the chain as numbered steps: the first term, and for each step
// what it made, between « and », with the reason. The proofs of conditions stand
// below their steps; long ones are printed once.
func (p *Proof) Write(w io.Writer, l *Language) error {
	x := &proofWriter{l: l, done: make(map[*Proof]bool)}
	x.proof(p, "")
	_, err := io.WriteString(w, x.String())
	return err
}

type proofWriter struct {
	strings.Builder
	l    *Language
	done map[*Proof]bool
}

// long reports whether a proof is long or rests on others.
func (p *Proof) long() bool {
	return len(p.Steps) > 3 || slices.ContainsFunc(p.Steps, func(s ProofStep) bool {
		return slices.ContainsFunc(s.Conditions, func(c ProvedCondition) bool { return len(c.Proofs) > 0 })
	})
}

func (b *proofWriter) proof(p *Proof, indent string) {
	l := b.l
	b.done[p] = true
	fmt.Fprintf(b, "%s%4s %s\n", indent, "", l.Text(p.Terms[0], p.names))
	for i, s := range p.Steps {
		reason := s.Reason
		if s.Reverse {
			reason += ", backwards"
		}
		t := p.Terms[i+1]
		fmt.Fprintf(b, "%s%3d. %s   by %s\n", indent, i+1, l.marked(t, p.names, t.At(s.Path)), reason)
		for _, c := range s.Conditions {
			if c.Open {
				fmt.Fprintf(b, "%s       as %s, of which no proof was found\n", indent, c.Text)
				continue
			}
			if len(c.Proofs) == 0 {
				fmt.Fprintf(b, "%s       as %s\n", indent, c.Text)
				continue
			}
			if !slices.ContainsFunc(c.Proofs, func(q *Proof) bool { return !b.done[q] || !q.long() }) {
				fmt.Fprintf(b, "%s       as %s, as above\n", indent, c.Text)
				continue
			}
			fmt.Fprintf(b, "%s       as %s:\n", indent, c.Text)
			for _, q := range c.Proofs {
				b.proof(q, indent+"       ")
			}
		}
	}
}

// jsonProof is a proof in JSON. Proofs that several conditions rest on stand where
// the first one does, with a number.
type jsonProof struct {
	ID    int        `json:"id,omitempty"`
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
	See    []int        `json:"see,omitempty"` // proofs that stand before
}

// jsonWriter makes proofs into JSON, shared ones once.
type jsonWriter struct {
	l    *Language
	uses map[*Proof]int
	ids  map[*Proof]int
}

func (x *jsonWriter) count(p *Proof) {
	if x.uses[p]++; x.uses[p] > 1 {
		return
	}
	for _, s := range p.Steps {
		for _, c := range s.Conditions {
			for _, q := range c.Proofs {
				x.count(q)
			}
		}
	}
}

func (x *jsonWriter) proof(p *Proof) *jsonProof {
	out := &jsonProof{Start: x.l.Text(p.Terms[0], p.names), Steps: []jsonStep{}}
	if x.uses[p] > 1 && p.long() {
		x.ids[p] = len(x.ids) + 1
		out.ID = x.ids[p]
	}
	for i, s := range p.Steps {
		step := jsonStep{Term: x.l.Text(p.Terms[i+1], p.names), Reason: s.Reason, Reverse: s.Reverse, Path: s.Path}
		if step.Path == nil {
			step.Path = []int{}
		}
		for _, c := range s.Conditions {
			k := jsonCondition{Holds: c.Text}
			for _, q := range c.Proofs {
				if id := x.ids[q]; id > 0 {
					k.See = append(k.See, id)
				} else {
					k.Proofs = append(k.Proofs, x.proof(q))
				}
			}
			step.Conditions = append(step.Conditions, k)
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}

// JSON writes proofs as a list: each has the first term, and for each step the
// term that it made, the reason, the path to what changed as numbers of children
// (variables that an operator binds do not count), and the conditions. A condition
// has its proofs, or the ids of those that stand before.
func JSON(w io.Writer, l *Language, proofs []*Proof) error {
	x := &jsonWriter{l: l, uses: make(map[*Proof]int), ids: make(map[*Proof]int)}
	for _, p := range proofs {
		x.count(p)
	}
	all := []*jsonProof{}
	for _, p := range proofs {
		all = append(all, x.proof(p))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}
