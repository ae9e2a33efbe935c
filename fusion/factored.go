package fusion

import (
	"egad/extract"
	"egad/rules"
	"egad/term"
)

// factored is a program in which a matrix is factored once for all systems that are solved with it,
// where there are several, or one in a loop in which the matrix stays the same.
func factored(lib *rules.Library, p *term.Program) (*term.Program, error) {
	st, again, matrices := p.Store, false, make(map[string]bool)
	st.Walk(p.Root, func(t term.Term) {
		switch st.Op(t).Sym {
		case term.SymSolve, term.SymSolvet, term.SymLogdet:
			matrix := st.Open(t).Kids[0]
			key := term.TermKey(matrix)
			again = again || matrices[key] || len(matrix.Args) < len(t.Args)
			matrices[key] = true
		}
	})
	if !again {
		return p, nil
	}
	out, _, err := extract.Way(extract.Through).Program(lib, "factored", p, extract.How{})
	return out, err
}
