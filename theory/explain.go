package theory

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/egraph/proof"
	"egad/slot"
)

// Proof is a chain of terms, each made from the one before by one step.
type Proof struct {
	Terms []*Term // one more than there are steps
	Steps []ProofStep
	names map[slot.Name]string
	raw   *proof.Proof
	rough bool // of a fault: it may need fewer rules
	valid bool // of what was to be refuted: it may be true
	from  *egraph.Tree
	to    *egraph.Tree
}

// ProofStep is the application of a rule at a place in a term.
type ProofStep struct {
	// Reason is the name of a rule, [Assumed], [Folded], or one of
	// [proof.Given] and [proof.Commuted].
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
	// Open says that no proof was found. It is so in what [Theory.Blame] gives
	// only, with an error.
	Open bool
}

// prover explains what a run has proved.
type prover struct {
	g     *Graph
	x     *proof.Explainer
	names map[slot.Name]string
	base  map[slot.Name]string // of the variables of the test
	known map[[2]string][]*Proof
	depth int
	// Without open conditions a condition that cannot be proved is an error.
	open bool
}

func newProver(res *Result, x *proof.Explainer) *prover {
	return &prover{g: res.Graph, x: x, names: res.names, base: res.names, known: make(map[[2]string][]*Proof)}
}

// Proofs are proofs of what the test proves and the run has proved. The run must
// have been made with [Options.Proofs]. All proofs are verified. A fact that two
// terms are different rests on the fact with its sides exchanged, or on what both
// equal. The error is a [diag.List] of what has no proof.
func (res *Result) Proofs() ([]*Proof, error) {
	x, err := proof.For(res.Graph.Graph)
	if err != nil {
		return nil, err
	}
	if res.time > 0 {
		res.end = time.Now().Add(res.time)
		x.Until(res.end)
	}
	var out []*Proof
	var errs diag.List
	r, v := &attempt{test: res.Test, graph: res.Graph, env: res.env}, res.verifier()
	for _, e := range res.Test.prove {
		if !r.holds(e) {
			continue
		}
		p := newProver(res, x)
		proofs, err := p.first(res.ways(p, e), -1)
		for _, q := range proofs {
			if err == nil {
				err = v.proof(q, -1)
			}
		}
		if err != nil {
			errs.Add(res.Test.src, e.pos, "%s: no proof of %s: %v", res.Test.Name, e.text, err)
			continue
		}
		out = append(out, proofs...)
	}
	return out, errs.Err()
}

// ways are the equations of which one has to be proved for an equation of the test.
func (res *Result) ways(p *prover, e equation) [][][2]*egraph.Tree {
	if e.mirror != nil {
		return p.different(res.env.tree(e.a))
	}
	return [][][2]*egraph.Tree{{{res.env.tree(e.a), res.env.tree(e.b)}}}
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

func (t *Theory) term(u *egraph.Tree) *Term { return t.sharedTerm(u, make(map[*egraph.Tree]*Term)) }

// sharedTerm is term for many terms that have subterms in common.
func (t *Theory) sharedTerm(u *egraph.Tree, seen map[*egraph.Tree]*Term) *Term {
	if out, ok := seen[u]; ok {
		return out
	}
	out := &Term{Op: t.byOp[u.Op], Binders: u.Binders}
	if len(u.Own) > 0 {
		out.Own = u.Own[0]
	}
	for _, k := range u.Kids {
		out.Kids = append(out.Kids, t.sharedTerm(k, seen))
	}
	seen[u] = out
	return out
}

// maxNesting bounds how deep proofs of conditions rest on others.
const maxNesting = 1000

// prove explains a = b by steps from before a moment; any steps if it is
// negative. Where a proof is there already, it is that one: conditions that rest
// on common ones would be proved again and again.
func (p *prover) prove(a, b *egraph.Tree, moment int) (*Proof, error) {
	defer func(old map[slot.Name]string) { p.names = old }(p.names)
	p.names = p.g.t.scoped(p.base, p.names, a, b)
	sig := p.g.Signature()
	key := [2]string{a.Key(sig), b.Key(sig)}
	for _, q := range p.known[key] {
		if (moment < 0 || q.latest() < moment) && maps.Equal(q.names, p.names) {
			return q, nil
		}
	}
	q, err := p.search(a, b, moment)
	if err == nil {
		p.known[key] = append(p.known[key], q)
	}
	return q, err
}

// latest is the moment of the last step, -1 if there is none. What the conditions
// of a step rest on is earlier.
func (p *Proof) latest() int {
	last := -1
	for i := range p.raw.Steps {
		last = max(last, p.raw.Steps[i].Moment)
	}
	return last
}

func (p *prover) search(a, b *egraph.Tree, moment int) (*Proof, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, fmt.Errorf("conditions rest on conditions more than %d deep", maxNesting)
	}
	defer func() { p.depth-- }()
	var raw *proof.Proof
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
func (p *prover) show(raw *proof.Proof, a, b *egraph.Tree) (*Proof, error) {
	out := &Proof{names: p.names, raw: raw, from: a, to: b}
	// Terms share what is equal, or long proofs of large terms would fill the memory.
	seen := make(map[*egraph.Tree]*Term)
	out.Terms = []*Term{p.g.t.sharedTerm(raw.Start, seen)}
	for i, s := range raw.Steps {
		made := *p.g.t.sharedTerm(s.To, seen) // what a step made is told apart in print
		out.Terms = append(out.Terms, out.Terms[i].replace(s.Path, &made))
	}
	for i := range raw.Steps {
		s := &raw.Steps[i]
		step := ProofStep{Reason: s.Reason, Reverse: s.Reverse, Path: s.Path}
		if s.Rule != nil {
			var err error
			if step.Conditions, err = p.conditions(s, p.g.namesAt(p.names, s, out.Terms[i], out.Terms[i+1])); err != nil {
				return nil, fmt.Errorf("step %d, %s: %w", i+1, s.Reason, err)
			}
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}

// scoped are the names given to the variables of the test, base, and to the other
// free variables of terms.
func (th *Theory) scoped(base, names map[slot.Name]string, terms ...*egraph.Tree) map[slot.Name]string {
	out := base
	var walk func(u *egraph.Tree, bound []slot.Name)
	walk = func(u *egraph.Tree, bound []slot.Name) {
		for _, n := range u.Own {
			if _, ok := out[n]; ok || names[n] == "" || slices.Contains(bound, n) {
				continue
			}
			if len(out) == len(base) {
				out = maps.Clone(base)
			}
			out[n] = names[n]
		}
		o, inner := th.byOp[u.Op], slices.Concat(bound, u.Binders)
		for k, kid := range u.Kids {
			if o.Operands[o.kids[k]].Under {
				walk(kid, inner)
			} else {
				walk(kid, bound)
			}
		}
	}
	if len(names) > len(base) {
		for _, t := range terms {
			walk(t, nil)
		}
	}
	return out
}

// namesAt has the names of variables in the conditions of a step, if it has any:
// as in the term that the left side of the rule is in, or else in the other one.
// Free variables have the names given.
func (g *Graph) namesAt(free map[slot.Name]string, s *proof.Step, left, right *Term) map[slot.Name]string {
	if r := g.source[s.Rule]; r == nil || len(r.conds) == 0 {
		return nil
	}
	out, more := g.t.printed(free, left, s.Path, s.From), g.t.printed(free, right, s.Path, s.To)
	if s.Reverse {
		out, more = more, out
	}
	taken := make(map[string]bool)
	for _, name := range out {
		taken[name] = true
	}
	fresh := g.t.fresh(out)
	for _, n := range slices.Sorted(maps.Keys(more)) {
		if _, ok := out[n]; ok {
			continue
		}
		name := more[n]
		if taken[name] {
			name = fresh()
		}
		out[n], taken[name] = name, true
	}
	return out
}

// printed has the names that variables get when t is printed: those bound on the
// way to the subterm at a path, and those of u, which is that subterm up to the
// names of bound variables.
func (th *Theory) printed(free map[slot.Name]string, t *Term, path []int, u *egraph.Tree) map[slot.Name]string {
	sub, out, fresh := u, maps.Clone(free), th.fresh(free)
	var walk func(t *Term, path []int, onWay bool, u *egraph.Tree)
	walk = func(t *Term, path []int, onWay bool, u *egraph.Tree) {
		binder, kid := 0, 0
		for _, o := range t.Op.Operands {
			if o.Binder {
				name := fresh()
				if onWay {
					out[t.Binders[binder]] = name
				}
				if u != nil {
					out[u.Binders[binder]] = name
				}
				binder++
				continue
			}
			switch {
			case u != nil:
				walk(t.Kids[kid], nil, false, u.Kids[kid])
			case !onWay || path[0] != kid:
				walk(t.Kids[kid], nil, false, nil)
			case len(path) == 1:
				walk(t.Kids[kid], nil, false, sub)
			default:
				walk(t.Kids[kid], path[1:], true, nil)
			}
			kid++
		}
	}
	if len(path) == 0 {
		walk(t, nil, false, u)
	} else {
		walk(t, path, true, nil)
	}
	return out
}

// conditions proves the conditions of the rule of a step, with names for variables.
func (p *prover) conditions(s *proof.Step, names map[slot.Name]string) ([]ProvedCondition, error) {
	defer func(old map[slot.Name]string) { p.names = old }(p.names)
	p.names = names
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
		var err error
		if c.Proofs, err = p.first(p.evidence(in, k), s.Moment); err != nil && p.open {
			c.Open = true
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Text, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// first proves the equations of the first of some ways that can be proved, by
// steps from before a moment: what a term equals by now need not be what it
// equalled then.
func (p *prover) first(ways [][][2]*egraph.Tree, moment int) ([]*Proof, error) {
	var first error
	for _, claims := range ways {
		proofs, err := p.claims(claims, moment)
		if err == nil {
			return proofs, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = errors.New("nothing is known that it rests on")
	}
	return nil, first
}

// claims proves equations; there is nothing to prove of equal terms.
func (p *prover) claims(claims [][2]*egraph.Tree, moment int) (out []*Proof, err error) {
	for _, c := range claims {
		q, err := p.prove(c[0], c[1], moment)
		if err != nil {
			return nil, err
		}
		if len(q.Steps) > 0 {
			out = append(out, q)
		}
	}
	return out, nil
}

// evidence is what a condition may rest on: each element is equations that give
// it together.
func (p *prover) evidence(in *instance, k *cond) (out [][][2]*egraph.Tree) {
	type claims = [][2]*egraph.Tree
	switch k.kind {
	case condIs:
		a := in.tree(k.a)
		if k.word == "variable" {
			return []claims{nil} // it is given as one
		}
		for _, x := range p.atoms(a) {
			if (p.g.t.byOp[x.Op].Number != nil) == (k.word == "number") {
				out = append(out, claims{{a, x}})
			}
		}
		return out
	case condNotIn:
		v, t := in.variable(k.a), in.tree(k.b)
		if !t.Mentions(p.g.Signature(), v) {
			return []claims{nil}
		}
		return []claims{{{t, t.Rename(p.g.Signature(), map[slot.Name]slot.Name{v: p.g.Fresh()})}}}
	case condEqual:
		return []claims{{{in.tree(k.a), in.tree(k.b)}}}
	case condDistinct:
		return p.apart(in.tree(k.a), in.tree(k.b), (*Operator).atom)
	}
	if k.b != nil {
		return p.different(in.tree(k.a))
	}
	return []claims{{{in.tree(k.a), &egraph.Tree{Op: p.g.t.holds.op}}}}
}

// apart is the pairs of different atoms, of those that count, that two terms equal.
func (p *prover) apart(a, b *egraph.Tree, counts func(*Operator) bool) (out [][][2]*egraph.Tree) {
	for _, x := range p.atoms(a) {
		for _, y := range p.atoms(b) {
			if x.Op != y.Op && counts(p.g.t.byOp[x.Op]) && counts(p.g.t.byOp[y.Op]) {
				out = append(out, [][2]*egraph.Tree{{a, x}, {b, y}})
			}
		}
	}
	return out
}

// different is what a fact of != may rest on.
func (p *prover) different(fact *egraph.Tree) [][][2]*egraph.Tree {
	a, b, holds := fact.Kids[0], fact.Kids[1], &egraph.Tree{Op: p.g.t.holds.op}
	out := [][][2]*egraph.Tree{{{fact, holds}}}
	out = append(out, p.apart(a, b, (*Operator).isConstant)...)
	return append(out, [][2]*egraph.Tree{{&egraph.Tree{Op: fact.Op, Kids: []*egraph.Tree{b, a}}, holds}})
}

// atoms lists the numbers and symbols that a term equals at present, itself first.
func (p *prover) atoms(t *egraph.Tree) (out []*egraph.Tree) {
	if p.g.t.byOp[t.Op].atom() {
		out = append(out, t)
	}
	r, err := p.g.AddTree(t)
	if err != nil {
		return out
	}
	p.g.Nodes(r, func(n egraph.Node) bool {
		if p.g.t.byOp[n.Op].atom() && n.Op != t.Op {
			out = append(out, &egraph.Tree{Op: n.Op})
		}
		return true
	})
	return out
}

// instance is a rule with what its variables stand for in a step.
type instance struct {
	t    *Theory
	r    *Rule
	step *proof.Step
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
