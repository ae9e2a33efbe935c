package slope

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/ad"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/linmap"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Rows is the program of the rows of an operator's local maps: for its operands, x0 and so
// on, and a cotangent ct of its result, the cotangents of those operands that have a local
// map.
type Rows struct {
	Program *term.Program
	Of      []int       // the operands
	Result  *types.Type // of the operator
}

// operandName is the name of an operand in the program of an operator.
func operandName(i int) string { return "x" + strconv.Itoa(i) }

// Program is an operator as a program of operands of the given types.
func Program(sig *term.Signature, op ops.Op, types []*types.Type) (*term.Program, error) {
	p := &term.Program{Store: term.NewStore(sig)}
	return p, overflow.Guard(func() error {
		xs := make([]term.Term, len(types))
		for i, t := range types {
			p.Inputs = append(p.Inputs, term.Input{Name: operandName(i), Type: t})
			xs[i] = p.Store.Input(p.Inputs[i])
		}
		p.Root = p.Store.MustMake(op, nil, nil, xs)
		return nil
	})
}

// Key tells operators on operands of the given types apart.
func Key(op ops.Op, types []*types.Type) string {
	key := op.Key()
	for _, t := range types {
		key += "|" + t.String()
	}
	return key
}

// Rows are those of an operator on operands of the given types.
func (t *Table) Rows(op ops.Op, types []*types.Type) (*Rows, error) {
	return memo.Get(t.rows, Key(op, types), func() (*Rows, error) { return rowsOf(t.lib, t.sig, op, types) })
}

func rowsOf(lib *rules.Library, sig *term.Signature, op ops.Op, types []*types.Type) (*Rows, error) {
	p, err := Program(sig, op, types)
	if err != nil {
		return nil, err
	}
	st := p.Store
	var out *Rows
	err = overflow.Guard(func() error {
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
				rows = append(rows, st.Apply(ops.SymLapply, st.Apply(ops.SymLtranspose, m), ct))
			}
		}
		x, _, err := linmap.Apply(lib, st, st.Apply(ops.SymTuple, rows...), nil, 0)
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

// Ready are rows that are run in an algebra, again and again.
type Ready[S any] struct {
	*Rows
	run       *eval.Runner[S]
	env       eval.Env[*eval.Value[S]]
	ct        *eval.Value[S]
	zero, one S
}

// NewReady prepares rows for an algebra with the given arithmetic.
func NewReady[S any](rows *Rows, alg eval.Staged[S], of eval.Scalars[S]) (_ *Ready[S], err error) {
	defer raise.Caught(&err)
	r := &Ready[S]{Rows: rows, env: make(eval.Env[*eval.Value[S]])}
	shape, n, err := types.ShapeOf(rows.Result, types.DefaultMaxElements)
	raise.Error(err)
	r.zero, r.one = of.FromInt(0), of.FromInt(1)
	r.run = raise.Must(eval.NewRunner(rows.Program.Store, rows.Program.Root, alg))
	r.ct = &eval.Value[S]{Elem: types.R, Shape: shape, R: slices.Repeat([]S{r.zero}, n)}
	r.env["ct"] = r.ct
	return r, nil
}

// Each calls f for each real of the result, with its partial derivatives by the operands Of
// where the operands are xs. They are good until f returns. Errors are raised.
func (r *Ready[S]) Each(xs []*eval.Value[S], f func(j int, by []*eval.Value[S])) {
	for i, x := range xs {
		r.env[operandName(i)] = x
	}
	for j := range r.ct.R {
		r.ct.R[j] = r.one
		v, err := r.run.Run(r.env)
		r.ct.R[j] = r.zero
		raise.Error(err)
		f(j, v.Parts)
	}
}

// Jacobian gives for each real of the result of an operator its partial derivatives by the
// reals of the operands, in order, at values of these.
func (t *Table) Jacobian(op ops.Op, types []*types.Type, xs []*eval.Value[float64]) (out [][]float64, err error) {
	defer raise.Caught(&err)
	rows := raise.Must(memo.Get(t.floats, Key(op, types), func() (*Ready[float64], error) {
		return NewReady(raise.Must(t.Rows(op, types)), eval.Staged[float64](eval.FloatArrays()), eval.Scalars[float64](eval.Floats{}))
	}))
	n := 0
	at := make([]int, len(xs)) // where the reals of each operand begin
	for i, x := range xs {
		at[i] = n
		n += len(x.R)
	}
	rows.Each(xs, func(_ int, by []*eval.Value[float64]) {
		row := make([]float64, n)
		for k, i := range rows.Of {
			copy(row[at[i]:], by[k].R)
		}
		out = append(out, row)
	})
	return out, nil
}
