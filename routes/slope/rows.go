package slope

import (
	"fmt"
	"strconv"
	"strings"

	"egad/ad"
	"egad/linmap"
	"egad/rules"
	"egad/term"
)

// Rows is the program of the rows of an operator's local maps: for its operands, x0 and so
// on, and a cotangent ct of its result, the cotangents of those operands that have a local
// map.
type Rows struct {
	Program *term.Program
	Of      []int      // the operands
	Result  *term.Type // of the operator
}

// OperandName is the name of an operand in the program of an operator.
func OperandName(i int) string { return "x" + strconv.Itoa(i) }

// Program is an operator as a program of operands of the given types.
func Program(sig *term.Signature, op term.Op, types []*term.Type) (*term.Program, error) {
	p := &term.Program{Store: term.NewStore(sig)}
	return p, term.Guard(func() error {
		xs := make([]term.Term, len(types))
		for i, t := range types {
			p.Inputs = append(p.Inputs, term.Input{Name: OperandName(i), Type: t})
			xs[i] = p.Store.Input(p.Inputs[i])
		}
		p.Root = p.Store.MustMake(op, nil, nil, xs)
		return nil
	})
}

// RowsOf makes the rows of an operator on operands of the given types.
func RowsOf(lib *rules.Library, sig *term.Signature, op term.Op, types []*term.Type) (*Rows, error) {
	p, err := Program(sig, op, types)
	if err != nil {
		return nil, err
	}
	st := p.Store
	var out *Rows
	err = term.Guard(func() error {
		maps, err := ad.LocalMaps(lib, st, p.Root)
		if err != nil {
			return err
		}
		ct := st.Var("ct", st.Type(p.Root))
		var of []int
		var rows []term.Term
		for i := range types {
			if m, ok := maps[i]; ok {
				of = append(of, i)
				rows = append(rows, st.Apply(term.SymLapply, st.Apply(term.SymLtranspose, m), ct))
			}
		}
		x, _, err := linmap.Apply(lib, st, st.Apply(term.SymTuple, rows...), nil, 0)
		if err != nil {
			return err
		}
		out = &Rows{&term.Program{Store: st, Root: x.Root}, of, st.Type(ct)}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.TrimSpace(sig.Operator(op.Sym).Name), err)
	}
	return out, nil
}

// floatRows are ready to be run.
type floatRows struct {
	*Rows
	run *term.Runner[float64]
}

// Jacobian gives for each real of the result of an operator its partial derivatives by the
// reals of the operands, in order, at values of these.
func (t *Table) Jacobian(op term.Op, types []*term.Type, xs []*term.Value[float64], result int) ([][]float64, error) {
	key := op.Key()
	for _, typ := range types {
		key += "|" + typ.String()
	}
	rows, ok := t.rows[key]
	if !ok {
		of, err := RowsOf(t.lib, t.sig, op, types)
		if err != nil {
			return nil, err
		}
		run, err := term.NewRunner(of.Program.Store, of.Program.Root, term.Staged[float64](term.FloatArrays()))
		if err != nil {
			return nil, err
		}
		rows = &floatRows{of, run}
		t.rows[key] = rows
	}
	n := 0
	at := make([]int, len(xs)) // where the reals of each operand begin
	env := make(term.Env[*term.Value[float64]])
	for i, x := range xs {
		at[i], env[OperandName(i)] = n, x
		n += len(x.R)
	}
	shape, _, err := term.ShapeOf(rows.Result, term.DefaultMaxElements)
	if err != nil {
		return nil, err
	}
	ct := &term.Value[float64]{Elem: term.R, Shape: shape, R: make([]float64, result)}
	env["ct"] = ct
	out := make([][]float64, result)
	for j := range out {
		ct.R[j] = 1
		v, err := rows.run.Run(env)
		if err != nil {
			return nil, err
		}
		ct.R[j] = 0
		out[j] = make([]float64, n)
		for k, i := range rows.Of {
			copy(out[j][at[i]:], v.Parts[k].R)
		}
	}
	return out, nil
}
