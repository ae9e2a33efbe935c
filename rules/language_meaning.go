package rules

import (
	"cmp"
	"math/big"
	"slices"
	"sync"

	"egad/diag"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/ast"
)

// Meaning is a language read as arrays: its operators as operators on scalars, and its
// rules as rules about them, so far as these have a meaning.
type Meaning struct {
	Signature *term.Signature
	Rules     []*Rule
	// Laws are what declarations say of operators: that they commute, and how they are
	// folded.
	Laws []*Rule
	// Without says of rules that have no meaning which operator is the reason, and Unmeant
	// notes which declarations are about operators without one.
	Without map[string]string
	Unmeant diag.List

	l    *Language
	ops  map[term.Sym]*term.Declared // by operator of the language
	vals sync.Map                    // what symbols mean, a *big.Rat each, by symbol
}

// means notes what a declaration says about a meaning, to be read when all is.
type means struct {
	ops  []meansOp
	laws []law
}

type meansOp struct {
	src  *diag.Source
	pos  diag.Pos
	name string
	expr ast.Expr
}

// meaning reads the meanings of a language, if there are any.
func (f *fileParser) meaning() *Meaning {
	if len(f.means.ops) == 0 {
		return nil
	}
	m := &Meaning{
		Signature: term.NewSignature(), Without: make(map[string]string), l: f.lang,
		ops: make(map[term.Sym]*term.Declared),
	}
	for _, x := range f.means.ops {
		o, known := f.sig.Lookup(x.name)
		if !known || !o.Sorted.Known() {
			continue
		}
		if len(o.Sorted.Binders) > 0 {
			f.errs.Add(x.src, x.expr.At(), "%s binds variables, and what has a meaning is a function of values", x.name)
			continue
		}
		if t := m.unmeant(o.Sorted); t != nil {
			f.errs.Add(x.src, x.expr.At(), "the sort %s has no meaning: say what its values are, as in sort %s means R", SortName(t), SortName(t))
			continue
		}
		name := x.name
		for taken := true; taken; _, taken = m.Signature.Lookup(name) {
			name += "'" // programs may have an operator of the same name
		}
		d := term.Meaning(x.src, x.pos, name, x.name, m.params(o.Sorted), m.l.elem[o.Sorted.Result], o.Sorted.Relation, x.expr)
		if m.Signature.Declare(d, f.errs) {
			m.ops[o.Sym] = d
		}
	}
	m.fold()
	for _, r := range f.lang.All() {
		if y, without := m.rule(r, nil); y != nil {
			m.Rules = append(m.Rules, y)
		} else {
			m.Without[r.Name] = without
		}
	}
	for _, x := range f.means.laws {
		if o, known := f.sig.Lookup(x.op); !known || !o.Sorted.Known() {
			continue
		}
		if y, without := m.law(x); y != nil {
			m.Laws = append(m.Laws, y)
		} else {
			m.Unmeant.Add(x.src, x.pos, "what is said of %s is not tested: %s has no meaning", x.op, without)
		}
	}
	return m
}

// Of returns what a rule means, nil if it has no meaning.
func (m *Meaning) Of(r *Rule) *Rule {
	if m != nil {
		for _, x := range m.Rules {
			if x.Of == r {
				return x
			}
		}
	}
	return nil
}

// values notes what the values of sorts are.
func (f *fileParser) values(d *syntax.Sorts) {
	e := map[string]term.Elem{"R": term.R, "I": term.I, "B": term.B}[d.Means.Name]
	if e == term.NoElem || d.Means.Kind != ast.TyName || len(d.Means.Sizes) > 0 {
		f.errs.Add(f.src, d.Means.Pos, "a sort means R, I or B")
		return
	}
	for _, n := range d.Names {
		if t := f.lang.sorts[n.Text]; t != nil {
			f.lang.elem[t] = e
		}
	}
}

// fold has operators of numbers computed that no fold computes otherwise. Symbols are kept.
func (m *Meaning) fold() {
	l := m.l
	truths := make(map[*term.Type][2]term.Sym)
	for _, o := range l.Operators {
		if v, ok := m.Truth(o.Sym); ok {
			t := truths[o.Sorted.Result]
			if v {
				t[1] = o.Sym
			} else {
				t[0] = o.Sym
			}
			truths[o.Sorted.Result] = t
		}
	}
	for _, o := range l.Operators {
		d := o.Sorted
		if m.ops[o.Sym] == nil || d.Relation || l.FoldOf(o.Sym) != nil || len(d.Children)+len(d.Attrs) == 0 ||
			slices.ContainsFunc(d.Children, func(c term.Child) bool { return !l.numbers[c.Type] }) {
			continue
		}
		t := truths[d.Result]
		if f := (Fold{Sym: o.Sym, Meaning: m, Yes: t[1], No: t[0]}); l.numbers[d.Result] {
			f.Yes, f.No = term.SymNone, term.SymNone
			l.Folds = append(l.Folds, f)
		} else if f.Yes != term.SymNone && f.No != term.SymNone {
			l.Folds = append(l.Folds, f)
		}
	}
}

// unmeant is a sort of an operator that has no meaning, nil if all have one.
func (m *Meaning) unmeant(d *term.Sorted) *term.Type {
	for _, k := range d.Children {
		if _, ok := m.l.elem[k.Type]; !ok && k.Type != nil {
			return k.Type
		}
	}
	if _, ok := m.l.elem[d.Result]; !ok && d.Result != nil {
		return d.Result
	}
	return nil
}

// Truth returns the truth value that a symbol means; it is false if it means none.
func (m *Meaning) Truth(o term.Sym) (value, ok bool) {
	if o == term.SymNone || m.l.elem[m.l.Signature.Operator(o).Sorted.Result] != term.B {
		return false, false
	}
	v := m.value(o)
	return v != nil && v.Sign() > 0, v != nil
}

// value is what a symbol means, 1 if that is true; nil if it means nothing, or no rational
// number.
func (m *Meaning) value(o term.Sym) *big.Rat {
	if v, known := m.vals.Load(o); known {
		return v.(*big.Rat)
	}
	var v *big.Rat
	if m.ops[o] != nil && m.l.Signature.Operator(o).Sorted.Symbol {
		n, holds, ok := m.compute(term.Op{Sym: o}, nil)
		if v = n; ok && v == nil {
			v = new(big.Rat)
			if holds {
				v.SetInt64(1)
			}
		}
	}
	m.vals.Store(o, v)
	return v
}

// meant translates a rule.
type meant struct {
	m       *Meaning
	r       *Rule // of arrays
	without string
}

// rule is a rule about values, or the operator that has no meaning. Its right side is that of
// the rule, or if right is not nil what that makes.
func (m *Meaning) rule(r *Rule, right func(*meant) *Pattern) (*Rule, string) {
	out := *r
	out.Of = r
	out.Language, out.Conds, out.Vars, out.Memo = nil, nil, &Variables{
		sort: make(map[string]Sort), Scope: make(map[string][]string), Class: make(map[string][]Class), types: make(map[string]*term.Type),
	}, new(sync.Map)
	for _, n := range r.Vars.Order {
		switch s := r.Vars.sort[n]; s {
		case SortSize, SortSizes, SortPerm, SortLit:
			out.Vars.sort[n], out.Vars.Order = s, append(out.Vars.Order, n)
		}
	}
	x := &meant{m: m, r: &out}
	out.Lhs, out.Rhs = x.pattern(r.Lhs), x.pattern(r.Rhs)
	if right != nil {
		out.Rhs = right(x)
	}
	for _, c := range r.Conds {
		if c.Static() {
			out.Conds = append(out.Conds, c)
			continue
		}
		c.L, c.R = x.pattern(c.L), x.pattern(c.R)
		switch c.Kind {
		case CondDistinct:
			c.Kind, c.Op = CondOrder, "!="
		case CondSymbol:
			x.lack("is symbol")
		case CondVariable, CondNotIn:
			x.lack("variables")
		}
		out.Conds = append(out.Conds, c)
	}
	if x.without != "" {
		return nil, x.without
	}
	for _, n := range out.Vars.Order { // values are scalars
		if s := out.Vars.sort[n]; s != SortTerm && s != SortTerms {
			continue
		}
		e, ok := m.l.elem[r.SortOf(n)]
		if sym, symbol := m.l.Signature.Lookup(n); symbol {
			e, ok = m.l.elem[sym.Sorted.Result]
		}
		if !ok {
			return nil, n
		}
		out.Vars.types[n] = term.ArrayOf(e)
	}
	return &out, ""
}

// lack notes what has no meaning, the first thing there is.
func (x *meant) lack(what string) { x.without = cmp.Or(x.without, what) }

func (x *meant) pattern(p *Pattern) *Pattern {
	if p == nil {
		return nil
	}
	q := *p
	switch p.Kind {
	case PMeta:
		x.meta(p.Name, SortTerm)
		return &q
	case PElem:
		x.meta(p.Name, SortTerms)
		return &q
	case PNumber, PSizeVal, PLit:
		q.Sort = nil
		q.LitFor = &TypePat{Kind: TypeArray, Elem: x.m.l.elem[p.Sort], Shape: &AttrExpr{Kind: ANil}}
		return &q
	case PIvar:
		x.lack(p.Name)
		return &q
	case PSubst:
		x.lack("a substitution")
		return &q
	}
	o := x.m.l.Signature.Operator(p.Sym)
	d := x.m.ops[p.Sym]
	if d == nil && o.Sorted.Symbol { // any value
		q.Kind, q.Name, q.Sym = PMeta, o.Name, term.SymNone
		x.meta(o.Name, SortTerm)
		return &q
	}
	if d == nil {
		x.lack(o.Name)
		return &q
	}
	q.Sym, q.Kids = d.Op, slices.Clone(p.Kids)
	if q.Meant = x.m.meantOp(o.Sorted, d.Op); q.Meant != nil {
		q.Kind, q.Sym = PMeant, term.SymNone
	}
	for i, k := range p.Kids {
		if q.Kids[i].Pat = x.pattern(k.Pat); k.Kind == ESplice {
			x.meta(k.List.Name, SortTerms)
		}
	}
	return &q
}

func (x *meant) meta(name string, s Sort) {
	if _, met := x.r.Vars.sort[name]; !met {
		x.r.Vars.sort[name] = s
		x.r.Vars.Order = append(x.r.Vars.Order, name)
	}
}

// Program returns what the terms with which a test starts mean: a tuple of their values if
// there are several. Its inputs are the variables of the test and the symbols without a
// meaning that are in the terms.
func (m *Meaning) Program(t *Test) (*term.Program, error) {
	p := &term.Program{Store: term.NewStore(m.Signature), Name: t.Name.Text}
	v := &valued{m: m, t: t, from: t.Program.Store, to: p, done: make(map[uint32]term.Term)}
	err := term.Guard(func() error {
		var roots []term.Term
		for i, x := range t.Starts {
			r, without := v.term(x)
			if without != "" {
				return diag.Errorf(t.Src, t.Test.Starts[i].At(), "%s has no meaning", without)
			}
			roots = append(roots, r)
		}
		if p.Root = roots[0]; len(roots) > 1 {
			p.Root = p.Store.Apply(term.SymTuple, roots...)
		}
		return nil
	})
	return p, err
}

// valued translates the terms of a test.
type valued struct {
	m    *Meaning
	t    *Test
	from *term.Store
	to   *term.Program
	done map[uint32]term.Term // by closed term
}

// term is what a term means, or the operator that has no meaning.
func (v *valued) term(t term.Term) (out term.Term, without string) {
	if x, ok := v.done[t.ID]; ok && len(t.Args) == 0 {
		return x, ""
	}
	x := v.from.OpenWith(t, make([]slot.Name, v.from.Binders(t)))
	o := v.m.l.Signature.Operator(x.Op.Sym)
	switch {
	case len(x.Own) > 0:
		return v.input(v.t.Free[x.Own[0]], x.Op.Type)
	case x.Op.Sym == term.SymConst:
		e := v.m.l.elem[x.Op.Type]
		n := x.Op.Const.Fill.Num
		if k, whole := n.Int64(); e == term.I && whole {
			return v.to.Store.LitInt(k), ""
		} else if e != term.R {
			return out, n.String()
		}
		return v.to.Store.Lit(term.ScalarR(n)), ""
	case o.Sorted.Symbol && v.m.ops[x.Op.Sym] == nil:
		return v.input(o.Name, o.Sorted.Result)
	}
	d := v.m.ops[x.Op.Sym]
	if d == nil {
		return out, o.Name
	}
	kids := make([]term.Term, len(x.Kids))
	for i, k := range x.Kids {
		if kids[i], without = v.term(k); without != "" {
			return out, without
		}
	}
	out = v.m.apply(v.to.Store, o, x.Op, kids)
	if len(t.Args) == 0 {
		v.done[t.ID] = out
	}
	return out, ""
}

// apply is what an operator of a language means, applied to what its operands mean.
func (m *Meaning) apply(s *term.Store, o *term.Operator, op term.Op, kids []term.Term) term.Term {
	d := m.ops[o.Sym]
	if x := m.meantOp(o.Sorted, d.Op); x != nil {
		return (&builder{space: Terms{Store: s}, m: &Match{Rule: &Rule{}}}).meant(x, op, kids)
	}
	return s.Apply(d.Op, kids...)
}

// input is an input of the program, for any value of a sort.
func (v *valued) input(name string, sort *term.Type) (term.Term, string) {
	e, ok := v.m.l.elem[sort]
	if !ok {
		return term.Term{}, name
	}
	in := term.Input{Name: name, Type: term.ArrayOf(e)}
	if !slices.ContainsFunc(v.to.Inputs, func(x term.Input) bool { return x.Name == name }) {
		v.to.Inputs = append(v.to.Inputs, in)
	}
	return v.to.Store.Var(name, in.Type), ""
}
