package maps

import (
	"errors"
	"fmt"
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// maker makes linear maps. A map is nil if what it goes from, or to, has no reals.
type maker struct {
	d *fun.Terms
	s *term.Store
}

// changes is T[t] of a value of type t; nil if there are no reals in it. The value is nil if
// there is none, as of the other side of a sum.
func (k *maker) changes(v fun.Value, t *fun.Type) *types.Type {
	switch t.Kind {
	case fun.KReal:
		if x, ok := v.(term.Term); ok {
			return k.s.Type(x) // with the axes of the arrays around it
		}
		return types.ArrayOf(types.R)
	case fun.KProd, fun.KSum:
		return pairOf(k.halfChanges(v, t))
	case fun.KArray:
		if !t.HasReals() {
			return nil
		}
		noSums(t)
		if v == nil {
			raise.Error(fmt.Errorf("the changes of %s are not known, of which there is no value", t))
		}
		if e, ok := v.(*fun.Elements); ok && len(e.X) > 0 {
			of := k.changes(e.X[0], t.Parts[0])
			for _, x := range e.X[1:] {
				if other := k.changes(x, t.Parts[0]); (of == nil || other == nil || !of.Equal(other)) && of != other {
					raise.Error(errors.New("there are no maps of an array of arrays that have different lengths"))
				}
			}
			return stacked(int64(len(e.X)), of)
		}
		if n, each := k.d.Rows(v); n > 0 {
			return k.changes(each, t.Parts[0])
		}
	}
	return nil
}

// halfChanges are the types of the changes of the parts of a pair, or of the sides of a sum.
func (k *maker) halfChanges(v fun.Value, t *fun.Type) (a, b *types.Type) {
	l, r, _ := k.halves(v, t)
	return k.changes(l, t.Parts[0]), k.changes(r, t.Parts[1])
}

// halves are the parts of a pair, or the sides of a sum: nil is one that it is not, and if it
// may be either, on says when it is which.
func (k *maker) halves(v fun.Value, t *fun.Type) (l, r fun.Value, on *[2]term.Term) {
	switch {
	case v == nil:
		return nil, nil, nil
	case t.Kind == fun.KProd:
		p := v.(*fun.Pairing)
		return p.L, p.R, nil
	case t.Kind == fun.KSum:
		return k.d.Sides(v)
	}
	return nil, nil, nil
}

// noSums raises an error if there are sums with reals in the elements of an array of a type.
func noSums(t *fun.Type) {
	if sums(t.Parts[0]) {
		raise.Error(fmt.Errorf("linear maps of arrays of sums, as %s, are not written", t))
	}
}

// sums reports whether there are sums with reals in values of a type.
func sums(t *fun.Type) bool {
	return t.Kind == fun.KSum && t.HasReals() || slices.ContainsFunc(t.Parts, sums)
}

// pairOf is the type of the changes of pairs.
func pairOf(a, b *types.Type) *types.Type {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return types.TupleOf(a, b)
}

// stacked is the type of the changes of n values.
func stacked(n int64, t *types.Type) *types.Type {
	switch {
	case t == nil:
		return nil
	case t.Kind == types.KTuple:
		return types.TupleOf(slice.Map(t.Parts, func(p *types.Type) *types.Type { return stacked(n, p) })...)
	}
	return types.ArrayOf(types.R, append([]size.Size{size.Const(n)}, t.Shape...)...)
}

// after is m ∘ n.
func (k *maker) after(m, n *term.Term) *term.Term {
	if m == nil || n == nil {
		return nil
	}
	return k.make(ops.Op{Sym: ops.SymLcompose}, *m, *n)
}

func (k *maker) make(op ops.Op, kids ...term.Term) *term.Term {
	t := k.s.MustMake(op, nil, nil, kids)
	return &t
}

// together puts maps together by an operation, as ⋈; those that there are not are left out.
func (k *maker) together(by ops.Sym, m, n *term.Term) *term.Term {
	switch {
	case m == nil:
		return n
	case n == nil:
		return m
	}
	return k.make(ops.Op{Sym: by}, *m, *n)
}

func (k *maker) join(m, n *term.Term) *term.Term { return k.together(ops.SymLjoin, m, n) }
func (k *maker) pair(m, n *term.Term) *term.Term { return k.together(ops.SymLpair, m, n) }
func (k *maker) add(m, n *term.Term) *term.Term  { return k.together(ops.SymLadd, m, n) }

func (k *maker) one(t *types.Type) *term.Term {
	if t == nil {
		return nil
	}
	return k.make(ops.Op{Sym: ops.SymLone, Type: t})
}

func (k *maker) zero(from, to *types.Type) *term.Term {
	if from == nil || to == nil {
		return nil
	}
	return k.make(ops.Op{Sym: ops.SymLzero, Type: from, Type2: to})
}

// part is the injection or projection of part n of a type that has the given parts, which if
// the other is nil is that part.
func (k *maker) part(sym ops.Sym, n int, parts ...*types.Type) *term.Term {
	of, other := parts[n], parts[1-n]
	switch {
	case of == nil:
		return nil
	case other == nil:
		return k.one(of)
	}
	return k.make(ops.Op{Sym: sym, N: n, Type: types.TupleOf(parts...)})
}

// when lets the changes of a type through if a condition holds.
func (k *maker) when(c term.Term, t *types.Type) *term.Term {
	switch {
	case t == nil:
		return nil
	case t.Kind != types.KTuple:
		return k.make(ops.Op{Sym: ops.SymLcond, Type: t}, c)
	}
	parts := slice.Make(len(t.Parts), func(i int) term.Term {
		return *k.after(k.when(c, t.Parts[i]), k.make(ops.Op{Sym: ops.SymLproj, N: i, Type: t}))
	})
	return k.make(ops.Op{Sym: ops.SymLpair}, parts...)
}

// place takes a change of an element to that of an array of n, at index i, or back.
func (k *maker) place(n int64, i term.Term, elem *types.Type, back bool) *term.Term {
	if elem == nil {
		return nil
	}
	if elem.Kind == types.KTuple {
		from := elem
		if back {
			from = stacked(n, elem)
		}
		parts := slice.Make(len(elem.Parts), func(j int) term.Term {
			return *k.after(k.place(n, i, elem.Parts[j], back), k.make(ops.Op{Sym: ops.SymLproj, N: j, Type: from}))
		})
		return k.make(ops.Op{Sym: ops.SymLpair}, parts...)
	}
	op, of := ops.Op{Sym: ops.SymScatter, Targets: []size.Size{size.Const(n)}}, elem
	if back {
		op, of = ops.Op{Sym: ops.SymGather}, stacked(n, elem)
	}
	op.Sym, op.Type = k.s.Signature().Operator(op.Sym).Map, of
	return k.make(op, i)
}
