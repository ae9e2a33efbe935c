package stages

import (
	"fmt"
	"strings"

	"egad/ad"
	"egad/diag"
	"egad/rules"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
)

// Explain is the way of a derivation as text, in single steps by stages: what each
// rule was applied to, where, and what that became. The derivation has been verified;
// name is that of the source, and result that of the program that was derived.
func Explain(d *ad.Derived, v *ad.Verified, name, result string) string {
	var b strings.Builder
	runs, locals, count := v.Runs, v.Locals, 0
	var before term.Term // what the stage before resulted in
	for i, s := range d.Stages {
		if i > 0 {
			before = v.Stages[i-1].Program.Root
		}
		switch {
		case s.Name == "source":
			b.WriteString("-- source: the definition at these sizes, calls inlined\n")
		case s.Name == "nabla":
			count = explainLocals(&b, locals[0], v.Stages[i].Program, count)
			locals = locals[1:]
		default:
			r := runs[0]
			runs = runs[1:]
			if r == nil {
				fmt.Fprintf(&b, "-- %s: nothing is rewritten\n", s.Name)
				break
			}
			fmt.Fprintf(&b, "-- %s: %s\n", s.Name, diag.Count(len(r.Steps), "step"))
			e := newExplanation(&b, r.Proof, s.Program.Inputs)
			e.begin(s.Name, r.From, before)
			count = e.steps(r.Last(), true, count)
		}
		pr := &term.Printer{Store: s.Program.Store, Names: s.Program.Names, Index: s.Program.Index}
		def := strings.ReplaceAll(s.Name, "-", "_") + "_" + name
		switch s.Name {
		case "source":
			def = name
		case "gradient":
			def = result
		}
		b.WriteString(wrap(pr.Def(def, s.Program.Inputs, s.Program.Root)) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// explainLocals lists the derivative rules, and says how the maps are put together.
func explainLocals(b *strings.Builder, l ad.Locals, p *term.Program, count int) int {
	fmt.Fprintf(b, "-- nabla: %s\n", diag.Count(len(l.Applied), "derivative rule"))
	x := &proof.Proof{Store: l.Store, Steps: l.Applied}
	e := newExplanation(b, x, p.Inputs)
	for i, a := range l.Applied {
		s := e.sides[i]
		e.line("%3d. nabla (%s)", count+i+1, e.text(s.Lhs))
		for k := range e.proof.Store.Kids(s.Lhs) {
			if m, ok := s.Maps[k]; ok {
				e.line("     operand %d: %s", k+1, e.text(m))
			}
		}
		e.line("     by %s", a.Match.Rule.Name)
	}
	count += len(l.Applied)
	made := make(map[uint32]bool)
	p.Store.Walk(p.Root, func(t term.Term) { made[t.ID] = true })
	for _, m := range l.Maps {
		if !made[m.Map.ID] {
			continue // of the other mode
		}
		count++
		e.line("%3d. %s (%s)\n     = %s\n     by the definition of %s", count, m.Kind, e.text(m.Term), e.text(m.Map), m.Kind)
	}
	return count
}

// explanation writes the steps of a proof.
type explanation struct {
	b      *strings.Builder
	proof  *proof.Proof
	sides  []*rules.Sides
	store  *term.Store // for what is printed: with named terms in the place of large ones
	short  map[uint32]shortened
	names  map[uint32]string // of large closed terms
	used   term.NameSet
	weight map[uint32]int
	new    []string // definitions of names that the next step mentions
}

func newExplanation(b *strings.Builder, p *proof.Proof, inputs []term.Input) *explanation {
	e := &explanation{b: b, proof: p, short: make(map[uint32]shortened), names: make(map[uint32]string), weight: make(map[uint32]int)}
	for _, in := range inputs {
		e.used.Use(in.Name)
	}
	p.Store.AsWritten = true
	for _, a := range p.Steps {
		s, err := a.Sides(rules.Terms{Store: p.Store})
		if err != nil {
			s = &rules.Sides{} // it was checked
		}
		e.sides = append(e.sides, s)
	}
	p.Store.AsWritten = false
	e.store = p.Store.Clone()
	e.store.AsWritten = true
	return e
}

func (e *explanation) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, d := range e.new {
		e.comment("       " + d)
	}
	e.new = nil
	e.comment(text)
}

func (e *explanation) comment(text string) {
	for l := range strings.Lines(text) {
		e.b.WriteString(strings.TrimRight("-- "+l, " \n") + "\n")
	}
}

// begin names what was done by definition, and not by a rule, before the first step.
func (e *explanation) begin(stage string, from, before term.Term) {
	if from.Equal(before) {
		return
	}
	by := "the meaning of declared operators that no rule takes; what has no elements is set aside"
	if stage == "applied" {
		by = "the chain rule: the maps, those of D transposed, are applied"
	}
	e.line("     begins with %s\n     by %s", e.text(from), by)
}

// steps writes the steps of an equation in the order in which they are first needed, with
// rests those of conditions too. They have numbers from count on.
func (e *explanation) steps(equation int, rests bool, count int) int {
	e.proof.Walk(equation, rests, func(l *proof.Link, from term.Term, p proof.Place) {
		switch l.Kind {
		case proof.Instance:
			e.instance(l, from, p)
		case proof.Assumed:
			count++
			e.line("%3d. %s\n     => %s\n     %s, %s", count, e.text(from), e.text(l.To), l.Reason, p)
		case proof.ByRule:
			count++
			e.step(count, e.proof.Steps[l.Step], e.sides[l.Step], p)
		}
	})
	return count
}

// step writes the application of a rule.
func (e *explanation) step(number int, a *rules.Application, s *rules.Sides, p proof.Place) {
	from, to := s.Lhs, s.Rhs
	by := a.Match.Rule.Name
	if p.Reverse {
		from, to = to, from
		by += ", backwards"
	}
	was, is := e.text(from), e.text(to)
	if was == is {
		is += "   (as one literal)" // the only terms that differ and are written alike
	}
	text := fmt.Sprintf("%3d. %s\n     => %s\n     by %s, %s", number, was, is, by, p)
	for _, c := range a.Match.Rule.Assumes {
		text += "\n     assuming " + c.Text
	}
	e.line("%s", text)
}

// instance writes that what was proved for all values of some variables is used for some.
func (e *explanation) instance(l *proof.Link, from term.Term, p proof.Place) {
	e.line("     %s\n     => %s\n     as it is the same for all values of a variable, %s", e.text(from), e.text(l.To), p)
}

// maxPrinted is how large a closed term may be to be written in full where it occurs.
const maxPrinted = 12

// text prints a term; large parts of it that are closed have names.
func (e *explanation) text(t term.Term) string {
	u := e.shorten(t, true)
	pr := &term.Printer{Store: e.store}
	pr.NameFree(u)
	return strings.ReplaceAll(pr.Term(u), "\n", "\n        ")
}

// size is how many operators the shortened term has.
func (e *explanation) size(t term.Term) int {
	if n, ok := e.weight[t.ID]; ok {
		return n
	}
	n := 1
	for _, k := range e.store.Kids(t) {
		n = min(n+e.size(term.Term{ID: k.ID}), 1<<20)
	}
	e.weight[t.ID] = n
	return n
}

// shortened is a term with named terms in the place of large ones, and the names
// that it is in.
type shortened struct {
	term  term.Term
	names []slot.Name
}

func (e *explanation) shorten(t term.Term, whole bool) term.Term {
	u, ok := e.short[t.ID]
	if !ok {
		u.names = e.store.FreshN(len(t.Args))
		v := e.store.Open(term.Term{ID: t.ID, Args: u.names})
		for i, k := range v.Kids {
			v.Kids[i] = e.shorten(k, false)
		}
		u.term = e.store.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		e.short[t.ID] = u
	}
	if whole || len(t.Args) > 0 || e.size(u.term) <= maxPrinted {
		return u.term.RenameFrom(u.names, t.Args)
	}
	name, ok := e.names[t.ID]
	if !ok {
		name = e.used.Like("u1")
		e.names[t.ID] = name
		pr := &term.Printer{Store: e.store}
		e.new = append(e.new, name+" = "+strings.ReplaceAll(pr.Term(u.term), "\n", "\n            "))
	}
	return e.store.Var(name, e.store.Type(t))
}
