package rules

import (
	"cmp"
	"fmt"
	"slices"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/numeric"
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

	types      map[string]*term.Type       // solved type variables
	places     map[string]term.Size        // in the names of variables
	elemsAt    map[elemPlace]term.Elem     // of element types that depend on the place
	joined     map[varying][]*term.Type    // the items of lists of several parts, by the variable for an element
	value      func(s term.Size) term.Size // what a length is, as far as that is known
	normal     map[string][]term.Size      // what lists of sizes are, as instances ask
	vectors    map[string]bool             // type variables that linear maps act on
	metas      map[string]*term.Type       // of an element, of a list
	lits       map[string]litType
	op         map[string][]term.Sym // what operator variables stand for, of one type
	binders    map[string][]term.Size
	lets       map[string]*term.Type
	locals     map[string]*term.Type // of bound variables that are no indices
	leftLocals map[string]*term.Type // of those of the left side
	root       *term.Type
	place      term.Size             // how many places the spread has that is being typed; 0 outside
	placeNow   string                // the place in it, if their number is fixed
	deep       int                   // how many names are followed to other places
	asked      bool                  // one asks what is known at all places
	generic    string                // each if all places are typed at once, else ""
	part       map[string]*term.Type // of a list of several parts, the elements of the one that is being typed

	// What an instance has to know of the left side.
	literals []*Pattern
	littypes map[*Pattern]*term.Type
	applied  []*Pattern
	ops      map[*Pattern]*applied
	current  *applied
}

// litType is the element type of a literal. A number has that of its context.
type litType struct {
	elem   term.Elem
	number bool
	value  *numeric.Num // if it is known
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

// newTyping begins to type a rule in a case that pick chooses: among operators of
// different types, and if short is set among few elements of lists.
func newTyping(sig *term.Signature, r *Rule, short bool, pick func(of int) int) *typing {
	n := &typing{
		shapes: newShapes(), sig: sig, rule: r, pick: pick, types: make(map[string]*term.Type), places: make(map[string]term.Size), elemsAt: make(map[elemPlace]term.Elem), joined: make(map[varying][]*term.Type), normal: make(map[string][]term.Size), vectors: make(map[string]bool),
		metas: make(map[string]*term.Type), lits: make(map[string]litType), op: make(map[string][]term.Sym),
		binders: make(map[string][]term.Size), lets: make(map[string]*term.Type), locals: make(map[string]*term.Type), leftLocals: make(map[string]*term.Type),
		littypes: make(map[*Pattern]*term.Type), ops: make(map[*Pattern]*applied),
	}
	n.shapes.typing, n.value = n, n.size
	for _, name := range r.Vars.Order {
		switch r.Vars.Sort[name] {
		case SortTerm:
			n.metas[name] = cmp.Or(r.Vars.Types[name], variable(name))
		case SortTerms:
			n.metas[name] = cmp.Or(r.Vars.Types[name], variable(name+each))
			if short {
				n.sizes["len "+name] = number(pick(maxRank + 1))
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
	if n.rule.Language != nil {
		return // sorts have no sizes
	}
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
	switch sort := AttrSortOf(c.A, c.B); sort {
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

// samePerm solves an equation between permutations, if it has a variable, or the inverse
// of one, at one place only. Others are left.
func (n *typing) samePerm(a, b []move) {
	a, b = n.moves(a), n.moves(b)
	n.alikePerms = append(n.alikePerms, [2][]move{a, b})
	if len(a) != 1 || a[0].name == "" {
		a, b = b, a
	}
	if len(a) != 1 || a[0].name == "" {
		n.solvePerm(slices.Concat(a, invert(b)))
		return
	}
	name := a[0].name
	if mentions(b, name) && len(b) > 1 {
		n.solvePerm(slices.Concat(a, invert(b)))
		return
	}
	if a[0].inverse {
		b = invert(b)
	}
	switch {
	case len(b) == 1 && b[0].name == name && b[0].inverse:
		n.perms[name] = []move{{name: name, own: true}}
	case !mentions(b, name):
		n.setPerm(name, b)
	}
}

// setPerm gives a permutation its value, and its length, if that is known.
func (n *typing) setPerm(name string, b []move) {
	switch len(b) {
	case 0:
		n.Sizes(lengthOf(name), number(0))
	case 1:
		n.Sizes(lengthOf(name), n.reach(b[0]))
	}
	n.perms[name] = b
}

// solvePerm makes permutations, one after the other, the one that changes nothing: a
// variable that is there once is the inverse of what is around it.
func (n *typing) solvePerm(ms []move) {
	for i, m := range ms {
		around := invert(slices.Concat(ms[i+1:], ms[:i]))
		if m.name == "" || m.own || mentions(around, m.name) {
			continue
		}
		if m.inverse {
			around = invert(around)
		}
		n.setPerm(m.name, n.moves(around))
		return
	}
}

func mentions(ms []move, name string) bool {
	return slices.ContainsFunc(ms, func(m move) bool { return m.name == name || mentions(m.lift, name) })
}

// right decides whether the right side has the type of the left side.
func (n *typing) right() {
	// Of a language, the right side may say the sort of a metavariable.
	n.rigid = n.rule.Language == nil
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
		if n.rule.Language != nil {
			n.need(n.rule.Rhs.Pos, n.Types(n.root, t), "this has the sort %s, expected %s", n.sortName(t), n.sortName(n.root))
		}
		n.need(n.rule.Pos, n.Types(n.root, t), "the left side has type %s and the right side %s", n.shown(n.root), n.shown(t))
	}
	for _, c := range slices.Concat(n.rule.Conds, n.rule.Assumes) {
		switch c.Kind {
		case CondOrder, CondFinite, CondLiteral, CondNotLiteral, CondSymbol, CondVariable:
			n.fact(c.L)
			n.fact(c.R)
		case CondFact:
			n.truth(c.L)
		case CondSame, CondDistinct:
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
	if n.rule.Language != nil {
		n.ofSort(p.Pos, t, term.Fact)
	}
	n.need(p.Pos, t.Kind == term.KArray && n.ElemIn(t.Elem, term.B), "a fact is a truth value, not %s", n.shown(t))
}

// fact types what a condition on numbers is about, as [builder.applied] does; numbers and
// sizes alone have no type, nil.
func (n *typing) fact(p *Pattern) *term.Type {
	switch {
	case p == nil || p.Kind == PNumber || p.Kind == PZero:
		return nil
	case p.Kind == PLit:
		n.attr(p.Lit, SortLit)
		return nil
	case p.Kind == PSizeVal:
		n.attr(p.Lit, SortSize)
		return nil
	case !p.plain():
		return n.term(p, nil)
	}
	op := term.Op{Sym: p.Sym}
	if p.Name != "" {
		op.Sym = n.op[p.Name][0]
	}
	kids, beside := make([]*term.Type, len(p.Kids)), term.ArrayOf(term.R)
	for i, k := range p.Kids {
		if kids[i] = n.fact(k.Pat); kids[i] == nil {
			continue
		}
		if t := n.Resolve(kids[i]); t.Kind == term.KArray {
			if beside = t; n.FindElem(t.Elem) == term.B {
				beside = term.ArrayOf(term.R, t.Shape...)
			}
		}
	}
	_, t, err := typeBeside(n, n.sig, op, kids, beside)
	if err != nil {
		n.fail(p.Pos, "asks for an ill-typed term: %s", err.Msg)
	}
	return t
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
	result := changes(n.Resolve(n.root))
	for i, m := range maps {
		if m == nil {
			continue
		}
		if i >= len(kids) {
			n.fail(n.rule.Pos, "there are more maps than operands")
		}
		want := term.LinOf(kids[i], result)
		if isEach(kids[i]) && isEach(m) && n.Sizes(kids[i].Shape[0], m.Shape[0]) {
			want, m = term.LinOf(kids[i].Parts[0], result), m.Parts[0]
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
