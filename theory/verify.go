package theory

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/internal/interrupt"
	"egad/rules/syntax"
	"egad/slot"
)

// Verify checks a proof of a goal of a test, step by step, with the proofs of
// conditions, and that what is shown of it is what was checked. It knows terms,
// sorts, rules, arithmetic and the assumptions of the test, and no e-graph.
func (res *Result) Verify(p *Proof) error { return res.verifier().proof(p, -1) }

func (res *Result) verifier() *verifier {
	v := &verifier{end: res.end, g: res.Graph, names: res.names, base: res.names, checked: make(map[*Proof]int), free: make(map[slot.Name]*Sort), assumed: make(map[[2]string]bool)}
	sig := res.Graph.Signature()
	for _, e := range res.Test.assume {
		v.assumed[[2]string{res.env.tree(e.a).Key(sig), res.env.tree(e.b).Key(sig)}] = true
	}
	for _, o := range res.Test.scope.open {
		v.free[res.env.name(o.v)] = res.Test.scope.vars[o.v].sort
	}
	return v
}

type verifier struct {
	g       *Graph
	names   map[slot.Name]string
	base    map[slot.Name]string // of the variables of the test
	checked map[*Proof]int       // for which moment
	end     time.Time            // when it has to be over; zero if it need not
	free    map[slot.Name]*Sort  // the variables of the test
	assumed map[[2]string]bool
	depth   int
}

var errLate = errors.New("the time limit was reached before the proof was checked")

// proof checks a proof of which all steps must be from before a moment, unless
// that is negative: so no step rests on itself.
func (v *verifier) proof(p *Proof, moment int) error {
	if p == nil || p.raw == nil {
		return errors.New("there is no proof")
	}
	if m, ok := v.checked[p]; ok && (moment < 0 || m >= 0 && m <= moment) {
		return v.called(p)
	}
	if v.depth++; v.depth > maxNesting {
		return errors.New("conditions are nested too deep")
	}
	defer func() { v.depth-- }()
	for i := range p.raw.Steps {
		switch s := &p.raw.Steps[i]; {
		case s.Moment < 0:
			return fmt.Errorf("step %d, %s, is from no time", i+1, s.Reason)
		case moment >= 0 && s.Moment >= moment:
			return fmt.Errorf("step %d, %s, rests on what came later", i+1, s.Reason)
		}
	}
	err := p.raw.Check(v.g.Signature(), p.from, p.to, func(s *proof.Step) error {
		if s.Rule != nil {
			return nil // all of these follow
		}
		return v.said(s)
	})
	if err != nil {
		return err
	}
	terms := p.raw.Terms()
	defer func(old map[slot.Name]string) { v.names = old }(v.names)
	if err := v.called(p); err != nil {
		return err
	}
	v.names = p.names
	if err := v.shown(p, terms); err != nil {
		return err
	}
	for _, t := range terms {
		if _, err := v.sort(t, v.free); err != nil {
			return err
		}
	}
	for i := range p.raw.Steps {
		if !v.end.IsZero() && time.Now().After(v.end) || interrupt.Requested() {
			return errLate
		}
		s, conds := &p.raw.Steps[i], p.Steps[i].Conditions
		err := v.place(terms[i], s)
		switch {
		case err != nil:
		case s.Rule != nil:
			err = v.rule(s, conds, v.g.namesAt(v.names, s, p.Terms[i], p.Terms[i+1]))
		case len(conds) > 0:
			err = errors.New("it has no conditions")
		}
		if err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, s.Reason, err)
		}
	}
	v.checked[p] = moment
	return nil
}

// called checks the names that a proof, of which the terms are well formed, has for
// variables.
func (v *verifier) called(p *Proof) error {
	if !maps.Equal(p.names, v.g.t.scoped(v.base, v.names, p.from, p.to)) {
		return errors.New("variables are called otherwise")
	}
	return nil
}

// shown checks that what is shown of a proof is the proof; conditions apart.
func (v *verifier) shown(p *Proof, terms []*egraph.Tree) error {
	if len(p.Steps) != len(p.raw.Steps) || len(p.Terms) != len(terms) {
		return fmt.Errorf("%d steps are shown of %d", len(p.Steps), len(p.raw.Steps))
	}
	for i, t := range terms {
		if !v.g.t.same(p.Terms[i], t) {
			return fmt.Errorf("term %d is another one", i)
		}
	}
	for i, s := range p.Steps {
		r := &p.raw.Steps[i]
		if s.Reason != r.Reason || s.Reverse != r.Reverse || !slices.Equal(s.Path, r.Path) {
			return fmt.Errorf("step %d is another one", i+1)
		}
	}
	return nil
}

// same reports whether a term is that of the engine.
func (t *Theory) same(x *Term, u *egraph.Tree) bool {
	if x == nil || x.Op != t.byOp[u.Op] || len(x.Kids) != len(u.Kids) || !slices.Equal(x.Binders, u.Binders) ||
		len(u.Own) > 0 && x.Own != u.Own[0] {
		return false
	}
	for k, y := range x.Kids {
		if !t.same(y, u.Kids[k]) {
			return false
		}
	}
	return true
}

// sort is the sort of a term, in which every operand must have that of its
// operator: rules need not hold for others. Scope has the sorts of variables.
func (v *verifier) sort(t *egraph.Tree, scope map[slot.Name]*Sort) (*Sort, error) {
	o := v.g.t.byOp[t.Op]
	if o.variable() {
		if s, ok := scope[t.Own[0]]; ok && s != o.Sort {
			return nil, fmt.Errorf("a variable of the sort %s is used as one of %s", sortName(s), sortName(o.Sort))
		}
		return o.Sort, nil
	}
	inner := scope
	if len(t.Binders) > 0 {
		if inner = maps.Clone(scope); inner == nil {
			inner = make(map[slot.Name]*Sort)
		}
		for k, n := range t.Binders {
			inner[n] = o.Operands[o.binders[k]].Sort
		}
	}
	for k, kid := range t.Kids {
		a := o.Operands[o.kids[k]]
		around := scope
		if a.Under {
			around = inner
		}
		s, err := v.sort(kid, around)
		if err != nil {
			return nil, err
		}
		if s != a.Sort {
			return nil, fmt.Errorf("operand %d of %s has the sort %s, not %s", k+1, o.Name, sortName(s), sortName(a.Sort))
		}
	}
	return o.Sort, nil
}

// place checks that no variable that is bound around a step or by its rule is
// called as one of the test: what is assumed of that does not hold of others.
func (v *verifier) place(t *egraph.Tree, s *proof.Step) error {
	bound := slices.Clone(s.Bound)
	for _, k := range s.Path {
		bound = append(bound, t.Binders...)
		t = t.Kids[k]
	}
	for _, n := range bound {
		if _, ok := v.free[n]; ok {
			return errors.New("a variable of the test is captured")
		}
	}
	return nil
}

// said checks a step that is by no rule.
func (v *verifier) said(s *proof.Step) error {
	from, to := s.From, s.To
	if s.Reverse {
		from, to = to, from
	}
	sig := v.g.Signature()
	switch {
	case s.Reason == Assumed && v.assumed[[2]string{from.Key(sig), to.Key(sig)}]:
		return nil
	case s.Reason == Folded:
		return v.folded(from, to)
	}
	return errors.New("nobody said so")
}

// folded computes again.
func (v *verifier) folded(from, to *egraph.Tree) error {
	th := v.g.t
	o, got := th.byOp[from.Op], th.byOp[to.Op]
	if o.fold == nil {
		return fmt.Errorf("%s is not computed", o.Name)
	}
	var args []*big.Rat
	for _, k := range from.Kids {
		if th.byOp[k.Op].Number == nil {
			return errors.New("an operand is no number")
		}
		args = append(args, th.byOp[k.Op].Number)
	}
	if o.fold.test != nil {
		want := o.fold.no
		if o.fold.test(args) {
			want = o.fold.yes
		}
		if got != want {
			return fmt.Errorf("the value is %s", want.Name)
		}
		return nil
	}
	x, ok := o.fold.fn(args)
	if !ok {
		return errors.New("it has no value")
	}
	if got.Number == nil || got.Number.Cmp(x) != 0 || got.Sort != o.Sort {
		return fmt.Errorf("the value is %s", x.RatString())
	}
	return nil
}

// rule checks that a step has the sides of a rule of the file, for the variables
// that it names, and the conditions of the rule, in which variables have the names
// given.
func (v *verifier) rule(s *proof.Step, conds []ProvedCondition, names map[slot.Name]string) error {
	r := v.g.source[s.Rule]
	if r == nil {
		return errors.New("the rule is not of the file")
	}
	in, err := v.instance(r, s)
	if err != nil {
		return err
	}
	if err := v.sides(in); err != nil {
		return err
	}
	if len(conds) != len(r.conds) {
		return fmt.Errorf("%d conditions of %d are proved", len(conds), len(r.conds))
	}
	defer func(old map[slot.Name]string) { v.names = old }(v.names)
	v.names = names
	for i := range r.conds {
		k, c := &r.conds[i], &conds[i]
		if text := in.text(k, v.names); c.Text != text {
			return fmt.Errorf("%s: the condition is %s", c.Text, text)
		}
		for _, p := range c.Proofs {
			if err := v.proof(p, s.Moment); err != nil {
				return fmt.Errorf("%s: %w", c.Text, err)
			}
		}
		if err := v.condition(in, k, c.Proofs); err != nil {
			return fmt.Errorf("%s: %w", c.Text, err)
		}
	}
	return nil
}

// instance is a rule with what its variables stand for, which are of the sorts
// they have in the rule.
func (v *verifier) instance(r *Rule, s *proof.Step) (*instance, error) {
	in, err := v.g.instance(r, s)
	if err != nil {
		return nil, err
	}
	scope := maps.Clone(v.free)
	for b, n := range in.step.Bound {
		if b < len(r.scope.vars) {
			scope[n] = r.scope.vars[b].sort
		}
	}
	for i, m := range r.scope.metas {
		switch got, err := v.sort(s.Vars[i], scope); {
		case err != nil:
			return nil, err
		case got != m.sort:
			return nil, fmt.Errorf("%s has the sort %s, not %s", m.name, sortName(got), sortName(m.sort))
		}
	}
	return in, nil
}

// otherNames is where names begin of variables that a step does not name.
const otherNames = 1 << 31

// instance is a rule with what its variables stand for in a step. Bound variables
// that the step does not know, those of conditions and of computed right sides,
// are called as nothing else. It is an error if not all terms can be made.
func (g *Graph) instance(r *Rule, s *proof.Step) (*instance, error) {
	if len(s.Vars) != len(r.scope.metas) {
		return nil, errors.New("the rule has other metavariables")
	}
	used := make(map[slot.Name]bool)
	for i, t := range s.Vars {
		if !g.t.byOp[t.Op].variable() && r.names(i) {
			return nil, fmt.Errorf("%s is no variable", r.scope.metas[i].name)
		}
		t.Names(used)
	}
	for _, n := range s.Bound {
		used[n] = true
	}
	full := *s
	full.Bound = slices.Clone(s.Bound)
	for n := slot.Name(otherNames); len(full.Bound) < len(r.scope.vars); n++ {
		if !used[n] {
			full.Bound = append(full.Bound, n)
		}
	}
	return &instance{t: g.t, r: r, step: &full}, nil
}

// names reports whether the rule uses metavariable m as the name of a variable.
func (r *Rule) names(m int) bool {
	var binds func(n *node) bool
	binds = func(n *node) bool {
		return n != nil && (slices.Contains(n.binders, -1-m) || slices.ContainsFunc(n.kids, binds))
	}
	return slices.ContainsFunc(r.rhs, binds) || slices.ContainsFunc(r.conds, func(k cond) bool {
		return binds(k.a) || binds(k.b) || k.kind == condNotIn && k.a.kind == nodeMeta && k.a.v == m
	})
}

// sides checks the two terms of a step.
func (v *verifier) sides(in *instance) error {
	from, to := in.step.From, in.step.To
	if in.step.Reverse {
		from, to = to, from
	}
	sig := v.g.Signature()
	left, right := []*node{in.r.lhs}, in.r.rhs
	switch in.r.kind {
	case syntax.Fact:
		left, right = in.r.rhs, []*node{{op: v.g.t.holds}}
	case syntax.Demand:
		return errors.New("the rule equates nothing")
	}
	is := func(t *egraph.Tree) func(n *node) bool {
		return func(n *node) bool { return in.tree(n).Key(sig) == t.Key(sig) }
	}
	if !slices.ContainsFunc(left, is(from)) {
		return errors.New("the left side is another term")
	}
	if !slices.ContainsFunc(right, is(to)) {
		return errors.New("the right side is another term")
	}
	return nil
}

// condition checks that equations that are proved give a condition.
func (v *verifier) condition(in *instance, k *cond, proofs []*Proof) error {
	sig, th := v.g.Signature(), v.g.t
	// What a term equals: itself, or the other end of a proof.
	ends := func(t *egraph.Tree) []*egraph.Tree {
		out := []*egraph.Tree{t}
		for _, p := range proofs {
			if p.from.Key(sig) == t.Key(sig) {
				out = append(out, p.to)
			}
		}
		return out
	}
	apart := func(a, b *egraph.Tree, counts func(*Operator) bool) bool {
		for _, x := range ends(a) {
			for _, y := range ends(b) {
				if counts(th.byOp[x.Op]) && counts(th.byOp[y.Op]) && x.Op != y.Op {
					return true
				}
			}
		}
		return false
	}
	ok := false
	switch k.kind {
	case condIs:
		for _, t := range ends(in.tree(k.a)) {
			o := th.byOp[t.Op]
			ok = ok || k.word == "number" && o.Number != nil || k.word == "symbol" && o.Symbol || k.word == "variable" && o.variable()
		}
	case condNotIn:
		for _, t := range ends(in.tree(k.b)) {
			ok = ok || !t.Mentions(sig, in.variable(k.a))
		}
	case condEqual:
		for _, t := range ends(in.tree(k.a)) {
			ok = ok || t.Key(sig) == in.tree(k.b).Key(sig)
		}
	case condDistinct:
		ok = apart(in.tree(k.a), in.tree(k.b), (*Operator).atom)
	case condFact:
		facts := []*egraph.Tree{in.tree(k.a)}
		if k.b != nil { // of !=
			ok = apart(facts[0].Kids[0], facts[0].Kids[1], (*Operator).isConstant)
			facts = append(facts, in.tree(k.b))
		}
		for _, f := range facts {
			for _, t := range ends(f) {
				ok = ok || t.Op == th.holds.op
			}
		}
	}
	if !ok {
		return errors.New("what is proved does not give it")
	}
	return nil
}

// atom reports whether an operator is a number or a symbol: of these rules may
// ask whether they are distinct.
func (o *Operator) atom() bool { return o.Number != nil || o.Symbol }

// isConstant reports whether an operator is a number or what a comparison gives:
// different ones are never equal.
func (o *Operator) isConstant() bool { return o.constant > 0 }
