package rules

import (
	"math/big"
	"slices"
	"sync"

	"egad/diag"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Meaning is a language read as arrays: its operators as operators on scalars, and its
// rules as rules about them, so far as these have a meaning.
type Meaning struct {
	Signature *term.Signature
	Rules     []*Rule
	// Laws are what declarations say of operators: that they commute, and how they are
	// folded.
	Laws []*Rule
	// Without says of rules that have no meaning which operator is the reason, and Unmeant
	// notes which declarations are about operators without one.
	Without map[string]string
	Unmeant diag.List
	// Ops are the functions that operators of the language mean.
	Ops map[ops.Sym]*ops.Declared

	l    *Language
	vals sync.Map // what symbols mean, a *big.Rat each, by symbol
}

// NewMeaning returns the meaning of a language of which no operator has one yet.
func NewMeaning(l *Language) *Meaning {
	sig := term.NewSignature()
	sig.Plain = true
	return &Meaning{Signature: sig, Without: make(map[string]string), Ops: make(map[ops.Sym]*ops.Declared), l: l}
}

// Of returns what a rule means, nil if it has no meaning.
func (m *Meaning) Of(r *Rule) *Rule {
	if m != nil {
		for _, x := range m.Rules {
			if x.Of == r {
				return x
			}
		}
	}
	return nil
}

// Truth returns the truth value that a symbol means; it is false if it means none.
func (m *Meaning) Truth(o ops.Sym) (value, ok bool) {
	if o == ops.SymNone || m.l.Elem[m.l.Signature.Operator(o).Sorted.Result] != types.B {
		return false, false
	}
	v := m.value(o)
	return v != nil && v.Sign() > 0, v != nil
}

// value is what a symbol means, 1 if that is true; nil if it means nothing, or no rational
// number.
func (m *Meaning) value(o ops.Sym) *big.Rat {
	if v, known := m.vals.Load(o); known {
		return v.(*big.Rat)
	}
	var v *big.Rat
	if m.Ops[o] != nil && m.l.Signature.Operator(o).Sorted.Symbol {
		n, holds, ok := m.compute(ops.Op{Sym: o}, nil)
		if v = n; ok && v == nil {
			v = new(big.Rat)
			if holds {
				v.SetInt64(1)
			}
		}
	}
	m.vals.Store(o, v)
	return v
}

// Program returns what the terms with which a test starts mean: a tuple of their values if
// there are several. Its inputs are the variables of the test and the symbols without a
// meaning that are in the terms.
func (m *Meaning) Program(t *Test) (*term.Program, error) {
	if len(t.Starts) == 0 {
		return nil, diag.Errorf(t.Src, t.Name.Pos, "the test %s starts with no term", t.Name.Text)
	}
	p := &term.Program{Store: term.NewStore(m.Signature), Name: t.Name.Text}
	v := &valued{m: m, t: t, from: t.Program.Store, to: p, done: make(map[uint32]term.Term)}
	err := overflow.Guard(func() error {
		var roots []term.Term
		for i, x := range t.Starts {
			r, without := v.term(x)
			if without != "" {
				return diag.Errorf(t.Src, t.Test.Starts[i].At(), "%s has no meaning", without)
			}
			roots = append(roots, r)
		}
		if p.Root = roots[0]; len(roots) > 1 {
			p.Root = p.Store.Apply(ops.SymTuple, roots...)
		}
		return nil
	})
	return p, err
}

// valued translates the terms of a test.
type valued struct {
	m    *Meaning
	t    *Test
	from *term.Store
	to   *term.Program
	done map[uint32]term.Term // by closed term
}

// term is what a term means, or the operator that has no meaning.
func (v *valued) term(t term.Term) (out term.Term, without string) {
	if x, ok := v.done[t.ID]; ok && len(t.Args) == 0 {
		return x, ""
	}
	x := v.from.OpenWith(t, make([]slot.Name, v.from.Binders(t)))
	o := v.m.l.Signature.Operator(x.Op.Sym)
	switch {
	case len(x.Own) > 0:
		return v.input(v.t.Free[x.Own[0]], x.Op.Type)
	case x.Op.Sym == ops.SymConst:
		e := v.m.l.Elem[x.Op.Type]
		n := x.Op.Const.Fill.Num
		if k, whole := n.Int64(); e == types.I && whole {
			return v.to.Store.LitInt(k), ""
		} else if e != types.R {
			return out, n.String()
		}
		return v.to.Store.Lit(ops.ScalarR(n)), ""
	case o.Sorted.Symbol && v.m.Ops[x.Op.Sym] == nil:
		return v.input(o.Name, o.Sorted.Result)
	}
	d := v.m.Ops[x.Op.Sym]
	if d == nil {
		return out, o.Name
	}
	kids := make([]term.Term, len(x.Kids))
	for i, k := range x.Kids {
		if kids[i], without = v.term(k); without != "" {
			return out, without
		}
	}
	out = v.m.apply(v.to.Store, o, x.Op, kids)
	if len(t.Args) == 0 {
		v.done[t.ID] = out
	}
	return out, ""
}

// apply is what an operator of a language means, applied to what its operands mean.
func (m *Meaning) apply(s *term.Store, o *ops.Operator, op ops.Op, kids []term.Term) term.Term {
	d := m.Ops[o.Sym]
	if x := m.MeantOp(o.Sorted, d.Op); x != nil {
		return x.Apply(op, kids, func(op ops.Op, kids []term.Term) term.Term { return s.MustMake(op, nil, nil, kids) }, func(n size.Size) term.Term {
			k, _ := n.Const() // terms of a test have no other sizes
			return s.LitInt(k)
		})
	}
	return s.Apply(d.Op, kids...)
}

// input is an input of the program, for any value of a sort.
func (v *valued) input(name string, sort *types.Type) (term.Term, string) {
	e, ok := v.m.l.Elem[sort]
	if !ok {
		return term.Term{}, name
	}
	in := term.Input{Name: name, Type: types.ArrayOf(e)}
	if !slices.ContainsFunc(v.to.Inputs, func(x term.Input) bool { return x.Name == name }) {
		v.to.Inputs = append(v.to.Inputs, in)
	}
	return v.to.Store.Var(name, in.Type), ""
}
