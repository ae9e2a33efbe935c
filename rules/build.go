package rules

import (
	"fmt"

	"egad/diag"
	"egad/egraph"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
)

// Mistake is an error of a rule that shows when it is applied.
type Mistake struct {
	Rule *Rule
	Msg  string
}

func (e *Mistake) Error() string {
	return diag.Errorf(e.Rule.Src, e.Rule.Pos, "rule %s: %s", e.Rule.Name, e.Msg).Error()
}

// Build makes the right side of a match in s. It is false if a function of the
// right side has no value there; a mistake in the rule is an error.
func (m *Match) Build(s Space) (r slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	expect := s.Type(m.Root) // the type of the right side, if it equals the left one
	if m.Rule.Kind == syntax.Fact || m.Rule.Kind == syntax.Demand {
		expect = nil
	}
	ok, err = b.guard(func() { r = b.term(m.Rule.Rhs, expect) })
	return r, ok, err
}

// BuildMaps makes the linear maps of a derivative rule, one for each operand
// that has one; the others are missing from the result.
func (m *Match) BuildMaps(s Space) (maps map[int]slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	maps = make(map[int]slot.Ref)
	ok, err = b.guard(func() {
		at := 0
		for _, e := range m.Rule.Maps {
			if e.Kind == ENone {
				at++
				continue
			}
			for _, r := range b.elems([]Elem{e}, nil) {
				b.fits(r, at)
				maps[at] = r
				at++
			}
		}
	})
	return maps, ok, err
}

// fits checks that a map goes from an operand of the left side to its result.
func (b *builder) fits(m slot.Ref, operand int) {
	b.space.Nodes(b.m.Root, func(v term.View) bool {
		if operand >= len(v.Kids) {
			b.fail("there are more maps than operands")
		}
		want, got := term.LinOf(b.space.Type(v.Kids[operand]), Changes(b.space.Type(b.m.Root))), b.space.Type(m)
		if !got.Equal(want) {
			b.fail("the map of operand %d has type %s and must have %s", operand, got, want)
		}
		return false
	})
}

func (b *builder) guard(f func()) (ok bool, err error) {
	defer func() {
		if f, is := failed(recover()); is {
			ok = false
			if f.mistake {
				err = &Mistake{b.m.Rule, f.msg}
			}
		}
	}()
	f()
	return true, nil
}

func (b *builder) make(op term.Op, own, binders []slot.Name, kids []slot.Ref) slot.Ref {
	if b.find != nil {
		r, ok := b.find.Lookup(op, own, binders, kids)
		if !ok {
			b.noValue("it is not in the e-graph")
		}
		return r
	}
	if len(kids) > egraph.MaxArity { // as a list of attributes that is too long
		b.tooLarge(fmt.Sprintf("an operator with more than %d operands", egraph.MaxArity))
	}
	r, err := b.space.Make(op, own, binders, kids)
	if err != nil {
		b.fail("builds an ill-typed term: %s", err.Msg)
	}
	return r
}

// value is what a metavariable stands for.
func (b *builder) value(name string) *Variable {
	x := b.m.Get(name)
	if x == nil {
		b.fail("%s has no value", name)
	}
	return x
}

// term builds a pattern. Expect is the type that the context gives to a literal,
// nil if it gives none.
func (b *builder) term(p *Pattern, expect *term.Type) slot.Ref {
	if (p.Kind == PSubst || p.Kind == PPreimage) && b.find != nil {
		b.noValue("a substitution adds terms")
	}
	switch p.Kind {
	case PMeta:
		return b.value(p.Name).Ref
	case PElem:
		return b.m.Get(p.Name).Terms[b.place]
	case PLetVar:
		return b.letVar(p.Name)
	case PLet:
		return b.let(p)
	case PIvar:
		return b.variable(b.m.Get(p.Name))
	case PSelf:
		return b.m.Root
	case PPosition:
		return b.int(int64(b.place))
	case PNumber, PTruth, PZero, PLit:
		return b.literal(p, expect)
	case PSizeVal:
		return b.sizeValue(p)
	case PSubst:
		x := b.term(p.X, expect)
		if b.isLet(p.Subs[0].Var) {
			return b.substLet(x, p.Subs[0].Var, b.term(p.Subs[0].By, nil))
		}
		return b.space.Subst(x, b.substitution(p.Subs))
	case PInside:
		return b.inside(b.elems(p.Kids, nil), b.axes(p.X, p.Lit))
	case PSpread:
		r := b.term(p.X, nil)
		sizes := b.sizes(p.Lit)
		for i := len(sizes) - 1; i >= 0; i-- {
			r = b.make(term.Op{Sym: term.SymReplicate, Sizes: sizes[i : i+1]}, nil, nil, []slot.Ref{r})
		}
		return r
	case PRavel:
		return b.ravel(b.sizes(p.Lit), b.elems(p.Kids, nil))
	case PDigits:
		return b.digits(b.sizes(p.Lit))
	case PPreimage:
		return b.preimage(b.m.Get(p.Subs[0].Var).Index, b.term(p.X, nil), b.term(p.Subs[0].By, term.ArrayOf(term.I)))
	case PNth:
		l, n := b.list(p.Kids[0].List), b.attr(p.Lit, SortInt).n
		if n >= len(l) {
			b.fail("no element %d in a list of %d", n, len(l))
		}
		return l[n]
	case PTotal:
		return b.total(b.elems(p.Kids, nil))
	case PInject:
		return b.inject(b.attr(p.Lit, SortInt).n, b.typ(p.LitFor), b.term(p.X, nil))
	case PApp:
		return b.application(p, expect)
	case PMeant:
		var op term.Op
		b.attributes(p, &op)
		var kids []slot.Ref
		for i, e := range p.Kids {
			kids = append(kids, b.elems([]Elem{e}, p.Meant.Kid(i))...)
		}
		return b.meant(p.Meant, op, kids)
	}
	b.fail("this form is not built")
	return slot.Ref{}
}

// total adds arrays, linear maps, or tuples component by component, from the
// left.
func (b *builder) total(ts []slot.Ref) slot.Ref {
	if len(ts) == 0 {
		b.fail("the total of nothing")
	}
	t := b.space.Type(ts[0])
	if t.Kind != term.KTuple {
		r, plus := ts[0], term.SymAdd
		if t.Kind == term.KLin {
			plus = term.SymLadd
		}
		for _, x := range ts[1:] {
			r = b.apply(plus, r, x)
		}
		return r
	}
	parts := make([]slot.Ref, len(t.Parts))
	for i := range parts {
		parts[i] = b.total(slice.Map(ts, func(x slot.Ref) slot.Ref {
			return b.make(term.Op{Sym: term.SymProj, N: i}, nil, nil, []slot.Ref{x})
		}))
	}
	return b.apply(term.SymTuple, parts...)
}

// inject is the tuple of type t that is x at component n and zero elsewhere.
func (b *builder) inject(n int, t *term.Type, x slot.Ref) slot.Ref {
	if t.Kind != term.KTuple || n >= len(t.Parts) {
		b.fail("no component %d in %s", n, t)
	}
	parts := make([]slot.Ref, len(t.Parts))
	for i, p := range t.Parts {
		if i == n {
			parts[i] = x
		} else {
			parts[i] = b.zeros(p)
		}
	}
	return b.apply(term.SymTuple, parts...)
}

// variable is a bound variable.
func (b *builder) variable(x *Variable) slot.Ref {
	if x.Type != nil {
		return b.make(term.Op{Sym: term.SymLocal, Type: x.Type}, []slot.Name{x.Index}, nil, nil)
	}
	return b.ivar(x.Index, x.Sizes[0])
}

// of is what a bound variable stands for.
func (x *Variable) of() term.VarType {
	if x.Type != nil {
		return term.VarType{Type: x.Type}
	}
	return term.VarType{Size: x.Sizes[0]}
}

func (b *builder) ivar(n slot.Name, size term.Size) slot.Ref {
	return b.make(term.Op{Sym: term.SymIvar, Sizes: []term.Size{size}}, []slot.Name{n}, nil, nil)
}

func (b *builder) int(n int64) slot.Ref { return b.fill(term.ScalarI(n), nil) }

func (b *builder) fill(c term.Scalar, shape []term.Size) slot.Ref {
	return b.make(term.Op{Sym: term.SymConst, Const: term.ConstFill(c), Type: term.ArrayOf(c.Elem, shape...)}, nil, nil, nil)
}

func (b *builder) apply(sym term.Sym, kids ...slot.Ref) slot.Ref {
	return b.make(term.Op{Sym: sym}, nil, nil, kids)
}

func (b *builder) literal(p *Pattern, t *term.Type) slot.Ref {
	if p.Sort != nil {
		n := p.Value
		if p.Kind == PLit {
			n = b.attr(p.Lit, SortLit).lit.Num
		}
		return b.number(n, p.Sort)
	}
	t = b.literalType(p, t)
	v := attrValue{number: true}
	if p.Kind == PLit {
		v = b.attr(p.Lit, SortLit)
	}
	switch {
	case t == nil && v.number:
		b.fail("the type of a literal cannot be told from its context")
	case t == nil:
		return b.fill(v.lit, nil)
	case p.Kind == PZero:
		return b.zeros(t)
	case t.Kind != term.KArray:
		b.fail("a literal is not a %s", t)
	case p.Kind == PLit:
		if p.LitFor != nil && v.lit.Elem == term.I && t.Elem == term.R {
			v.lit = term.ScalarR(numeric.Int(v.lit.Int))
		}
		return b.fill(b.literalOf(v, t.Elem), t.Shape)
	case p.Kind == PTruth:
		return b.fill(term.ScalarB(p.Truth), t.Shape)
	case t.Elem == term.R:
		return b.fill(term.ScalarR(p.Value), t.Shape)
	}
	r := p.Value.Rat()
	if t.Elem != term.I || r == nil || !r.IsInt() || !r.Num().IsInt64() {
		b.fail("%s is not of type %s", p.Value, t)
	}
	return b.fill(term.ScalarI(r.Num().Int64()), t.Shape)
}

// literalType is the type that a literal has on the left side, or says itself, or else t.
func (b *builder) literalType(p *Pattern, t *term.Type) *term.Type {
	switch {
	case b.left != nil && b.left.Types[p] != nil:
		return b.left.Types[p]
	case p.LitFor != nil:
		return b.typ(p.LitFor)
	}
	return t
}

// zeros is the zero of a type: an array of zeros, or a tuple of them.
func (b *builder) zeros(t *term.Type) slot.Ref {
	switch t.Kind {
	case term.KArray:
		return b.fill(term.ScalarZero(t.Elem), t.Shape)
	case term.KTuple:
		return b.apply(term.SymTuple, slice.Map(t.Parts, b.zeros)...)
	case term.KLin:
		return b.make(term.Op{Sym: term.SymLzero, Type: t.Parts[0], Type2: t.Parts[1]}, nil, nil, nil)
	}
	b.fail("there is no zero of type %s", t)
	return slot.Ref{}
}

// number is a number of a language.
func (b *builder) number(n numeric.Num, sort *term.Type) slot.Ref {
	return b.make(term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarR(n)), Type: sort}, nil, nil, nil)
}

// sizeValue is a size as an integer, or as an array of the type of a term.
func (b *builder) sizeValue(p *Pattern) slot.Ref {
	if p.Sort != nil {
		return b.number(numOf(b.sizeLiteral(p.Lit)), p.Sort)
	}
	size, t := b.integer(p.Lit), b.literalType(p, term.ArrayOf(term.I))
	if t.Kind != term.KArray || t.Elem == term.B {
		b.fail("a size is not a %s", t)
	}
	return b.sizeAs(size, t)
}

// sizeAs is a size as an array of integers or reals. A symbolic size, of a rule under test, is
// a named input.
func (b *builder) sizeAs(s term.Size, t *term.Type) slot.Ref {
	n, ok := s.Const()
	switch {
	case !ok:
		return b.make(term.Op{Sym: term.SymVar, Name: "size " + s.Key(), Type: t}, nil, nil, nil)
	case t.Elem == term.R:
		return b.fill(term.ScalarR(numeric.Int(n)), t.Shape)
	}
	return b.fill(term.ScalarI(n), t.Shape)
}

func (b *builder) substitution(subs []Binding) map[slot.Name]Replacement {
	env := make(map[slot.Name]Replacement)
	for _, s := range subs {
		x := b.m.Get(s.Var)
		if !s.List {
			by := b.term(s.By, nil)
			if x.Type == nil {
				b.index(by)
			} else if t := b.space.Type(by); !t.Equal(x.Type) {
				b.fail("%s cannot stand for a state of type %s", t, x.Type)
			}
			env[x.Index] = Replacement{by, x.of()}
			continue
		}
		by := b.list(s.ByL)
		if len(by) != len(x.Names) {
			b.noValue("lists of different length")
		}
		for i, n := range x.Names {
			env[n] = Replacement{b.index(by[i]), term.VarType{Size: x.Sizes[i]}}
		}
	}
	return env
}

// index is r, which replaces an index variable.
func (b *builder) index(r slot.Ref) slot.Ref {
	if t := b.space.Type(r); !t.IsScalar(term.I) {
		b.fail("%s cannot stand for an index variable", t)
	}
	return r
}

// inside is the truth value of 0 <= ix < sizes, component by component.
func (b *builder) inside(ix []slot.Ref, sizes []term.Size) slot.Ref {
	if len(ix) > len(sizes) {
		b.fail("more indices than axes")
	}
	var all *slot.Ref
	for i, x := range ix {
		c := b.apply(term.SymAnd, b.apply(term.SymLe, b.int(0), x), b.apply(term.SymLt, x, b.sizeInt(sizes[i])))
		if all != nil {
			c = b.apply(term.SymAnd, *all, c)
		}
		all = &c
	}
	if all == nil {
		return b.fill(term.ScalarB(true), nil)
	}
	return *all
}

// sizeInt is a size as an integer.
func (b *builder) sizeInt(s term.Size) slot.Ref { return b.sizeAs(s, term.ArrayOf(term.I)) }

// list builds a list of terms.
func (b *builder) list(l *ListPat) []slot.Ref {
	switch l.Kind {
	case LVar:
		return b.value(l.Name).Terms
	case LBound:
		x := b.m.Get(l.Name)
		return slice.Make(len(x.Names), func(i int) slot.Ref { return b.ivar(x.Names[i], x.Sizes[i]) })
	case LLit:
		return b.elems(l.Elems, term.ArrayOf(term.I))
	case LPermute, LUnpermute:
		p, arg := b.attr(l.Perm, SortPerm).perm, b.list(l.Arg)
		if len(p) > len(arg) {
			b.noValue("a list is too short")
		}
		if l.Kind == LUnpermute {
			p = term.InvertPerm(p)
		}
		out := make([]slot.Ref, len(p), len(arg))
		for i, j := range p {
			out[i] = arg[j]
		}
		return append(out, arg[len(p):]...)
	case LUnravel:
		return b.unravelled(l)
	case LSubst:
		env := b.substitution(l.Subs)
		arg := b.list(l.Arg)
		return slice.Map(arg, func(r slot.Ref) slot.Ref { return b.space.Subst(r, env) })
	}
	b.fail("this list is not built")
	return nil
}

// elems builds the items of a list of children.
func (b *builder) elems(es []Elem, expect *term.Type) []slot.Ref {
	return Spliced(es, expect, b.term, b.list, b.mapped)
}

// mapped builds e.Pat once for each place of the lists it runs over.
func (b *builder) mapped(e Elem, expect *term.Type) []slot.Ref {
	first := b.m.Get(e.Over[0])
	n := len(first.Terms)
	if first.Type != nil {
		if first.Type.Kind != term.KTuple {
			b.noValue("not a tuple")
		}
		n = len(first.Type.Parts)
	}
	for _, l := range e.Over[1:] {
		if len(b.m.Get(l).Terms) != n {
			b.noValue("lists of different length")
		}
	}
	out := make([]slot.Ref, n)
	b.places(out, func() slot.Ref { return b.term(e.Pat, expect) })
	return out
}

// places fills out with what a spread makes at each place.
func (b *builder) places(out []slot.Ref, make func() slot.Ref) {
	outer := b.place
	for i := range out {
		b.place = i
		out[i] = make()
	}
	b.place = outer
}

func (b *builder) application(p *Pattern, expect *term.Type) slot.Ref {
	op := term.Op{Sym: p.Sym}
	if p.Name != "" {
		x := b.m.Get(p.Name)
		op.Sym, op.N = x.Op.Sym, x.Op.N
	}
	if b.left != nil {
		if x, ok := b.left.Ops[p]; ok {
			op = x
		}
	}
	o := b.space.Signature().Operator(op.Sym)
	if o.Sorted != nil {
		return b.sorted(p, op, o.Sorted)
	}
	if o.Elementwise || op.Sym == term.SymCond {
		if a := p.Attrs.N; a != nil {
			op.N = b.attr(a, SortInt).n
		}
		return b.pointwise(p, op, expect)
	}
	return b.structural(p, op)
}

// pointwise builds elementwise operators and cond. A literal operand gets its
// type from the others.
func (b *builder) pointwise(p *Pattern, op term.Op, expect *term.Type) slot.Ref {
	kids, literals := Apart(p.Kids, func(e Elem) []slot.Ref { return b.elems([]Elem{e}, expect) })
	types := make([]*term.Type, len(kids))
	for i, k := range kids {
		if literals[i] == nil {
			types[i] = b.space.Type(k)
		}
	}
	if len(literals) > 0 && len(kids) != len(p.Kids) {
		b.fail("a literal beside a list of operands has no type")
	}
	for i := range kids {
		if q := literals[i]; q != nil {
			kids[i] = b.literal(q, Sibling(op, types, i, expect))
		}
	}
	return b.make(op, nil, nil, kids)
}

// structural builds every other operator.
func (b *builder) structural(p *Pattern, op term.Op) slot.Ref {
	if b.attributes(p, &op); p.Binders == nil {
		return b.make(op, nil, nil, b.elems(p.Kids, nil))
	}
	return b.binding(p, op)
}

// attributes computes the attributes of an operator.
func (b *builder) attributes(p *Pattern, op *term.Op) {
	if a := p.Attrs.Sizes; a != nil {
		op.Sizes = b.sizes(a)
	}
	if a := p.Attrs.Targets; a != nil {
		op.Targets = b.sizes(a)
	}
	if a := p.Attrs.Perm; a != nil {
		op.Perm = b.attr(a, SortPerm).perm
	}
	if a := p.Attrs.N; a != nil {
		op.N = b.attr(a, SortInt).n
	}
	if a := p.Attrs.Lit; a != nil {
		op.Const = term.ConstFill(b.literalOf(b.attr(a, SortLit), term.R))
	}
	if t := p.Attrs.Type; t != nil {
		op.Type = b.typ(t)
	}
	if t := p.Attrs.Type2; t != nil {
		op.Type2 = b.typ(t)
	}
}

// binding builds an operator with binders. Binders of the left side keep their
// variables; others get fresh ones.
func (b *builder) binding(p *Pattern, op term.Op) slot.Ref {
	mark := len(b.m.Vars)
	defer func() { b.m.Vars = b.m.Vars[:mark] }()
	var kids []slot.Ref
	body := p.Kids
	o := b.space.Signature().Operator(op.Sym)
	for _, e := range p.Kids[:o.Outer()] { // outside the binders, and the ranges may come from it
		kids = append(kids, b.term(e.Pat, nil))
		body = body[1:]
	}
	if o.OwnRanges() {
		t := op.Type
		if len(kids) > 0 {
			t = b.space.Type(kids[0])
		}
		n := len(p.Binders.Heads)
		if p.Binders.Rest != "" {
			x := b.m.Get(p.Binders.Rest)
			if x == nil {
				b.fail("the number of binders of a scatter is not known")
			}
			n += len(x.Names)
		}
		if n > len(t.Shape) {
			b.fail("more binders than axes")
		}
		if b.left == nil {
			op.Sizes = t.Shape[:n]
		}
	}
	if p.Binders.State != "" && b.left == nil {
		op.Type = b.space.Type(kids[0])
	}
	heads := len(p.Binders.Heads)
	if len(op.Sizes) < heads || p.Binders.Rest == "" && len(op.Sizes) != heads {
		b.fail("%d sizes for %d binders", len(op.Sizes), heads)
	}
	names := make([]slot.Name, len(op.Sizes))
	for i, h := range p.Binders.Heads {
		if x := b.m.Get(h); x != nil {
			names[i] = x.Index
		} else {
			names[i] = b.space.Fresh()
		}
		b.m.Vars = append(b.m.Vars, Variable{Name: h, Index: names[i], Sizes: op.Sizes[i : i+1]})
	}
	if r := p.Binders.Rest; r != "" {
		old := b.m.Get(r)
		if old != nil && len(old.Names) != len(op.Sizes)-heads {
			b.fail("%d sizes for %d binders", len(op.Sizes), heads+len(old.Names))
		}
		for i := heads; i < len(names); i++ {
			if old != nil {
				names[i] = old.Names[i-heads]
			} else {
				names[i] = b.space.Fresh()
			}
		}
		b.m.Vars = append(b.m.Vars, Variable{Name: r, Names: names[heads:], Sizes: op.Sizes[heads:]})
	}
	if s := p.Binders.State; s != "" {
		name := b.space.Fresh()
		if x := b.m.Get(s); x != nil && x.Type.Equal(op.Type) {
			name = x.Index
		}
		names = append(names, name)
		b.m.Vars = append(b.m.Vars, Variable{Name: s, Index: name, Type: op.Type})
	}
	kids = append(kids, b.elems(body, nil)...)
	return b.make(op, nil, names, kids)
}

// sorted builds an operator of a language. What it binds is a variable of the left side
// or of a metavariable, or a new one.
func (b *builder) sorted(p *Pattern, op term.Op, d *term.Sorted) slot.Ref {
	mark := len(b.m.Vars)
	defer func() { b.m.Vars = b.m.Vars[:mark] }()
	var names []slot.Name
	if p.Binders != nil {
		for i, h := range p.Binders.Heads {
			x := b.m.Get(h)
			switch {
			case x == nil:
				x = &Variable{Name: h, Index: b.space.Fresh(), Type: d.Binders[i].Type}
				b.m.Vars = append(b.m.Vars, *x)
				names = append(names, x.Index)
			case x.Type != nil:
				names = append(names, x.Index)
			case len(x.Ref.Args) == 0:
				b.noValue(h + " is no variable")
			default:
				names = append(names, x.Ref.Args[0])
			}
		}
	}
	b.attributes(p, &op)
	return b.make(op, nil, names, b.elems(p.Kids, nil))
}
