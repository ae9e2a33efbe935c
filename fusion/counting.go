package fusion

import "egad/term"

// Counting reports whether a program adds up integers, or sends them, and compares what comes of it
// with 0, as masks do that say where anything arrives.
func Counting(p *term.Program) bool {
	st, counts := p.Store, false
	st.Walk(p.Root, func(t term.Term) {
		if counts || st.Op(t).Sym != term.SymLt {
			return
		}
		kids := st.Open(t).Kids
		sym := st.Op(shown(st, kids[1])).Sym
		counts = zero(st, shown(st, kids[0])) && (sym == term.SymSum || sym == term.SymScatter)
	})
	return counts
}

// zero reports whether a term is the integer 0, or an array of it.
func zero(st *term.Store, t term.Term) bool {
	c := st.Op(t).Const
	return st.Op(t).Sym == term.SymConst && st.Type(t).Elem == term.I && c.Data == nil && c.Fill.Int == 0
}

// shown is what a term shows elements of.
func shown(st *term.Store, t term.Term) term.Term {
	for {
		switch st.Op(t).Sym {
		case term.SymIndex, term.SymGather, term.SymReplicate, term.SymTr, term.SymReshape, term.SymBuild:
			t = st.Open(t).Kids[0]
		default:
			return t
		}
	}
}
