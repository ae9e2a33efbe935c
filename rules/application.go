package rules

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
)

// Application is one application of a rule, with all that its variables stand for.
// It says of two terms that they are the two sides of the rule, which can be
// checked without searching for a match.
type Application struct {
	Match *Match
	// Ops are the operators at the applications and literals of the left side, from
	// the root on, each before its operands.
	Ops []term.Op
}

// Sides makes both sides of the rule from what its variables stand for, or for a
// derivative rule the left side and the maps. It fails if they cannot stand for
// that.
func (a *Application) Sides(t Terms) (*Sides, error) {
	out := &Sides{Match: a.Match}
	in := &instantiation{b: &builder{space: t, m: a.Match}, ops: a.Ops}
	ok, err := in.b.guard(func() {
		in.variables()
		out.Lhs = in.term(a.Match.Rule.Lhs)
		if len(in.ops) > 0 {
			in.fail("there are more operators than the left side has")
		}
	})
	if err == nil && !ok {
		err = cmp.Or(in.err, errors.New("the left side has no value"))
	}
	if err != nil {
		return nil, err
	}
	a.Match.Root = out.Lhs
	ok, err = out.right(t)
	if err == nil && !ok {
		err = fmt.Errorf("the right side has no value")
	}
	return out, err
}

// instantiation makes a left side, of which everything is known.
type instantiation struct {
	b   *builder
	ops []term.Op // that are left
	err error
}

func (in *instantiation) fail(format string, args ...any) {
	in.err = fmt.Errorf(format, args...)
	in.b.noValue("")
}

// variables checks that terms mention only the variables that are around their
// places, and that different variables have different names.
func (in *instantiation) variables() {
	r := in.b.m.Rule
	bound := make(map[slot.Name]string)
	for i := range in.b.m.Vars {
		x := &in.b.m.Vars[i]
		names := x.binds(r)
		for i, n := range names {
			if old, ok := bound[n]; ok && old != x.Name || slices.Contains(names[:i], n) {
				in.fail("two bound variables have one name")
			}
			bound[n] = x.Name
		}
	}
	for i := range in.b.m.Vars {
		x := &in.b.m.Vars[i]
		if s := r.Vars.Sort[x.Name]; s != SortTerm && s != SortTerms {
			if r.Language != nil && s == SortIndex && !x.Type.Equal(r.SortOf(x.Name)) {
				in.fail("%s is a variable of another sort", x.Name)
			}
			continue
		}
		for _, t := range x.terms() {
			if r.Language != nil && !in.b.space.Type(t).Equal(r.SortOf(x.Name)) {
				in.fail("%s stands for a term of another sort", x.Name)
			}
			for _, n := range t.Args {
				if of, ok := bound[n]; ok && !slices.Contains(r.Vars.Scope[x.Name], of) {
					in.fail("%s stands for a term with a variable that is not in its scope", x.Name)
				}
			}
		}
	}
}

// binds lists the names of bound variables that a metavariable stands for.
func (b *Variable) binds(r *Rule) []slot.Name {
	switch r.Vars.Sort[b.Name] {
	case SortIndex, SortState:
		return []slot.Name{b.Index}
	case SortIndices:
		return b.Names
	}
	return nil
}

// terms lists the terms that a metavariable stands for.
func (b *Variable) terms() []slot.Ref {
	if b.Terms != nil {
		return b.Terms
	}
	return []slot.Ref{b.Ref}
}

// value is what a metavariable stands for.
func (in *instantiation) value(name string) *Variable {
	x := in.b.m.Get(name)
	if x == nil {
		in.fail("%s stands for nothing", name)
	}
	return x
}

// next is the next operator of the left side.
func (in *instantiation) next() term.Op {
	if len(in.ops) == 0 {
		in.fail("there are fewer operators than the left side has")
	}
	op := in.ops[0]
	in.ops = in.ops[1:]
	return op
}

func (in *instantiation) term(p *Pattern) slot.Ref {
	switch p.Kind {
	case PMeta:
		return in.value(p.Name).Ref
	case PElem:
		return in.value(p.Name).Terms[in.b.place]
	case PIvar:
		return in.b.variable(in.value(p.Name))
	}
	op := in.next()
	switch {
	case p.Kind == PSizeVal && p.X != nil && op.Sym != term.SymConst:
		p = p.X
	case p.Kind != PApp:
		in.literal(p, op)
		return in.b.make(op, nil, nil, nil)
	}
	in.operator(p, op)
	var binders []slot.Name
	if l := p.Binders; l != nil {
		binders = in.binders(l, op)
	}
	var kids []slot.Ref
	for _, e := range Flatten(p.Kids) {
		switch {
		case e.Kind == EOne:
			kids = append(kids, in.term(e.Pat))
		case e.Kind == EMap:
			kids = append(kids, in.mapped(e)...)
		case e.List.Kind == LBound || e.List.Kind == LVar:
			in.value(e.List.Name)
			kids = append(kids, in.b.list(e.List)...)
		case e.List.Kind == LPermute:
			in.value(e.List.Perm.Name)
			in.value(e.List.Arg.Name)
			kids = append(kids, in.b.list(e.List)...)
		default:
			in.fail("this list cannot stand on a left side")
		}
	}
	return in.b.make(op, nil, binders, kids)
}

// mapped makes the pattern of a spread at each place of the lists it runs over.
func (in *instantiation) mapped(e Elem) []slot.Ref {
	out := make([]slot.Ref, len(in.value(e.Over[0]).Terms))
	for _, l := range e.Over {
		if len(in.value(l).Terms) != len(out) || len(out) == 0 {
			in.fail("a spread of the left side runs over lists of other lengths")
		}
	}
	in.b.places(out, func() slot.Ref { return in.term(e.Pat) })
	return out
}

// binders names what an operator binds.
func (in *instantiation) binders(l *BinderList, op term.Op) []slot.Name {
	var names []slot.Name
	var sizes []term.Size
	if in.b.m.Rule.Language != nil {
		return slice.Map(l.Heads, func(h string) slot.Name { return in.value(h).Index })
	}
	for _, h := range l.Heads {
		x := in.value(h)
		names, sizes = append(names, x.Index), append(sizes, x.Sizes...)
	}
	if l.Rest != "" {
		x := in.value(l.Rest)
		names, sizes = append(names, x.Names...), append(sizes, x.Sizes...)
	}
	if !term.SizesEqual(sizes, op.Sizes) || len(names) != len(sizes) {
		in.fail("the ranges of variables are not those of the operator")
	}
	if l.State != "" {
		x := in.value(l.State)
		if op.Type == nil || !x.Type.Equal(op.Type) {
			in.fail("the state of a loop has another type than its variable")
		}
		names = append(names, x.Index)
	}
	return names
}

// literal checks that an operator is the literal of a left side.
func (in *instantiation) literal(p *Pattern, op term.Op) {
	if op.Sym != term.SymConst || op.Const == nil || op.Type == nil || op.Const.Data != nil {
		in.fail("a literal is asked for")
	}
	fill := op.Const.Fill
	if p.LitFor != nil && !in.b.typ(p.LitFor).Equal(op.Type) || p.Sort != nil && !p.Sort.Equal(op.Type) {
		in.fail("a literal has type %s", op.Type)
	}
	fits := false
	switch p.Kind {
	case PNumber:
		fits = fill.Elem != term.B && sameNumber(fill, p.Value)
	case PTruth:
		fits = fill.Elem == term.B && fill.IsInt(1) == p.Truth
	case PZero:
		fits = fill.IsInt(0)
	case PLit:
		x := in.value(p.Lit.Name)
		fits = x.Lit.Elem == fill.Elem && x.Lit.Key() == fill.Key()
	case PSizeVal:
		n, ok := in.b.integer(p.Lit).Const()
		fits = ok && fill.Elem != term.B && (p.LitFor != nil || op.Type.IsScalar(term.I)) && sameNumber(fill, numeric.Int(n))
	}
	if !fits {
		in.fail("%s is not the literal of the rule", fill)
	}
}

// operator checks that an operator is that of an application on a left side.
func (in *instantiation) operator(p *Pattern, op term.Op) {
	o := in.b.space.Signature().Operator(op.Sym)
	switch {
	case o == nil:
		in.fail("there is no such operator")
	case p.Name != "":
		x := in.value(p.Name)
		if x.Op.Sym != op.Sym || x.Op.N != op.N {
			in.fail("%s stands for another operator", p.Name)
		}
		for _, c := range in.b.m.Rule.OperatorClasses(p.Name) {
			if !c.Has(o) {
				in.fail("%s is not an operator of the class %s", o.Name, c.Name)
			}
		}
		return
	case p.Sym != op.Sym:
		in.fail("the operator is %s", o.Name)
	}
	attr := func(a *AttrExpr, v attrValue) {
		if a != nil && !in.b.attr(a, v.sort).equal(v) {
			in.fail("an attribute of %s is another one", o.Name)
		}
	}
	attr(p.Attrs.Sizes, attrValue{sort: SortSizes, sizes: op.Sizes})
	attr(p.Attrs.Targets, attrValue{sort: SortSizes, sizes: op.Targets})
	attr(p.Attrs.Perm, attrValue{sort: SortPerm, perm: op.Perm})
	attr(p.Attrs.N, attrValue{sort: SortInt, n: op.N})
	typ := func(t *TypePat, v *term.Type) {
		if t != nil && (v == nil || !in.b.typ(t).Equal(v)) {
			in.fail("a type of %s is another one", o.Name)
		}
	}
	typ(p.Attrs.Type, op.Type)
	typ(p.Attrs.Type2, op.Type2)
}

// Conditions checks that the conditions of the rule hold, as far as types, ranges
// and literals of the terms say so. It lists those of which that is not so.
func (a *Application) Conditions(s Space) (failed []error) {
	for i := range a.Match.Rule.Conds {
		c := &a.Match.Rule.Conds[i]
		if c.Kind == CondNotLiteral {
			continue // it says when the rule is of use, and not when it is true
		}
		b := &builder{space: s, m: a.Match}
		holds := false
		ok, err := b.guard(func() {
			if a.Match.Rule.Language != nil && !c.Static() {
				holds = b.sortedHolds(c)
			} else {
				holds = b.holds(c)
			}
		})
		if err == nil && !(ok && holds) {
			err = fmt.Errorf("it is not proved that %s", c.Text)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return failed
}

// Evidence is what a condition may rest on: each way is terms that are equal, which
// together give it.
type Evidence [][][2]term.Term

// operator is that of the term itself, which is the first of what it stands for.
func operator(s Space, t term.Term) (op term.Op) {
	s.Nodes(t, func(v term.View) bool {
		op = v.Op
		return false
	})
	return op
}

// Evidence lists what the conditions of the rule rest on that are about what is known in an
// e-graph. Atoms are the numbers and symbols of a language that a term is known to be equal to.
// It is true of open if other conditions do not hold of the terms by themselves.
func (a *Application) Evidence(s Space, atoms func(term.Term) []term.Term) (out []Evidence, open bool, err error) {
	b := &builder{space: s, m: a.Match}
	l := a.Match.Rule.Language
	for i := range a.Match.Rule.Conds {
		c := &a.Match.Rule.Conds[i]
		if c.Kind == CondNotLiteral || l != nil && c.Static() {
			continue // the first says when the rule is of use, and not when it is true
		}
		holds := true
		ok, err := b.guard(func() {
			var e Evidence
			switch {
			case c.Kind == CondFact:
				x := b.term(c.L, nil)
				e = Evidence{{{x, b.truth(x, b.literal)}}}
			case c.Kind == CondSame:
				x, y := b.sides(c)
				e = Evidence{{{x, y}}}
			case l == nil:
				holds = b.holds(c)
				return
			case c.Kind == CondLiteral, c.Kind == CondSymbol:
				x := b.term(c.L, nil)
				for _, y := range atoms(x) { // x itself may be an atom of the other kind
					if isNumber(operator(s, y)) == (c.Kind == CondLiteral) {
						e = append(e, [][2]term.Term{{x, y}})
					}
				}
			case c.Kind == CondDistinct:
				x, y := b.term(c.L, nil), b.term(c.R, nil)
				for _, u := range atoms(x) {
					for _, v := range atoms(y) {
						if l.Differ(operator(s, u), operator(s, v)) {
							e = append(e, [][2]term.Term{{x, u}, {y, v}})
						}
					}
				}
			}
			out = append(out, e)
		})
		if err != nil {
			return nil, false, err
		}
		open = open || !ok || !holds
	}
	return out, open, nil
}

// Variables lists what the metavariables stand for.
func (a *Application) Variables() []Variable {
	var out []Variable
	sorts := a.Match.Rule.Vars.Sort
	for i, b := range a.Match.Vars {
		s, known := sorts[b.Name]
		if !known || a.Match.Get(b.Name) != &a.Match.Vars[i] {
			continue
		}
		v := b
		v.Sort = s
		switch s {
		case SortTerm:
			v.Terms, v.Ref = []term.Term{b.Ref}, slot.Ref{}
		case SortIndex, SortState:
			v.Names, v.Index = []slot.Name{b.Index}, 0
		}
		out = append(out, v)
	}
	return out
}

// NewApplication returns an application of a rule in which metavariables stand for what
// is said. Whether they can is another matter: see [Application.Sides].
func NewApplication(r *Rule, vars []Variable, ops []term.Op) (*Application, error) {
	m := &Match{Rule: r}
	for _, v := range vars {
		s, known := r.Vars.Sort[v.Name]
		if !known || m.Get(v.Name) != nil {
			return nil, fmt.Errorf("the rule %s has no metavariable %s, or it is there twice", r.Name, v.Name)
		}
		b, only := v, Variable{Name: v.Name, Sort: v.Sort}
		fits := true
		switch s {
		case SortTerm:
			if only.Terms, fits = v.Terms, len(v.Terms) == 1; fits {
				b.Ref = v.Terms[0]
			}
		case SortTerms:
			only.Terms, b.Terms = v.Terms, append([]slot.Ref{}, v.Terms...) // not nil
		case SortIndex:
			only.Names, only.Sizes, only.Type = v.Names, v.Sizes, v.Type
			fits = len(v.Names) == 1 && len(v.Sizes) <= 1 && (len(v.Sizes) == 0) == (v.Type != nil) && (v.Type != nil) == (r.Language != nil)
		case SortIndices:
			only.Names, only.Sizes, fits = v.Names, v.Sizes, len(v.Names) == len(v.Sizes)
		case SortState:
			only.Names, only.Type, fits = v.Names, v.Type, len(v.Names) == 1 && v.Type != nil
		case SortSize, SortSizes:
			only.Sizes, fits = v.Sizes, s == SortSizes || len(v.Sizes) == 1
		case SortPerm:
			only.Perm, fits = v.Perm, term.IsPerm(v.Perm)
		case SortInt:
			only.N, fits = v.N, v.N >= 0
		case SortLit:
			only.Lit, fits = v.Lit, v.Lit.Elem != term.NoElem
		case SortType:
			only.Type, fits = v.Type, v.Type != nil
		case SortOp:
			only.Op, fits = v.Op, v.Op != nil && v.Op.Sym != term.SymNone
		}
		if len(v.Names) == 1 && s != SortIndices {
			b.Index = v.Names[0]
		}
		if !fits || !reflect.DeepEqual(only, v) {
			return nil, fmt.Errorf("the metavariable %s of the rule %s is %s, and stands for something else", v.Name, r.Name, s)
		}
		m.Vars = append(m.Vars, b)
	}
	for _, name := range r.Vars.Order {
		if m.Get(name) == nil {
			return nil, fmt.Errorf("the metavariable %s of the rule %s stands for nothing", name, r.Name)
		}
	}
	return &Application{Match: m, Ops: ops}, nil
}
