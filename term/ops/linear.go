package ops

import (
	"slices"

	"egad/term/size"
	"egad/term/types"
)

// Linear maps (Fig. 3 of Coconut), which have their meaning in package linmap, and
// what is done with them.

func init() {
	for s, name := range map[Sym]string{
		SymLzero: "lzero", SymLone: "lone", SymLscale: "lscale", SymLadd: "ladd", SymLtranspose: "ltranspose",
		SymLbuild: "lbuild", SymLbuildT: "lbuildt", SymLmask: "lmask", SymLcond: "lcond", SymLreached: "lreached",
	} {
		describe(s, Operator{Name: name})
	}
	describe(SymLcompose, Operator{Name: "lcompose", Ports: []string{"then", "first"}})
	describe(SymLpair, Operator{
		Name: "lpair",
		typing: func(t *typing) *types.Type {
			from, parts := t.maps(0)
			return linOf(from, types.TupleOf(parts...))
		},
	})
	describe(SymLjoin, Operator{
		Name: "ljoin",
		typing: func(t *typing) *types.Type {
			to, parts := t.maps(1)
			return linOf(types.TupleOf(parts...), to)
		},
	})
	describe(SymLapply, Operator{Name: "lapply", Ports: []string{"map", "to"}})
	describe(SymLstates, Operator{
		Name: "lstates",
		typing: func(t *typing) *types.Type {
			m := t.lin(1)
			if m == nil || !t.count(0) {
				return nil
			}
			if !t.u.Types(m.Parts[0], m.Parts[1]) {
				t.fail(1, "the changes of the states of a loop have one type, and this map goes from %s to %s", m.Parts[0], m.Parts[1])
				return nil
			}
			s, n := t.u.Arrays(m.Parts[0]), t.op.Sizes[0]
			added, all := t.stacked(s, n), t.stacked(s, n.Add(size.Const(1)))
			if added == nil || all == nil {
				return nil
			}
			return types.LinOf(types.TupleOf(s, added), all)
		},
	})
	describe(SymLproj, Operator{
		Name:   "lproj",
		typing: func(t *typing) *types.Type { return linOf(t.component()) },
	})
	describe(SymLinj, Operator{
		Name: "linj",
		typing: func(t *typing) *types.Type {
			whole, part := t.component()
			return linOf(part, whole)
		},
	})
}

// Lmap is the constructor of the linear map of an operator: lmap sum @R[3] is x to
// sum x on R[3].
const Lmap = "lmap"

// MapName returns what the map of the operator called name is called.
func MapName(name string) string { return Lmap + " " + name }

// MapOf returns the linear operator o, read as a map of its operand: a call of it with the
// type of the operand, @T, in its place. So that nobody has to declare it, its type,
// its form and its matrix come from o.
func MapOf(o *Operator) Operator {
	form := []FormArg(o.formText())
	values := 0
	for i, f := range form {
		switch f {
		case FormSizes: // several are a matter of programs
			form[i] = FormSize
		case FormValue:
			if values++; values == o.linear {
				form[i] = FormType
			}
		}
	}
	arity := o.Arity
	if arity > 0 {
		arity--
	}
	return Operator{
		Name: MapName(o.Name), Arity: arity, form: string(form), Linear: true, Of: o.Sym, Declared: o.Declared,
		typing: func(t *typing) *types.Type {
			a := t.domain()
			if a == nil {
				return nil
			}
			sub := *t
			sub.o, sub.op.Sym, sub.kids = o, o.Sym, slices.Insert(slices.Clone(t.kids), o.Operand(), a)
			r := sub.result()
			if t.err = sub.err; t.err != nil {
				if t.err.Kid == o.Operand() {
					t.err.Kid = -1
				} else if t.err.Kid > o.Operand() {
					t.err.Kid--
				}
				return nil
			}
			return types.LinOf(a, r)
		},
	}
}

// Operand returns the number of the operand in which the operator is linear, -1 if there
// is none.
func (o *Operator) Operand() int { return o.linear - 1 }

// domain is the type of the operand of a map that acts on an array.
func (t *typing) domain() *types.Type {
	if a := t.u.Force(t.u.Resolve(t.op.Type), types.KArray); t.realArray(-1, a) {
		return a
	}
	return nil
}

// component is a tuple and its component N.
func (t *typing) component() (whole, part *types.Type) {
	p := t.u.Force(t.u.Resolve(t.op.Type), types.KTuple)
	ok := p.Kind == types.KTuple
	if ok {
		part, ok = t.u.Part(t.op, p)
	}
	if !ok {
		t.fail(-1, "there is no component %d in %s", t.op.N, p)
		return nil, nil
	}
	return p, part
}

// maps demands that the children are linear maps that have one end, the domain (0)
// or the codomain (1), in common; parts are their other ends.
func (t *typing) maps(end int) (shared *types.Type, parts []*types.Type) {
	if !t.u.Some(countKids(t.kids)) {
		t.fail(-1, "%s needs a linear map", t.name())
		return nil, nil
	}
	var first *types.Type
	for k := range t.kids {
		m := t.lin(k)
		if m == nil {
			return nil, nil
		}
		if first == nil {
			first, shared = m, m.Parts[end]
		}
		if !t.u.Types(shared, m.Parts[end]) || t.kids[k].Kind == types.KEach && !t.u.Alike(shared) {
			t.fail(k, "%s and %s do not fit together", first, m)
			return nil, nil
		}
		part := m.Parts[1-end]
		if t.kids[k].Kind == types.KEach {
			part = types.EachOf(t.kids[k].Shape[0], part)
		}
		parts = append(parts, part)
	}
	return shared, parts
}

// linOf is the type of a map between two types, nil if one of them is missing.
func linOf(from, to *types.Type) *types.Type {
	if from == nil || to == nil {
		return nil
	}
	return types.LinOf(from, to)
}

// lin demands that child k is a linear map.
func (t *typing) lin(k int) *types.Type {
	m := t.u.Force(t.kid(k), types.KLin)
	if m.Kind != types.KLin {
		t.fail(k, "expected a linear map, found %s", m.Described())
		return nil
	}
	return m
}

// realArray demands that a is an array of R: linear maps act on nothing else.
func (t *typing) realArray(kid int, a *types.Type) bool {
	if a != nil && a.Kind == types.KArray && t.u.ElemIn(a.Elem, types.R) {
		return true
	}
	if a != nil {
		t.fail(kid, "a linear map acts on arrays of R, not on %s", a)
	}
	return false
}

// vectors demands that the types of a linear map are those that such maps act on.
func (t *typing) vectors() bool {
	for _, ty := range []*types.Type{t.op.Type, t.op.Type2} {
		if ty != nil && !t.u.Vector(ty) {
			t.fail(-1, "a linear map acts on arrays of R and tuples of them, not on %s", ty)
			return false
		}
	}
	return true
}
