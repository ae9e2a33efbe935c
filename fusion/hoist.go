package fusion

import (
	"slices"

	"egad/internal/memo"
	"egad/kernel/lower"
	"egad/loops"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// fewSteps is of how many steps a loop is, at least, before which what they have in common is computed.
const fewSteps = 4

// hoisted is a program with loops before which what each step would compute again is computed: scalars
// that take long, of index variables inside the step and of nothing that the loop changes.
//
//	states n s (\i s -> build k (\j -> s[j] * exp a[j]))
//
// reads an array build k (\j -> exp a[j]). Every float64 stays as it is.
func hoisted(p *term.Program, r loops.Residuals) *term.Program {
	if !p.HasLoops() {
		return p
	}
	h := &hoister{p.Store, r, term.NameSet{}, make(map[uint32]term.Term)}
	for _, leaf := range term.Leaves(p.Inputs) {
		h.used.Use(leaf.Name)
	}
	q := *p
	q.Root = h.loops(p.Root)
	return &q
}

type hoister struct {
	st *term.Store
	loops.Residuals
	used term.NameSet
	done map[uint32]term.Term // loops, by what they were
}

// loops is a term with closed loops taken apart. One loop is the same wherever it is read.
func (h *hoister) loops(t term.Term) term.Term {
	return h.st.Replace(t, func(u term.Term) (term.Term, bool) {
		if h.st.Op(u).Sym != ops.SymStates || len(u.Args) > 0 {
			return u, false
		}
		return memo.Of(h.done, u.ID, func() term.Term { return h.loop(u) }), true
	})
}

// loop is a loop without what its steps have in common.
func (h *hoister) loop(t term.Term) term.Term {
	st := h.st
	in := &hoister{st, h.Residuals, h.used.Clone(), h.done}
	step := lower.OpenStep(st, t, in.used.Like)
	back := make(map[string]term.Term)
	for i, x := range step.Inputs {
		back[x.Name] = step.Stands[i]
	}
	body := in.loops(step.Body)
	if n, known := step.Op.Sizes[0].Const(); known && n >= fewSteps {
		body = h.step(body, step.Depends(st, body))
	}
	return st.MustMake(step.Op, step.Own, step.Binders, []term.Term{h.loops(step.Kids[0]), h.loops(step.Kids[1]), st.SubstVars(body, back)})
}

// step is the step of a loop, in which some nodes change, that reads what can be computed before it.
func (h *hoister) step(body term.Term, changes map[uint32]bool) term.Term {
	st, long := h.st, make(map[uint32]bool)
	st.Walk(body, func(u term.Term) {
		sym := st.Op(u).Sym
		o := st.Signature().Operator(sym)
		long[u.ID] = o.Reduction || o.Elementwise && h.Keeps(sym) || slices.ContainsFunc(st.Kids(u), func(k slot.Kid) bool { return long[k.ID] })
	})
	return st.Replace(body, func(u term.Term) (term.Term, bool) {
		switch {
		case changes[u.ID]:
			return u, false
		case len(u.Args) == 0 || st.Op(u).Sym == ops.SymStates:
			return u, true // computed before as it is, or a loop by itself
		case !long[u.ID] || !st.Type(u).IsScalar(types.R) || !fits(st.Vars(u), h.Bytes):
			return u, false
		}
		return st.Index(st.BuildOver(u, u), st.Ivars(u)...), true
	})
}

// fits reports whether variables are indices for which an array of reals has so many bytes at most.
func fits(vars []ops.VarType, bytes int64) bool {
	for _, v := range vars {
		n, known := v.Size.Const()
		if v.Type != nil || !known || n < 1 {
			return false
		}
		if bytes /= n; bytes < 8 {
			return false
		}
	}
	return true
}
