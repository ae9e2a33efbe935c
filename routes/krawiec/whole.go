package krawiec

import (
	"egad/fun"
	"egad/internal/raise"
	"egad/routes/slope"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// fanned is an operator on whole arrays at a point: a function of many reals to many (Fig. 14).
type fanned struct {
	value    fun.Value
	typ      *fun.Type
	jacobian [][]float64 // by result; without columns if no real is an operand
}

func newFanned(maps *slope.Table, op ops.Op, x fun.Value, of, to *types.Type) *fanned {
	d := fun.Floats()
	y := d.Whole(op, x, of, to)
	typ := raise.Must(fun.TypeOf(to))
	a := raise.Must(d.ToArray(x, of))
	f := &fanned{value: y, typ: typ}
	m := len(fun.Leaves[float64](y, typ))
	ts, xs := []*types.Type{of}, []*eval.Value[float64]{a}
	if of.Kind == types.KTuple {
		ts, xs = of.Parts, a.Parts
	}
	if m == 0 || of.RealPart() == nil {
		f.jacobian = make([][]float64, m)
		return f
	}
	f.jacobian = raise.Must(maps.Jacobian(op, ts, xs))
	return f
}

// results is the result with what each makes of a real of it and of the partial derivatives.
func (f *fanned) results(each func(y float64, by []float64) fun.Value) fun.Value {
	j := 0
	return fun.MapLeaves(f.value, f.typ, func(y float64) fun.Value {
		j++
		return each(y, f.jacobian[j-1])
	})
}

// whole is D of an operator on whole arrays: of each real of the result the change is the sum
// of those of the operands by the partial derivatives, without those that are 0; it gets an id
// of its own.
func (t *translator) whole(e, x *fun.Term) *fun.Term {
	r, of, to := t.representation, e.Arrays.Parts[0], e.Arrays.Parts[1]
	maps, share := t.maps, t.share
	from, result := raise.Must(fun.TypeOf(of)), raise.Must(fun.TypeOf(to))
	run := func(m *fun.Machine, d *fun.Term, env []fun.Value) fun.Value {
		x := m.Value(d.Kids[0], env)
		none := m.Value(d.Kids[1], env)
		var changes []fun.Value
		primal := fun.MapLeaves(r.apart(x, from), from, func(p *fun.Pairing) fun.Value {
			changes = append(changes, p.R)
			return p.L
		})
		f := newFanned(maps, e.Op, primal, of, to)
		scale, add, let := r.scale(fun.V(1), fun.V(0)), r.add(fun.V(1), fun.V(0)), deltaLetForm.Make(fun.V(0))
		y := f.results(func(y float64, by []float64) fun.Value {
			sum, some := none, false
			for i, k := range by {
				if k == 0 {
					continue
				}
				part := m.Value(scale, []fun.Value{k, changes[i]})
				if some {
					part = m.Value(add, []fun.Value{sum, part})
				}
				sum, some = part, true
			}
			if share && len(by) > 0 {
				id := m.Result(let, []fun.Value{sum})
				sum = m.Value(varForm.Make(fun.V(0)), []fun.Value{id})
			}
			return &fun.Pairing{L: y, R: sum}
		})
		return r.together(y, result)
	}
	form := &fun.Form{
		Name: "D{" + ops.Builtin(e.Op.Sym).Text() + "}", Arity: 2,
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			out := r.dual(result)
			if share {
				out = fun.M(out)
			}
			return out, operands("an operator on arrays", kids, r.dual(from), r.change)
		},
	}
	form.Print = func(p *fun.Printer, d *fun.Term, prec int) { p.Apply(prec, form.Name, d.Kids[0]) }
	if share {
		form.Run = run
	} else {
		form.Eval = run
	}
	return form.Make(x, t.zero())
}
