package fusion

import (
	"egad/extract"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// takenApart is a program in which systems in loops are solved by the factors of their matrix, which a
// loop may then keep for a later one.
func takenApart(lib *rules.Library, p *term.Program) (*term.Program, error) {
	return rewritten(lib, "taken_apart", p, func(t term.Term) bool { return system(p.Store, t) && len(t.Args) > 0 })
}

// rewritten is a program after a schedule, if it has a term that the schedule is for.
func rewritten(lib *rules.Library, schedule string, p *term.Program, is func(t term.Term) bool) (*term.Program, error) {
	if !p.Store.Contains(p.Root, is) {
		return p, nil
	}
	out, _, err := extract.Way(extract.Through).Program(lib, schedule, p, extract.How{})
	return out, err
}

// factored is a program in which a matrix is factored once for all systems that are solved with it,
// where there are several, or one in a loop in which the matrix stays the same, and not for one alone.
func factored(lib *rules.Library, p *term.Program) (*term.Program, error) {
	st, again, matrices := p.Store, false, make(map[string]bool)
	st.Walk(p.Root, func(t term.Term) {
		if system(st, t) {
			matrix := st.Open(t).Kids[0]
			key := term.TermKey(matrix)
			again = again || matrices[key] || len(matrix.Args) < len(t.Args)
			matrices[key] = true
		}
		again = again || st.Op(t).Sym == ops.SymLu
	})
	if !again {
		return p, nil
	}
	out, _, err := extract.Way(extract.Through).Program(lib, "factored", p, extract.How{})
	return out, err
}

// system reports whether a matrix is taken apart for t.
func system(st *term.Store, t term.Term) bool {
	switch st.Op(t).Sym {
	case ops.SymSolve, ops.SymSolvet, ops.SymLogdet:
		return true
	}
	return false
}
