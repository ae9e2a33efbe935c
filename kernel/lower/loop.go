package lower

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// OpenedStep is the step of a loop over inputs, in the place of the index variables around the
// loop, of the number of the step, and of the arrays of the state, in this order. Stands
// are what they stand for.
type OpenedStep struct {
	term.View
	Body   term.Term
	Inputs []term.Input
	Stands []term.Term
}

// OpenStep takes the step out of t, all states of a loop. Name makes names of inputs.
func OpenStep(st *term.Store, t term.Term, name func(like string) string) *OpenedStep {
	v := st.Open(t)
	s := &OpenedStep{View: v}
	input := func(like string, typ *types.Type, stands term.Term) term.Term {
		s.Inputs = append(s.Inputs, term.Input{Name: name(like), Type: typ})
		s.Stands = append(s.Stands, stands)
		return st.Var(s.Inputs[len(s.Inputs)-1].Name, typ)
	}
	env := make(map[slot.Name]term.Term)
	n := v.Op.Sizes[0]
	for i, a := range append(slices.Clone(t.Args), v.Binders[0]) {
		size := n
		if i < len(t.Args) {
			size = st.Vars(t)[i].Size
		}
		env[a] = input("i", types.ArrayOf(types.I), st.Ivar(a, size))
	}
	state := st.Variable(v.Binders[1], ops.VarType{Type: v.Op.Type})
	if v.Op.Type.Kind != types.KTuple {
		env[v.Binders[1]] = input("s", v.Op.Type, state)
	} else {
		var parts []term.Term
		for k, typ := range v.Op.Type.Parts {
			parts = append(parts, input("s", typ, st.Proj(k, state)))
		}
		env[v.Binders[1]] = st.Apply(ops.SymTuple, parts...)
	}
	s.Body = st.Import(st, st.Subst(v.Kids[2], env), nil) // which takes components out of tuples
	return s
}

// Depends tells which nodes of a body of the step depend on its inputs.
func (s *OpenedStep) Depends(st *term.Store, body term.Term) map[uint32]bool {
	own, depends := make(map[string]bool), make(map[uint32]bool)
	for _, in := range s.Inputs {
		own[in.Name] = true
	}
	st.Walk(body, func(u term.Term) {
		op := st.Op(u)
		depends[u.ID] = op.Sym == ops.SymVar && own[op.Name] || slices.ContainsFunc(st.Kids(u), func(k slot.Kid) bool { return depends[k.ID] })
	})
	return depends
}

// arraysOf are the types of the arrays of a state, or of all states.
func arraysOf(t *types.Type) []*types.Type {
	if t.Kind == types.KTuple {
		return t.Parts
	}
	return []*types.Type{t}
}

// readStep is a step with what is computed before the loop, that does not depend on the
// inputs of the step.
type readStep struct {
	*OpenedStep
	outside []term.Term
}

// stepOf is the step of a loop.
func (r *reading) stepOf(id uint32) *readStep {
	if s, ok := r.steps[id]; ok {
		return s
	}
	s := &readStep{OpenedStep: OpenStep(r.store, r.whole(id).over(r.store), r.namer.used.Like)}
	r.steps[id] = s
	st := r.store
	depends := s.Depends(st, s.Body)
	inputs := make(map[uint32]term.Term)
	input := func(u term.Term) term.Term {
		v, ok := inputs[u.ID]
		if !ok {
			v = st.Var(r.namer.used.Like(r.op(u.ID).Name), r.typ(u.ID))
			inputs[u.ID] = v
			s.Inputs = append(s.Inputs, term.Input{Name: r.op(v.ID).Name, Type: r.typ(u.ID)})
			s.outside = append(s.outside, u)
		}
		return v
	}
	var by func(u term.Term) (term.Term, bool)
	by = func(u term.Term) (term.Term, bool) {
		op, typ := r.op(u.ID), r.typ(u.ID)
		if op.Sym == ops.SymIndex && len(r.kids(u.ID)) > 2 && r.last(u.ID) {
			kids := st.Open(u).Kids
			state := st.Index(kids[0], kids[1])
			if len(state.Args) == 0 && !depends[kids[0].ID] && !depends[kids[1].ID] { // all states need not be kept
				for i, k := range kids[2:] {
					kids[2+i] = st.Replace(k, by)
				}
				return st.Index(input(state), kids[2:]...), true
			}
		}
		switch {
		case depends[u.ID] || len(u.Args) > 0 || typ.Kind != types.KArray:
			return u, false
		case op.Sym == ops.SymVar:
		case leaf(op.Sym) || len(typ.Shape) == 0 && (op.Sym == ops.SymIndex || r.light(u.ID) <= maxLight) || r.across(u.ID):
			return u, false
		}
		return input(u), true
	}
	s.Body = st.Replace(s.Body, by)
	return s
}

// across reports whether an array is the product, sum or difference of much smaller ones, and fits no cache: it takes
// less time to compute what is read of it, which may be little, than to load it.
func (r *reading) across(id uint32) bool {
	all := slice.Product(r.shape(id))
	if all < minSpare || r.op(id).Sym != ops.SymBuild {
		return false
	}
	id, _ = r.built(id)
	if sym := r.op(id).Sym; sym != ops.SymMul && sym != ops.SymAdd && sym != ops.SymSub {
		return false
	}
	return !slices.ContainsFunc(r.kids(id), func(k slot.Kid) bool {
		return r.op(k.ID).Sym != ops.SymIndex || slice.Product(r.shape(r.kids(k.ID)[0].ID)) > all/minOuter
	})
}

// over is a node over names of its own.
func (s sent) over(st *term.Store) term.Term {
	return term.Term{ID: s.id, Args: st.FreshN(len(s.args))}
}

// loop makes the kernels of all states of a loop.
func (r *reading) loop(n *stored) {
	outer, step := r.outer(n.id), r.stepOf(n.id)
	s := r.begun(n.id, outer)
	s.prog = &term.Program{Store: r.store, Name: r.out.Name, Root: step.Body, Inputs: step.Inputs, Names: r.namer.hints, Index: r.namer.index}
	for i := range step.Inputs {
		in := kernel.StepInput{Variable: i + 1}
		if i -= len(outer) + 1; i >= 0 {
			in = kernel.StepInput{State: i + 1}
		}
		if i -= len(s.States); i >= 0 {
			u := step.outside[i]
			in = kernel.StepInput{}
			if op := r.op(u.ID); op.Sym == ops.SymVar {
				in.Array = r.inputs[op.Name]
			} else {
				in.Array = r.nodes[u.ID].array
			}
		}
		s.Inputs = append(s.Inputs, in)
	}
}
