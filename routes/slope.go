package routes

import (
	"fmt"

	"egad/fun"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term"
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
	of      func(at []S) (change, S, error)
	how     change
	by      S   // the factor, if the map scales
	operand int // or the number of the factor in the point, and one more; 0 if there is none
}

// at is what the map does at a point, and the factor if it scales.
func (m *slopeOf[S]) at(point []S) (change, S, error) {
	switch {
	case m.operand > 0:
		return scaled, point[m.operand-1], nil
	case m.of != nil:
		return m.of(point)
	}
	return m.how, m.by, nil
}

// slopes are the local maps of the operators on scalars, by the rules of the set nabla,
// as functions. They are made when an operator is first met.
type slopes[S any] struct {
	table      *slope.Table
	of         term.Scalars[S]
	operations int64 // done by slopes, on reals
	known      map[operator][]*slopeOf[S]
}

// operator is an elementwise operator with its attribute.
type operator struct {
	sym   term.Sym
	n     int
	arity int
}

func newSlopes[S any](table *slope.Table, of term.Scalars[S]) *slopes[S] {
	return &slopes[S]{table: table, of: of, known: make(map[operator][]*slopeOf[S])}
}

// get is the slopes of an operator, by operand; nil of one without a change.
func (s *slopes[S]) get(o operator) ([]*slopeOf[S], error) {
	return memo.Get(s.known, o, func() ([]*slopeOf[S], error) { return s.derive(o) })
}

func (s *slopes[S]) derive(o operator) ([]*slopeOf[S], error) {
	op := slope.Operator{Sym: o.sym, N: o.n}
	for i := range o.arity {
		op.Elems[i] = term.R
	}
	maps, err := s.table.Maps(op)
	if err != nil {
		return nil, err
	}
	c := &compiler[S]{slopes: s, arity: o.arity}
	out := make([]*slopeOf[S], o.arity)
	for i, m := range maps {
		if m != nil {
			if out[i], err = c.slope(m); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// compiler makes functions of maps over the operands of an operator and its result.
type compiler[S any] struct {
	*slopes[S]
	arity int
}

func (c *compiler[S]) slope(m *slope.Map) (*slopeOf[S], error) {
	switch m.Kind {
	case slope.Same:
		return &slopeOf[S]{how: same}, nil
	case slope.Held:
		return &slopeOf[S]{how: held}, nil
	case slope.Scaled:
		return c.factor(m.By)
	case slope.Where:
		f, err := c.truth(m.By)
		return &slopeOf[S]{of: func(at []S) (how change, one S, err error) {
			ok, err := f(at)
			if ok {
				how = same
			}
			return how, one, err
		}}, err
	case slope.Composed:
		return c.both(m.Of, func(h, k change, x, y S) (change, S, error) {
			switch {
			case h == held || k == held:
				return held, x, nil
			case h == same:
				return k, y, nil
			case k == same:
				return h, x, nil
			}
			z, err := c.binary(term.SymMul, x, y)
			return scaled, z, err
		})
	default:
		return c.both(m.Of, c.added)
	}
}

// factor is a map that scales.
func (c *compiler[S]) factor(by *fun.Term) (*slopeOf[S], error) {
	switch by.Form {
	case fun.Var:
		return &slopeOf[S]{operand: c.arity - by.N + 1}, nil
	case fun.Lit:
		if x, err := c.of.FromNum(by.Num); err == nil {
			return &slopeOf[S]{how: scaled, by: x}, nil
		}
	}
	f, err := c.real(by)
	return &slopeOf[S]{of: func(at []S) (change, S, error) {
		x, err := f(at)
		return scaled, x, err
	}}, err
}

// both reads two maps, the second of which is only looked at if the first is not held.
func (c *compiler[S]) both(kids [2]*slope.Map, join func(h, k change, x, y S) (change, S, error)) (*slopeOf[S], error) {
	f, err := c.slope(kids[0])
	if err != nil {
		return nil, err
	}
	g, err := c.slope(kids[1])
	return &slopeOf[S]{of: func(at []S) (change, S, error) {
		h, x, err := f.at(at)
		if err != nil {
			return held, x, err
		}
		k, y, err := g.at(at)
		if err != nil {
			return held, x, err
		}
		return join(h, k, x, y)
	}}, err
}

func (c *compiler[S]) added(h, k change, x, y S) (change, S, error) {
	if h == held {
		return k, y, nil
	}
	if k == held {
		return h, x, nil
	}
	one, err := c.of.FromInt(1)
	if h == same {
		x = one
	}
	if k == same {
		y = one
	}
	if err != nil {
		return held, x, err
	}
	z, err := c.binary(term.SymAdd, x, y)
	return scaled, z, err
}

func (c *compiler[S]) binary(sym term.Sym, x, y S) (S, error) {
	c.operations++
	return c.of.Binary(sym, x, y)
}

// real makes a function of a real.
func (c *compiler[S]) real(t *fun.Term) (func(at []S) (S, error), error) {
	switch t.Form {
	case fun.Var:
		i := c.arity - t.N
		return func(at []S) (S, error) { return at[i], nil }, nil
	case fun.Lit:
		x, err := c.of.FromNum(t.Num)
		return func([]S) (S, error) { return x, err }, err
	}
	kids := t.Operands()
	if t.Op.Sym == term.SymWhere {
		return c.choice(kids)
	}
	fs, err := slice.Try(kids, c.real)
	if err != nil {
		return nil, err
	}
	sym, n := t.Op.Sym, t.Op.N
	if len(fs) == 1 {
		return func(at []S) (S, error) {
			x, err := fs[0](at)
			if err != nil {
				return x, err
			}
			c.operations++
			return c.of.Unary(sym, n, x)
		}, nil
	}
	return func(at []S) (S, error) {
		x, err := fs[0](at)
		if err != nil {
			return x, err
		}
		y, err := fs[1](at)
		if err != nil {
			return x, err
		}
		return c.binary(sym, x, y)
	}, nil
}

func (c *compiler[S]) choice(kids []*fun.Term) (func(at []S) (S, error), error) {
	when, err := c.truth(kids[0])
	if err != nil {
		return nil, err
	}
	then, err := c.real(kids[1])
	if err != nil {
		return nil, err
	}
	other, err := c.real(kids[2])
	return func(at []S) (S, error) {
		ok, err := when(at)
		if err == nil && ok {
			return then(at)
		}
		if err == nil {
			return other(at)
		}
		var none S
		return none, err
	}, err
}

// truth makes a function of a truth value: a comparison of reals, or truth values put
// together.
func (c *compiler[S]) truth(t *fun.Term) (func(at []S) (bool, error), error) {
	if t.Form != fun.Prim {
		is := t.Form == fun.Inl
		return func([]S) (bool, error) { return is, nil }, nil
	}
	kids := t.Operands()
	switch sym := t.Op.Sym; sym {
	case term.SymLt, term.SymLe, term.SymEq:
		x, err := c.real(kids[0])
		if err != nil {
			return nil, err
		}
		y, err := c.real(kids[1])
		return func(at []S) (bool, error) {
			a, err := x(at)
			if err != nil {
				return false, err
			}
			b, err := y(at)
			return err == nil && c.of.Compare(sym, a, b), err
		}, err
	case term.SymNot, term.SymAnd, term.SymOr:
		of, err := slice.Try(kids, c.truth)
		if err != nil {
			return nil, err
		}
		return func(at []S) (bool, error) {
			a, err := of[0](at)
			if sym == term.SymNot || err != nil || a == (sym == term.SymOr) {
				return a != (sym == term.SymNot), err
			}
			return of[1](at)
		}, nil
	}
	return nil, fmt.Errorf("%s is not computed on truth values", term.Builtin(t.Op.Sym).Name)
}
