package routes

import (
	"fmt"

	"egad/fun"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// change says what a local map does with the change of an operand that is a scalar.
type change uint8

const (
	held   change = iota // the change has no effect
	same                 // it is that of the result
	scaled               // it is multiplied
)

// slopeOf is what the local map of one operand does at a point, which is the operands
// and the result of the operator: what of says, or else always the same.
type slopeOf[S any] struct {
	of      func(at []S) (change, S)
	how     change
	by      S   // the factor, if the map scales
	operand int // or the number of the factor in the point, and one more; 0 if there is none
}

// at is what the map does at a point, and the factor if it scales.
func (m *slopeOf[S]) at(point []S) (change, S) {
	switch {
	case m.operand > 0:
		return scaled, point[m.operand-1]
	case m.of != nil:
		return m.of(point)
	}
	return m.how, m.by
}

// slopes are the local maps of the operators on scalars, by the rules of the set nabla,
// as functions. They are made when an operator is first met.
type slopes[S any] struct {
	table      *slope.Table
	of         eval.Scalars[S]
	operations int64 // done by slopes, on reals
	known      map[operator][]*slopeOf[S]
}

// operator is an elementwise operator with its attribute.
type operator struct {
	sym   ops.Sym
	n     int
	arity int
}

func newSlopes[S any](table *slope.Table, of eval.Scalars[S]) *slopes[S] {
	return &slopes[S]{table: table, of: of, known: make(map[operator][]*slopeOf[S])}
}

// get is the slopes of an operator, by operand; nil of one without a change.
func (s *slopes[S]) get(o operator) ([]*slopeOf[S], error) {
	return memo.Get(s.known, o, func() ([]*slopeOf[S], error) { return s.derive(o) })
}

func (s *slopes[S]) derive(o operator) (_ []*slopeOf[S], err error) {
	defer raise.Caught(&err)
	op := slope.Operator{Sym: o.sym, N: o.n}
	for i := range o.arity {
		op.Elems[i] = types.R
	}
	maps, err := s.table.Maps(op)
	if err != nil {
		return nil, err
	}
	c := &compiler[S]{slopes: s, arity: o.arity}
	out := make([]*slopeOf[S], o.arity)
	for i, m := range maps {
		if m != nil {
			out[i] = c.slope(m)
		}
	}
	return out, nil
}

// compiler makes functions of maps over the operands of an operator and its result.
type compiler[S any] struct {
	*slopes[S]
	arity int
}

func (c *compiler[S]) slope(m *slope.Map) *slopeOf[S] {
	switch m.Kind {
	case slope.Same:
		return &slopeOf[S]{how: same}
	case slope.Held:
		return &slopeOf[S]{how: held}
	case slope.Scaled:
		return c.factor(m.By)
	case slope.Where:
		f := c.truth(m.By)
		return &slopeOf[S]{of: func(at []S) (how change, one S) {
			if f(at) {
				how = same
			}
			return how, one
		}}
	case slope.Composed:
		return c.both(m.Of, func(h, k change, x, y S) (change, S) {
			switch {
			case h == held || k == held:
				return held, x
			case h == same:
				return k, y
			case k == same:
				return h, x
			}
			return scaled, c.binary(ops.SymMul, x, y)
		})
	default:
		return c.both(m.Of, c.added)
	}
}

// factor is a map that scales.
func (c *compiler[S]) factor(by *fun.Term) *slopeOf[S] {
	switch by.Form {
	case fun.Var:
		return &slopeOf[S]{operand: c.arity - by.N + 1}
	case fun.Lit:
		return &slopeOf[S]{how: scaled, by: c.of.FromNum(by.Num)}
	}
	f := c.real(by)
	return &slopeOf[S]{of: func(at []S) (change, S) { return scaled, f(at) }}
}

// both reads two maps.
func (c *compiler[S]) both(kids [2]*slope.Map, join func(h, k change, x, y S) (change, S)) *slopeOf[S] {
	f, g := c.slope(kids[0]), c.slope(kids[1])
	return &slopeOf[S]{of: func(at []S) (change, S) {
		h, x := f.at(at)
		k, y := g.at(at)
		return join(h, k, x, y)
	}}
}

func (c *compiler[S]) added(h, k change, x, y S) (change, S) {
	if h == held {
		return k, y
	}
	if k == held {
		return h, x
	}
	one := c.of.FromInt(1)
	if h == same {
		x = one
	}
	if k == same {
		y = one
	}
	return scaled, c.binary(ops.SymAdd, x, y)
}

func (c *compiler[S]) binary(sym ops.Sym, x, y S) S {
	c.operations++
	return c.of.Binary(sym, x, y)
}

// real makes a function of a real.
func (c *compiler[S]) real(t *fun.Term) func(at []S) S {
	switch t.Form {
	case fun.Var:
		i := c.arity - t.N
		return func(at []S) S { return at[i] }
	case fun.Lit:
		x := c.of.FromNum(t.Num)
		return func([]S) S { return x }
	}
	kids := t.Operands()
	if t.Op.Sym == ops.SymWhere {
		when, then, other := c.truth(kids[0]), c.real(kids[1]), c.real(kids[2])
		return func(at []S) S {
			if when(at) {
				return then(at)
			}
			return other(at)
		}
	}
	fs := slice.Map(kids, c.real)
	sym, n := t.Op.Sym, t.Op.N
	if len(fs) == 1 {
		return func(at []S) S {
			x := fs[0](at)
			c.operations++
			return c.of.Unary(sym, n, x)
		}
	}
	return func(at []S) S { return c.binary(sym, fs[0](at), fs[1](at)) }
}

// truth makes a function of a truth value: a comparison of reals, or truth values put
// together.
func (c *compiler[S]) truth(t *fun.Term) func(at []S) bool {
	if t.Form != fun.Prim {
		is := t.Form == fun.Inl
		return func([]S) bool { return is }
	}
	kids := t.Operands()
	switch sym := t.Op.Sym; sym {
	case ops.SymLt, ops.SymLe, ops.SymEq:
		x, y := c.real(kids[0]), c.real(kids[1])
		return func(at []S) bool { return c.of.Compare(sym, x(at), y(at)) }
	case ops.SymNot, ops.SymAnd, ops.SymOr:
		of := slice.Map(kids, c.truth)
		return func(at []S) bool {
			a := of[0](at)
			if sym == ops.SymNot || a == (sym == ops.SymOr) {
				return a != (sym == ops.SymNot)
			}
			return of[1](at)
		}
	}
	raise.Error(fmt.Errorf("%s is not computed on truth values", ops.Builtin(t.Op.Sym).Name))
	return nil
}
