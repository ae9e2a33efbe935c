package fusion

import (
	"egad/extract"
	"egad/rules"
	"egad/term"
)

// asked is a program in which what a choice takes for an index that is asked to be another
// number is computed of that number, and so once.
func asked(lib *rules.Library, p *term.Program) (*term.Program, error) {
	does := false
	p.Store.Walk(p.Root, func(t term.Term) {
		does = does || p.Store.Op(t).Sym == term.SymCond && len(p.Store.Kids(t)[0].Args) > 0
	})
	if !does {
		return p, nil
	}
	out, _, err := extract.Way(extract.Through).Program(lib, "asked", p, extract.How{})
	return out, err
}
