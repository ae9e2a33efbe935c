package suite

import (
	"cmp"
	"errors"

	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
)

// TakeBy has terms taken by a cost grammar of the file, or of egad, and in some way. It is
// an error if there is none of the name.
func (f *File) TakeBy(grammar string, how extract.Choosing) error {
	f.by, f.how = grammar, how
	if grammar == "" {
		return nil
	}
	_, err := f.all.Grammar(grammar)
	return err
}

// grammar is the cost grammar by which terms are taken after a test: that which is asked
// for, which the test names, or which the last of the schedules names that it runs. It is
// nil if there is none.
func (f *File) grammar(t *rules.Test) (*rules.Grammar, error) {
	name := cmp.Or(f.by, t.By.Text)
	if name == "" {
		for s := range syntax.Steps(t.Schedule) {
			for _, n := range s.Names {
				if x := f.all.Schedule(n.Text); x != nil && x.Grammar != "" {
					name = x.Grammar
				}
			}
		}
	}
	if name == "" {
		return nil, nil
	}
	return f.all.Grammar(name)
}

// smallestOf is a smallest term of a class; it is false if there is none that is not
// large.
func (a *attempt) smallestOf(r slot.Ref) (term.Term, bool) { return a.smallest(maxTerm, r)(r) }

// smallest gives smallest terms of classes that some reach, if they are of less than most
// operators.
func (a *attempt) smallest(most int, roots ...slot.Ref) func(slot.Ref) (term.Term, bool) {
	of := extract.Smallest(a.Graph.Graph, most, func(n egraph.Node, kids []term.Term) term.Term {
		return a.store.MustMake(a.Graph.TermOp(n.Op), n.Own, n.Binders, kids)
	}, roots...)
	return func(r slot.Ref) (out term.Term, ok bool) {
		err := overflow.Guard(func() error {
			out, ok = of(r)
			return nil
		})
		return out, ok && err == nil
	}
}

// cheapest is a term of a class that costs little by a grammar, a smallest one if that is
// nil. The variables in scope are free ones of the test.
func (a *attempt) cheapest(r slot.Ref, gr *rules.Grammar, scope []slot.Name) (term.Term, error) {
	how := a.file.how
	if gr == nil {
		how = extract.Choosing{Method: "trees"}
	}
	x, err := a.extract(r, gr, how, scope)
	if err != nil {
		return term.Term{}, err
	}
	return x.Root, a.printable(x.Root)
}

// extract takes a term of a class by a grammar. If that is nil, it is a smallest term, and after a
// directed run one in normal form, if there is one.
func (a *attempt) extract(r slot.Ref, gr *rules.Grammar, how extract.Choosing, scope []slot.Name) (*extract.Result, error) {
	if gr != nil {
		return extract.Extract(a.Graph, r, gr, a.store, how, a.scope(scope)...)
	}
	if a.Graph.Directed() {
		if x, err := extract.Normal(a.Graph, r, rules.Smallest, a.store, how, a.scope(scope)...); err == nil {
			return x, nil
		}
	}
	return extract.Extract(a.Graph, r, rules.Smallest, a.store, how, a.scope(scope)...)
}

// scope are free variables of the test that are in scope.
func (a *attempt) scope(names []slot.Name) (out []extract.Variable) {
	for _, n := range names {
		if t, free := a.test.FreeSorts[n]; free {
			out = append(out, extract.Variable{Name: n, Type: ops.VarType{Type: t}})
		}
	}
	return out
}

var errLarge = errors.New("all terms are large")

// printable is an error if a term is large as a tree.
func (a *attempt) printable(t term.Term) error {
	if a.store.TreeSizes().Of(t) >= maxTerm {
		return errLarge
	}
	return nil
}

// Taken is a term that is taken out of an e-graph, and what it costs.
type Taken struct{ Text, Cost string }

// Take takes a term of a class by a cost grammar: that which the file is asked to take
// terms by, that of the test, or that of smallest terms.
func (res *Result) Take(r egraph.Ref) (Taken, error) {
	a := &attempt{Result: res, store: res.test.Program.Store.Clone()}
	gr, err := res.file.grammar(res.test)
	if err != nil {
		return Taken{}, err
	}
	x, err := a.extract(r, gr, res.file.how, r.Args)
	if err != nil {
		return Taken{}, err
	}
	cost := x.Costs()
	if err := a.printable(x.Root); err != nil {
		return Taken{"a large term", cost}, nil
	}
	return Taken{a.text(x.Root), cost}, nil
}

// Data gives the e-graph as data. An e-node costs what the grammar says by which terms are
// taken, as [Result.Take] does.
func (res *Result) Data() (*extract.Graph, error) {
	gr, err := res.file.grammar(res.test)
	if gr == nil || err != nil {
		return extract.Data(res.Graph, res.Roots...), err
	}
	return extract.DataBy(gr, res.Graph, res.Roots...), nil
}

// Smallest is the text of a smallest term of a class.
func (res *Result) Smallest(r egraph.Ref) string {
	a := &attempt{Result: res, store: res.test.Program.Store.Clone()}
	if t, ok := a.smallestOf(r); ok {
		return a.text(t)
	}
	return "a large term"
}
