package routes

import (
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// value is an array of dual numbers, or a tuple: D of an array (Section 4.1).
type value[S any] = eval.Value[dual[S]]

// arrays is the algebra of arrays of dual numbers. It is the evaluator, over another
// arithmetic; what computes with the elements of an array in more ways than to move and
// to add them has the rows of its local maps as Deltas.
type arrays[S any] struct {
	eval.Counting[dual[S]]              // of the values
	maps                   *eval.Counts // of the rows of local maps
	scalars                *duals[S]
	inside                 eval.Arrays[dual[S]]
	sig                    *term.Signature
	primal                 eval.Arrays[S]
}

func newArrays[S any](a *duals[S], sig *term.Signature, ended func() error) *arrays[S] {
	in := *a
	in.inside = true
	return &arrays[S]{
		Counting: eval.Counting[dual[S]]{Arrays: eval.Arrays[dual[S]]{Scalars: a, Ended: ended}, Counts: new(eval.Counts)},
		inside:   eval.Arrays[dual[S]]{Scalars: &in, Ended: ended},
		maps:     new(eval.Counts),
		scalars:  a, sig: sig, primal: eval.Arrays[S]{Scalars: a.of, Ended: ended},
	}
}

// Chooses says that of a conditional on a scalar one branch is taken.
func (a *arrays[S]) Chooses(op ops.Op) bool { return op.Sym == ops.SymCond }

// Choose is the branch.
func (a *arrays[S]) Choose(_ ops.Op, first *value[S]) int { return 2 - int(first.N[0]) }

func (a *arrays[S]) Prepare(op ops.Op, operands []*value[S], body eval.Body[*value[S]], t *types.Type) (*value[S], eval.Step) {
	o := a.sig.Operator(op.Sym)
	switch {
	case op.Sym == ops.SymWithslope:
		return a.withSlope(operands, t)
	case o.Elementwise:
		return a.Arrays.Prepare(op, operands, body, t)
	case a.byRows(o, operands, t):
		return a.byLocalMaps(op, operands, t)
	}
	v, step := a.inside.Prepare(op, operands, body, t)
	if step == nil || !a.scalars.ids || t.Elem != types.R || o.Moves() {
		return v, step
	}
	return v, func() {
		step()
		a.share(v)
	}
}

func (a *arrays[S]) Apply(op ops.Op, kids []*value[S], body eval.Body[*value[S]], t *types.Type) (_ *value[S], err error) {
	defer raise.Caught(&err)
	v, step := a.Prepare(op, kids, body, t)
	if step != nil {
		step()
	}
	a.Count(a.Costs(op, kids, v), 1)
	return v, nil
}

// share gives what was made in an operator on arrays ids.
func (a *arrays[S]) share(v *value[S]) {
	var ids map[Delta]Delta
	for i := range v.R {
		d := &v.R[i].d
		if int(*d) <= a.scalars.tape.inputs {
			continue
		}
		id, ok := ids[*d]
		if !ok {
			id = a.scalars.tape.share(*d)
			if ids == nil && len(v.R) > 1 {
				ids = make(map[Delta]Delta)
			}
			if ids != nil {
				ids[*d] = id
			}
		}
		*d = id
	}
}

// withSlope prepares v, with the slope a by x.
func (a *arrays[S]) withSlope(kids []*value[S], t *types.Type) (*value[S], eval.Step) {
	v := raise.Must(a.New(t))
	delta := a.scalars.prepareDelta(operator{ops.SymWithslope, 0, 3})
	return v, func() {
		for i := range v.R {
			x, y, z := kids[0].R[i], kids[1].R[i], kids[2].R[i]
			v.R[i] = x
			if x.d == Zero && y.d == Zero {
				continue
			}
			a.scalars.at = [4]S{x.x, y.x, z.x, x.x}
			v.R[i].d = delta(x.d, y.d, z.d)
		}
	}
}

// byRows reports whether an operator has reals as results that it does not only move
// and add: it is no map of one operand of reals.
func (a *arrays[S]) byRows(o *ops.Operator, kids []*value[S], t *types.Type) bool {
	switch o.Sym {
	case ops.SymConst, ops.SymIota, ops.SymIndex, ops.SymStack, ops.SymBuild, ops.SymStates, ops.SymCond, ops.SymTuple, ops.SymProj:
		return false
	}
	reals := 0
	for _, k := range kids {
		if k.Elem == types.R && k.Parts == nil {
			reals++
		}
	}
	return t.Differentiable() && reals > 0 && (o.Map == ops.SymNone || reals > 1)
}

// byLocalMaps prepares the value of an operator on arrays, and the Delta of each element
// of it from the elements of its operands, by a row of the local maps.
func (a *arrays[S]) byLocalMaps(op ops.Op, kids []*value[S], t *types.Type) (*value[S], eval.Step) {
	types := typesOf(kids)
	plain := raise.Must(slice.Try(types, a.primal.New))
	y, primal := a.primal.Prepare(op, plain, nil, t)
	out := raise.Must(a.Arrays.New(t))
	var rows *slope.Ready[S]
	return out, func() {
		moved := false
		for i, k := range kids {
			copy(plain[i].N, k.N)
			for j, x := range k.R {
				plain[i].R[j] = x.x
				moved = moved || x.d != Zero
			}
		}
		primal()
		for j, x := range y.R {
			out.R[j] = dual[S]{x: x}
		}
		if !moved {
			return
		}
		if rows == nil {
			rows = a.rowsOf(op, types)
		}
		a.addRows(rows, plain, kids, out)
	}
}

func (a *arrays[S]) addRows(rows *slope.Ready[S], at []*eval.Value[S], kids []*value[S], out *value[S]) {
	zero := a.scalars.of.FromInt(0)
	rows.Each(at, func(j int, by []*eval.Value[S]) {
		for i, row := range by {
			for k, r := range row.R {
				if d := kids[rows.Of[i]].R[k].d; d != Zero && !a.scalars.of.Compare(ops.SymEq, r, zero) {
					out.R[j].d = a.scalars.tape.plus(out.R[j].d, a.scalars.tape.scale(r, d))
				}
			}
		}
	})
	if a.scalars.ids {
		a.share(out)
	}
}

// rowsOf makes the rows for operands of these types.
func (a *arrays[S]) rowsOf(op ops.Op, types []*types.Type) *slope.Ready[S] {
	rows := raise.Must(a.scalars.slopes.table.Rows(op, types))
	return raise.Must(slope.NewReady(rows, eval.Staged[S](eval.Counting[S]{Arrays: a.primal, Counts: a.maps}), a.scalars.of))
}

// typesOf are the types of arrays.
func typesOf[S any](kids []*value[S]) []*types.Type {
	return slice.Map(kids, func(k *value[S]) *types.Type { return types.ArrayOfShape(k.Elem, k.Shape) })
}
