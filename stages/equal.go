package stages

import (
	"fmt"
	"strings"
	"time"

	"egad/ad"
	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/overflow"
	"egad/term/types"
)

// Equality is a proof that two programs have one result for all inputs.
type Equality struct {
	*extract.Proof
	A, B *term.Program
}

// Unproved says that two programs have not been proved equal, and what stopped the
// search.
type Unproved struct {
	A, B   string
	Report *egraph.Report
	// Withheld are rules that matched, and were not applied as something may not be finite.
	Withheld []saturate.Assumption
}

func (e *Unproved) Error() string {
	why := "nothing more follows by the rules"
	if e.Report.Stop != egraph.Saturated {
		why = fmt.Sprintf("the search was stopped by the %s", e.Report.Stop)
	}
	text := fmt.Sprintf("%s and %s are not proved to be equal: %s, at %s", e.A, e.B, why, size(e.Report.Nodes, e.Report.Classes))
	for i, x := range e.Withheld {
		if i == maxWithheld {
			return fmt.Sprintf("%s, and %d more", text, len(e.Withheld)-i)
		}
		text += fmt.Sprintf("%s %s, for want of %s", []string{"; rules that match are not applied:", ","}[min(i, 1)], x.Rule, x.Facts)
	}
	return text
}

// maxWithheld is how many rules a message names.
const maxWithheld = 4

// Equal proves that two programs with inputs of the same types, in their order, have
// one result. Both are put on one e-graph, on which the schedule equal is run; if that
// is not enough the schedule normal brings them to bulk form there, and applies linear
// maps, and it is run again. Results that are linear maps are first written as sums of their
// paths, by the schedules paths and sums. The proof has been checked. The error may be an
// [*Unproved].
//
// It goes by the equations of by, if there are any: each is proved in the same way, on an
// e-graph of its own, and the proof is made of what these know.
func Equal(lib *rules.Library, a, b *term.Program, opt ad.Options, by ...[2]*term.Program) (*Equality, error) {
	p := a.Clone()
	called, err := inputs(a, b)
	if err != nil {
		return nil, err
	}
	if x, y := a.Store.Type(a.Root), b.Store.Type(b.Root); !x.Equal(y) {
		return nil, fmt.Errorf("%s results in %s, and %s in %s", a.Name, x, b.Name, y)
	}
	out := &Equality{A: a, B: b}
	err = overflow.Guard(func() error {
		to := p.Store.Import(b.Store, b.Root, called)
		var equations [][2]term.Term
		var names [][2]string
		for _, e := range by {
			var sides [2]term.Term
			for k, q := range e {
				called, err := inputs(a, q)
				if err != nil {
					return err
				}
				sides[k] = p.Store.Import(q.Store, q.Root, called)
			}
			equations, names = append(equations, sides), append(names, [2]string{e[0].Name, e[1].Name})
		}
		kept := p.Store.Clone()
		kept.AsWritten = true
		if by == nil {
			equations, names = [][2]term.Term{{p.Root, to}}, [][2]string{{a.Name, b.Name}}
		}
		var known []saturate.Equation
		for i, e := range equations {
			g := saturate.New(p.Store.Signature())
			g.Record(kept)
			var sides [2]egraph.Ref
			for k, x := range e {
				if sides[k], err = g.AddTerm(p.Store, x, p.Names); err != nil {
					return err
				}
			}
			if err := unite(lib, g, kept, sides[0], sides[1], opt, names[i][0], names[i][1]); err != nil {
				return err
			}
			more, err := g.Recorded(time.Time{})
			if err != nil {
				return err
			}
			known = append(known, more...)
		}
		pr, err := saturate.Known{Equations: known}.Prove(kept, p.Root, to)
		if err != nil {
			return err
		}
		out.Proof = &extract.Proof{Proof: pr, From: p.Root, To: to}
		return pr.Check(proof.Options{Exact: opt.Exact, Finite: !opt.Exact})
	})
	return out, err
}

// inputs says what the inputs of b are called in a, unless they are of other types.
func inputs(a, b *term.Program) (map[string]string, error) {
	if len(a.Inputs) != len(b.Inputs) {
		return nil, fmt.Errorf("%s takes %s, and %s %d", a.Name, diag.Count(len(a.Inputs), "input"), b.Name, len(b.Inputs))
	}
	called := make(map[string]string)
	for i, in := range b.Inputs {
		if !in.Type.Equal(a.Inputs[i].Type) {
			return nil, fmt.Errorf("input %d is %s of %s, and %s of %s", i+1, a.Inputs[i].Type, a.Name, in.Type, b.Name)
		}
		for k, leaf := range in.Leaves() {
			called[leaf.Name] = a.Inputs[i].Leaves()[k].Name
		}
	}
	return called, nil
}

// unite applies rules until two classes of a graph are one that is recorded in a store.
func unite(lib *rules.Library, g *saturate.Graph, kept *term.Store, x, y egraph.Ref, opt ad.Options, a, b string) error {
	how := extract.How{Exact: opt.Exact, Time: opt.Time}
	same := func() bool { return g.Same(g.FindRef(x), g.FindRef(y)) }
	search := func(schedule string) (*egraph.Report, error) {
		return extract.On(g, []egraph.Ref{x}, lib, schedule, how, same)
	}
	if same() {
		return nil
	}
	maps := g.Type(x).Kind == types.KLin
	if maps {
		if rep, err := extract.On(g, []egraph.Ref{x, y}, lib, "paths", how, nil); err != nil || same() {
			return contradicts(g, kept, rep, err)
		}
		if rep, err := search("sums"); err != nil || same() {
			return contradicts(g, kept, rep, err)
		}
	}
	rep, err := search("equal")
	if err != nil || same() {
		return contradicts(g, kept, rep, err)
	}
	if maps { // there is nothing to be applied
		return &Unproved{a, b, rep, g.Withheld()}
	}
	for _, r := range []egraph.Ref{x, y} {
		if rep, err := extract.On(g, []egraph.Ref{g.FindRef(r)}, lib, "normal", how, nil); err != nil {
			return contradicts(g, kept, rep, err)
		}
	}
	if rep, err = search("equal"); err == nil && !same() {
		return &Unproved{a, b, rep, g.Withheld()}
	}
	return contradicts(g, kept, rep, err)
}

// contradicts says of a run which rules are to blame for a contradiction, if it found one.
func contradicts(g *saturate.Graph, kept *term.Store, rep *egraph.Report, err error) error {
	if err != nil && rep != nil && rep.Stop == egraph.Contradiction {
		return extract.Blame(g, kept, err)
	}
	return err
}

// Text is the proof in single steps.
func (e *Equality) Text() string {
	var b strings.Builder
	p, c := e.A, e.Chain(e.Last())
	fmt.Fprintf(&b, "-- %s and %s are equal: %s\n", e.A.Name, e.B.Name, diag.Count(len(c.Steps), "step"))
	b.WriteString(wrap(p.Text(p.Name)))
	proof.NewText(&b, e.Proof.Proof, proof.Naming{Inputs: p.Inputs}).Chain(c, 0)
	b.WriteString(wrap(e.B.Text(e.B.Name)))
	return b.String()
}
