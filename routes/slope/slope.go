// Package slope reads the rule set nabla for operators on scalars: the local linear map of
// each operand as a [Map], a small tree in which what depends on the operands is a term of
// the functional language (package fun). Every route that differentiates scalars by scalars
// has its derivatives from here.
package slope

import (
	"fmt"

	"egad/ad"
	"egad/fun"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Kind says what a [Map] does with a change of its operand.
type Kind uint8

// The kinds of maps.
const (
	Held     Kind = iota // the change has no effect
	Same                 // it is that of the result
	Scaled               // it is multiplied by By
	Where                // it is that of the result where By is true, and has no effect elsewhere
	Composed             // Of[0] after Of[1]
	Sum                  // of what both of Of make of it
)

// Map is a linear map of a scalar.
type Map struct {
	Kind Kind
	// By is a real or a truth value, over the operands and the result of the operator:
	// the result is the variable 0, and the last operand 1.
	By *fun.Term
	Of [2]*Map
}

// Operator is an elementwise operator on scalars of given types.
type Operator struct {
	Sym   ops.Sym
	N     int           // its attribute, if it has one
	Elems [3]types.Elem // of as many as it has operands
}

// On is an operator on scalars of the given types.
func On(op ops.Op, types []*fun.Type) Operator {
	o := Operator{Sym: op.Sym, N: op.N}
	for i, t := range types {
		o.Elems[i], _ = t.Elem()
	}
	return o
}

// Table holds the maps of operators, which are read when they are first met.
type Table struct {
	lib    *rules.Library
	sig    *term.Signature
	known  map[Operator][]*Map
	rows   map[string]*Rows
	floats map[string]*Ready[float64]
}

// NewTable is the table of the rules of a library.
func NewTable(lib *rules.Library, sig *term.Signature) *Table {
	return &Table{lib: lib, sig: sig, known: make(map[Operator][]*Map), rows: make(map[string]*Rows), floats: make(map[string]*Ready[float64])}
}

// Maps gives the maps of the operands of an operator; nil for an operand that has none.
func (t *Table) Maps(o Operator) ([]*Map, error) {
	return memo.Get(t.known, o, func() ([]*Map, error) { return t.read(o) })
}

func (t *Table) read(o Operator) (out []*Map, err error) {
	defer raise.Caught(&err)
	st := term.NewStore(t.sig)
	err = overflow.Guard(func() error {
		operands := make([]term.Term, t.sig.Operator(o.Sym).Arity)
		r := &reader{st: st, at: make(map[uint32]int)}
		for i := range operands {
			operands[i] = st.Var(operandName(i), types.ArrayOf(o.Elems[i]))
			r.at[operands[i].ID] = len(operands) - i
		}
		result := st.MustMake(ops.Op{Sym: o.Sym, N: o.N}, nil, nil, operands)
		r.at[result.ID] = 0
		out = make([]*Map, len(operands))
		maps := raise.Must(ad.LocalMaps(t.lib, st, result))
		for i := range out {
			if m, ok := maps[i]; ok {
				out[i] = r.linear(m)
			}
		}
		return nil
	})
	return out, err
}

// reader reads terms of the array language over scalars; at has the variables that stand
// for some. Errors are raised.
type reader struct {
	st *term.Store
	at map[uint32]int
}

func (r *reader) linear(t term.Term) *Map {
	v := r.st.Open(t)
	switch v.Op.Sym {
	case ops.SymLone:
		return &Map{Kind: Same}
	case ops.SymLzero:
		return &Map{Kind: Held}
	case ops.SymLscale:
		return &Map{Kind: Scaled, By: r.scalar(v.Kids[0])}
	case ops.SymLmask, ops.SymLcond:
		return &Map{Kind: Where, By: r.scalar(v.Kids[0])}
	case ops.SymLcompose:
		return &Map{Kind: Composed, Of: [2]*Map(slice.Map(v.Kids, r.linear))}
	case ops.SymLadd:
		return &Map{Kind: Sum, Of: [2]*Map(slice.Map(v.Kids, r.linear))}
	}
	raise.Error(fmt.Errorf("%s is not read as a map of scalars", r.st.Signature().Operator(v.Op.Sym).Name))
	return nil
}

// scalar is a term over scalars as one of the functional language.
func (r *reader) scalar(t term.Term) *fun.Term {
	if v, ok := r.at[t.ID]; ok {
		return fun.V(v)
	}
	v := r.st.Open(t)
	op := v.Op
	switch op.Sym {
	case ops.SymConst:
		if op.Const.Data != nil {
			return fun.LiteralOf(op.Const.Data[0])
		}
		return fun.LiteralOf(op.Const.Fill)
	case ops.SymCond:
		op = ops.Op{Sym: ops.SymWhere}
	}
	if o := ops.Builtin(op.Sym); o == nil || !o.Elementwise {
		raise.Error(fmt.Errorf("%s is not computed on scalars", r.st.Signature().Operator(v.Op.Sym).Name))
	}
	return fun.Operator(op, slice.Map(v.Kids, r.scalar)...)
}
