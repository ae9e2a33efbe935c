package routes

import (
	"egad/routes/slope"
	"egad/rules"
	"egad/term"
)

// value is an array of dual numbers, or a tuple: D of an array (Section 4.1).
type value[S any] = term.Value[dual[S]]

// arrays is the algebra of arrays of dual numbers. It is the evaluator, over another
// arithmetic; what computes with the elements of an array in more ways than to move and
// to add them has the rows of its local maps as Deltas.
type arrays[S any] struct {
	term.Arrays[dual[S]]
	counts  *term.Counts // of the values
	maps    *term.Counts // of the rows of local maps
	scalars *duals[S]
	inside  term.Arrays[dual[S]]
	sig     *term.Signature
	lib     *rules.Library
	primal  term.Arrays[S]
	rows    map[string]*slope.Rows
}

func newArrays[S any](a *duals[S], sig *term.Signature, lib *rules.Library, ended func() error) *arrays[S] {
	in := *a
	in.inside = true
	return &arrays[S]{
		Arrays:  term.Arrays[dual[S]]{Scalars: a, Ended: ended},
		inside:  term.Arrays[dual[S]]{Scalars: &in, Ended: ended},
		counts:  new(term.Counts),
		maps:    new(term.Counts),
		scalars: a, sig: sig, lib: lib, primal: term.Arrays[S]{Scalars: a.of, Ended: ended}, rows: make(map[string]*slope.Rows),
	}
}

// Choose says that of a conditional on a scalar one branch is taken.
func (a *arrays[S]) Choose(op term.Op, first *value[S]) (int, bool) {
	if op.Sym != term.SymCond {
		return 0, false
	}
	return 2 - int(first.N[0]), true
}

func (a *arrays[S]) Apply(op term.Op, kids []*value[S], body term.Body[*value[S]], t *term.Type) (*value[S], error) {
	o := a.sig.Operator(op.Sym)
	counting := term.Counting[dual[S]]{Arrays: a.inside, Counts: a.counts}
	switch {
	case op.Sym == term.SymWithslope:
		return a.withSlope(kids)
	case o.Elementwise:
		counting.Arrays = a.Arrays
		return counting.Apply(op, kids, body, t)
	case a.byRows(o, kids, t):
		return a.byLocalMaps(op, kids, t)
	}
	v, err := counting.Apply(op, kids, body, t)
	if err != nil || !a.scalars.ids {
		return v, err
	}
	return v, a.share(v)
}

// share gives what was made in an operator on arrays ids.
func (a *arrays[S]) share(v *value[S]) error {
	ids := make(map[Delta]Delta)
	for i := range v.R {
		c, made := a.scalars.tape.cell(v.R[i].d)
		if !made || c.b == isShare {
			continue
		}
		id, ok := ids[v.R[i].d]
		if !ok {
			var err error
			if id, err = a.scalars.tape.share(v.R[i].d); err != nil {
				return err
			}
			ids[v.R[i].d] = id
		}
		v.R[i].d = id
	}
	return nil
}

// withSlope is v, with the slope a by x.
func (a *arrays[S]) withSlope(kids []*value[S]) (*value[S], error) {
	v := kids[0].Copy()
	for i := range v.R {
		x, y, z := kids[0].R[i], kids[1].R[i], kids[2].R[i]
		if x.d == Zero && y.d == Zero {
			continue
		}
		a.scalars.at = append(a.scalars.at[:0], x.x, y.x, z.x, x.x)
		var err error
		if v.R[i].d, err = a.scalars.delta(operator{term.SymWithslope, 0, 3}, x.d, y.d, z.d); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// byRows reports whether an operator has reals as results that it does not only move
// and add: it is no map of one operand of reals.
func (a *arrays[S]) byRows(o *term.Operator, kids []*value[S], t *term.Type) bool {
	switch o.Sym {
	case term.SymConst, term.SymIota, term.SymIndex, term.SymStack, term.SymBuild, term.SymStates, term.SymCond, term.SymTuple, term.SymProj:
		return false
	}
	reals := 0
	for _, k := range kids {
		if k.Elem == term.R && k.Parts == nil {
			reals++
		}
	}
	return t.Differentiable() && reals > 0 && (o.Map == term.SymNone || reals > 1)
}

// byLocalMaps computes the value of an operator on arrays, and the Delta of each element
// of it from the elements of its operands, by a row of the local maps.
func (a *arrays[S]) byLocalMaps(op term.Op, kids []*value[S], t *term.Type) (*value[S], error) {
	plain := make([]*term.Value[S], len(kids))
	moved := false
	for i, k := range kids {
		plain[i] = &term.Value[S]{Elem: k.Elem, Shape: k.Shape, N: k.N}
		if k.Elem == term.R {
			plain[i].R = make([]S, len(k.R))
		}
		for j, x := range k.R {
			plain[i].R[j] = x.x
			moved = moved || x.d != Zero
		}
	}
	y, err := term.Counting[S]{Arrays: a.primal, Counts: a.counts}.Apply(op, plain, nil, t)
	if err != nil {
		return nil, err
	}
	out := &value[S]{Elem: y.Elem, Shape: y.Shape, R: make([]dual[S], len(y.R))}
	for j, x := range y.R {
		out.R[j].x = x
	}
	if !moved {
		return out, nil
	}
	adj, err := a.adjoint(op, kids)
	if err != nil {
		return nil, err
	}
	return out, a.addRows(adj, plain, kids, out)
}

func (a *arrays[S]) addRows(adj *slope.Rows, plain []*term.Value[S], kids []*value[S], out *value[S]) error {
	zero, err := a.scalars.of.FromInt(0)
	if err != nil {
		return err
	}
	one, err := a.scalars.of.FromInt(1)
	if err != nil {
		return err
	}
	ct := &term.Value[S]{Elem: term.R, Shape: out.Shape, R: make([]S, len(out.R))}
	env := term.Env[*term.Value[S]]{"ct": ct}
	for i, v := range plain {
		env[slope.OperandName(i)] = v
	}
	for j := range ct.R {
		for i := range ct.R {
			ct.R[i] = zero
		}
		ct.R[j] = one
		rows, err := term.Interpret(adj.Program.Store, adj.Program.Root, term.Counting[S]{Arrays: a.primal, Counts: a.maps}, env)
		if err != nil {
			return err
		}
		for i, row := range rows.Parts {
			for k, r := range row.R {
				if d := kids[adj.Of[i]].R[k].d; d != Zero && !a.scalars.of.Compare(term.SymEq, r, zero) {
					if out.R[j].d, err = a.plusScaled(out.R[j].d, r, d); err != nil {
						return err
					}
				}
			}
		}
	}
	if a.scalars.ids {
		return a.share(out)
	}
	return nil
}

// plusScaled adds r times d.
func (a *arrays[S]) plusScaled(to Delta, r S, d Delta) (Delta, error) {
	s, err := a.scalars.tape.scale(r, d)
	if err != nil || to == Zero {
		return s, err
	}
	return a.scalars.tape.add(to, s)
}

// adjoint makes the rows for operands of these types.
func (a *arrays[S]) adjoint(op term.Op, kids []*value[S]) (*slope.Rows, error) {
	types := make([]*term.Type, len(kids))
	for i, k := range kids {
		types[i] = typeOf(k.Elem, k.Shape)
	}
	key := operatorKey(op, types)
	if adj, ok := a.rows[key]; ok {
		return adj, nil
	}
	adj, err := slope.RowsOf(a.lib, a.sig, op, types)
	if err == nil {
		a.rows[key] = adj
	}
	return adj, err
}

func typeOf(e term.Elem, shape []int) *term.Type {
	sizes := make([]term.Size, len(shape))
	for i, n := range shape {
		sizes[i] = term.SizeConst(int64(n))
	}
	return term.ArrayOf(e, sizes...)
}
