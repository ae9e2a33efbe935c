package ops

import (
	"fmt"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
)

// byScheme types an operator as it is declared.
func (t *typing) byScheme() *types.Type {
	var b bindings
	if !t.matched(&b) {
		return nil
	}
	return t.typeOf(&b, t.scheme().result)
}

func (t *typing) scheme() *scheme { return t.o.scheme }

// matched matches the attributes and operands with those that are declared: first what
// kinds of types the operands have, then their shapes, then their elements.
func (t *typing) matched(b *bindings) bool {
	s := t.scheme()
	if n := s.vars[sizeVar] - len(b.sizes); n > 0 {
		b.more = make([]boundSize, n)
	}
	t.attributes(b)
	for k := range max(len(t.kids), len(s.operands)) {
		if o := s.operand(k); k >= len(t.kids) && o.list {
			break
		} else if !t.ofKind(k, o) {
			return false
		}
	}
	if n := len(s.operands); n > 0 && s.operands[n-1].list && !t.counted(b, n-1) {
		return false
	}
	for k := range t.kids {
		if !t.shaped(b, k, s.operand(k)) {
			return false
		}
	}
	for _, l := range b.later {
		if want := l.want.Subst(b.values(s)); !t.u.Sizes(want, l.have) {
			t.wrongSize(l.operand, l.axis, l.have, want)
			return false
		}
	}
	for k := range t.kids {
		if o := s.operand(k); o.kind == types.KArray && o.what == noScalar && !t.element(b, k, t.kid(k), o.schemeType) {
			return false
		}
	}
	return t.err == nil
}

// attributes binds what the attributes say.
func (t *typing) attributes(b *bindings) {
	s := t.scheme()
	if n := len(s.ranges); n > 0 && !s.ranges[0].list && len(t.op.Sizes) != n {
		t.fail(-1, "%s has %s", t.name(), diag.Count(n, "size"))
		return
	}
	for i, x := range s.ranges {
		if x.list {
			b.lists[x.v] = boundList{is: t.op.Sizes, met: true, operand: -1}
		} else {
			*b.size(x.v) = boundSize{t.op.Sizes[i], true}
		}
	}
	for _, x := range s.targets {
		b.lists[x.v] = boundList{is: t.op.Targets, met: true, operand: -1}
	}
	for i, p := range s.types {
		own := []*types.Type{t.op.Type, t.op.Type2}[i]
		if p.kind == types.KVar {
			b.types[p.v] = own
		} else if a := t.domain(); a != nil {
			t.axes(b, -1, a, p)
		}
	}
}

// ofKind demands an array or a linear map where one is declared.
func (t *typing) ofKind(k int, o schemeOperand) bool {
	switch {
	case o.what != noScalar:
		return k < len(t.kids) || t.array(k) != nil
	case o.kind == types.KArray:
		a := t.array(k)
		return a != nil && (!o.list || t.kids[k].Kind != types.KEach || t.u.Alike(t.kids[k].Parts[0]))
	case o.kind == types.KLin:
		return t.lin(k) != nil
	}
	return true
}

// counted binds the number of the operands from number first on, which are a list.
func (t *typing) counted(b *bindings, first int) bool {
	o := t.scheme().operands[first]
	if o.count == nil {
		return true
	}
	n := countKids(t.kids[first:])
	if o.count.list {
		l := &b.lists[o.count.v]
		if l.length = n; l.met && !t.u.Sizes(n, t.u.Rank(l.is)) {
			t.fail(-1, "the function gives %s and the result has %s",
				diag.Count(len(t.kids)-first, "index"), diag.Count(len(l.is), "axis"))
			return false
		}
		return true
	}
	if !t.u.Some(n) {
		t.fail(-1, "an array literal needs an element")
		return false
	}
	*b.size(o.count.v) = boundSize{n, true}
	return true
}

// shaped matches the shape of operand k, or the ends of the map that it is.
func (t *typing) shaped(b *bindings, k int, o schemeOperand) bool {
	d := t.o
	switch o.what {
	case anIndex:
		t.scalar(k, types.I, "an index", d.hint)
		return true
	case aCondition:
		t.scalar(k, types.B, "the condition", d.hint)
		return true
	case aCount:
		return t.count(k)
	}
	switch o.kind {
	case types.KArray:
		return t.axes(b, k, t.kid(k), o.schemeType)
	case types.KLin:
		return t.ends(b, k, t.lin(k), o.schemeType)
	}
	return t.variable(b, k, t.kid(k), o.v)
}

// ends matches the types that a linear map is from and to.
func (t *typing) ends(b *bindings, k int, m *types.Type, o *schemeType) bool {
	for i, p := range o.parts {
		end := m.Parts[i]
		if p.kind == types.KVar {
			if !t.variable(b, k, end, p.v) {
				return false
			}
		} else if end = t.u.Force(t.u.Resolve(end), types.KArray); !t.realArray(k, end) || !t.axes(b, k, end, p) {
			return false
		}
	}
	return true
}

// variable matches a type, that of operand k or a part of it, with a variable.
func (t *typing) variable(b *bindings, k int, own *types.Type, v int) bool {
	if b.types[v] == nil {
		b.types[v] = own
		return true
	}
	if t.u.Types(b.types[v], own) {
		return true
	}
	s := t.scheme()
	takes := slice.Map(s.operands, func(o schemeOperand) string { return o.source })
	t.fail(k, "%s takes %s, and here %s is first %s and then %s", t.name(), strings.Join(takes, " and "), s.variable[v], b.types[v], own)
	return false
}

// axes matches the shape of an array, which is operand k or a part of it.
func (t *typing) axes(b *bindings, k int, a *types.Type, p *schemeType) bool {
	rest := a.Shape
	for i := 0; i < len(p.axes); i++ {
		x := p.axes[i]
		if !x.list {
			n := 1 // the sizes up to the next list
			for i+n < len(p.axes) && !p.axes[i+n].list {
				n++
			}
			front, behind, ok := t.u.Split(rest, size.Const(int64(n)))
			if !ok || len(front) != n { // the sizes are not known one by one
				t.tooFew(k, a, p, n)
				return false
			}
			for j, size := range front {
				if !t.size(b, k, a, p, i+j, size) {
					return false
				}
			}
			rest, i = behind, i+n-1
			continue
		}
		if i < len(p.axes)-1 {
			l := &b.lists[x.v]
			n := l.length
			if l.met {
				n = t.u.Rank(l.is)
			}
			front, behind, ok := t.u.Split(rest, n)
			if !ok {
				t.tooMany(k, a, n, l.met)
				return false
			}
			if rest = behind; l.met && !t.u.Shapes(l.is, front) {
				i := t.differ(l.is, front)
				t.fail(k, "index variable %d ranges over %s, and axis %d has size %s", i, l.is[i], i, front[i])
				return false
			}
			l.is, l.met, l.operand = front, true, k
			continue
		}
		if l := &b.lists[x.v]; !l.met {
			l.is, l.met, l.operand = rest, true, k
		} else if !t.sameRest(b, k, x.v, a, rest, p) {
			return false
		}
		return true
	}
	if !t.u.Shapes(rest, nil) {
		t.wrongRank(k, a, p)
		return false
	}
	return true
}

func (t *typing) wrongRank(k int, a *types.Type, p *schemeType) {
	t.fail(k, "%s has rank %d, not %d", t.operand(k), len(p.axes), len(a.Shape))
}

// size matches the size of axis i of an array, which is operand k or a part of it.
func (t *typing) size(b *bindings, k int, a *types.Type, p *schemeType, i int, size size.Size) bool {
	x := p.axes[i]
	if x.v < 0 {
		b.later = append(b.later, laterSize{k, i, x.expr, size})
		return true
	}
	own := b.size(x.v)
	if !own.met {
		*own = boundSize{size, true}
		return true
	}
	switch {
	case t.u.Sizes(own.is, size):
		return true
	case i == 1 && !p.axes[0].list && !x.list && p.axes[0].v == x.v:
		t.fail(k, "%s works on square matrices, and this is %s", t.name(), a.Described())
	default:
		t.wrongSize(k, i, size, own.is)
	}
	return false
}

func (t *typing) wrongSize(k, i int, have, want size.Size) {
	t.fail(k, "axis %d of %s has size %s, not %s", i, t.operand(k), want, have)
}

// operand is operand k in a message.
func (t *typing) operand(k int) string {
	o, name := t.o, ""
	switch {
	case o.Declared != nil && o.Declared.As == "":
		name = o.Declared.Params[k].Name
	case k < len(o.Ports):
		name = o.Ports[k]
	}
	if name != "" {
		name = " (" + name + ")"
	}
	return fmt.Sprintf("operand %d of %s%s", k+1, t.name(), name)
}

// sameRest matches the last axes of an array with those of an operand before it.
func (t *typing) sameRest(b *bindings, k, v int, a *types.Type, rest []size.Size, p *schemeType) bool {
	l := &b.lists[v]
	if first := l.operand; first >= 0 && t.scheme().operand(first).text == p.text {
		return t.sameShape(k, t.kid(first), a, t.operands())
	}
	if t.u.Shapes(l.is, rest) {
		return true
	}
	front := "the first axis"
	if n := len(p.axes) - 1; n > 1 {
		front = fmt.Sprintf("the first %d axes", n)
	}
	t.fail(k, "behind %s the operands of %s have one shape: %s against %s", front, t.name(), t.kid(l.operand).Described(), a.Described())
	return false
}

// operands is what the operands are called in a message.
func (t *typing) operands() string {
	o := t.o
	if o.operands != "" {
		return o.operands
	}
	return "the operands of " + o.surface()
}

// tooFew reports that an array has not the n axes that an operator works along.
func (t *typing) tooFew(k int, a *types.Type, p *schemeType, n int) {
	o := t.o
	switch {
	case o.Declared != nil && n == len(p.axes):
		t.wrongRank(k, a, p)
	case o.Declared != nil:
		t.fail(k, "%s has at least %s", t.operand(k), diag.Count(n, "axis"))
	case n == 1:
		does := "works along"
		if o.Reduction {
			does = "reduces"
		}
		t.fail(k, "%s %s the outer axis of an array, and this is %s", t.name(), does, a.Described())
	default:
		t.fail(k, "%s works on matrices, and this is %s", t.name(), a.Described())
	}
}

// tooMany reports that there are more index variables, or indices, than axes.
func (t *typing) tooMany(k int, a *types.Type, n size.Size, variables bool) {
	if variables {
		t.fail(k, "too many index variables: %s for %s", n, a.Described())
		return
	}
	t.fail(len(t.kids)-1, "too many indices: %s for %s", n, a.Described())
}

// element matches the element type of operand k.
func (t *typing) element(b *bindings, k int, a *types.Type, p *schemeType) bool {
	if t.o.Linear && p.among[0] == types.R {
		return t.realArray(k, a)
	}
	if !t.u.ElemIn(a.Elem, p.among...) {
		what := t.o.surface() + " works on"
		if t.scheme().mixed {
			what = t.operand(k) + " must have"
		}
		hint := types.Conversion(p.among[0], a.Elem)
		if t.op.Sym == SymPow && a.Elem == types.I {
			hint = " (write i * i, or real …)"
		}
		t.fail(k, "%s elements of type %s, not %s%s", what, elemList(p.among), a.Elem, hint)
		return false
	}
	if p.elem < 0 {
		return true
	}
	if b.elems[p.elem] == types.NoElem {
		b.elems[p.elem] = a.Elem
		return true
	}
	return t.sameElem(k, types.ArrayOf(b.elems[p.elem]), a)
}

// typeOf is what a type of a scheme stands for.
func (t *typing) typeOf(b *bindings, p *schemeType) *types.Type {
	switch p.kind {
	case types.KVar:
		return b.types[p.v]
	case types.KLin:
		return linOf(t.typeOf(b, p.parts[0]), t.typeOf(b, p.parts[1]))
	}
	e := p.among[0]
	if p.elem >= 0 {
		e = b.elems[p.elem]
	}
	if len(p.axes) == 1 && p.axes[0].list && !p.axes[0].permuted {
		return types.ArrayOf(e, b.lists[p.axes[0].v].is...)
	}
	var shape []size.Size
	for _, x := range p.axes {
		switch {
		case x.permuted:
			if !IsPerm(t.op.Perm) {
				t.fail(-1, "%s is not a permutation: it must have each of 0 to %d once", slice.Text(t.op.Perm), len(t.op.Perm)-1)
				return nil
			}
			ss, ok := t.u.Permute(t.op, b.lists[x.v].is)
			if !ok {
				t.fail(0, "a permutation of %s for %s", diag.Count(len(t.op.Perm), "axis"), t.kid(0).Described())
				return nil
			}
			shape = append(shape, ss...)
		case x.list:
			shape = append(shape, b.lists[x.v].is...)
		case x.v < 0:
			size := x.expr.Subst(b.values(t.scheme()))
			if n, ok := size.Const(); ok && n < 0 {
				t.fail(-1, "%s would have an axis of size %d", t.name(), n)
				return nil
			}
			shape = append(shape, size)
		default:
			shape = append(shape, b.size(x.v).is)
		}
	}
	return types.ArrayOf(e, shape...)
}
