package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term"
)

// typing finds the most general type of the metavariables of a rule, for all
// ranks and lengths of lists, and whether both sides have one type wherever the
// left side has one. It is the unifier of the typing rules.
//
// The type of an element of a list of terms may depend on its place: variables
// whose names end in [i] stand for a type at each place, those that end in [n] for
// that at place n.
type typing struct {
	shapes
	term.ElemVars
	sig  *term.Signature
	rule *Rule
	pick func(of int) int // chooses a case

	types   map[string]*term.Type // solved type variables
	places  map[string]term.Size  // in the names of type variables
	vectors map[string]bool       // type variables that linear maps act on
	metas   map[string]*term.Type // of an element, of a list
	lits    map[string]litType
	op      map[string][]term.Sym // what operator variables stand for, of one type
	binders map[string][]term.Size
	lets    map[string]*term.Type
	root    *term.Type
	place   term.Size // how many places the spread has that is being typed; 0 outside
	at1     string    // the place in it, if their number is fixed

	// What an instance has to know of the left side.
	literals []*Pattern
	littypes map[*Pattern]*term.Type
	applied  []*Pattern
	// alikePerms are the permutations that a condition makes equal.
	alikePerms [][2][]move
	ops        map[*Pattern]*applied
	current    *applied
}

// litType is the element type of a literal. A number has that of its context.
type litType struct {
	elem   term.Elem
	number bool
	value  *term.Num // if it is known
}

// applied is an operator of a pattern with the attributes that term.Op cannot have
// as long as they are not known.
type applied struct {
	term.Op
	moves []move
	nth   term.Size
	kids  []*term.Type
}

// untyped leaves a pattern that has no type.
type untyped struct {
	pos diag.Pos
	msg string
}

// noValue leaves a function of the right side that has no value: the rule does not
// apply.
type noValue struct{}

// undecided leaves what typing cannot decide.
type undecided struct{ why string }

func (n *typing) fail(pos diag.Pos, format string, args ...any) {
	panic(untyped{pos, fmt.Sprintf(format, args...)})
}

func (n *typing) need(pos diag.Pos, holds bool, format string, args ...any) {
	if !holds {
		n.fail(pos, format, args...)
	}
}

const each = "[i]"

// newTyping begins to type a rule in a case that pick chooses: among operators of
// different types, and if short is set among few elements of lists.
func newTyping(sig *term.Signature, r *Rule, short bool, pick func(of int) int) *typing {
	n := &typing{
		shapes: newShapes(), sig: sig, rule: r, pick: pick, types: make(map[string]*term.Type), places: make(map[string]term.Size), vectors: make(map[string]bool),
		metas: make(map[string]*term.Type), lits: make(map[string]litType), op: make(map[string][]term.Sym),
		binders: make(map[string][]term.Size), lets: make(map[string]*term.Type),
		littypes: make(map[*Pattern]*term.Type), ops: make(map[*Pattern]*applied),
	}
	for _, name := range r.vars.order {
		switch r.vars.sort[name] {
		case SortTerm:
			n.metas[name] = variable(name)
		case SortTerms:
			n.metas[name] = variable(name + each)
			if short {
				n.sizes["len "+name] = number(pick(MaxRank + 1))
			}
		case SortLit:
			n.lits[name] = litType{elem: n.NewElem(term.R, term.I, term.B)}
		case SortOp:
			groups := operatorGroups(sig, r, name)
			if len(groups) == 0 {
				n.fail(r.Pos, "no operator is in all classes of ?%s", name)
			}
			n.op[name] = groups[pick(len(groups))]
		}
	}
	return n
}

func variable(name string) *term.Type { return &term.Type{Kind: term.KVar, Name: name} }

// left types the left side and the conditions.
func (n *typing) left() {
	n.root = n.term(n.rule.Lhs, nil)
	if n.rule.Nabla { // only what is real has a derivative
		n.need(n.rule.Lhs.Pos, n.Vector(n.root), "only what is real has a derivative, and this is %s", n.shown(n.root))
	}
	for i := range n.rule.Conds {
		n.condition(&n.rule.Conds[i])
	}
	if !n.retry() {
		n.fail(n.rule.Lhs.Pos, "shapes that must be equal are not")
	}
}

// condition uses what a side condition says about types.
func (n *typing) condition(c *Cond) {
	switch c.Kind {
	case CondType:
		t, want := n.term(c.Of, nil), n.typ(c.Type)
		n.need(c.Pos, n.Types(t, want), "this is %s, not %s", n.shown(t), n.shown(want))
	case CondEqual:
		n.equate(c)
	case CondInside:
		axes := n.axes(c.Of, c.Sizes)
		n.need(c.Pos, n.demand(n.Rank(axes).Sub(kinds(n.list(c.Ix)))), "there are more indices than axes")
	}
}

// equate makes two attributes equal.
func (n *typing) equate(c *Cond) {
	ok := true
	switch sort := attrSortOf(c.A, c.B); sort {
	case SortSizes:
		ok = n.Shapes(n.attr(c.A, sort).sizes, n.attr(c.B, sort).sizes)
	case SortSize, SortInt:
		ok = n.Sizes(n.attr(c.A, sort).size, n.attr(c.B, sort).size)
	case SortPerm:
		n.samePerm(n.attr(c.A, sort).moves, n.attr(c.B, sort).moves)
	case SortLit:
		x, y := n.attr(c.A, sort).lit, n.attr(c.B, sort).lit
		if x.number {
			x, y = y, x
		}
		switch {
		case x.number:
		case !y.number:
			ok = n.Elems(x.elem, y.elem)
		case y.value != nil && (y.value.Rat() == nil || !y.value.Rat().IsInt()):
			ok = n.ElemIn(x.elem, term.R)
		default:
			ok = n.ElemIn(x.elem, term.R, term.I)
		}
	}
	n.need(c.Pos, ok, "this never holds")
}

// samePerm solves an equation between permutations, if one side is a variable that
// the other one does not have, or the inverse of it. Others say nothing about types.
func (n *typing) samePerm(a, b []move) {
	a, b = n.moves(a), n.moves(b)
	n.alikePerms = append(n.alikePerms, [2][]move{a, b})
	if len(a) != 1 || a[0].name == "" {
		a, b = b, a
	}
	if len(a) != 1 || a[0].name == "" {
		return
	}
	name := a[0].name
	if a[0].inverse {
		b = invert(b)
	}
	switch {
	case len(b) == 1 && b[0].name == name && b[0].inverse:
		n.perms[name] = []move{{name: name, own: true}}
	case !mentions(b, name):
		if len(b) == 1 {
			n.Sizes(lengthOf(name), n.reach(b[0]))
		}
		n.perms[name] = b
	}
}

func mentions(ms []move, name string) bool {
	return slices.ContainsFunc(ms, func(m move) bool { return m.name == name || mentions(m.lift, name) })
}

// right decides whether the right side has the type of the left side.
func (n *typing) right() {
	n.rigid = true
	if n.rule.Nabla {
		n.maps()
		return
	}
	switch n.rule.Kind {
	case syntax.Demand:
		n.term(n.rule.Rhs, nil)
	case syntax.Fact:
		n.truth(n.rule.Rhs)
	default:
		t := n.term(n.rule.Rhs, n.root)
		n.need(n.rule.Pos, n.Types(n.root, t), "the left side has type %s and the right side %s", n.shown(n.root), n.shown(t))
	}
	for _, c := range slices.Concat(n.rule.Conds, n.rule.Assumes) {
		switch c.Kind {
		case CondOrder, CondFinite, CondLiteral:
			n.fact(c.L)
			n.fact(c.R)
		case CondFact:
			n.truth(c.L)
		case CondSame:
			l, r := c.literalLast()
			t := n.term(l, nil)
			u := n.term(r, t)
			n.need(c.Pos, n.Types(t, u), "the condition compares %s and %s", n.shown(t), n.shown(u))
		}
	}
}

// truth types a fact.
func (n *typing) truth(p *Pattern) {
	t := n.Resolve(n.term(p, nil))
	n.need(p.Pos, t.Kind == term.KArray && n.ElemIn(t.Elem, term.B), "a fact is a truth value, not %s", n.shown(t))
}

// fact types what a condition on numbers is about.
func (n *typing) fact(p *Pattern) {
	if p == nil || p.Kind == PNumber || p.Kind == PZero || p.Kind == PLit || p.Kind == PSizeVal {
		return
	}
	n.term(p, nil)
}

// maps types the maps of a derivative rule: from the operands to the result.
func (n *typing) maps() {
	op := n.ops[n.rule.Lhs]
	if op == nil {
		panic(undecided{"the derivative of no operator"})
	}
	kids := op.kids
	var maps []*term.Type
	for _, e := range n.rule.Maps {
		if e.Kind == ENone {
			maps = append(maps, nil)
			continue
		}
		maps = append(maps, n.items([]Elem{e}, nil)...)
	}
	for i, m := range maps {
		if m == nil {
			continue
		}
		if i >= len(kids) {
			n.fail(n.rule.Pos, "there are more maps than operands")
		}
		want := term.LinOf(kids[i], n.root)
		if kids[i].Kind == term.KEach && m.Kind == term.KEach && n.Sizes(kids[i].Shape[0], m.Shape[0]) {
			want, m = term.LinOf(kids[i].Parts[0], n.root), m.Parts[0]
		}
		n.need(n.rule.Pos, n.Types(want, m), "the map of operand %d has type %s and must have %s", i, n.shown(m), n.shown(want))
	}
}

// assume calls f so that it may assume what a function of attributes needs to have a
// value: elsewhere the rule does not apply.
func (n *typing) assume(f func() bool) {
	rigid := n.rigid
	n.rigid = false
	if !f() {
		panic(noValue{})
	}
	n.rigid = rigid
}

// term is the type of a pattern. Expect is the type that the context gives to a
// literal of the right side, nil if it gives none.
func (n *typing) term(p *Pattern, expect *term.Type) *term.Type {
	switch p.Kind {
	case PMeta:
		return n.metas[p.Name]
	case PElem:
		return n.here(n.metas[p.Name])
	case PIvar, PPosition:
		return term.ArrayOf(term.I)
	case PLetVar:
		return n.lets[p.Name]
	case PSelf:
		return n.root
	case PNumber, PTruth, PZero, PLit, PSizeVal:
		return n.literal(p, expect)
	case PLet:
		// Tuples are taken apart before they are bound.
		if n.lets[p.Name] = n.Force(n.term(p.Bound, nil), term.KArray); n.lets[p.Name].Kind != term.KArray {
			n.fail(p.Pos, "a let of a rule binds an array")
		}
		return n.term(p.Body, nil)
	case PSubst:
		t := n.term(p.X, expect)
		n.substitution(p.Subs)
		return t
	case PInside:
		axes := n.axes(p.X, p.Lit)
		n.need(p.Pos, n.demand(n.Rank(axes).Sub(kinds(n.indices(n.items(p.Kids, nil), p.Pos)))), "there are more indices than axes")
		return term.ArrayOf(term.B)
	case PSpread:
		t := n.Force(n.term(p.X, nil), term.KArray)
		n.need(p.Pos, t.Kind == term.KArray, "only an array is spread, and this is %s", n.shown(t))
		return term.ArrayOf(t.Elem, slices.Concat(n.attr(p.Lit, SortSizes).sizes, t.Shape)...)
	case PRavel:
		k := kinds(n.indices(n.items(p.Kids, nil), p.Pos))
		n.need(p.Pos, n.Sizes(k, n.Rank(n.attr(p.Lit, SortSizes).sizes)), "ravel needs one index for each axis")
		return term.ArrayOf(term.I)
	case PNth:
		t, ok := n.nth(n.list(p.Kids[0].List), n.attr(p.Lit, SortInt).size)
		n.need(p.Pos, ok, "the list has no such element")
		return t
	case PTotal:
		return n.total(p)
	case PInject:
		t := n.typ(p.LitFor)
		n.current = &applied{nth: n.attr(p.Lit, SortInt).size}
		part, ok := n.Part(term.Op{}, n.Force(t, term.KTuple))
		n.need(p.Pos, ok, "there is no such component in %s", n.shown(t))
		x := n.term(p.X, nil)
		n.need(p.Pos, n.Types(part, x), "the component has type %s, not %s", n.shown(part), n.shown(x))
		return t
	case PApp:
		return n.application(p, expect)
	}
	panic(undecided{"this form has no type"})
}

// total is the type of a sum of terms that are alike.
func (n *typing) total(p *Pattern) *term.Type {
	items := n.items(p.Kids, nil)
	n.need(p.Pos, n.Some(kinds(items)), "this may be the total of nothing")
	var t *term.Type
	for _, x := range items {
		if x.Kind == term.KEach {
			x = x.Parts[0]
			n.need(p.Pos, n.Alike(x), "the terms of a total differ in type")
		}
		if t == nil {
			t = n.Resolve(x)
		}
		n.need(p.Pos, n.Types(t, x), "the terms of a total differ in type: %s and %s", n.shown(t), n.shown(x))
	}
	n.need(p.Pos, n.adds(t), "there is no total of terms of type %s", n.shown(t))
	return t
}

// adds reports whether terms of a type can be added.
func (n *typing) adds(t *term.Type) bool {
	t = n.Resolve(t)
	switch t.Kind {
	case term.KArray:
		return n.ElemIn(t.Elem, term.R, term.I)
	case term.KTuple, term.KEach:
		return !slices.ContainsFunc(t.Parts, func(p *term.Type) bool { return !n.adds(p) })
	case term.KVar:
		return n.Vector(t)
	}
	return t.Kind == term.KLin
}

// literal is the type of a literal: on the left side any array, on the right side
// what the context says.
func (n *typing) literal(p *Pattern, t *term.Type) *term.Type {
	if p.LitFor != nil {
		t = n.Force(n.typ(p.LitFor), term.KArray)
	}
	var lit litType
	var among []term.Elem
	switch p.Kind {
	case PSizeVal:
		if p.LitFor == nil {
			return term.ArrayOf(term.I)
		}
		among = []term.Elem{term.R, term.I}
	case PNumber:
		if among = []term.Elem{term.R, term.I}; p.Value.Rat() == nil || !p.Value.Rat().IsInt() {
			among = among[:1]
		}
	case PTruth:
		among = []term.Elem{term.B}
	case PZero:
		among = []term.Elem{term.R, term.I, term.B}
	case PLit:
		lit = n.attr(p.Lit, SortLit).lit
		among = n.Among(lit.elem)
	}
	if !n.rigid {
		e := lit.elem
		if p.Kind != PLit {
			e = n.NewElem(among...)
		}
		u := term.ArrayOf(e, list(n.fresh())...)
		n.need(p.Pos, t == nil || n.Types(t, u), "this literal is not of type %s", n.shown(t))
		n.literals = append(n.literals, p)
		n.littypes[p] = u
		return u
	}
	switch {
	case t == nil && p.Kind == PLit && !lit.number:
		return term.ArrayOf(lit.elem)
	case t == nil:
		n.fail(p.Pos, "the type of a literal cannot be told from its context")
	}
	t = n.Resolve(t)
	switch {
	case p.Kind == PZero:
		return t
	case t.Kind != term.KArray:
		if t.Kind == term.KVar {
			panic(undecided{"a literal of a type that is not known"})
		}
		n.fail(p.Pos, "a literal is not a %s", n.shown(t))
	case p.Kind == PTruth:
		return term.ArrayOf(term.B, t.Shape...)
	case p.Kind == PLit && !lit.number:
		if p.LitFor != nil && n.FindElem(lit.elem) == term.I && n.FindElem(t.Elem) == term.R {
			return t
		}
		return term.ArrayOf(lit.elem, t.Shape...)
	case p.Kind == PLit:
		n.assume(func() bool { return n.ElemIn(t.Elem, term.R, term.I) })
		return t
	}
	n.need(p.Pos, n.ElemIn(t.Elem, among...), "this literal is not of type %s", n.shown(t))
	return t
}

// kinds counts terms, with those of lists.
func kinds(items []*term.Type) term.Size {
	sum := number(0)
	for _, t := range items {
		if t.Kind == term.KEach {
			sum = sum.Add(t.Shape[0])
		} else {
			sum = sum.Add(number(1))
		}
	}
	return sum
}

// indices demands that terms are indices.
func (n *typing) indices(items []*term.Type, pos diag.Pos) []*term.Type {
	for _, t := range items {
		if t.Kind == term.KEach {
			t = t.Parts[0]
		}
		n.need(pos, n.Types(t, term.ArrayOf(term.I)), "an index is a scalar I, not %s", n.shown(t))
	}
	return items
}

// items are the types of a list of children.
func (n *typing) items(es []Elem, expect *term.Type) []*term.Type {
	var out []*term.Type
	for _, e := range es {
		switch e.Kind {
		case EOne:
			out = append(out, n.term(e.Pat, expect))
		case ESplice:
			out = append(out, n.list(e.List)...)
		case EMap:
			out = append(out, n.mapped(e, expect)...)
		}
	}
	return out
}

// mapped is the type of the pattern of a spread at each place of its lists.
func (n *typing) mapped(e Elem, expect *term.Type) []*term.Type {
	var size term.Size
	for i, l := range e.Over {
		k := n.length(l)
		if i > 0 {
			n.assume(func() bool { return n.Sizes(k, size) })
		}
		size = n.size(k)
	}
	if !n.rigid {
		n.need(e.Pat.Pos, n.Some(size), "nothing is spread")
	}
	outer, at := n.place, n.at1
	defer func() { n.place, n.at1 = outer, at }()
	n.place = size
	k, fixed := size.Const()
	if !fixed {
		return []*term.Type{term.EachOf(size, n.term(e.Pat, expect))}
	}
	var out []*term.Type
	for i := range k {
		n.at1 = fmt.Sprint(i)
		out = append(out, n.term(e.Pat, expect))
	}
	return out
}

// here is the type of a list at the place that is being typed, if its length is
// fixed.
func (n *typing) here(t *term.Type) *term.Type {
	if n.at1 == "" {
		return t
	}
	return n.at(t, n.at1)
}

// every are the types of so many terms.
func (n *typing) every(size term.Size, t *term.Type) []*term.Type {
	k, fixed := n.size(size).Const()
	if !fixed {
		return []*term.Type{term.EachOf(n.size(size), t)}
	}
	out := make([]*term.Type, k)
	for i := range out {
		out[i] = n.at(t, fmt.Sprint(i))
	}
	return out
}

// length is that of a list of terms, or of the components of a tuple.
func (n *typing) length(name string) term.Size {
	if n.rule.vars.sort[name] != SortType {
		return n.size(lengthOf(name))
	}
	var t *term.Type
	n.assume(func() bool {
		t = n.Force(variable(name), term.KTuple)
		return t.Kind == term.KTuple
	})
	return n.size(kinds(t.Parts))
}

// list is the types of a list of terms.
func (n *typing) list(l *ListPat) []*term.Type {
	switch l.Kind {
	case LVar:
		return n.every(lengthOf(l.Name), n.metas[l.Name])
	case LBound:
		return n.every(n.Rank(n.binders[l.Name]), term.ArrayOf(term.I))
	case LLit:
		return n.items(l.Elems, term.ArrayOf(term.I))
	case LPermute, LUnpermute:
		arg := n.list(l.Arg)
		n.assume(func() bool { return n.prefix(n.attr(l.Perm, SortPerm).moves, kinds(arg)) })
		if len(arg) == 1 && isEach(arg[0]) {
			return arg
		}
		n.indices(arg, l.Pos) // or they would change places
		return n.every(kinds(arg), term.ArrayOf(term.I))
	case LUnravel:
		n.indices([]*term.Type{n.term(l.Index, term.ArrayOf(term.I))}, l.Pos)
		return n.every(n.Rank(n.attr(l.Sizes, SortSizes).sizes), term.ArrayOf(term.I))
	case LSubst:
		n.substitution(l.Subs)
		return n.list(l.Arg)
	}
	panic(undecided{"this list has no type"})
}

// prefix asks that a list is as long as permutations of its first elements need.
func (n *typing) prefix(ms []move, length term.Size) bool {
	for _, m := range n.moves(ms) {
		if !n.demand(n.size(length).Sub(n.reach(m))) {
			return false
		}
	}
	return true
}

func (n *typing) substitution(subs []Binding) {
	for _, s := range subs {
		switch {
		case s.List:
			by := n.indices(n.list(s.ByL), s.ByL.Pos)
			n.assume(func() bool { return n.Sizes(kinds(by), n.Rank(n.binders[s.Var])) })
		case n.lets[s.Var] != nil:
			t := n.term(s.By, nil)
			n.need(s.By.Pos, n.Types(n.lets[s.Var], t), "%s cannot stand for %s, which is %s", n.shown(t), s.Var, n.shown(n.lets[s.Var]))
		default:
			n.indices([]*term.Type{n.term(s.By, nil)}, s.By.Pos)
		}
	}
}

func (n *typing) axes(of *Pattern, sizes *AttrExpr) []term.Size {
	if of == nil {
		return n.attr(sizes, SortSizes).sizes
	}
	t := n.Force(n.term(of, nil), term.KArray)
	n.need(of.Pos, t.Kind == term.KArray, "expected an array, found %s", n.shown(t))
	return t.Shape
}

// application is the type of an operator applied to operands.
func (n *typing) application(p *Pattern, expect *term.Type) *term.Type {
	a := &applied{Op: term.Op{Sym: p.Sym}}
	if p.Name != "" {
		a.Sym = n.op[p.Name][0]
	}
	o := n.sig.Operator(a.Sym)
	if o.Arity >= 0 && !n.rigid {
		n.count(p, o)
	}
	n.attributes(p, a)
	var kids []*term.Type
	if n.rigid && (o.Elementwise || a.Sym == term.SymCond) {
		kids = n.pointwise(p, a.Op, expect)
	} else {
		kids = n.bound(p, a)
	}
	if !n.rigid {
		if n.ops[p] == nil {
			n.applied = append(n.applied, p)
		}
		n.ops[p] = a
	}
	n.current, a.kids = a, kids
	if o.Declared != nil {
		return n.declared(p, o, a, kids)
	}
	t, err := term.InferType(n, n.sig, a.Op, kids)
	if err != nil {
		n.fail(p.Pos, "%s", err.Msg)
	}
	return t
}

// count chooses how long the lists of operands of an operator are.
func (n *typing) count(p *Pattern, o *term.Operator) {
	var open []term.Size
	left := int64(o.Arity)
	for _, e := range Flatten(p.Kids) {
		size := number(1)
		switch e.Kind {
		case ESplice:
			size = n.size(kinds(n.list(e.List)))
		case EMap:
			size = n.length(e.Over[0])
		}
		if k, known := size.Const(); known {
			left -= k
		} else {
			open = append(open, size)
		}
	}
	for i, size := range open {
		k := left
		if i < len(open)-1 && left > 0 {
			k = int64(n.pick(int(left + 1)))
		}
		n.need(p.Pos, n.Sizes(size, term.SizeConst(k)), "%s takes other operands", o.Name)
		left -= k
	}
	n.need(p.Pos, left == 0, "%s takes other operands", o.Name)
}

// declared is the type of an operator that a rule file declares, or of its map.
func (n *typing) declared(p *Pattern, o *term.Operator, a *applied, kids []*term.Type) *term.Type {
	params, result := o.Declared.General()
	if o.Linear {
		kids = slices.Insert(slices.Clone(kids), n.sig.Operator(o.Of).Operand(), a.Type)
	}
	env := make(map[string]term.Size)
	own := func(t *term.Type) *term.Type {
		for _, s := range t.Shape {
			for _, v := range s.Vars() {
				if _, ok := env[v]; ok {
					continue
				}
				if env[v] = n.freshSize(); strings.HasSuffix(v, many) {
					env[v] = list(n.fresh())[0]
				}
			}
		}
		return t.Subst(env)
	}
	for i, k := range params {
		k = own(k)
		n.need(p.Pos, n.fresher(k, kids[i]), "operand %d of %s has type %s, not %s", i+1, o.Name, n.shown(kids[i]), n.shown(k))
	}
	if result = own(result); o.Linear {
		return term.LinOf(a.Type, result)
	}
	return result
}

// fresher matches a type with new sizes against one that is there.
func (n *typing) fresher(fresh, t *term.Type) bool {
	t = n.Force(t, term.KArray)
	if !n.rigid {
		return n.Types(fresh, t)
	}
	if t.Kind != term.KArray || !n.ElemIn(t.Elem, fresh.Elem) {
		return false
	}
	rest := t.Shape
	for i, s := range fresh.Shape {
		s = n.norm([]term.Size{s})[0]
		name, ok := s.Var()
		if !ok || !strings.HasPrefix(name, "_") || n.sizes[name] != (term.Size{}) {
			return n.Shapes(fresh.Shape[i:], rest)
		}
		at := number(1)
		if isList(s) {
			at = n.Rank(rest).Sub(n.Rank(fresh.Shape[i+1:]))
		}
		front, behind, enough := n.Split(rest, at)
		if !enough {
			return false
		}
		if rest = behind; isList(s) {
			n.lists[name] = front
		} else {
			n.sizes[name] = front[0]
		}
	}
	return n.Rank(rest).IsConst(0)
}

// pointwise are the types of the operands of elementwise operators and cond on the
// right side. A literal gets its type from the others.
func (n *typing) pointwise(p *Pattern, op term.Op, expect *term.Type) []*term.Type {
	var kids []*term.Type
	todo := make(map[int]*Pattern)
	for _, e := range p.Kids {
		if e.Kind == EOne && isLiteral(e.Pat) {
			todo[len(kids)] = e.Pat
			kids = append(kids, nil)
			continue
		}
		kids = append(kids, n.items([]Elem{e}, expect)...)
	}
	for i := range kids {
		if q := todo[i]; q != nil {
			kids[i] = n.literal(q, n.sibling(op, kids, todo, i, expect))
		}
	}
	return kids
}

// sibling is the type that the other operands give to literal operand i.
func (n *typing) sibling(op term.Op, kids []*term.Type, todo map[int]*Pattern, i int, expect *term.Type) *term.Type {
	masked := op.Sym == term.SymWhere || op.Sym == term.SymCond
	if masked && i == 0 {
		if op.Sym == term.SymCond {
			return term.ArrayOf(term.B)
		}
		if expect != nil {
			return term.ArrayOf(term.B, n.Resolve(expect).Shape...)
		}
	}
	for k := range kids {
		if todo[k] == nil && !(masked && k == 0) {
			return kids[k]
		}
	}
	return expect
}

// attributes fills in the static attributes of an operator.
func (n *typing) attributes(p *Pattern, a *applied) {
	if x := p.Attrs.Sizes; x != nil {
		a.Sizes = n.attr(x, SortSizes).sizes
	}
	if x := p.Attrs.Targets; x != nil {
		a.Targets = n.attr(x, SortSizes).sizes
	}
	if x := p.Attrs.Perm; x != nil {
		a.moves = n.attr(x, SortPerm).moves
	}
	if x := p.Attrs.N; x != nil {
		a.nth = n.attr(x, SortInt).size
	}
	_, form, _ := n.sig.Form(n.sig.Operator(a.Sym).Name)
	for _, k := range form {
		switch k {
		case term.FormType:
			a.Type = n.typeOr(p.Attrs.Type)
		case term.FormType2:
			a.Type2 = n.typeOr(p.Attrs.Type2)
		}
	}
}

// typeOr is the type that a pattern says, or on a left side any type.
func (n *typing) typeOr(p *TypePat) *term.Type {
	switch {
	case p != nil:
		return n.typ(p)
	case n.rigid:
		panic(undecided{"a type that is left out"})
	}
	return variable(n.fresh())
}

// bound gives the binders of an operator their ranges, and types its operands. The
// array of a gather or scatter is outside of them.
func (n *typing) bound(p *Pattern, a *applied) []*term.Type {
	b := p.Binders
	if b == nil {
		return n.items(p.Kids, nil)
	}
	o := n.sig.Operator(a.Sym)
	kids, body := n.items(p.Kids[:o.Outer()], nil), p.Kids[o.Outer():]
	if o.OwnRanges() {
		t := a.Type
		if len(kids) > 0 {
			t = kids[0]
		}
		t = n.Force(t, term.KArray)
		n.need(p.Pos, t.Kind == term.KArray, "expected an array, found %s", n.shown(t))
		k := number(len(b.Heads))
		if b.Rest != "" {
			if _, known := n.binders[b.Rest]; !known {
				n.need(p.Pos, !n.rigid, "the number of binders of a scatter is not known")
				n.binders[b.Rest] = list(n.fresh())
			}
			k = k.Add(n.Rank(n.binders[b.Rest]))
		}
		front, _, ok := n.Split(t.Shape, k)
		n.need(p.Pos, ok, "there are more binders than axes")
		a.Sizes = front
	}
	heads, rest, ok := n.Split(a.Sizes, number(len(b.Heads)))
	n.need(p.Pos, ok && (b.Rest != "" || n.Shapes(rest, nil)), "the binders are not as many as the sizes")
	heads = n.norm(heads)
	for i, h := range b.Heads {
		if i >= len(heads) || isList(heads[i]) {
			panic(undecided{"the range of a binder is not known"})
		}
		n.bind1(p, h, heads[i:i+1])
	}
	if b.Rest != "" {
		n.bind1(p, b.Rest, rest)
	}
	return append(kids, n.items(body, nil)...)
}

// bind1 gives a bound variable, or a list of them, its range. Those of one name on
// the left side have one range; on the right side they are as many.
func (n *typing) bind1(p *Pattern, name string, ss []term.Size) {
	old, met := n.binders[name]
	if met && n.rigid {
		n.need(p.Pos, n.Sizes(n.Rank(old), n.Rank(ss)), "the binders are not as many as the sizes")
	} else if met {
		n.need(p.Pos, n.Shapes(old, ss), "the ranges of %s differ", name)
	}
	n.binders[name] = ss
}

// attrType is what is known of an attribute; which field counts depends on the
// sort.
type attrType struct {
	sizes []term.Size
	size  term.Size // of a size and of a number
	moves []move
	lit   litType
}

func (n *typing) attr(a *AttrExpr, s Sort) (v attrType) {
	switch a.Kind {
	case AVar:
		switch s {
		case SortSizes:
			v.sizes = n.norm(list(a.Name))
		case SortPerm:
			v.moves = n.moves([]move{{name: a.Name}})
		case SortLit:
			v.lit = n.lits[a.Name]
		default:
			v.size = n.size(term.SizeVar(a.Name))
		}
	case ASize:
		v.size = a.Size
		v.sizes = []term.Size{a.Size}
	case AInt:
		v.size = number(a.Int)
	case APerm:
		if len(a.Perm) > 0 {
			v.moves = []move{{perm: a.Perm}}
		}
	case ACons:
		v.sizes = append([]term.Size{n.attr(a.Args[0], SortSize).size}, n.attr(a.Args[1], SortSizes).sizes...)
	case ATermShape:
		v.sizes = n.norm(n.axes(a.Term, nil))
	case ATermLen:
		v.size = n.size(kinds(n.list(a.List)))
	case APosition:
		if v.size = term.SizeVar(positionName); n.at1 != "" {
			k, _ := strconv.Atoi(n.at1)
			v.size = number(k)
		}
	case ALit:
		v.lit = litType{number: true, value: &a.Lit}
	case ALitOf:
		v.lit = litType{number: true}
	case AFun:
		n.function(a, s, &v)
	}
	return v
}

const positionName = "position"

func (n *typing) function(a *AttrExpr, s Sort, v *attrType) {
	sizes := func(i int) []term.Size { return n.attr(a.Args[i], SortSizes).sizes }
	moves := func(i int) []move { return n.attr(a.Args[i], SortPerm).moves }
	switch a.Name {
	case "++":
		v.sizes = slices.Concat(sizes(0), sizes(1))
	case "+", "-", "*", "/":
		n.arithmetic(a, s, v)
	case "len":
		if a.Args[0].Sort == SortPerm {
			ms := moves(0)
			if len(ms) > 1 {
				panic(undecided{"the length of a composition"})
			}
			v.size = number(0)
			if len(ms) == 1 {
				v.size = n.reach(ms[0])
			}
			return
		}
		v.size = n.Rank(sizes(0))
	case "take", "drop":
		at, l := n.attr(a.Args[0], SortInt).size, sizes(1)
		n.assume(func() bool { return n.demand(n.Rank(l).Sub(at)) })
		front, rest := n.split(l, at)
		if v.sizes = front; a.Name == "drop" {
			v.sizes = rest
		}
	case "permute": // the rest is not in the result
		ms, l := moves(0), sizes(1)
		if len(ms) > 1 {
			panic(undecided{"the length of a composition"})
		}
		if len(ms) == 0 {
			return
		}
		n.assume(func() bool { return n.prefix(ms, n.Rank(l)) })
		front, _ := n.split(l, n.reach(ms[0]))
		v.sizes = n.permute(ms, front)
	case "product":
		v.size = n.product(sizes(0))
	case "compose":
		v.moves = n.moves(slices.Concat(moves(0), moves(1)))
	case "invert":
		v.moves = invert(moves(0))
	case "lift":
		if ms := moves(0); len(ms) > 0 {
			v.moves = []move{{lift: ms}}
		}
	case "rotate":
		k := n.attr(a.Args[0], SortInt).size
		if !k.IsConst(0) {
			v.moves = []move{{past: &k}}
		}
	case "fold", "fold1":
		v.lit.elem = n.folded(n.op[a.Args[0].Name][0], a.Args[1:])
	default:
		panic(undecided{"the function " + a.Name})
	}
}

// folded is the element type of an operator applied to literals.
func (n *typing) folded(op term.Sym, args []*AttrExpr) term.Elem {
	kids := make([]*term.Type, len(args))
	for i, a := range args {
		kids[i] = term.ArrayOf(n.attr(a, SortLit).lit.elem)
	}
	var t *term.Type
	n.assume(func() bool {
		var err *term.TypeError
		t, err = term.InferType(n, n.sig, term.Op{Sym: op}, kids)
		return err == nil
	})
	return t.Elem
}

func (n *typing) arithmetic(a *AttrExpr, s Sort, v *attrType) {
	x, y := n.attr(a.Args[0], s), n.attr(a.Args[1], s)
	if s == SortLit {
		switch {
		case x.lit.number && y.lit.number:
			v.lit.number = true
			return
		case x.lit.number:
			v.lit.elem = y.lit.elem
		default:
			v.lit.elem = x.lit.elem
		}
		sym, _, _, _ := term.InfixSym(a.Name)
		n.assume(func() bool {
			t := term.ArrayOf(v.lit.elem)
			r, err := term.InferType(n, n.sig, term.Op{Sym: sym}, []*term.Type{t, t})
			if err != nil || !x.lit.number && !y.lit.number && !n.Elems(x.lit.elem, y.lit.elem) {
				return false
			}
			v.lit.elem = r.Elem
			return true
		})
		return
	}
	switch a.Name {
	case "+":
		v.size = x.size.Add(y.size)
	case "-":
		v.size = x.size.Sub(y.size)
	default:
		v.size = x.size.Mul(y.size)
	}
	if s == SortInt {
		n.assume(func() bool { return n.demand(v.size) })
	}
}

// typ is the type that a pattern says.
func (n *typing) typ(p *TypePat) *term.Type {
	switch p.Kind {
	case TypeVar:
		return n.Resolve(variable(p.Name))
	case TypeOfMeta:
		return n.here(n.metas[p.Name])
	case TypeOfSelf:
		return n.root
	case TypeArray:
		return term.ArrayOf(p.Elem, n.attr(p.Shape, SortSizes).sizes...)
	}
	parts := make([]*term.Type, len(p.Parts))
	for i, q := range p.Parts {
		parts[i] = n.typ(q)
	}
	if p.Kind == TypeLin {
		return term.LinOf(parts[0], parts[1])
	}
	return term.TupleOf(parts...)
}
