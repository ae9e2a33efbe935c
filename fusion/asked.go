package fusion

import (
	"slices"

	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// asked is a program in which what a choice takes for an index that is asked to be another
// number is computed of that number, and so once.
func asked(lib *rules.Library, p *term.Program) (*term.Program, error) {
	if !p.Store.Contains(p.Root, func(t term.Term) bool { return p.Store.Op(t).Sym == ops.SymCond && len(p.Store.Kids(t)[0].Args) > 0 }) {
		return p, nil
	}
	out, run, err := extract.Way(extract.Through).Program(lib, "asked", p, extract.How{})
	if err != nil || !slices.ContainsFunc(run.Rules, func(r egraph.RuleReport) bool { return r.Unions > 0 }) {
		return p, err
	}
	return out, nil
}
