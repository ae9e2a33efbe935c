package term

import (
	"fmt"

	"egad/internal/slice"
	"egad/slot"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Expand puts the meanings of declared operators, and of their linear maps, in
// their place where which says so; nil is everywhere. Terms of linear maps mean
// the same matrix: that of the columns that the operator makes of unit vectors.
// It panics with [*overflow.Error] if the result is beyond a limit.
func (s *Store) Expand(t Term, which func(Term) bool) Term {
	u, _ := s.expand(t, which)
	return u
}

// Expanded returns t without declared operators, in a store of its own if there may be some.
func (s *Store) Expanded(t Term) (*Store, Term, error) {
	if !s.sig.HasDeclared() {
		return s, t, nil
	}
	s = s.Clone()
	err := overflow.Guard(func() error {
		t = s.Expand(t, nil)
		return nil
	})
	return s, t, err
}

// MoveHints gives names to what nodes have become; where two have become one, the
// first counts.
func MoveHints(names map[uint32]Hint, became map[uint32]Term) map[uint32]Hint {
	out := make(map[uint32]Hint, len(names))
	for id, h := range names {
		if t, ok := became[id]; ok {
			id = t.ID
		}
		if old, twice := out[id]; !twice || h.Before(old) {
			out[id] = h
		}
	}
	return out
}

// LetThrough takes every lreached in t for true: maps of which it is not known
// what they hold back hold nothing back. Names are those of nodes.
func (s *Store) LetThrough(t Term, names map[uint32]Hint) (Term, map[uint32]Hint) {
	if !s.Contains(t, func(u Term) bool { return s.Op(u).Sym == ops.SymLreached }) {
		return t, names
	}
	t, became := s.Rewrite(t, func(u Term, v View) (Term, bool) {
		if v.Op.Sym != ops.SymLreached {
			return Term{}, false
		}
		return s.Lit(ops.ScalarB(true), s.Type(u).Shape...), true
	})
	return t, MoveHints(names, became)
}

// expand also returns what became of the nodes of t.
func (s *Store) expand(t Term, which func(Term) bool) (Term, map[uint32]Term) {
	if !s.sig.HasDeclared() {
		return t, nil
	}
	at := func(u Term) *ops.Declared {
		if d := s.sig.Operator(s.Op(u).Sym).Declared; d != nil && (which == nil || which(u)) {
			return d
		}
		return nil
	}
	var became map[uint32]Term
	// A meaning has only operators that were declared before: each round takes one
	// at least out of the term.
	for found := true; found; {
		found = false
		var now map[uint32]Term
		t, now = s.Rewrite(t, func(u Term, v View) (Term, bool) {
			d := at(u)
			if d == nil {
				return Term{}, false
			}
			found = true
			if v.Op.Sym == d.Map {
				return s.matrix(d, v), true
			}
			return s.apply(d, v.Kids), true
		})
		if became == nil {
			became = now
			continue
		}
		for id, u := range became {
			if w, ok := now[u.ID]; ok {
				became[id] = w
			}
		}
	}
	return t, became
}

// apply is the meaning of a declared operator at operands.
func (s *Store) apply(d *ops.Declared, operands []Term) Term {
	sizes, rank := s.sig.Operator(d.Op).SizesAt(s.Unify, slice.Map(operands, s.Type))
	return s.sig.Meaning(d.Op).Apply(s, sizes, rank, operands)
}

// matrix is the linear map of a declared operator, as the sum of its columns.
func (s *Store) matrix(d *ops.Declared, v View) Term {
	from := v.Op.Type
	n := size.Product(from.Shape)
	j := s.Fresh()
	unit := s.Reshape(from.Shape, s.Build(n, func(i Term) Term {
		return s.Apply(ops.SymCond, s.Apply(ops.SymEq, i, s.Ivar(j, n)), s.Lit(ops.ScalarR(numeric.Int(1))), s.Lit(ops.ScalarR(numeric.Int(0))))
	}))
	column := s.apply(d, append(v.Kids[:len(v.Kids):len(v.Kids)], unit))
	m := s.Apply(ops.SymLscale, column)
	to := s.Type(column).Shape
	for i := range to {
		m = s.Apply(ops.SymLcompose, m, s.MustMake(ops.Op{Sym: ops.SymReplicate, Sizes: to[i : i+1]}.MapOn(types.ArrayOf(types.R, to[i+1:]...)), nil, nil, nil))
	}
	sum := s.MustMake(ops.Op{Sym: ops.SymLbuildT, Sizes: []size.Size{n}}, nil, []slot.Name{j}, []Term{m})
	return s.Apply(ops.SymLcompose, sum, s.MustMake(ops.Op{Sym: ops.SymReshape, Sizes: []size.Size{n}}.MapOn(from), nil, nil, nil))
}

// Numbers lists the literals in the meaning of a declared operator, and in what that calls.
func (g *Signature) Numbers(d *ops.Declared) (out []numeric.Num) {
	if d.Meaningless() || g.Meaning(d.Op) == nil {
		return nil
	}
	params := g.Meaning(d.Op).Operands(0)
	env := make(map[string]size.Size)
	for _, p := range params {
		for _, s := range p.Shape {
			for _, name := range s.Vars() {
				env[name] = size.Const(2)
			}
		}
	}
	err := overflow.Guard(func() error {
		s := NewStore(g)
		operands := slice.Make(len(params), func(i int) Term { return s.Var(fmt.Sprintf("a%d", i), params[i].Subst(env)) })
		s.Walk(s.Expand(s.Apply(d.Op, operands...), nil), func(t Term) {
			if op := s.Op(t); op.Sym == ops.SymConst && op.Const.Fill.Elem != types.B {
				for _, x := range append([]ops.Scalar{op.Const.Fill}, op.Const.Data...) {
					if x.Elem == types.I {
						out = append(out, numeric.Int(x.Int))
					} else {
						out = append(out, x.Num)
					}
				}
			}
		})
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}
