package fusion

import (
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// distances is a program in which two bounds ask how far indices are apart, by which it is known which runs of
// loops are to be done.
func distances(lib *rules.Library, p *term.Program) (*term.Program, error) {
	return rewritten(lib, "distances", p, func(t term.Term) bool { return p.Store.Op(t).Sym == ops.SymAbs && p.Store.Type(t).Elem == types.I })
}
