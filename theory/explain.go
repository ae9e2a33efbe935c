package theory

import (
	"errors"
	"fmt"

	"egad/egraph"
	"egad/slot"
)

// Proof is a chain of terms, each made from the one before by one step.
type Proof struct {
	Terms []*Term // one more than there are steps
	Steps []ProofStep
	names map[slot.Name]string
	raw   *egraph.Proof
	from  *egraph.Tree
	to    *egraph.Tree
}

// ProofStep is the application of a rule at a place in a term.
type ProofStep struct {
	// Reason is the name of a rule, [Assumed], [Folded], or one of
	// [egraph.Given] and [egraph.Commuted].
	Reason  string
	Reverse bool  // the rule was used from right to left
	Path    []int // numbers of children, from the root, bound variables apart
	// Conditions are those of the rule, with their proofs.
	Conditions []ProvedCondition
}

// The reasons of steps that are no rules of the file.
const (
	Assumed = "assumed"
	Folded  = "folding"
)

// ProvedCondition is a condition that holds for a step, and the proofs of what
// it rests on; there are none if it can be seen.
type ProvedCondition struct {
	Text   string
	Proofs []*Proof
}

// prover explains what a run has proved.
type prover struct {
	g     *Graph
	x     *egraph.Explainer
	names map[slot.Name]string
	depth int
}

// Proofs are proofs of what the test proves and the run has proved. The run must
// have been made with [Options.Proofs]. All proofs are verified.
func (res *Result) Proofs() ([]*Proof, error) {
	x, err := res.Graph.Explainer()
	if err != nil {
		return nil, err
	}
	var out []*Proof
	for _, e := range res.Test.prove {
		if r := (&runner{test: res.Test, graph: res.Graph, env: res.env}); !r.holds(e) {
			continue
		}
		p := &prover{g: res.Graph, x: x, names: res.names}
		q, err := p.prove(res.env.tree(e.a), res.env.tree(e.b), -1)
		if err == nil {
			err = res.Verify(q)
		}
		if err != nil {
			return out, fmt.Errorf("%s: the proof of %s: %w", res.Test.Name, e.text, err)
		}
		out = append(out, q)
	}
	return out, nil
}

// tree is a checked term for the engine.
func (e *env) tree(n *node) *egraph.Tree { return tree(e.term(n)) }

func tree(t *Term) *egraph.Tree {
	out := &egraph.Tree{Op: t.Op.op, Binders: t.Binders}
	if t.Op.variable() {
		out.Own = []slot.Name{t.Own}
	}
	for _, k := range t.Kids {
		out.Kids = append(out.Kids, tree(k))
	}
	return out
}

func (t *Theory) term(u *egraph.Tree) *Term {
	out := &Term{Op: t.byOp[u.Op], Binders: u.Binders}
	if len(u.Own) > 0 {
		out.Own = u.Own[0]
	}
	for _, k := range u.Kids {
		out.Kids = append(out.Kids, t.term(k))
	}
	return out
}

// maxNesting bounds how deep proofs of conditions rest on others.
const maxNesting = 200

// prove explains a = b by steps from before a moment; any steps if it is
// negative.
func (p *prover) prove(a, b *egraph.Tree, moment int) (*Proof, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, fmt.Errorf("conditions rest on conditions more than %d deep", maxNesting)
	}
	defer func() { p.depth-- }()
	var raw *egraph.Proof
	var err error
	if moment < 0 {
		raw, err = p.x.Explain(a, b)
	} else {
		raw, err = p.x.ExplainBefore(a, b, moment)
	}
	if err != nil {
		return nil, err
	}
	return p.show(raw, a, b)
}

// show is a proof of the engine with the proofs of conditions.
func (p *prover) show(raw *egraph.Proof, a, b *egraph.Tree) (*Proof, error) {
	out := &Proof{names: p.names, raw: raw, from: a, to: b}
	for _, t := range raw.Terms() {
		out.Terms = append(out.Terms, p.g.t.term(t))
	}
	for i := range raw.Steps {
		s := &raw.Steps[i]
		step := ProofStep{Reason: s.Reason, Reverse: s.Reverse, Path: s.Path}
		if s.Rule != nil {
			var err error
			if step.Conditions, err = p.conditions(s); err != nil {
				return nil, fmt.Errorf("step %d, %s: %w", i+1, s.Reason, err)
			}
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}

// conditions proves the conditions of the rule of a step.
func (p *prover) conditions(s *egraph.Step) ([]ProvedCondition, error) {
	r := p.g.source[s.Rule]
	if r == nil {
		return nil, errors.New("the rule is not of the file")
	}
	in, err := p.g.instance(r, s)
	if err != nil {
		return nil, err
	}
	var out []ProvedCondition
	for i := range r.conds {
		k := &r.conds[i]
		c := ProvedCondition{Text: in.text(k, p.names)}
		claims, err := p.evidence(in, k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Text, err)
		}
		for _, claim := range claims {
			q, err := p.prove(claim[0], claim[1], s.Moment)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Text, err)
			}
			if len(q.Steps) > 0 {
				c.Proofs = append(c.Proofs, q)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// evidence is the equations that a condition rests on.
func (p *prover) evidence(in *instance, k *cond) ([][2]*egraph.Tree, error) {
	type claims = [][2]*egraph.Tree
	switch k.kind {
	case condIs:
		a := in.tree(k.a)
		b, err := p.atom(a, k.word)
		return claims{{a, b}}, err
	case condNotIn:
		v, t := in.variable(k.a), in.tree(k.b)
		if !t.Mentions(p.g.Signature(), v) {
			return nil, nil
		}
		return claims{{t, t.Rename(p.g.Signature(), map[slot.Name]slot.Name{v: p.g.Fresh()})}}, nil
	case condEqual:
		return claims{{in.tree(k.a), in.tree(k.b)}}, nil
	case condDistinct:
		a, b := in.tree(k.a), in.tree(k.b)
		x, y, err := p.atoms(a, b, (*Operator).atom)
		return claims{{a, x}, {b, y}}, err
	}
	fact := in.tree(k.a)
	holds := &egraph.Tree{Op: p.g.t.holds.op}
	if p.known(fact) {
		return claims{{fact, holds}}, nil
	}
	a, b := fact.Kids[0], fact.Kids[1]
	if x, y, err := p.atoms(a, b, (*Operator).isConstant); err == nil {
		return claims{{a, x}, {b, y}}, nil
	}
	return claims{{&egraph.Tree{Op: fact.Op, Kids: []*egraph.Tree{b, a}}, holds}}, nil
}

// known reports whether a fact is known as it stands.
func (p *prover) known(t *egraph.Tree) bool {
	r, err := p.g.AddTree(t)
	return err == nil && p.g.known(r)
}

// atom is a number, a symbol or a variable that a term equals.
func (p *prover) atom(t *egraph.Tree, word string) (*egraph.Tree, error) {
	r, err := p.g.AddTree(t)
	if err != nil {
		return nil, err
	}
	var out *egraph.Tree
	p.g.Nodes(r, func(n egraph.Node) bool {
		o := p.g.t.byOp[n.Op]
		if word == "number" && o.Number != nil || word == "symbol" && o.Symbol || word == "variable" && o.variable() {
			out = &egraph.Tree{Op: n.Op, Own: n.Own}
		}
		return out == nil
	})
	if out == nil {
		return nil, fmt.Errorf("no %s is known", word)
	}
	return out, nil
}

// atoms are different atoms that two terms equal, of those that count.
func (p *prover) atoms(a, b *egraph.Tree, counts func(*Operator) bool) (x, y *egraph.Tree, err error) {
	all := func(t *egraph.Tree) (out []*egraph.Tree) {
		r, err := p.g.AddTree(t)
		if err != nil {
			return nil
		}
		p.g.Nodes(r, func(n egraph.Node) bool {
			if counts(p.g.t.byOp[n.Op]) {
				out = append(out, &egraph.Tree{Op: n.Op})
			}
			return true
		})
		return out
	}
	for _, x := range all(a) {
		for _, y := range all(b) {
			if x.Op != y.Op {
				return x, y, nil
			}
		}
	}
	return nil, nil, errors.New("no two different atoms are known")
}

// instance is a rule with what its variables stand for in a step.
type instance struct {
	t    *Theory
	r    *Rule
	step *egraph.Step
}

func (in *instance) variable(n *node) slot.Name {
	if n.kind == nodeMeta {
		return in.step.Vars[n.v].Own[0]
	}
	return in.bound(n.v)
}

func (in *instance) bound(v int) slot.Name {
	if v < 0 {
		return in.step.Vars[-1-v].Own[0]
	}
	return in.step.Bound[v]
}

func (in *instance) tree(n *node) *egraph.Tree {
	switch n.kind {
	case nodeMeta:
		return in.step.Vars[n.v]
	case nodeVar:
		return &egraph.Tree{Op: n.op.op, Own: []slot.Name{in.bound(n.v)}}
	}
	out := &egraph.Tree{Op: n.op.op}
	for _, b := range n.binders {
		out.Binders = append(out.Binders, in.bound(b))
	}
	for _, k := range n.kids {
		out.Kids = append(out.Kids, in.tree(k))
	}
	return out
}

// text is a condition with what its variables stand for.
func (in *instance) text(k *cond, names map[slot.Name]string) string {
	show := func(n *node) string { return in.t.Text(in.t.term(in.tree(n)), names) }
	switch k.kind {
	case condIs:
		return show(k.a) + " is " + k.word
	case condNotIn:
		return show(k.a) + " not in " + show(k.b)
	case condDistinct:
		return "distinct " + show(k.a) + " " + show(k.b)
	case condEqual:
		return show(k.a) + " = " + show(k.b)
	}
	return show(k.a)
}

// Blame proves the contradiction that a run ended with: that two different
// constants are equal. The run is made again with proofs for it. It is nil if
// there is no contradiction of that kind.
func (t *Theory) Blame(test *Test, o Options) (*Proof, error) {
	o.Proofs = true
	res := t.Run(test, o)
	if res.Report.Stop != egraph.Contradiction {
		return nil, nil
	}
	raw, err := res.Graph.Blame()
	if err != nil {
		return nil, err
	}
	x, err := res.Graph.Explainer()
	if err != nil {
		return nil, err
	}
	terms := raw.Terms()
	p := &prover{g: res.Graph, x: x, names: res.names}
	q, err := p.show(raw, terms[0], terms[len(terms)-1])
	if err != nil {
		return nil, err
	}
	return q, res.Verify(q)
}

// Rules are the names of the rules in a proof, each once, in order; those of
// conditions too.
func (p *Proof) Rules() []string {
	var out []string
	seen := make(map[string]bool)
	var walk func(p *Proof)
	walk = func(p *Proof) {
		for i, s := range p.raw.Steps {
			if s.Rule != nil && !seen[s.Reason] {
				seen[s.Reason] = true
				out = append(out, s.Reason)
			}
			for _, c := range p.Steps[i].Conditions {
				for _, q := range c.Proofs {
					walk(q)
				}
			}
		}
	}
	walk(p)
	return out
}
