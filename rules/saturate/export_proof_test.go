package saturate

import (
	"math/big"
	"slices"
	"strings"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// What tests change of proofs, and what a second checker of them knows.

// OpInfo is what is known of an operator of a language.
type OpInfo struct {
	Name   string
	Sorted *term.Sorted
	Sort   *term.Type
	Number *big.Rat
	Symbol bool
	Folds  bool
}

func (l *Language) Info(o egraph.Op) OpInfo {
	x := l.info(o)
	return OpInfo{x.name, x.sorted, x.result, x.number, x.symbol, x.fold != nil}
}

func (l *Language) Op(op term.Op, kids int) (egraph.Op, error) { return l.op(op, kids) }

func (l *Language) Ops() int { return len(l.lang.terms) }

func (l *Language) Holds() egraph.Op { return l.holds }

func NewProof(names map[slot.Name]string, raw *proof.Proof, steps []ProofStep) *Proof {
	return &Proof{names: names, raw: raw, Steps: steps}
}

func (p *Proof) Raw() *proof.Proof                   { return p.raw }
func (p *Proof) SetRaw(raw *proof.Proof)             { p.raw = raw }
func (p *Proof) Names() map[slot.Name]string         { return p.names }
func (p *Proof) SetNames(names map[slot.Name]string) { p.names = names }
func (p *Proof) Ends() (from, to *egraph.Tree)       { return p.from, p.to }
func (p *Proof) SetEnds(from, to *egraph.Tree)       { p.from, p.to = from, to }

// EngineRules are the rules of the language, by name.
func (g *Graph) EngineRules() []*egraph.Rule {
	var out []*egraph.Rule
	for _, f := range g.language.rules {
		out = append(out, &f.engine)
	}
	slices.SortFunc(out, func(a, b *egraph.Rule) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Numbered are the metavariables and the bound variables of a rule, by their numbers in
// steps.
func (l *Language) Numbered(r *rules.Rule) (metas, bound []string) {
	f := l.rules[ruleOf{r, r.Set.Opaque}]
	return f.metaNames, f.boundNames
}

// Conditions are the texts of the conditions of a step.
func (g *Graph) Conditions(s *proof.Step, names map[slot.Name]string) ([]string, error) {
	r := g.language.form(s.Rule)
	in, err := g.stepOf(r, s)
	if err != nil {
		return nil, err
	}
	var out []string
	for k := range r.conds {
		out = append(out, in.text(&r.conds[k], names))
	}
	return out, nil
}
