package rules

import (
	"slices"

	"egad/slot"
	"egad/term"
)

// Match is what the metavariables of a rule stand for.
type Match struct {
	Rule *Rule
	Root slot.Ref
	vars []binding
}

// binding is the value of one metavariable; which field counts depends on the
// sort.
type binding struct {
	name  string
	ref   slot.Ref
	refs  []slot.Ref
	index slot.Name
	names []slot.Name
	sizes []term.Size // SortSizes, SortSize (one), and the ranges of index variables
	perm  []int
	n     int
	lit   term.Scalar
	typ   *term.Type
	op    term.Op
	// size is the size that lit must be: of a size used as an integer, which has
	// no name and is compared when all sizes are known.
	size *Pattern
}

func (m *Match) get(name string) *binding {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}

// Term is the term that a metavariable stands for.
func (m *Match) Term(name string) (slot.Ref, bool) {
	if b := m.get(name); b != nil {
		return b.ref, true
	}
	return slot.Ref{}, false
}

// matcher finds the ways in which a pattern matches, by backtracking.
type matcher struct {
	space  Space
	opaque bool // do not look inside atoms below the root
	m      *Match
	// elems are the first elements of the lists that a spread of the left side runs
	// over, those of the places up to the present one.
	elems map[string][]slot.Ref
	place int
}

// FindMatches calls f for every way in which the left side of r matches root and
// its conditions hold, until f returns false. If opaque is set, the pattern does
// not look inside atoms below the root. A mistake in the rule is an error.
func FindMatches(s Space, r *Rule, root slot.Ref, opaque bool, f func(m *Match) bool) (err error) {
	defer func() {
		if e := recover(); e != nil {
			x, ok := e.(failure)
			if !ok {
				panic(e)
			}
			err = &Mistake{r, x.msg}
		}
	}()
	mt := &matcher{space: s, opaque: opaque, m: &Match{Rule: r, Root: root}}
	mt.node(r.Lhs, root, func() bool {
		bound := mt.m.vars
		defer func() { mt.m.vars = bound }()
		if !mt.conditions(r.Conds) || !mt.sizesFit() {
			return true
		}
		m := *mt.m
		m.vars = slices.Clone(mt.m.vars)
		return f(&m)
	})
	return nil
}

// pattern matches p against r and calls k for every way; it returns false if k
// did, to stop.
func (mt *matcher) pattern(p *Pattern, r slot.Ref, k func() bool) bool {
	switch p.Kind {
	case PMeta:
		if b := mt.m.get(p.Name); b != nil {
			if !mt.space.Same(b.ref, r) {
				return true
			}
			return k()
		}
		return mt.with(binding{name: p.Name, ref: r}, k)
	case PElem:
		return mt.element(p.Name, r, k)
	case PIvar:
		if !mt.isVariable(r, mt.m.get(p.Name).index) {
			return true
		}
		return k()
	case PNumber, PTruth, PZero, PLit:
		return mt.literal(p, r, k)
	case PSizeVal:
		if !mt.literal(p, r, k) {
			return false
		}
		if p = p.X; p == nil {
			return true
		}
	}
	if mt.opaque && mt.space.Named(r) {
		return true
	}
	return mt.node(p, r, k)
}

// with calls k with one more metavariable bound.
func (mt *matcher) with(b binding, k func() bool) bool {
	n := len(mt.m.vars)
	mt.m.vars = append(mt.m.vars, b)
	ok := k()
	mt.m.vars = mt.m.vars[:n]
	return ok
}

// isVariable reports whether r is the index variable n.
func (mt *matcher) isVariable(r slot.Ref, n slot.Name) bool {
	found := false
	mt.space.Nodes(r, func(v term.View) bool {
		found = v.Op.Sym == term.SymIvar && v.Own[0] == n
		return !found
	})
	return found
}

func (mt *matcher) literal(p *Pattern, r slot.Ref, k func() bool) bool {
	ok := true
	mt.space.Nodes(r, func(v term.View) bool {
		ok = mt.literalNode(p, v.Op, r, k)
		return ok
	})
	return ok
}

// literalNode matches a literal against one operator of r.
func (mt *matcher) literalNode(p *Pattern, op term.Op, r slot.Ref, k func() bool) bool {
	if op.Sym != term.SymConst || op.Const.Data != nil {
		return true
	}
	if p.LitFor != nil {
		inner := k
		k = func() bool { return mt.typePat(p.LitFor, op.Type, inner) }
	}
	fill := op.Const.Fill
	fits := false
	if p.Kind == PSizeVal {
		if fill.Elem == term.B || p.LitFor == nil && !op.Type.IsScalar(term.I) {
			return true
		}
		return mt.with(binding{lit: fill, size: p}, k)
	}
	switch p.Kind {
	case PNumber:
		fits = fill.Elem != term.B && sameNumber(fill, p.Value)
	case PTruth:
		fits = fill.Elem == term.B && fill.IsInt(1) == p.Truth
	case PZero:
		fits = fill.IsInt(0)
	case PLit:
		b := mt.m.get(p.Lit.Name)
		if b == nil {
			return mt.with(binding{name: p.Lit.Name, lit: fill}, k)
		}
		fits = b.lit.Elem == fill.Elem && b.lit.Key() == fill.Key()
	}
	if !fits {
		return true
	}
	return k()
}

func sameNumber(c term.Scalar, n term.Num) bool {
	if c.Elem == term.R {
		return c.Num.Key() == n.Key()
	}
	return n.IsInt(c.Int)
}

// node matches an application against every node of r.
func (mt *matcher) node(p *Pattern, r slot.Ref, k func() bool) bool {
	ok := true
	mt.space.Nodes(r, func(v term.View) bool {
		ok = mt.application(p, v, k)
		return ok
	})
	return ok
}

func (mt *matcher) application(p *Pattern, v term.View, k func() bool) bool {
	o := mt.space.Signature().Operator(v.Op.Sym)
	if p.Name != "" { // an operator variable
		for _, c := range mt.m.Rule.vars.class[p.Name] {
			if !c.Has(o) {
				return true
			}
		}
		if b := mt.m.get(p.Name); b != nil {
			if b.op.Sym != v.Op.Sym || b.op.N != v.Op.N {
				return true
			}
			return mt.children(p, v, o, k)
		}
		return mt.with(binding{name: p.Name, op: v.Op}, func() bool { return mt.children(p, v, o, k) })
	}
	if p.Sym != v.Op.Sym {
		return true
	}
	return mt.attributes(p, v.Op, func() bool {
		return mt.binders(p, v, func(v term.View) bool { return mt.children(p, v, o, k) })
	})
}

func (mt *matcher) attributes(p *Pattern, op term.Op, k func() bool) bool {
	steps := []func(func() bool) bool{}
	add := func(a *AttrExpr, v attrValue) {
		if a != nil {
			steps = append(steps, func(k func() bool) bool { return mt.attr(a, v, k) })
		}
	}
	add(p.Attrs.Sizes, attrValue{sort: SortSizes, sizes: op.Sizes})
	add(p.Attrs.Targets, attrValue{sort: SortSizes, sizes: op.Targets})
	add(p.Attrs.Perm, attrValue{sort: SortPerm, perm: op.Perm})
	add(p.Attrs.N, attrValue{sort: SortInt, n: op.N})
	addType := func(t *TypePat, v *term.Type) {
		if t != nil {
			steps = append(steps, func(k func() bool) bool { return mt.typePat(t, v, k) })
		}
	}
	addType(p.Attrs.Type, op.Type)
	addType(p.Attrs.Type2, op.Type2)
	return chain(steps, k)
}

// chain runs steps in continuation-passing style.
func chain(steps []func(func() bool) bool, k func() bool) bool {
	if len(steps) == 0 {
		return k()
	}
	return steps[0](func() bool { return chain(steps[1:], k) })
}

// binders binds the index variables of the node. Where the left side has bound
// variables of these names, the node is read with those.
func (mt *matcher) binders(p *Pattern, v term.View, k func(term.View) bool) bool {
	b := p.Binders
	if b == nil {
		return k(v)
	}
	n := len(b.Heads)
	if len(v.Binders) < n || b.Rest == "" && len(v.Binders) != n {
		return true
	}
	mark := len(mt.m.vars)
	names := slices.Clone(v.Binders)
	for i, h := range b.Heads {
		if old := mt.m.get(h); old != nil {
			if !old.sizes[0].Equal(v.Op.Sizes[i]) {
				mt.m.vars = mt.m.vars[:mark]
				return true
			}
			names[i] = old.index
			continue
		}
		mt.m.vars = append(mt.m.vars, binding{name: h, index: v.Binders[i], sizes: v.Op.Sizes[i : i+1]})
	}
	if b.Rest != "" {
		if old := mt.m.get(b.Rest); old != nil {
			if !term.SizesEqual(old.sizes, v.Op.Sizes[n:]) {
				mt.m.vars = mt.m.vars[:mark]
				return true
			}
			copy(names[n:], old.names)
		} else {
			mt.m.vars = append(mt.m.vars, binding{name: b.Rest, names: v.Binders[n:], sizes: v.Op.Sizes[n:]})
		}
	}
	ok := k(v.Renamed(names))
	mt.m.vars = mt.m.vars[:mark]
	return ok
}

// children matches the children of a node, in both orders if they commute.
func (mt *matcher) children(p *Pattern, v term.View, o *term.Operator, k func() bool) bool {
	items := Flatten(p.Kids)
	if !mt.items(items, v.Kids, k) {
		return false
	}
	if o.Commutative && len(v.Kids) == 2 && !v.Kids[0].Equal(v.Kids[1]) {
		return mt.items(items, []slot.Ref{v.Kids[1], v.Kids[0]}, k)
	}
	return true
}

// Flatten dissolves literal lists in a list of items.
func Flatten(es []Elem) []Elem {
	splice := func(e Elem) bool { return e.Kind == ESplice && e.List.Kind == LLit }
	if !slices.ContainsFunc(es, splice) {
		return es
	}
	var out []Elem
	for _, e := range es {
		if splice(e) {
			out = append(out, Flatten(e.List.Elems)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// items matches items against children. At most one list of unknown length is
// among them, so there is one way.
func (mt *matcher) items(items []Elem, kids []slot.Ref, k func() bool) bool {
	known, open := 0, -1
	for i, it := range items {
		if it.Kind == EOne {
			known++
		} else if n, ok := mt.itemLen(it); ok {
			known += n
		} else if open < 0 {
			open = i
		} else {
			return true // two lists of unknown length: refused when the rule is loaded
		}
	}
	if known > len(kids) || open < 0 && known != len(kids) {
		return true
	}
	return mt.itemsFrom(items, kids, len(kids)-known, k)
}

func (mt *matcher) itemsFrom(items []Elem, kids []slot.Ref, open int, k func() bool) bool {
	if len(items) == 0 {
		return k()
	}
	it, rest := items[0], items[1:]
	if it.Kind == EOne {
		return mt.pattern(it.Pat, kids[0], func() bool { return mt.itemsFrom(rest, kids[1:], open, k) })
	}
	n, ok := mt.itemLen(it)
	if !ok {
		n = open
	}
	if it.Kind == EMap {
		return mt.mapped(it, kids[:n], func() bool { return mt.itemsFrom(rest, kids[n:], open, k) })
	}
	return mt.list(it.List, kids[:n], func() bool { return mt.itemsFrom(rest, kids[n:], open, k) })
}

// itemLen is how many children an item stands for, if it is known already.
func (mt *matcher) itemLen(it Elem) (int, bool) {
	if it.Kind == ESplice {
		return mt.listLen(it.List)
	}
	for _, l := range it.Over {
		if b := mt.m.get(l); b != nil {
			return len(b.refs), true
		}
	}
	return 0, false
}

// mapped matches the pattern of a spread at each child. There is at least one, so
// that everything in the pattern stands for something.
func (mt *matcher) mapped(it Elem, kids []slot.Ref, k func() bool) bool {
	if len(kids) == 0 {
		return true
	}
	outer, at := mt.elems, mt.place
	mt.elems = make(map[string][]slot.Ref)
	defer func() { mt.elems, mt.place = outer, at }()
	var from func(i int) bool
	from = func(i int) bool {
		if i < len(kids) {
			mt.place = i
			return mt.pattern(it.Pat, kids[i], func() bool {
				ok := from(i + 1)
				mt.place = i
				return ok
			})
		}
		mark, elems := len(mt.m.vars), mt.elems
		for _, l := range it.Over {
			if mt.m.get(l) == nil {
				mt.m.vars = append(mt.m.vars, binding{name: l, refs: slices.Clone(elems[l])})
			}
		}
		ok := k()
		mt.m.vars = mt.m.vars[:mark]
		mt.elems = elems
		return ok
	}
	return from(0)
}

// element matches the element of a list at the present place.
func (mt *matcher) element(list string, r slot.Ref, k func() bool) bool {
	refs := mt.elems[list]
	if b := mt.m.get(list); b != nil {
		refs = b.refs
	}
	switch {
	case mt.place < len(refs):
		return !mt.space.Same(refs[mt.place], r) || k()
	case mt.place > len(refs): // the list is shorter than another
		return true
	}
	mt.elems[list] = append(refs, r)
	ok := k()
	mt.elems[list] = refs
	return ok
}

// listLen is the length of a list if it is known already.
func (mt *matcher) listLen(l *ListPat) (int, bool) {
	b := mt.m.get(l.Name)
	if b == nil {
		return 0, false
	}
	if l.Kind == LBound {
		return len(b.names), true
	}
	return len(b.refs), true
}

func (mt *matcher) list(l *ListPat, kids []slot.Ref, k func() bool) bool {
	b := mt.m.get(l.Name)
	if l.Kind == LBound {
		for i, r := range kids {
			if !mt.isVariable(r, b.names[i]) {
				return true
			}
		}
		return k()
	}
	if b == nil {
		return mt.with(binding{name: l.Name, refs: kids}, k)
	}
	for i, r := range kids {
		if !mt.space.Same(b.refs[i], r) {
			return true
		}
	}
	return k()
}

// sizesFit compares the literals at the place of sizes with the sizes. A type
// condition may bind a size.
func (mt *matcher) sizesFit() bool {
	for _, b := range mt.m.vars {
		if b.size != nil && !mt.sizeFits(b) {
			return false
		}
	}
	return true
}

func (mt *matcher) sizeFits(b binding) (fits bool) {
	defer valueless(&fits)
	n, ok := (&builder{space: mt.space, m: mt.m}).integer(b.size.Lit).Const()
	return ok && sameNumber(b.lit, term.NumInt(n))
}
