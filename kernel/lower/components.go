package lower

import (
	"fmt"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// components takes tuples apart.
type components struct {
	store *term.Store
	names map[uint32]term.Hint
	// done are the components of a node over names of its own.
	done map[uint32]*parts
}

// parts is an array, or a tuple of parts.
type parts struct {
	free  []slot.Name
	array term.Term
	tuple []*parts // nil for an array
}

// of gives the arrays that id stands for. No tuple is left in them.
func (c *components) of(id uint32) *parts {
	return memo.Of(c.done, id, func() *parts {
		s := c.store
		free := s.FreshN(len(s.Vars(term.Term{ID: id})))
		v := s.Open(term.Term{ID: id, Args: free})
		kids := slice.Map(v.Kids, func(k term.Term) *parts { return c.of(k.ID).rename(k.Args) })
		p := c.apply(v, kids)
		p.free = free
		if p.tuple == nil && p.array.ID != id {
			if h, ok := c.names[id]; ok && c.names[p.array.ID].Name == "" {
				c.names[p.array.ID] = h
			}
		}
		return p
	})
}

func (c *components) apply(v term.View, kids []*parts) *parts {
	switch v.Op.Sym {
	case ops.SymTuple:
		return &parts{tuple: kids}
	case ops.SymProj:
		p := *kids[0].tuple[v.Op.N]
		return &p
	case ops.SymStopgrad, ops.SymWithslope: // which are for derivatives
		return kids[0]
	case ops.SymCond:
		return together(kids[1:], func(vs ...term.Term) term.Term {
			return c.store.Apply(ops.SymCond, append([]term.Term{kids[0].array}, vs...)...)
		})
	case ops.SymStates:
		return c.split(c.store.MustMake(v.Op, v.Own, v.Binders, []term.Term{kids[0].term(c.store), kids[1].array, kids[2].term(c.store)}))
	case ops.SymLocal:
		return c.split(c.store.MustMake(v.Op, v.Own, nil, nil))
	}
	arrays := slice.Map(kids, func(k *parts) term.Term { return k.array })
	switch v.Op.Sym {
	case ops.SymLogsumexp, ops.SymSoftmax:
		if n, _ := c.store.Type(arrays[0]).Shape[0].Const(); n > 0 {
			return &parts{array: c.exponentials(v.Op.Sym, arrays[0])}
		}
	case ops.SymNorm:
		if n, _ := c.store.Type(arrays[0]).Shape[0].Const(); n > 0 {
			return &parts{array: c.norm(arrays[0])}
		}
	}
	return &parts{array: c.store.MustMake(v.Op, v.Own, v.Binders, arrays)}
}

// exponentials is logsumexp or softmax by simpler operators: loops are faster than calls
// of their meaning, and do the same.
func (c *components) exponentials(sym ops.Sym, a term.Term) term.Term {
	s, t := c.store, c.store.Type(a)
	most := s.Apply(ops.SymMaximum, a)
	all := s.Replicate(t.Shape[0], most)
	// What is the largest is 0 off it, be it infinite.
	e := s.Apply(ops.SymExp, s.Apply(ops.SymWhere, s.Apply(ops.SymEq, a, all), s.Zeros(t), s.Apply(ops.SymSub, a, all)))
	sum := s.Apply(ops.SymSum, e)
	if sym == ops.SymLogsumexp {
		return s.Apply(ops.SymAdd, most, s.Apply(ops.SymLog, sum))
	}
	return s.Apply(ops.SymDiv, e, s.Replicate(t.Shape[0], sum))
}

// norm is norm by simpler operators, as its meaning has it: of squares where none is
// lost, else of the quotients by the largest.
func (c *components) norm(a term.Term) term.Term {
	s, t := c.store, c.store.Type(a)
	do := func(sym ops.Sym, args ...term.Term) term.Term { return s.Apply(sym, args...) }
	squares := func(x term.Term) term.Term { return do(ops.SymSum, do(ops.SymMul, x, x)) }
	number := func(x ops.Scalar) term.Term { return s.Lit(x, t.Shape[1:]...) }
	between := func(lo, x, hi term.Term) term.Term {
		return do(ops.SymAnd, do(ops.SymLt, lo, x), do(ops.SymLt, x, hi))
	}
	plain, most := squares(a), do(ops.SymMaximum, do(ops.SymAbs, a))
	scaled := do(ops.SymMul, do(ops.SymSqrt, squares(do(ops.SymDiv, a, s.Replicate(t.Shape[0], most)))), most)
	return do(ops.SymWhere, between(number(ops.LeastSquares), plain, number(ops.MostSquares)), do(ops.SymSqrt, plain),
		do(ops.SymWhere, between(number(ops.ScalarR(numeric.Int(0))), most, number(ops.ScalarR(numeric.Inf(1)))), scaled, most))
}

// split are the components of a term.
func (c *components) split(t term.Term) *parts {
	if c.store.Type(t).Kind != types.KTuple {
		return &parts{array: t}
	}
	p := &parts{tuple: make([]*parts, len(c.store.Type(t).Parts))}
	for i := range p.tuple {
		p.tuple[i] = &parts{array: c.store.Proj(i, t)}
	}
	return p
}

// together are what a function makes of the arrays that are at one place in some parts.
func together(ps []*parts, of func(...term.Term) term.Term) *parts {
	if ps[0].tuple == nil {
		return &parts{array: of(slice.Map(ps, func(p *parts) term.Term { return p.array })...)}
	}
	return &parts{tuple: slice.Make(len(ps[0].tuple), func(i int) *parts {
		return together(slice.Map(ps, func(p *parts) *parts { return p.tuple[i] }), of)
	})}
}

// rename is p in the names of a context.
func (p *parts) rename(names []slot.Name) *parts {
	return together([]*parts{p}, func(vs ...term.Term) term.Term { return vs[0].RenameFrom(p.free, names) })
}

// supported reports what in a closed term has no kernels.
func supported(s *term.Store, t term.Term) error {
	var err error
	s.Walk(t, func(u term.Term) {
		o := s.Signature().Operator(s.Op(u).Sym)
		if err == nil && (o.Linear || o.Sym == ops.SymLapply || o.Sym == ops.SymLreached) {
			err = fmt.Errorf("linear maps have no kernels (%s)", o.Name)
		}
	})
	return err
}
