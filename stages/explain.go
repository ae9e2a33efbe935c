package stages

import (
	"fmt"
	"strings"

	"egad/ad"
	"egad/diag"
	"egad/rules/proof"
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
		case s.Name == "summed":
			b.WriteString("-- summed: by induction on the steps, loops that only add up are sums\n")
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
			c := r.Chain(r.Last())
			fmt.Fprintf(&b, "-- %s: %s\n", s.Name, diag.Count(len(c.Steps), "step"))
			e := proof.NewText(&b, r.Proof, proof.Naming{Inputs: s.Program.Inputs})
			begin(e, s.Name, r.From, before)
			count = e.Chain(c, count)
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
	e := proof.NewText(b, x, proof.Naming{Inputs: p.Inputs})
	for i, a := range l.Applied {
		s := e.Sides(i)
		e.Line("%3d. nabla (%s)", count+i+1, e.Term(s.Lhs))
		for k := range l.Store.Kids(s.Lhs) {
			if m, ok := s.Maps[k]; ok {
				e.Line("     operand %d: %s", k+1, e.Term(m))
			}
		}
		e.Line("     by %s", a.Match.Rule.Name)
	}
	count += len(l.Applied)
	made := make(map[uint32]bool)
	p.Store.Walk(p.Root, func(t term.Term) { made[t.ID] = true })
	for _, m := range l.Maps {
		if !made[m.Map.ID] {
			continue // of the other mode
		}
		count++
		e.Line("%3d. %s (%s)\n     = %s\n     by the definition of %s", count, m.Kind, e.Term(m.Term), e.Term(m.Map), m.Kind)
	}
	return count
}

// begin names what was done by definition, and not by a rule, before the first step.
func begin(e *proof.Text, stage string, from, before term.Term) {
	if from.Equal(before) {
		return
	}
	by := "the meaning of declared operators that no rule takes; what has no elements is set aside"
	if stage == "applied" {
		by = "the chain rule: the maps, those of D transposed, are applied"
	}
	e.Line("     begins with %s\n     by %s", e.Term(from), by)
}
