package bot

import (
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// lookedUp has loops for the elements of an array that say where to read be arrays of what they result
// in, which are read, unless some make more steps than others: in
//
//	build n (\i -> x[iterate 9 (\k -> next[k]) i])
//
// no rule takes build to the loop, as gather keeps its indices. In the steps of a loop all is left.
func lookedUp(st *term.Store, t term.Term) term.Term {
	of, _ := st.Replacer(func(u term.Term, replaced func() term.View) term.Term {
		switch st.Op(u).Sym {
		case ops.SymStates:
			return u
		case ops.SymIndex, ops.SymGather, ops.SymScatter:
			v := replaced()
			for i, at := range v.Kids[1:] {
				v.Kids[1+i] = st.Replace(at, func(u term.Term) (term.Term, bool) { return arrayOfLoops(st, u) })
			}
			return st.Remade(v)
		}
		return st.Remade(replaced())
	})
	return of(t)
}

// arrayOfLoops is what stands for all states of a loop, of which there are others for each value of some
// index variables: an element of the array of them. It reports whether nothing in u is to be looked at.
func arrayOfLoops(st *term.Store, u term.Term) (term.Term, bool) {
	loop, typ := u, st.Type(u)
	if st.Op(u).Sym == ops.SymProj {
		loop = st.Open(u).Kids[0]
	}
	if st.Op(loop).Sym != ops.SymStates {
		return u, false
	}
	if len(loop.Args) == 0 || len(st.Open(loop).Kids[1].Args) > 0 || typ.Kind != types.KArray {
		return u, true
	}
	return st.Index(st.BuildOver(u, u), st.Ivars(u)...), true
}
