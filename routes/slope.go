package routes

import (
	"fmt"

	"egad/ad"
	"egad/rules"
	"egad/term"
)

// change says what a local map does with the change of an operand that is a scalar.
type change uint8

const (
	held   change = iota // the change has no effect
	same                 // it is that of the result
	scaled               // it is multiplied
)

// slope gives what the local map of one operand does at a point, which is the operands
// and the result of the operator, and the factor if it scales.
type slope[S any] func(at []S) (change, S, error)

// slopes are the local maps of the operators on scalars, by the rules of the set nabla,
// as functions. They are made when an operator is first met.
type slopes[S any] struct {
	lib        *rules.Library
	sig        *term.Signature
	of         term.Scalars[S]
	operations int64        // done by slopes, on reals
	plain      [][]slope[S] // of operators without an attribute, by Sym
	others     map[operator][]slope[S]
}

// operator is an elementwise operator with its attribute.
type operator struct {
	sym   term.Sym
	n     int
	arity int
}

func newSlopes[S any](lib *rules.Library, sig *term.Signature, of term.Scalars[S]) *slopes[S] {
	return &slopes[S]{lib: lib, sig: sig, of: of, others: make(map[operator][]slope[S])}
}

// get is the slopes of an operator, by operand; nil of one without a change.
func (s *slopes[S]) get(o operator) ([]slope[S], error) {
	if o.n != 0 {
		found, ok := s.others[o]
		if !ok {
			var err error
			if found, err = s.derive(o); err != nil {
				return nil, err
			}
			s.others[o] = found
		}
		return found, nil
	}
	for len(s.plain) <= int(o.sym) {
		s.plain = append(s.plain, nil)
	}
	var err error
	if s.plain[o.sym] == nil {
		s.plain[o.sym], err = s.derive(o)
	}
	return s.plain[o.sym], err
}

func (s *slopes[S]) derive(o operator) (out []slope[S], err error) {
	st := term.NewStore(s.sig)
	err = term.Guard(func() error {
		c := &compiler[S]{slopes: s, st: st, at: make(map[uint32]int)}
		operands := make([]term.Term, o.arity)
		for i := range operands {
			operands[i] = st.Var(fmt.Sprintf("x%d", i), term.ArrayOf(term.R))
			c.at[operands[i].ID] = i
		}
		t := st.MustMake(term.Op{Sym: o.sym, N: o.n}, nil, nil, operands)
		c.at[t.ID] = o.arity
		maps, err := ad.LocalMaps(s.lib, st, t)
		if err != nil {
			return err
		}
		out = make([]slope[S], o.arity)
		for i := range out {
			if m, ok := maps[i]; ok {
				if out[i], err = c.slope(m); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// compiler makes functions of terms over the operands of an operator and its result,
// which stand at known places.
type compiler[S any] struct {
	*slopes[S]
	st *term.Store
	at map[uint32]int
}

func (c *compiler[S]) slope(m term.Term) (slope[S], error) {
	v := c.st.Open(m)
	switch v.Op.Sym {
	case term.SymLone:
		return func([]S) (how change, one S, err error) { return same, one, nil }, nil
	case term.SymLzero:
		return func([]S) (how change, none S, err error) { return held, none, nil }, nil
	case term.SymLscale:
		f, err := c.real(v.Kids[0])
		return func(at []S) (change, S, error) {
			x, err := f(at)
			return scaled, x, err
		}, err
	case term.SymLmask, term.SymLcond:
		f, err := c.truth(v.Kids[0])
		return func(at []S) (how change, one S, err error) {
			ok, err := f(at)
			if ok {
				how = same
			}
			return how, one, err
		}, err
	case term.SymLcompose:
		return c.both(v.Kids, func(h, k change, x, y S) (change, S, error) {
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
	case term.SymLadd:
		return c.both(v.Kids, c.added)
	}
	return nil, fmt.Errorf("%s is not read as a map of scalars", c.name(v.Op))
}

func (c *compiler[S]) name(op term.Op) string { return c.sig.Operator(op.Sym).Name }

// both reads two maps, the second of which is only looked at if the first is not held.
func (c *compiler[S]) both(kids []term.Term, join func(h, k change, x, y S) (change, S, error)) (slope[S], error) {
	f, err := c.slope(kids[0])
	if err != nil {
		return nil, err
	}
	g, err := c.slope(kids[1])
	return func(at []S) (change, S, error) {
		h, x, err := f(at)
		if err != nil {
			return held, x, err
		}
		k, y, err := g(at)
		if err != nil {
			return held, x, err
		}
		return join(h, k, x, y)
	}, err
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

// real makes a function of a real scalar.
func (c *compiler[S]) real(t term.Term) (func(at []S) (S, error), error) {
	if i, ok := c.at[t.ID]; ok {
		return func(at []S) (S, error) { return at[i], nil }, nil
	}
	v := c.st.Open(t)
	if v.Op.Sym == term.SymConst {
		x, err := c.of.FromNum(only(v.Op.Const).Num)
		return func([]S) (S, error) { return x, nil }, err
	}
	if v.Op.Sym == term.SymWhere || v.Op.Sym == term.SymCond {
		return c.choice(v)
	}
	o := c.sig.Operator(v.Op.Sym)
	if !o.Elementwise || c.st.Type(t).Elem != term.R || c.st.Type(v.Kids[0]).Elem != term.R {
		return nil, fmt.Errorf("%s is not computed on scalars", o.Name)
	}
	fs := make([]func([]S) (S, error), len(v.Kids))
	for i, k := range v.Kids {
		f, err := c.real(k)
		if err != nil {
			return nil, err
		}
		fs[i] = f
	}
	sym, n := v.Op.Sym, v.Op.N
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

func (c *compiler[S]) choice(v term.View) (func(at []S) (S, error), error) {
	when, err := c.truth(v.Kids[0])
	if err != nil {
		return nil, err
	}
	then, err := c.real(v.Kids[1])
	if err != nil {
		return nil, err
	}
	other, err := c.real(v.Kids[2])
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
func (c *compiler[S]) truth(t term.Term) (func(at []S) (bool, error), error) {
	v := c.st.Open(t)
	sym := v.Op.Sym
	switch sym {
	case term.SymLt, term.SymLe, term.SymEq:
		x, err := c.real(v.Kids[0])
		if err != nil {
			return nil, err
		}
		y, err := c.real(v.Kids[1])
		return func(at []S) (bool, error) {
			a, err := x(at)
			if err != nil {
				return false, err
			}
			b, err := y(at)
			return err == nil && c.of.Compare(sym, a, b), err
		}, err
	case term.SymConst:
		is := only(v.Op.Const).Int != 0
		return func([]S) (bool, error) { return is, nil }, nil
	case term.SymNot, term.SymAnd, term.SymOr:
		var of []func([]S) (bool, error)
		for _, k := range v.Kids {
			f, err := c.truth(k)
			if err != nil {
				return nil, err
			}
			of = append(of, f)
		}
		return func(at []S) (bool, error) {
			a, err := of[0](at)
			if sym == term.SymNot || err != nil || a == (sym == term.SymOr) {
				return a != (sym == term.SymNot), err
			}
			return of[1](at)
		}, nil
	}
	return nil, fmt.Errorf("%s is not computed on truth values", c.name(v.Op))
}

// only is the element of a literal that has one.
func only(c *term.Const) term.Scalar {
	if c.Data != nil {
		return c.Data[0]
	}
	return c.Fill
}
