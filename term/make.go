package term

import (
	"egad/internal/slice"
	"egad/slot"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// The functions here build terms in the order a person would say them, with
// binders as Go functions. They panic on ill-typed arguments.

// Var returns the named input x of type t.
func (s *Store) Var(x string, t *types.Type) Term {
	return s.MustMake(ops.Op{Sym: ops.SymVar, Name: x, Type: t}, nil, nil, nil)
}

// Ivar returns the index variable called n, which ranges over 0 … size-1.
func (s *Store) Ivar(n slot.Name, length size.Size) Term {
	return s.MustMake(ops.Op{Sym: ops.SymIvar, Sizes: []size.Size{length}}, []slot.Name{n}, nil, nil)
}

// Variable returns the variable called n that some operator binds.
func (s *Store) Variable(n slot.Name, v ops.VarType) Term {
	if v.Type == nil {
		return s.Ivar(n, v.Size)
	}
	return s.MustMake(ops.Op{Sym: ops.SymLocal, Type: v.Type}, []slot.Name{n}, nil, nil)
}

// Lit returns the array of the given shape that is filled with c.
func (s *Store) Lit(c ops.Scalar, shape ...size.Size) Term {
	return s.MustMake(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(c), Type: types.ArrayOf(c.Elem, shape...)}, nil, nil, nil)
}

// LitData returns the array with the given elements, in row-major order.
func (s *Store) LitData(data []ops.Scalar, shape ...size.Size) Term {
	return s.MustMake(ops.Op{Sym: ops.SymConst, Const: ops.ConstData(data), Type: types.ArrayOf(data[0].Elem, shape...)}, nil, nil, nil)
}

// LitInt returns the scalar integer n.
func (s *Store) LitInt(n int64) Term { return s.Lit(ops.ScalarI(n)) }

// Zeros returns the zero of an array type, or the tuple of zeros of a tuple type.
func (s *Store) Zeros(t *types.Type) Term {
	if t.Kind == types.KTuple {
		return s.Apply(ops.SymTuple, slice.Map(t.Parts, s.Zeros)...)
	}
	return s.Lit(ops.ScalarZero(t.Elem), t.Shape...)
}

// ZeroOf returns 0 as a value of an index variable, or the zeros of the type of a state.
func (s *Store) ZeroOf(v ops.VarType) Term {
	if v.Type != nil {
		return s.Zeros(v.Type)
	}
	return s.LitInt(0)
}

// Apply applies an operator that has no attributes.
func (s *Store) Apply(sym ops.Sym, kids ...Term) Term {
	return s.MustMake(ops.Op{Sym: sym}, nil, nil, kids)
}

// Index returns the element, or the subarray, of t at ix.
func (s *Store) Index(t Term, ix ...Term) Term {
	return s.MustMake(ops.Op{Sym: ops.SymIndex}, nil, nil, append([]Term{t}, ix...))
}

// Build returns the array of k elements whose element i is f(i).
func (s *Store) Build(k size.Size, f func(i Term) Term) Term {
	n := s.Fresh()
	return s.MustMake(ops.Op{Sym: ops.SymBuild, Sizes: []size.Size{k}}, nil, []slot.Name{n}, []Term{f(s.Ivar(n, k))})
}

// Builds is [Store.Build] over all axes of a shape.
func (s *Store) Builds(shape []size.Size, f func(is []Term) Term) Term {
	var nest func(is []Term) Term
	nest = func(is []Term) Term {
		if len(is) == len(shape) {
			return f(is)
		}
		return s.Build(shape[len(is)], func(i Term) Term { return nest(append(is[:len(is):len(is)], i)) })
	}
	return nest(nil)
}

// OneHot is the array of reals that is 1 at the indices is and 0 elsewhere.
func (s *Store) OneHot(shape []size.Size, is []Term) Term {
	one := s.Lit(ops.ScalarR(numeric.Int(1)))
	if len(shape) == 0 {
		return one
	}
	return s.Scatter(nil, shape, one, func([]Term) []Term { return is })
}

// Gather is build over ks of t indexed by f.
func (s *Store) Gather(ks []size.Size, t Term, f func(is []Term) []Term) Term {
	return s.bind(ops.Op{Sym: ops.SymGather, Sizes: ks}, []Term{t}, f)
}

// Scatter adds the subarrays of t at each is over ks into an array of zeros with
// leading axes targets, at f(is).
func (s *Store) Scatter(ks, targets []size.Size, t Term, f func(is []Term) []Term) Term {
	return s.bind(ops.Op{Sym: ops.SymScatter, Sizes: ks, Targets: targets}, []Term{t}, f)
}

// bind applies op to kids and to what f makes of its bound variables.
func (s *Store) bind(op ops.Op, kids []Term, f func(is []Term) []Term) Term {
	names := s.FreshN(len(op.Sizes))
	is := slice.Make(len(names), func(i int) Term { return s.Ivar(names[i], op.Sizes[i]) })
	return s.MustMake(op, nil, names, append(kids, f(is)...))
}

// Replicate adds an outer axis of size k along which t is repeated.
func (s *Store) Replicate(k size.Size, t Term) Term {
	return s.MustMake(ops.Op{Sym: ops.SymReplicate, Sizes: []size.Size{k}}, nil, nil, []Term{t})
}

// ReplicateTo adds outer axes of the given sizes.
func (s *Store) ReplicateTo(shape []size.Size, t Term) Term {
	for i := len(shape) - 1; i >= 0; i-- {
		t = s.Replicate(shape[i], t)
	}
	return t
}

// Tr permutes the leading axes of t: axis i of the result is axis perm[i] of t.
func (s *Store) Tr(perm []int, t Term) Term {
	return s.MustMake(ops.Op{Sym: ops.SymTr, Perm: perm}, nil, nil, []Term{t})
}

// Reshape gives t another shape with as many elements.
func (s *Store) Reshape(shape []size.Size, t Term) Term {
	return s.MustMake(ops.Op{Sym: ops.SymReshape, Sizes: shape}, nil, nil, []Term{t})
}

// Parts returns f of t, or of each of its components if it is a tuple.
func (s *Store) Parts(t Term, f func(Term) Term) Term {
	if s.Type(t).Kind != types.KTuple {
		return f(t)
	}
	return s.Apply(ops.SymTuple, slice.Make(len(s.Type(t).Parts), func(i int) Term { return f(s.Proj(i, t)) })...)
}

// Proj is component n of a tuple; of a tuple term it is that component itself.
func (s *Store) Proj(n int, t Term) Term {
	if s.Op(t).Sym == ops.SymTuple {
		return slot.Open(s.nodes[t.ID].kids[n:n+1], t.Args, nil)[0]
	}
	return s.MustMake(ops.Op{Sym: ops.SymProj, N: n}, nil, nil, []Term{t})
}
