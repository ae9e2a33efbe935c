package term

import (
	"egad/internal/slice"
	"egad/slot"
	"egad/term/numeric"
)

// The functions here build terms in the order a person would say them, with
// binders as Go functions. They panic on ill-typed arguments.

// Var returns the named input x of type t.
func (s *Store) Var(x string, t *Type) Term {
	return s.MustMake(Op{Sym: SymVar, Name: x, Type: t}, nil, nil, nil)
}

// Ivar returns the index variable called n, which ranges over 0 … size-1.
func (s *Store) Ivar(n slot.Name, size Size) Term {
	return s.MustMake(Op{Sym: SymIvar, Sizes: []Size{size}}, []slot.Name{n}, nil, nil)
}

// Variable returns the variable called n that some operator binds.
func (s *Store) Variable(n slot.Name, v VarType) Term {
	if v.Type == nil {
		return s.Ivar(n, v.Size)
	}
	return s.MustMake(Op{Sym: SymLocal, Type: v.Type}, []slot.Name{n}, nil, nil)
}

// Lit returns the array of the given shape that is filled with c.
func (s *Store) Lit(c Scalar, shape ...Size) Term {
	return s.MustMake(Op{Sym: SymConst, Const: ConstFill(c), Type: ArrayOf(c.Elem, shape...)}, nil, nil, nil)
}

// LitData returns the array with the given elements, in row-major order.
func (s *Store) LitData(data []Scalar, shape ...Size) Term {
	return s.MustMake(Op{Sym: SymConst, Const: ConstData(data), Type: ArrayOf(data[0].Elem, shape...)}, nil, nil, nil)
}

// LitInt returns the scalar integer n.
func (s *Store) LitInt(n int64) Term { return s.Lit(ScalarI(n)) }

// Zeros returns the zero of an array type, or the tuple of zeros of a tuple type.
func (s *Store) Zeros(t *Type) Term {
	if t.Kind == KTuple {
		return s.Apply(SymTuple, slice.Map(t.Parts, s.Zeros)...)
	}
	return s.Lit(ScalarZero(t.Elem), t.Shape...)
}

// ZeroOf returns 0 as a value of an index variable, or the zeros of the type of a state.
func (s *Store) ZeroOf(v VarType) Term {
	if v.Type != nil {
		return s.Zeros(v.Type)
	}
	return s.LitInt(0)
}

// Apply applies an operator that has no attributes.
func (s *Store) Apply(sym Sym, kids ...Term) Term {
	return s.MustMake(Op{Sym: sym}, nil, nil, kids)
}

// Index returns the element, or the subarray, of t at ix.
func (s *Store) Index(t Term, ix ...Term) Term {
	return s.MustMake(Op{Sym: SymIndex}, nil, nil, append([]Term{t}, ix...))
}

// Build returns the array of k elements whose element i is f(i).
func (s *Store) Build(k Size, f func(i Term) Term) Term {
	n := s.Fresh()
	return s.MustMake(Op{Sym: SymBuild, Sizes: []Size{k}}, nil, []slot.Name{n}, []Term{f(s.Ivar(n, k))})
}

// Builds is [Store.Build] over all axes of a shape.
func (s *Store) Builds(shape []Size, f func(is []Term) Term) Term {
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
func (s *Store) OneHot(shape []Size, is []Term) Term {
	one := s.Lit(ScalarR(numeric.Int(1)))
	if len(shape) == 0 {
		return one
	}
	return s.Scatter(nil, shape, one, func([]Term) []Term { return is })
}

// Gather is build over ks of t indexed by f.
func (s *Store) Gather(ks []Size, t Term, f func(is []Term) []Term) Term {
	return s.bind(Op{Sym: SymGather, Sizes: ks}, []Term{t}, f)
}

// Scatter adds the subarrays of t at each is over ks into an array of zeros with
// leading axes targets, at f(is).
func (s *Store) Scatter(ks, targets []Size, t Term, f func(is []Term) []Term) Term {
	return s.bind(Op{Sym: SymScatter, Sizes: ks, Targets: targets}, []Term{t}, f)
}

// bind applies op to kids and to what f makes of its bound variables.
func (s *Store) bind(op Op, kids []Term, f func(is []Term) []Term) Term {
	names := s.FreshN(len(op.Sizes))
	is := slice.Make(len(names), func(i int) Term { return s.Ivar(names[i], op.Sizes[i]) })
	return s.MustMake(op, nil, names, append(kids, f(is)...))
}

// Replicate adds an outer axis of size k along which t is repeated.
func (s *Store) Replicate(k Size, t Term) Term {
	return s.MustMake(Op{Sym: SymReplicate, Sizes: []Size{k}}, nil, nil, []Term{t})
}

// ReplicateTo adds outer axes of the given sizes.
func (s *Store) ReplicateTo(shape []Size, t Term) Term {
	for i := len(shape) - 1; i >= 0; i-- {
		t = s.Replicate(shape[i], t)
	}
	return t
}

// Tr permutes the leading axes of t: axis i of the result is axis perm[i] of t.
func (s *Store) Tr(perm []int, t Term) Term {
	return s.MustMake(Op{Sym: SymTr, Perm: perm}, nil, nil, []Term{t})
}

// Reshape gives t another shape with as many elements.
func (s *Store) Reshape(shape []Size, t Term) Term {
	return s.MustMake(Op{Sym: SymReshape, Sizes: shape}, nil, nil, []Term{t})
}

// Parts returns f of t, or of each of its components if it is a tuple.
func (s *Store) Parts(t Term, f func(Term) Term) Term {
	if s.Type(t).Kind != KTuple {
		return f(t)
	}
	return s.Apply(SymTuple, slice.Make(len(s.Type(t).Parts), func(i int) Term { return f(s.Proj(i, t)) })...)
}

// Proj is component n of a tuple; of a tuple term it is that component itself.
func (s *Store) Proj(n int, t Term) Term {
	if s.Op(t).Sym == SymTuple {
		return slot.Open(s.nodes[t.ID].kids[n:n+1], t.Args, nil)[0]
	}
	return s.MustMake(Op{Sym: SymProj, N: n}, nil, nil, []Term{t})
}
