package fusion

import (
	"egad/extract"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// distances is a program in which two bounds ask how far indices are apart, by which it is known which runs of
// loops are to be done.
func distances(lib *rules.Library, p *term.Program) (*term.Program, error) {
	st := p.Store
	compared := func(t term.Term) bool { return st.Op(t).Sym == ops.SymAbs && st.Type(t).Elem == types.I }
	if !st.Contains(p.Root, compared) {
		return p, nil
	}
	out, _, err := extract.Way(extract.Through).Program(lib, "distances", p, extract.How{})
	return out, err
}
