package saturate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// Proof is a chain of terms, each made from the one before by one step.
type Proof struct {
	Terms []*egraph.Tree // one more than there are steps
	Steps []ProofStep
	names map[slot.Name]string
	raw   *proof.Proof
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
	ReadIn  = "read in"
)

// ProvedCondition is a condition that holds for a step, and the proofs of what
// it rests on; there are none if it can be seen.
type ProvedCondition struct {
	Text   string
	Proofs []*Proof
	// Open says that no proof was found. It is so in what blame gives
	// only, with an error.
	Open bool
}

// Prover explains what is found in a graph of a language.
type Prover struct {
	// Open says that a condition of which no proof is found is no error.
	Open bool

	g     *Graph
	x     *proof.Explainer
	names map[slot.Name]string
	base  map[slot.Name]string // of the free variables of what is proved
	known map[[2]string][]*Proof
	depth int
}

// Prover returns a prover for terms whose free variables have the names given. It
// searches until end, unless that is zero. The graph must keep proofs.
func (g *Graph) Prover(names map[slot.Name]string, end time.Time) (*Prover, error) {
	x, err := proof.For(g.Graph)
	if err != nil {
		return nil, err
	}
	if !end.IsZero() {
		x.Until(end)
	}
	return &Prover{g: g, x: x, names: names, base: names, known: make(map[[2]string][]*Proof)}, nil
}

// Another is a prover that searches in the same state of the graph, and has proved
// nothing yet.
func (p *Prover) Another() *Prover {
	return &Prover{Open: p.Open, g: p.g, x: p.x, names: p.base, base: p.base, known: make(map[[2]string][]*Proof)}
}

// Equal proves that two terms are equal.
func (p *Prover) Equal(a, b *egraph.Tree) (*Proof, error) { return p.prove(a, b, -1) }

// Fact proves a fact. That two terms are different rests on the fact with its sides
// exchanged, or on what both equal.
func (p *Prover) Fact(a *egraph.Tree) ([]*Proof, error) {
	ways := [][][2]*egraph.Tree{{{a, p.g.language.factTree()}}}
	if d := p.g.language.info(a.Op).sorted; d != nil && p.g.language.distinct != nil && d == p.g.language.distinct.Sorted {
		ways = p.different(a)
	}
	return p.first(ways, -1)
}

// factTree is what facts equal.
func (l *Language) factTree() *egraph.Tree { return &egraph.Tree{Op: l.holds} }

// Tree is a term of a store for the engine.
func (g *Graph) Tree(s *term.Store, t term.Term) (*egraph.Tree, error) {
	v := s.OpenWith(t, g.freshNames(s.Binders(t)))
	op, err := g.lang.op(v.Op, len(v.Kids))
	out := &egraph.Tree{Op: op, Own: v.Own, Binders: v.Binders}
	for _, k := range v.Kids {
		if err != nil {
			return nil, err
		}
		var kid *egraph.Tree
		kid, err = g.Tree(s, k)
		out.Kids = append(out.Kids, kid)
	}
	return out, err
}

func (g *Graph) freshNames(n int) []slot.Name {
	if n == 0 {
		return nil
	}
	out := make([]slot.Name, n)
	for i := range out {
		out[i] = g.Fresh()
	}
	return out
}

// maxNesting bounds how deep proofs of conditions rest on others.
const maxNesting = 1000

// prove explains a = b by steps from before a moment; any steps if it is
// negative. Where a proof is there already, it is that one: conditions that rest
// on common ones would be proved again and again.
func (p *Prover) prove(a, b *egraph.Tree, moment int) (*Proof, error) {
	defer func(old map[slot.Name]string) { p.names = old }(p.names)
	p.names = p.g.language.scoped(p.base, p.names, a, b)
	sig := p.g.Graph.Signature()
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

func (p *Prover) search(a, b *egraph.Tree, moment int) (*Proof, error) {
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
func (p *Prover) show(raw *proof.Proof, a, b *egraph.Tree) (*Proof, error) {
	out := &Proof{names: p.names, raw: raw, from: a, to: b}
	out.Terms = []*egraph.Tree{raw.Start}
	for i, s := range raw.Steps {
		made := *s.To // what a step made is told apart in print
		out.Terms = append(out.Terms, out.Terms[i].Replace(s.Path, &made))
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
func (l *Language) scoped(base, names map[slot.Name]string, terms ...*egraph.Tree) map[slot.Name]string {
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
		o, inner := l.info(u.Op), slices.Concat(bound, u.Binders)
		for k, kid := range u.Kids {
			if o.under(k) {
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
func (g *Graph) namesAt(free map[slot.Name]string, s *proof.Step, left, right *egraph.Tree) map[slot.Name]string {
	if r := g.language.form(s.Rule); r == nil || len(r.conds) == 0 {
		return nil
	}
	out, more := g.language.printed(free, left, s.Path, s.From), g.language.printed(free, right, s.Path, s.To)
	if s.Reverse {
		out, more = more, out
	}
	taken := make(map[string]bool)
	for _, name := range out {
		taken[name] = true
	}
	fresh := g.language.freshNames(out)
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
func (l *Language) printed(free map[slot.Name]string, t *egraph.Tree, path []int, u *egraph.Tree) map[slot.Name]string {
	sub, out, fresh := u, maps.Clone(free), l.freshNames(free)
	var walk func(t *egraph.Tree, path []int, onWay bool, u *egraph.Tree)
	walk = func(t *egraph.Tree, path []int, onWay bool, u *egraph.Tree) {
		for i, b := range t.Binders {
			name := fresh()
			if onWay {
				out[b] = name
			}
			if u != nil {
				out[u.Binders[i]] = name
			}
		}
		for k, kid := range t.Kids {
			switch {
			case u != nil:
				walk(kid, nil, false, u.Kids[k])
			case !onWay || path[0] != k:
				walk(kid, nil, false, nil)
			case len(path) == 1:
				walk(kid, nil, false, sub)
			default:
				walk(kid, path[1:], true, nil)
			}
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
func (p *Prover) conditions(s *proof.Step, names map[slot.Name]string) ([]ProvedCondition, error) {
	defer func(old map[slot.Name]string) { p.names = old }(p.names)
	p.names = names
	r := p.g.language.form(s.Rule)
	if r == nil {
		return nil, errors.New("the rule is not of the file")
	}
	in, err := p.g.stepOf(r, s)
	if err != nil {
		return nil, err
	}
	var out []ProvedCondition
	for i := range r.conds {
		k := &r.conds[i]
		c := ProvedCondition{Text: in.text(k, p.names)}
		var err error
		if c.Proofs, err = p.first(p.evidence(in, k), s.Moment); err != nil && p.Open {
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
func (p *Prover) first(ways [][][2]*egraph.Tree, moment int) ([]*Proof, error) {
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
func (p *Prover) claims(claims [][2]*egraph.Tree, moment int) (out []*Proof, err error) {
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
func (p *Prover) evidence(in *stepOf, k *cond) (out [][][2]*egraph.Tree) {
	type claims = [][2]*egraph.Tree
	switch k.kind {
	case rules.CondVariable:
		return []claims{nil} // it is given as one
	case rules.CondLiteral, rules.CondSymbol:
		a := in.tree(k.a)
		for _, x := range p.atoms(a) {
			if (p.g.language.info(x.Op).number != nil) == (k.kind == rules.CondLiteral) {
				out = append(out, claims{{a, x}})
			}
		}
		return out
	case rules.CondNotIn:
		var all claims
		v, sig := in.bound(k.v), p.g.Graph.Signature()
		for _, t := range in.trees(k.b) {
			if t.Mentions(sig, v) {
				all = append(all, [2]*egraph.Tree{t, t.Rename(sig, map[slot.Name]slot.Name{v: p.g.Fresh()})})
			}
		}
		return []claims{all}
	case rules.CondSame:
		return []claims{{{in.tree(k.a), in.tree(k.b)}}}
	case rules.CondDistinct:
		return p.apart(in.tree(k.a), in.tree(k.b), (*sortedOp).isAtom)
	}
	if k.mirror != nil {
		return p.different(in.tree(k.a))
	}
	return []claims{{{in.tree(k.a), p.g.language.factTree()}}}
}

// apart is the pairs of different atoms, of those that count, that two terms equal.
func (p *Prover) apart(a, b *egraph.Tree, counts func(*sortedOp) bool) (out [][][2]*egraph.Tree) {
	for _, x := range p.atoms(a) {
		for _, y := range p.atoms(b) {
			if x.Op != y.Op && counts(p.g.language.info(x.Op)) && counts(p.g.language.info(y.Op)) {
				out = append(out, [][2]*egraph.Tree{{a, x}, {b, y}})
			}
		}
	}
	return out
}

// different is what a fact of != may rest on.
func (p *Prover) different(fact *egraph.Tree) [][][2]*egraph.Tree {
	a, b, holds := fact.Kids[0], fact.Kids[1], p.g.language.factTree()
	out := [][][2]*egraph.Tree{{{fact, holds}}}
	out = append(out, p.apart(a, b, (*sortedOp).isConstant)...)
	return append(out, [][2]*egraph.Tree{{&egraph.Tree{Op: fact.Op, Kids: []*egraph.Tree{b, a}}, holds}})
}

// atoms lists the numbers and symbols that a term equals at present, itself first.
func (p *Prover) atoms(t *egraph.Tree) (out []*egraph.Tree) {
	if p.g.language.info(t.Op).isAtom() {
		out = append(out, t)
	}
	r, err := p.g.AddTree(t)
	if err != nil {
		return out
	}
	p.g.Graph.Nodes(r, func(n egraph.Node) bool {
		if p.g.language.info(n.Op).isAtom() && n.Op != t.Op {
			out = append(out, &egraph.Tree{Op: n.Op})
		}
		return true
	})
	return out
}

// stepOf is a rule with what its variables stand for in a step.
type stepOf struct {
	g    *Graph
	l    *Language
	r    *form
	step *proof.Step
	full instance // of a rule that speaks of attributes or lists
}

func (in *stepOf) bound(v int) slot.Name {
	if v < 0 {
		return in.step.Vars[-1-v].Own[0]
	}
	return in.step.Bound[v]
}

// trees are the terms that a metavariable stands for: several if it is a list.
func (in *stepOf) trees(p *egraph.Pattern) []*egraph.Tree {
	if p.Kind == egraph.PList {
		return in.full.list(in.g, in.r.lists[p.Var])
	}
	return []*egraph.Tree{in.tree(p)}
}

func (in *stepOf) tree(p *egraph.Pattern) *egraph.Tree {
	if q := in.r.computed[p]; q != nil {
		t, err := in.full.tree(in.g, q)
		if err != nil { // the condition does not hold
			t = &egraph.Tree{Op: in.l.holds}
		}
		return t
	}
	switch p.Kind {
	case egraph.PVar:
		return in.step.Vars[p.Var]
	case egraph.PSlot:
		return &egraph.Tree{Op: p.Op, Own: []slot.Name{in.bound(p.Var)}}
	}
	out := &egraph.Tree{Op: p.Op}
	for _, b := range p.Binders {
		out.Binders = append(out.Binders, in.bound(b))
	}
	for _, k := range p.Kids {
		out.Kids = append(out.Kids, in.tree(k))
	}
	return out
}

// text is a condition with what its variables stand for.
func (in *stepOf) text(k *cond, names map[slot.Name]string) string {
	show := func(p *egraph.Pattern) string { return in.l.Text(in.tree(p), names) }
	switch k.kind {
	case rules.CondLiteral:
		return show(k.a) + " is number"
	case rules.CondSymbol:
		return show(k.a) + " is symbol"
	case rules.CondVariable:
		return show(k.a) + " is variable"
	case rules.CondNotIn:
		name, ok := names[in.bound(k.v)]
		if !ok {
			name = "_"
		}
		text := name + " not in"
		for i, t := range in.trees(k.b) {
			if i > 0 {
				text += ","
			}
			text += " " + in.l.Text(t, names)
		}
		return text
	case rules.CondDistinct:
		return "distinct " + show(k.a) + " " + show(k.b)
	case rules.CondSame:
		return show(k.a) + " = " + show(k.b)
	}
	return show(k.a)
}
