package term

import "slices"

// lin demands that child k is a linear map.
func (t *typing) lin(k int) *Type {
	m := t.u.Force(t.kid(k), KLin)
	if m.Kind != KLin {
		t.fail(k, "expected a linear map, found %s", described{m})
		return nil
	}
	return m
}

// realArray demands that a is an array of R: linear maps act on nothing else.
func (t *typing) realArray(kid int, a *Type) bool {
	if a != nil && a.Kind == KArray && t.u.ElemIn(a.Elem, R) {
		return true
	}
	if a != nil {
		t.fail(kid, "a linear map acts on arrays of R, not on %s", a)
	}
	return false
}

// linear types the constructors of linear maps.
func (t *typing) linear() *Type {
	op := t.op
	for _, ty := range []*Type{op.Type, op.Type2} {
		if ty != nil && !t.u.Vector(ty) {
			t.fail(-1, "a linear map acts on arrays of R and tuples of them, not on %s", ty)
			return nil
		}
	}
	if d := t.sig.Operator(op.Sym).Declared; d != nil {
		return t.declaredMap(d)
	}
	switch op.Sym {
	case SymLzero:
		return LinOf(op.Type, op.Type2)
	case SymLone:
		return LinOf(op.Type, op.Type)
	case SymLscale:
		if a := t.array(0); t.realArray(0, a) {
			return LinOf(a, a)
		}
	case SymLcompose:
		m, n := t.lin(0), t.lin(1)
		if m == nil || n == nil {
			return nil
		}
		if !t.u.Types(m.Parts[0], n.Parts[1]) {
			t.fail(1, "a map to %s cannot be followed by a map from %s", n.Parts[1], m.Parts[0])
			return nil
		}
		return LinOf(n.Parts[0], m.Parts[1])
	case SymLadd:
		m, n := t.lin(0), t.lin(1)
		if m == nil || n == nil {
			return nil
		}
		if !t.u.Types(m, n) {
			t.fail(1, "maps of types %s and %s cannot be added", m, n)
			return nil
		}
		return m
	case SymLpair, SymLjoin:
		return t.pairJoin()
	case SymLtranspose:
		if m := t.lin(0); m != nil {
			return LinOf(m.Parts[1], m.Parts[0])
		}
	case SymLbuild, SymLbuildT:
		m := t.lin(0)
		if m == nil {
			return nil
		}
		end := 1
		if op.Sym == SymLbuildT {
			end = 0
		}
		a := t.u.Force(t.u.Resolve(m.Parts[end]), KArray)
		if !t.realArray(0, a) {
			return nil
		}
		vec := ArrayOf(R, slices.Concat(op.Sizes, a.Shape)...)
		if op.Sym == SymLbuild {
			return LinOf(m.Parts[0], vec)
		}
		return LinOf(vec, m.Parts[1])
	case SymLmask:
		if a := t.array(0); a != nil {
			if !t.u.ElemIn(a.Elem, B) {
				t.fail(0, "the mask must be of type B, not %s", a)
				return nil
			}
			v := ArrayOf(R, a.Shape...)
			return LinOf(v, v)
		}
	case SymLcond:
		t.scalar(0, B, "the condition")
		if a := t.u.Force(t.u.Resolve(op.Type), KArray); t.realArray(-1, a) && t.err == nil {
			return LinOf(a, a)
		}
	case SymLproj, SymLinj:
		p := t.u.Force(t.u.Resolve(op.Type), KTuple)
		part, ok := p, false
		if p.Kind == KTuple {
			part, ok = t.u.Part(op, p)
		}
		switch {
		case !ok:
			t.fail(-1, "there is no component %d in %s", op.N, p)
			return nil
		case op.Sym == SymLproj:
			return LinOf(p, part)
		}
		return LinOf(part, p)
	default:
		return t.linearArrayOp()
	}
	return nil
}

// linearArrayOp types the maps that are array operations on the domain Type:
// their codomain is the type of that operation (Fig. 12 of the dual-numbers
// paper).
func (t *typing) linearArrayOp() *Type {
	a := t.u.Force(t.u.Resolve(t.op.Type), KArray)
	if !t.realArray(-1, a) {
		return nil
	}
	sub := *t
	sub.kids = append([]*Type{a}, t.kids...)
	switch t.op.Sym {
	case SymLsum:
		sub.op.Sym = SymSum
	case SymLreplicate:
		sub.op.Sym = SymReplicate
	case SymLgather:
		sub.op.Sym = SymGather
	case SymLscatter:
		sub.op.Sym = SymScatter
	case SymLtr:
		sub.op.Sym = SymTr
	case SymLreshape:
		sub.op.Sym = SymReshape
	default:
		return nil
	}
	r := sub.result()
	if sub.err != nil {
		if sub.err.Kid >= 0 {
			sub.err.Kid--
		}
		t.err = sub.err
		return nil
	}
	return LinOf(a, r)
}

func (t *typing) pairJoin() *Type {
	if !t.u.Some(countKids(t.kids)) {
		t.fail(-1, "%s needs a linear map", t.sig.Operator(t.op.Sym).Name)
		return nil
	}
	shared, varying := 0, 1 // a pair shares its domain, a join its codomain
	if t.op.Sym == SymLjoin {
		shared, varying = 1, 0
	}
	var parts []*Type
	var first, end *Type
	for k := range t.kids {
		m := t.lin(k)
		if m == nil {
			return nil
		}
		if end == nil {
			end, first = m.Parts[shared], m
		}
		if !t.u.Types(end, m.Parts[shared]) || t.kids[k].Kind == KEach && !t.u.Alike(end) {
			t.fail(k, "%s and %s do not fit together", first, m)
			return nil
		}
		part := m.Parts[varying]
		if t.kids[k].Kind == KEach {
			part = EachOf(t.kids[k].Shape[0], part)
		}
		parts = append(parts, part)
	}
	if t.op.Sym == SymLpair {
		return LinOf(end, TupleOf(parts...))
	}
	return LinOf(TupleOf(parts...), end)
}
