package chad

import (
	"egad/fun"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// Derivatives are the transposed derivatives Dopᵗ of operators (002, Section 2), by the
// local maps of the rule set nabla. They are made when an operator is first met.
type Derivatives struct {
	slopes *slope.Table
	made   map[string]*fun.Term
	forms  map[string]int64 // how many an operator's derivative has
}

// NewDerivatives are those by the rules of a library.
func NewDerivatives(lib *rules.Library) *Derivatives {
	return &Derivatives{slopes: slope.NewTable(lib, term.NewSignature()), made: make(map[string]*fun.Term), forms: make(map[string]int64)}
}

// transposed is the cotangent of the operands of an operator, of type of, as a term in which
// the variable 0 is the cotangent of the result and 1 the operands (002, Appendix B: dprim').
func (d *Derivatives) transposed(t *fun.Term, of, to *fun.Type) *fun.Term {
	key := t.Op.Key()
	return raise.Must(memo.Get(d.made, key+" "+of.String(), func() (*fun.Term, error) {
		out := d.derive(t.Op, of, to)
		d.forms[key] = max(d.forms[key], int64(out.Size()))
		return out, nil
	}))
}

func (d *Derivatives) derive(op ops.Op, of, to *fun.Type) (out *fun.Term) {
	arity := ops.Builtin(op.Sym).Arity
	types := of.Components(arity)
	local := make([]*slope.Map, arity)
	if to.Kind == fun.KReal && of.HasReals() {
		local = raise.Must(d.slopes.Maps(slope.On(op, types)))
	}
	at := &point{op: op, arity: arity}
	for i, typ := range types {
		x := zeroOf(cotangent(typ))
		if local[i] != nil && typ.Kind == fun.KReal {
			x = at.applied(local[i], v(0))
		}
		if i == 0 {
			out = x
		} else {
			out = lPair.Make(out, x)
		}
	}
	return out
}

// point is where an operator is differentiated: its operands are the variable 1.
type point struct {
	op    ops.Op
	arity int
}

// applied is the transpose of a local map of scalars, applied to a cotangent.
func (p *point) applied(m *slope.Map, d *fun.Term) *fun.Term {
	switch m.Kind {
	case slope.Same:
		return d
	case slope.Scaled:
		if m.By.Form == fun.Lit && m.By.Num.IsInt(-1) {
			return lNeg.Make(d)
		}
		return lScale.Make(pair(d, p.factor(m.By)))
	case slope.Where:
		return fun.Case.Make(p.factor(m.By), d.Shift(1, 0), zeroOf(lreal))
	case slope.Composed: // the transpose of the first is applied first
		return p.applied(m.Of[1], p.applied(m.Of[0], d))
	case slope.Sum:
		return lAdd.Make(pair(p.applied(m.Of[0], d), p.applied(m.Of[1], d)))
	}
	return zeroOf(lreal)
}

// factor is a term over the result of an operator and its operands as one over the variable 1.
func (p *point) factor(t *fun.Term) *fun.Term {
	if t.Form == fun.Var {
		if t.N == 0 {
			return &fun.Term{Form: fun.Prim, Op: p.op, Kids: []*fun.Term{v(1)}}
		}
		return fun.Component(v(1), p.arity-t.N, p.arity)
	}
	out := *t
	out.Kids = slice.Map(t.Kids, p.factor)
	return &out
}
