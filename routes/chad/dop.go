package chad

import (
	"fmt"

	"egad/ad"
	"egad/fun"
	"egad/rules"
	"egad/term"
)

// Derivatives are the transposed derivatives Dopᵗ of operators (002, Section 2), by the
// local maps of the rule set nabla. They are made when an operator is first met.
type Derivatives struct {
	lib  *rules.Library
	sig  *term.Signature
	made map[string]*fun.Term
}

// NewDerivatives are those by the rules of a library.
func NewDerivatives(lib *rules.Library) *Derivatives {
	return &Derivatives{lib: lib, sig: term.NewSignature(), made: make(map[string]*fun.Term)}
}

// transposed is the cotangent of the operands of an operator, of type of, as a term in which
// the variable 0 is the cotangent of the result and 1 the operands (002, Appendix B: dprim').
func (d *Derivatives) transposed(t *fun.Term, of, to *fun.Type) (*fun.Term, error) {
	key := t.Op.Key() + " " + of.String()
	if out, ok := d.made[key]; ok {
		return out, nil
	}
	out, err := d.derive(t.Op, of, to)
	if err != nil {
		return nil, err
	}
	d.made[key] = out
	return out, nil
}

func (d *Derivatives) derive(op term.Op, of, to *fun.Type) (out *fun.Term, err error) {
	arity := term.Builtin(op.Sym).Arity
	types := make([]*fun.Type, arity)
	rest := of
	for k := arity - 1; k > 0; k-- {
		rest, types[k] = rest.Parts[0], rest.Parts[1]
	}
	types[0] = rest
	local := make(map[int]term.Term)
	st := term.NewStore(d.sig)
	c := &factors{st: st, at: make(map[uint32]*fun.Term)}
	err = term.Guard(func() error {
		operands := make([]term.Term, arity)
		for i := range operands {
			e, _ := types[i].Elem()
			operands[i] = st.Var(fmt.Sprintf("x%d", i), term.ArrayOf(e))
			c.at[operands[i].ID] = fun.Component(fun.V(1), i, arity)
		}
		if to.Kind != fun.KReal { // the operator has no change
			return nil
		}
		t := st.MustMake(op, nil, nil, operands)
		c.at[t.ID] = (&fun.Term{Form: fun.Prim, Op: op, Kids: []*fun.Term{fun.V(1)}})
		var err error
		local, err = ad.LocalMaps(d.lib, st, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, typ := range types {
		l, err := Cotangent(typ)
		if err != nil {
			return nil, err
		}
		x := zeroOf(l)
		if m, ok := local[i]; ok && typ.Kind == fun.KReal {
			if x, err = c.applied(m, fun.V(0)); err != nil {
				return nil, err
			}
		}
		if i == 0 {
			out = x
		} else {
			out = lPair.Make(out, x)
		}
	}
	return out, nil
}

// factors reads terms over the operands of an operator and its result.
type factors struct {
	st *term.Store
	at map[uint32]*fun.Term // by id
}

// applied is the transpose of a local map of scalars, applied to a cotangent.
func (c *factors) applied(m term.Term, d *fun.Term) (*fun.Term, error) {
	v := c.st.Open(m)
	switch v.Op.Sym {
	case term.SymLone:
		return d, nil
	case term.SymLzero:
		return zeroOf(lreal), nil
	case term.SymLscale:
		k := c.st.Open(v.Kids[0])
		if k.Op.Sym == term.SymConst && only(k.Op.Const).Num.IsInt(-1) {
			return lNeg.Make(d), nil
		}
		f, err := c.factor(v.Kids[0])
		return lScale.Make(fun.Pair.Make(d, f)), err
	case term.SymLmask, term.SymLcond:
		is, err := c.factor(v.Kids[0])
		return fun.Case.Make(is, d.Shift(1, 0), zeroOf(lreal)), err
	case term.SymLcompose: // the transpose of the first is applied first
		x, err := c.applied(v.Kids[0], d)
		if err != nil {
			return nil, err
		}
		return c.applied(v.Kids[1], x)
	case term.SymLadd:
		x, err := c.applied(v.Kids[0], d)
		if err != nil {
			return nil, err
		}
		y, err := c.applied(v.Kids[1], d)
		return lAdd.Make(fun.Pair.Make(x, y)), err
	}
	return nil, fmt.Errorf("%s is not read as a map of scalars", c.st.Signature().Operator(v.Op.Sym).Name)
}

// factor is a scalar as a term of the core.
func (c *factors) factor(t term.Term) (*fun.Term, error) {
	if x, ok := c.at[t.ID]; ok {
		return x, nil
	}
	v := c.st.Open(t)
	if v.Op.Sym == term.SymConst {
		x := only(v.Op.Const)
		switch c.st.Type(t).Elem {
		case term.R:
			return fun.Literal(x.Num, fun.Real), nil
		case term.I:
			return fun.Literal(term.NumInt(x.Int), fun.Int), nil
		}
		if x.Int != 0 {
			return fun.Inl.Typed(fun.Bool, fun.Star.Make()), nil
		}
		return fun.Inr.Typed(fun.Bool, fun.Star.Make()), nil
	}
	kids := make([]*fun.Term, len(v.Kids))
	for i, k := range v.Kids {
		var err error
		if kids[i], err = c.factor(k); err != nil {
			return nil, err
		}
	}
	if v.Op.Sym == term.SymCond {
		return fun.Case.Make(kids[0], kids[1].Shift(1, 0), kids[2].Shift(1, 0)), nil
	}
	if o := c.st.Signature().Operator(v.Op.Sym); !o.Elementwise {
		return nil, fmt.Errorf("%s is not computed on scalars", o.Name)
	}
	return fun.Operator(v.Op, kids...), nil
}

// only is the element of a literal that has one.
func only(c *term.Const) term.Scalar {
	if c.Data != nil {
		return c.Data[0]
	}
	return c.Fill
}
