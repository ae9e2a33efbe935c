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
	op    *term.Op
	// Of what has no name, and is matched when more is known: the size that lit must be,
	// of a size used as an integer; or the list that sizes must be.
	size  *Pattern
	whole *AttrExpr
}

func (m *Match) get(name string) *binding {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}

// Term returns the term that a metavariable stands for.
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
	all   bool // nothing more will be known
}

// FindMatches calls f for every way in which the left side of r matches root and
// its conditions hold, until f returns false. If opaque is set, the pattern does
// not look inside atoms below the root. A mistake in the rule is an error.
func FindMatches(s Space, r *Rule, root slot.Ref, opaque bool, f func(m *Match) bool) error {
	m := &Match{Rule: r, Root: root}
	return m.ask(s, func(mt *matcher) {
		mt.opaque = opaque
		at := mt.node
		if r.Lhs.Kind == PMeta {
			at = mt.pattern
		}
		at(r.Lhs, root, func() bool {
			mark := len(m.vars)
			more := !mt.holds(r.Conds) || f(&Match{Rule: r, Root: root, vars: slices.Clone(m.vars)})
			m.vars = m.vars[:mark]
			return more
		})
	})
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

// isVariable reports whether r is the variable n.
func (mt *matcher) isVariable(r slot.Ref, n slot.Name) bool {
	found := false
	mt.space.Nodes(r, func(v term.View) bool {
		found = len(v.Own) > 0 && v.Own[0] == n
		return !found
	})
	return found
}

// bind binds one more metavariable.
func (mt *matcher) bind(b binding) bool {
	mt.m.vars = append(mt.m.vars, b)
	return true
}

func (mt *matcher) literal(p *Pattern, r slot.Ref, k func() bool) bool {
	mark, ok := len(mt.m.vars), true
	mt.space.Nodes(r, func(v term.View) bool {
		ok = !mt.literalNode(p, &v.Op) || k()
		mt.m.vars = mt.m.vars[:mark]
		return ok
	})
	return ok
}

// literalNode matches a literal against an operator. Like all that matches what is
// static, it has at most one way, and leaves it to its caller to forget what it
// has bound.
func (mt *matcher) literalNode(p *Pattern, op *term.Op) bool {
	if op.Sym != term.SymConst || op.Const.Data != nil {
		return false
	}
	fill := op.Const.Fill
	fits := false
	switch p.Kind {
	case PSizeVal:
		fits = fill.Elem != term.B && (p.LitFor != nil || op.Type.IsScalar(term.I)) && mt.bind(binding{lit: fill, size: p})
	case PNumber:
		fits = fill.Elem != term.B && sameNumber(fill, p.Value)
	case PTruth:
		fits = fill.Elem == term.B && fill.IsInt(1) == p.Truth
	case PZero:
		fits = fill.IsInt(0)
	case PLit:
		if b := mt.m.get(p.Lit.Name); b != nil {
			fits = b.lit.Elem == fill.Elem && b.lit.Key() == fill.Key()
		} else {
			fits = mt.bind(binding{name: p.Lit.Name, lit: fill})
		}
	}
	return fits && (p.LitFor == nil || mt.typePat(p.LitFor, op.Type))
}

func sameNumber(c term.Scalar, n term.Num) bool {
	if c.Elem == term.R {
		return c.Num.Key() == n.Key()
	}
	return n.IsInt(c.Int)
}

// node matches an application against every node of r.
func (mt *matcher) node(p *Pattern, r slot.Ref, k func() bool) bool {
	mark, ok := len(mt.m.vars), true
	mt.space.Nodes(r, func(v term.View) bool {
		if names, fits := mt.operator(p, &v.Op, v.Binders); fits {
			if p.Name != "" { // so that what does not fit need not be kept
				op := v.Op
				mt.bindOperator(p.Name, &op)
			}
			ok = mt.children(p, v.Renamed(names), k)
		}
		mt.m.vars = mt.m.vars[:mark]
		return ok
	})
	return ok
}

// operator matches the operator of an application, with its attributes and
// binders. What it gives are the names for the binders: where the left side has
// bound variables of these names, the node is read with those. It does not bind an
// operator variable.
func (mt *matcher) operator(p *Pattern, op *term.Op, binders []slot.Name) ([]slot.Name, bool) {
	if p.Name == "" {
		if p.Sym != op.Sym || !mt.attributes(&p.Attrs, op) {
			return nil, false
		}
		return mt.binders(p.Binders, op, binders)
	}
	o := mt.space.Signature().Operator(op.Sym)
	for _, c := range mt.m.Rule.vars.class[p.Name] {
		if !c.Has(o) {
			return nil, false
		}
	}
	b := mt.m.get(p.Name)
	return binders, b == nil || b.op.Sym == op.Sym && b.op.N == op.N
}

// bindOperator binds an operator variable, unless it is bound.
func (mt *matcher) bindOperator(name string, op *term.Op) {
	if mt.m.get(name) == nil {
		mt.bind(binding{name: name, op: op})
	}
}

func (mt *matcher) attributes(a *Attrs, op *term.Op) bool {
	return (a.Sizes == nil || mt.attr(a.Sizes, attrValue{sort: SortSizes, sizes: op.Sizes})) &&
		(a.Targets == nil || mt.attr(a.Targets, attrValue{sort: SortSizes, sizes: op.Targets})) &&
		(a.Perm == nil || mt.attr(a.Perm, attrValue{sort: SortPerm, perm: op.Perm})) &&
		(a.N == nil || mt.attr(a.N, attrValue{sort: SortInt, n: op.N})) &&
		(a.Lit == nil || mt.attr(a.Lit, attrValue{sort: SortLit, lit: op.Const.Fill})) &&
		(a.Type == nil || mt.typePat(a.Type, op.Type)) && (a.Type2 == nil || mt.typePat(a.Type2, op.Type2))
}

// binders binds the variables of a node.
func (mt *matcher) binders(b *BinderList, op *term.Op, binders []slot.Name) ([]slot.Name, bool) {
	if b == nil {
		return binders, true
	}
	n := len(b.Heads)
	names := binders
	if d := mt.space.Signature().Operator(op.Sym).Sorted; d != nil {
		for i, h := range b.Heads {
			mt.bind(binding{name: h, index: names[i], typ: d.Binders[i].Type})
		}
		return names, true
	}
	if b.State != "" && len(binders) > 0 {
		binders = binders[:len(binders)-1]
	}
	if len(binders) < n || b.Rest == "" && len(binders) != n {
		return nil, false
	}
	rename := func(i int, to ...slot.Name) {
		names = slices.Clone(names)
		copy(names[i:], to)
	}
	if b.State != "" {
		if old := mt.m.get(b.State); old == nil {
			mt.bind(binding{name: b.State, index: names[len(binders)], typ: op.Type})
		} else if !old.typ.Equal(op.Type) {
			return nil, false
		} else {
			rename(len(binders), old.index)
		}
	}
	for i, h := range b.Heads {
		if old := mt.m.get(h); old == nil {
			mt.bind(binding{name: h, index: binders[i], sizes: op.Sizes[i : i+1]})
		} else if !old.sizes[0].Equal(op.Sizes[i]) {
			return nil, false
		} else {
			rename(i, old.index)
		}
	}
	if b.Rest == "" {
		return names, true
	}
	if old := mt.m.get(b.Rest); old == nil {
		mt.bind(binding{name: b.Rest, names: binders[n:], sizes: op.Sizes[n:]})
	} else if !term.SizesEqual(old.sizes, op.Sizes[n:]) {
		return nil, false
	} else {
		rename(n, old.names...)
	}
	return names, true
}

// children matches the children of a node, in both orders if they commute.
func (mt *matcher) children(p *Pattern, v term.View, k func() bool) bool {
	items := Flatten(p.Kids)
	o := mt.space.Signature().Operator(v.Op.Sym)
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

// items matches items against children, in all ways to divide those that are left
// among the lists of unknown length.
func (mt *matcher) items(items []Elem, kids []slot.Ref, k func() bool) bool {
	if least, open := mt.leastLen(items); least > len(kids) || !open && least < len(kids) {
		return true
	}
	return mt.itemsFrom(items, kids, k)
}

func (mt *matcher) itemsFrom(items []Elem, kids []slot.Ref, k func() bool) bool {
	if len(items) == 0 {
		return len(kids) > 0 || k()
	}
	it, rest := items[0], items[1:]
	if it.Kind == EOne {
		return len(kids) == 0 || mt.pattern(it.Pat, kids[0], func() bool { return mt.itemsFrom(rest, kids[1:], k) })
	}
	from, to := 0, len(kids)
	if n, ok := mt.itemLen(it); ok {
		from, to = n, min(n, to)
	} else {
		least, open := mt.leastLen(rest)
		if to -= least; !open {
			from = max(to, 0)
		}
	}
	for n := from; n <= to; n++ {
		more := func() bool { return mt.itemsFrom(rest, kids[n:], k) }
		if it.Kind == EMap && !mt.mapped(it, kids[:n], more) || it.Kind == ESplice && !mt.list(it.List, kids[:n], more) {
			return false
		}
	}
	return true
}

// leastLen is how many children items stand for at least, and whether there may be
// more.
func (mt *matcher) leastLen(items []Elem) (least int, open bool) {
	for _, it := range items {
		if it.Kind == EOne {
			least++
		} else if n, ok := mt.itemLen(it); ok {
			least += n
		} else {
			open = true
		}
	}
	return least, open
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

// holds reports whether what could not be matched at once fits a match, and whether
// its conditions hold. A type condition may bind a size.
func (mt *matcher) holds(conds []Cond) bool {
	mt.all = true
	defer func() { mt.all = false }()
	return !slices.ContainsFunc(mt.m.vars, func(b binding) bool {
		return b.whole != nil && !mt.attr(b.whole, attrValue{sort: SortSizes, sizes: b.sizes})
	}) && mt.conditions(conds) && !slices.ContainsFunc(mt.m.vars, func(b binding) bool { return b.size != nil && !mt.sizeFits(b) })
}

func (mt *matcher) sizeFits(b binding) (fits bool) {
	defer valueless(&fits)
	n, ok := (&builder{space: mt.space, m: mt.m}).integer(b.size.Lit).Const()
	return ok && b.lit.Elem != term.B && sameNumber(b.lit, term.NumInt(n))
}
