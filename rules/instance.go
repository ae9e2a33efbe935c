package rules

import (
	"fmt"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
)

// variables is a match of the instance in which every term metavariable is a
// named input.
func (in *Instance) variables(s *term.Store) *Match {
	m := in.match()
	in.addBinders(s, m)
	for i, t := range in.Terms {
		m.addTerm(t, s.Var(fmt.Sprintf("%s %d", t.Name, i), t.Type))
	}
	return m
}

// match is a match of the instance without its terms.
func (in *Instance) match() *Match {
	m := &Match{Rule: in.Rule, Vars: slices.Clone(in.attrs)}
	for _, name := range in.Rule.Vars.Order {
		if in.Rule.Vars.Sort[name] == SortTerms {
			m.Vars = append(m.Vars, Variable{Name: name, Terms: []slot.Ref{}})
		}
	}
	return m
}

func (m *Match) addTerm(t InstanceTerm, r slot.Ref) {
	if !t.List {
		m.Vars = append(m.Vars, Variable{Name: t.Name, Ref: r})
		return
	}
	b := m.Get(t.Name)
	b.Terms = append(b.Terms, r)
}

// addBinders gives the bound variables of the left side names.
func (in *Instance) addBinders(s *term.Store, m *Match) (scope map[string][]slot.Name) {
	scope = make(map[string][]slot.Name)
	for _, name := range in.Rule.Vars.Order {
		if t := in.states[name]; t != nil {
			n := s.Fresh()
			scope[name] = []slot.Name{n}
			m.Vars = append(m.Vars, Variable{Name: name, Index: n, Type: t})
		}
		ss, ok := in.binders[name]
		switch sort := in.Rule.Vars.Sort[name]; {
		case ok && sort == SortIndex:
			n := s.Fresh()
			scope[name] = []slot.Name{n}
			m.Vars = append(m.Vars, Variable{Name: name, Index: n, Sizes: ss})
		case ok && sort == SortIndices:
			scope[name] = s.FreshN(len(ss))
			m.Vars = append(m.Vars, Variable{Name: name, Names: scope[name], Sizes: ss})
		}
	}
	return scope
}

// Sides are both sides of a rule, or for a derivative rule the operand and its
// maps, at an instance.
type Sides struct {
	Match    *Match
	Lhs, Rhs slot.Ref
	Maps     map[int]slot.Ref
}

// Build makes both sides of the instance in a store, given terms for the term
// metavariables: value is called with each and with the names of the index
// variables in scope. It is false if a function of the right side has no value.
func (in *Instance) Build(s *term.Store, value func(t InstanceTerm, scope map[string][]slot.Name) (term.Term, error)) (*Sides, bool, error) {
	m := in.match()
	// Bound variables of the left side get their names before terms that
	// mention them are made.
	scope := in.addBinders(s, m)
	for _, t := range in.Terms {
		r, err := value(t, scope)
		if err != nil {
			return nil, false, err
		}
		m.addTerm(t, in.withIndex(s, t, r, scope))
	}
	out := &Sides{Match: m}
	b := &builder{space: Terms{Store: s}, m: m, left: in}
	ok, err := b.guard(func() { out.Lhs = b.term(in.Rule.Lhs, nil) })
	if err != nil {
		return nil, false, fmt.Errorf("the left side cannot be built: %w", err)
	}
	if !ok {
		return nil, false, nil
	}
	m.Root = out.Lhs
	ok, err = out.right(Terms{Store: s})
	return out, ok, err
}

// withIndex is r with the index variable that belongs to it.
func (in *Instance) withIndex(s *term.Store, t InstanceTerm, r term.Term, scope map[string][]slot.Name) term.Term {
	if t.Index == "" || !s.Type(r).IsScalar(term.I) { // nothing else has a preimage
		return r
	}
	i := s.Ivar(scope[t.Index][0], in.binders[t.Index][0])
	if t.Falls {
		return s.Apply(term.SymSub, r, i)
	}
	return s.Apply(term.SymAdd, i, r)
}

// right makes the right side of the match, given the left one. A fact says that its
// right side is true, and a demand nothing.
func (x *Sides) right(t Terms) (ok bool, err error) {
	r := x.Match.Rule
	if r.Nabla {
		x.Maps, ok, err = x.Match.BuildMaps(t)
		return ok, err
	}
	x.Rhs, ok, err = x.Match.Build(t)
	if !ok || err != nil {
		return ok, err
	}
	switch r.Kind {
	case syntax.Demand:
		x.Lhs = x.Rhs
	case syntax.Fact:
		x.Lhs = x.Rhs
		x.Rhs, ok, err = x.Match.True(t, x.Lhs)
	}
	return ok, err
}

// True returns the truth of the type of a fact. Other types are mistakes.
func (m *Match) True(s Space, fact slot.Ref) (r slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	ok, err = b.guard(func() { r = b.truth(fact, b.literal) })
	return r, ok, err
}

// ask calls f with a builder at the match. A mistake in the rule is an error.
func (m *Match) ask(s Space, f func(b *builder)) (err error) {
	defer func() {
		if f, is := failed(recover()); is {
			err = &Mistake{m.Rule, f.msg}
		}
	}()
	f(&builder{space: s, m: m})
	return nil
}

// assumed compares types under the assumption that pairs of shapes have equally
// many elements.
type assumed struct {
	term.Equality
	products [][2][]term.Size
}

// Products compares numbers of elements under the assumptions.
func (a assumed) Products(x, y []term.Size) bool {
	known := slice.Map(a.products, func(p [2][]term.Size) [2]term.Size { return [2]term.Size{term.Product(p[0]), term.Product(p[1])} })
	return follows(known, term.Product(x), term.Product(y))
}

// So many products, of so many factors, are looked at to see that two are equal.
const maxProducts, maxFactors = 100, 30

// follows reports whether products are equal where known ones are: both become one
// if factors are replaced by equal ones.
func follows(known [][2]term.Size, x, y term.Size) bool {
	xs := replaced(known, x)
	return slices.ContainsFunc(replaced(known, y), func(s term.Size) bool { return slices.ContainsFunc(xs, s.Equal) })
}

// replaced are products that a product is equal to, itself among them.
func replaced(known [][2]term.Size, s term.Size) []term.Size {
	out := []term.Size{s}
	for i := 0; i < len(out) && len(out) < maxProducts; i++ {
		for _, p := range known {
			for _, q := range [][2]term.Size{p, {p[1], p[0]}} {
				if q[0].IsConst(1) { // which is a factor of all
					continue
				}
				r, ok := replaceFactor(out[i], q[0], q[1])
				if _, names, _ := r.Factors(); ok && len(names) < maxFactors && !slices.ContainsFunc(out, r.Equal) {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// replaceFactor is s with the factor from replaced by to.
func replaceFactor(s, from, to term.Size) (term.Size, bool) {
	c, fs, ok1 := s.Factors()
	d, gs, ok2 := from.Factors()
	if !ok1 || !ok2 || d == 0 || c%d != 0 {
		return s, false
	}
	rest := slices.Clone(fs)
	for _, g := range gs {
		i := slices.Index(rest, g)
		if i < 0 {
			return s, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	out := to.Mul(term.SizeConst(c / d))
	for _, r := range rest {
		out = out.Mul(term.SizeVar(r))
	}
	return out, true
}

// letVar is a let-bound variable: a named input that the let replaces.
func (b *builder) letVar(name string) slot.Ref {
	t := b.lets[name]
	if t == nil && b.left != nil {
		t = b.left.Lets[name]
	}
	if t == nil {
		b.fail("the let-bound variable %s has no type", name)
	}
	return b.make(term.Op{Sym: term.SymVar, Name: LetInput(name), Type: t}, nil, nil, nil)
}

// LetInput returns the named input that stands for a let-bound variable while the
// sides of a rule are built.
func LetInput(name string) string { return "let " + name }

func (b *builder) isLet(name string) bool {
	return slices.Contains(b.m.Rule.Vars.Lets, name)
}

// let builds a let by putting what it binds for the variable.
func (b *builder) let(p *Pattern) slot.Ref {
	bound := b.term(p.Bound, nil)
	memo.Set(&b.lets, p.Name, b.space.Type(bound))
	return b.substLet(b.term(p.Body, nil), p.Name, bound)
}

// substLet replaces a let-bound variable. Only terms know how; rules with let
// are not run on an e-graph.
func (b *builder) substLet(t slot.Ref, name string, by slot.Ref) slot.Ref {
	s, ok := b.space.(Terms)
	if !ok {
		b.fail("let on an e-graph")
	}
	for _, in := range s.Inputs(t) {
		if got := s.Type(by); in.Name == LetInput(name) && !got.Equal(in.Type) {
			b.fail("%s cannot stand for %s, which is %s", got, name, in.Type)
		}
	}
	return s.SubstVars(t, map[string]term.Term{LetInput(name): by})
}

// At returns the instance with its size symbols replaced. It is false if a size is
// negative or fractional, or shapes that must have equally many elements do not.
func (in *Instance) At(sizes map[string]term.Size) (*Instance, bool) {
	ok := true
	out := in.subst(sizes, func(s term.Size) {
		if c, is := s.Const(); !is || c < 0 {
			ok = false
		}
	})
	for _, p := range out.Products {
		ok = ok && term.Product(p[0]).Equal(term.Product(p[1]))
	}
	return out, ok && out.solveLiterals()
}

// subst is the instance with its size symbols replaced. It calls see for each size.
func (in *Instance) subst(sizes map[string]term.Size, see func(term.Size)) *Instance {
	fix := func(ss []term.Size) []term.Size {
		out := term.SubstSizes(ss, sizes)
		for _, s := range out {
			see(s)
		}
		return out
	}
	var fixType func(t *term.Type) *term.Type
	fixType = func(t *term.Type) *term.Type {
		if t == nil {
			return nil
		}
		out := *t
		out.Shape = fix(t.Shape)
		out.Parts = slice.Map(t.Parts, fixType)
		return &out
	}
	out := &Instance{
		Rule: in.Rule, sig: in.sig, Lets: mapped(in.Lets, fixType), binders: mapped(in.binders, fix), states: mapped(in.states, fixType),
		types: mapped(in.types, fixType), ops: mapped(in.ops, func(op term.Op) term.Op {
			op.Sizes, op.Targets = fix(op.Sizes), fix(op.Targets)
			op.Type, op.Type2 = fixType(op.Type), fixType(op.Type2)
			return op
		}),
	}
	for _, t := range in.Terms {
		t.Type = fixType(t.Type)
		out.Terms = append(out.Terms, t)
	}
	for _, a := range in.attrs {
		a.Sizes, a.Type = fix(a.Sizes), fixType(a.Type)
		out.attrs = append(out.attrs, a)
	}
	out.literals = append(out.literals, slice.Map(in.literals, fixType)...)
	for _, p := range in.Products {
		out.Products = append(out.Products, [2][]term.Size{fix(p[0]), fix(p[1])})
	}
	return out
}

// mapped is a map with other values.
func mapped[K comparable, V any](m map[K]V, f func(V) V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = f(v)
	}
	return out
}
