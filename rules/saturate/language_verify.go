package saturate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/internal/interrupt"
	"egad/rules"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
)

// Verifier checks proofs step by step, with the proofs of conditions, and that what is
// shown of them is what was checked. It knows terms, sorts, rules, arithmetic and
// assumptions, and no e-graph.
type Verifier struct {
	// Free has the sorts of the free variables of what is proved, and Names what they
	// are called.
	Free  map[slot.Name]*term.Type
	Names map[slot.Name]string
	// Assumed has the equations that are assumed.
	Assumed [][2]*egraph.Tree
	// ReadIn has those that were read in, which hold whatever their variables stand for.
	ReadIn [][2]*egraph.Tree
	End    time.Time // when it has to be over; zero if it need not
}

// Verify checks a proof in a graph of a language.
func (g *Graph) Verify(x Verifier, p *Proof) error {
	v := &verifier{end: x.End, g: g, names: x.Names, base: x.Names, checked: make(map[*Proof]int), free: x.Free, assumed: make(map[[2]string]bool)}
	sig := g.Graph.Signature()
	for _, e := range x.Assumed {
		v.assumed[[2]string{e[0].Key(sig), e[1].Key(sig)}] = true
	}
	for _, e := range x.ReadIn {
		v.assumed[anyNames(sig, e[0], e[1])] = true
	}
	return v.proof(p, -1)
}

// anyNames tells equations apart that differ in more than the names of variables.
func anyNames(sig *egraph.Signature, a, b *egraph.Tree) [2]string {
	is := make(map[slot.Name]slot.Name)
	var walk func(t *egraph.Tree)
	walk = func(t *egraph.Tree) {
		for _, n := range t.Own {
			if _, met := is[n]; !met {
				is[n] = otherNames + slot.Name(len(is))
			}
		}
		for _, k := range t.Kids {
			walk(k)
		}
	}
	walk(a)
	walk(b)
	return [2]string{ReadIn + a.Rename(sig, is).Key(sig), b.Rename(sig, is).Key(sig)}
}

type verifier struct {
	g       *Graph
	names   map[slot.Name]string
	base    map[slot.Name]string     // of the variables of the test
	checked map[*Proof]int           // for which moment
	end     time.Time                // when it has to be over; zero if it need not
	free    map[slot.Name]*term.Type // the variables of the test
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
	err := p.raw.Check(v.g.Graph.Signature(), p.from, p.to, func(s *proof.Step) error {
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
	if !maps.Equal(p.names, v.g.language.scoped(v.base, v.names, p.from, p.to)) {
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
		if !sameTree(p.Terms[i], t) {
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

// sameTree reports whether two terms are written in the same way.
func sameTree(x, u *egraph.Tree) bool {
	return x != nil && x.Op == u.Op && slices.Equal(x.Binders, u.Binders) && slices.Equal(x.Own, u.Own) && slices.EqualFunc(x.Kids, u.Kids, sameTree)
}

// sort is the sort of a term, in which every operand must have that of its
// operator: rules need not hold for others. Scope has the sorts of variables.
func (v *verifier) sort(t *egraph.Tree, scope map[slot.Name]*term.Type) (*term.Type, error) {
	o := v.g.language.info(t.Op)
	if len(t.Own) > 0 {
		if s, ok := scope[t.Own[0]]; ok && !s.Equal(o.result) {
			return nil, fmt.Errorf("a variable of the sort %s is used as one of %s", rules.SortName(s), rules.SortName(o.result))
		}
		return o.result, nil
	}
	inner := scope
	if len(t.Binders) > 0 {
		if inner = maps.Clone(scope); inner == nil {
			inner = make(map[slot.Name]*term.Type)
		}
		for k, n := range t.Binders {
			inner[n] = o.sorted.Binders[k].Type
		}
	}
	for k, kid := range t.Kids {
		around := scope
		if o.under(k) {
			around = inner
		}
		s, err := v.sort(kid, around)
		if err != nil {
			return nil, err
		}
		if want := o.sorted.Child(k).Type; !s.Equal(want) {
			return nil, fmt.Errorf("operand %d of %s has the sort %s, not %s", k+1, o.name, rules.SortName(s), rules.SortName(want))
		}
	}
	return o.result, nil
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
	sig := v.g.Graph.Signature()
	switch {
	case s.Reason == Assumed && v.assumed[[2]string{from.Key(sig), to.Key(sig)}]:
		return nil
	case s.Reason == ReadIn && v.assumed[anyNames(sig, from, to)]:
		return nil
	case s.Reason == Folded:
		return v.folded(from, to)
	}
	return errors.New("nobody said so")
}

// folded computes again.
func (v *verifier) folded(from, to *egraph.Tree) error {
	l := v.g.language
	o, got := l.info(from.Op), l.info(to.Op)
	if o.fold == nil {
		return fmt.Errorf("%s is not computed", o.name)
	}
	args, ok := l.numbers(from.Kids)
	if !ok {
		return errors.New("an operand is no number")
	}
	x, holds, ok := o.fold.Compute(l.lang.terms[from.Op], args)
	switch {
	case !ok:
		return errors.New("it has no value")
	case o.fold.Compares():
		want := o.no
		if holds {
			want = o.yes
		}
		if to.Op != want {
			return fmt.Errorf("the value is %s", l.info(want).name)
		}
		return nil
	}
	if got.number == nil || got.number.Cmp(x) != 0 || !got.result.Equal(o.result) {
		return fmt.Errorf("the value is %s", x.RatString())
	}
	return nil
}

// rule checks that a step has the sides of a rule of the file, for the variables
// that it names, and the conditions of the rule, in which variables have the names
// given.
func (v *verifier) rule(s *proof.Step, conds []ProvedCondition, names map[slot.Name]string) error {
	r := v.g.language.form(s.Rule)
	if r == nil {
		return errors.New("the rule is not of the file")
	}
	in, err := v.stepOf(r, s)
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

// stepOf is a rule with what its variables stand for, which are of the sorts they have in
// the rule.
func (v *verifier) stepOf(r *form, s *proof.Step) (*stepOf, error) {
	in, err := v.g.stepOf(r, s)
	if err != nil {
		return nil, err
	}
	scope := maps.Clone(v.free)
	if scope == nil {
		scope = make(map[slot.Name]*term.Type)
	}
	for b, n := range in.step.Bound {
		if b < len(r.boundNames) {
			scope[n] = r.rule.SortOf(r.boundNames[b])
		}
	}
	for i, m := range r.metaNames {
		switch got, err := v.sort(s.Vars[i], scope); {
		case err != nil:
			return nil, err
		case !got.Equal(r.rule.SortOf(m)):
			return nil, fmt.Errorf("%s has the sort %s, not %s", m, rules.SortName(got), rules.SortName(r.rule.SortOf(m)))
		}
	}
	return in, nil
}

// otherNames is where names begin of variables that a step does not name.
const otherNames slot.Name = 1 << 31

// stepOf is a rule with what its variables stand for in a step. Bound variables that
// the step does not know, those of conditions and of computed right sides, are called
// as nothing else. It is an error if not all terms can be made.
func (g *Graph) stepOf(r *form, s *proof.Step) (*stepOf, error) {
	if len(s.Vars) < len(r.metaNames) || len(s.Vars) > len(r.metaNames) && !r.listed {
		return nil, errors.New("the rule has other metavariables")
	}
	used := make(map[slot.Name]bool)
	for i, t := range s.Vars {
		if i < len(r.metaNames) && len(t.Own) == 0 && r.names(i) {
			return nil, fmt.Errorf("%s is no variable", r.metaNames[i])
		}
		t.Names(used)
	}
	for _, n := range s.Bound {
		used[n] = true
	}
	full := *s
	full.Bound = slices.Clone(s.Bound)
	for n := otherNames; len(full.Bound) < len(r.boundNames); n++ {
		if !used[n] {
			full.Bound = append(full.Bound, n)
		}
	}
	in := &stepOf{g: g, l: g.language, r: r, step: &full}
	if r.listed {
		var err error
		if in.full, err = g.instanceOf(r, s); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// names reports whether the rule uses metavariable m as the name of a variable.
func (r *form) names(m int) bool {
	var binds func(p *egraph.Pattern) bool
	binds = func(p *egraph.Pattern) bool {
		return p != nil && (slices.Contains(p.Binders, -1-m) || slices.ContainsFunc(p.Kids, binds))
	}
	return binds(r.right) || slices.ContainsFunc(r.conds, func(k cond) bool {
		return binds(k.a) || binds(k.b) || k.kind == rules.CondNotIn && k.v == -1-m
	})
}

// sides checks the two terms of a step.
func (v *verifier) sides(in *stepOf) error {
	from, to := in.step.From, in.step.To
	if in.step.Reverse {
		from, to = to, from
	}
	sig := v.g.Graph.Signature()
	if in.r.rule.Kind == syntax.Demand {
		return errors.New("the rule equates nothing")
	}
	var left, right *egraph.Tree
	var err error
	if in.r.right != nil {
		right = in.tree(in.r.right)
	} else if right, err = in.full.tree(v.g, in.r.rule.Rhs); err != nil {
		return err
	}
	switch {
	case in.r.rule.Kind == syntax.Fact:
		left, right = right, v.g.language.factTree()
	case in.r.listed: // it has been matched
		left = from
	default:
		left = in.tree(in.r.leftSide)
	}
	if left.Key(sig) != from.Key(sig) {
		return errors.New("the left side is another term")
	}
	// What is computed is in the order that operands of commutative operators have.
	if right.Key(sig) != to.Key(sig) && (in.r.right != nil || !in.full.same(v.g, right, to)) {
		return errors.New("the right side is another term")
	}
	return nil
}

// condition checks that equations that are proved give a condition.
func (v *verifier) condition(in *stepOf, k *cond, proofs []*Proof) error {
	sig, l := v.g.Graph.Signature(), v.g.language
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
	apart := func(a, b *egraph.Tree, counts func(*sortedOp) bool) bool {
		for _, x := range ends(a) {
			for _, y := range ends(b) {
				if counts(l.info(x.Op)) && counts(l.info(y.Op)) && x.Op != y.Op {
					return true
				}
			}
		}
		return false
	}
	ok := false
	switch k.kind {
	case rules.CondLiteral, rules.CondSymbol, rules.CondVariable:
		for _, t := range ends(in.tree(k.a)) {
			o := l.info(t.Op)
			ok = ok || k.kind == rules.CondLiteral && o.number != nil || k.kind == rules.CondSymbol && o.symbol || k.kind == rules.CondVariable && len(t.Own) > 0
		}
	case rules.CondNotIn:
		ok = !slices.ContainsFunc(in.trees(k.b), func(t *egraph.Tree) bool {
			return !slices.ContainsFunc(ends(t), func(u *egraph.Tree) bool { return !u.Mentions(sig, in.bound(k.v)) })
		})
	case rules.CondSame:
		for _, t := range ends(in.tree(k.a)) {
			ok = ok || t.Key(sig) == in.tree(k.b).Key(sig)
		}
	case rules.CondDistinct:
		ok = apart(in.tree(k.a), in.tree(k.b), (*sortedOp).isAtom)
	case rules.CondFact:
		facts := []*egraph.Tree{in.tree(k.a)}
		if k.mirror != nil {
			ok = apart(facts[0].Kids[0], facts[0].Kids[1], (*sortedOp).isConstant)
			facts = append(facts, in.tree(k.mirror))
		}
		for _, f := range facts {
			for _, t := range ends(f) {
				ok = ok || t.Op == l.holds
			}
		}
	}
	if !ok {
		return errors.New("what is proved does not give it")
	}
	return nil
}

// isAtom reports whether an operator is a number or a symbol: of these rules may ask
// whether they are distinct.
func (o *sortedOp) isAtom() bool { return o.number != nil || o.symbol }

// isConstant reports whether an operator is a number or what a comparison gives:
// different ones are never equal.
func (o *sortedOp) isConstant() bool { return o.constant }

// under reports whether what the operator binds is in scope in a child.
func (o *sortedOp) under(k int) bool { return o.sorted != nil && o.sorted.Child(k).Under }
