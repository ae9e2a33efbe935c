package proof

import (
	"fmt"
	"slices"
	"strings"

	"egad/rules"
	"egad/slot"
	"egad/term"
)

// Text writes the steps of a proof as text.
type Text struct {
	b      *strings.Builder
	proof  *Proof
	sides  []*rules.Sides
	store  *term.Store // for what is printed: with named terms in the place of large ones
	short  map[uint32]shortened
	names  map[uint32]string // of large closed terms
	used   term.NameSet
	weight map[uint32]int
	new    []string // definitions of names that the next step mentions
	// sorted writes terms of a language; nil of arrays.
	sorted func(s *term.Store, terms ...term.Term) []string
}

// NewText returns what writes the steps of a proof about programs with these inputs, or if
// sorted, which writes terms, is not nil of a language.
func NewText(b *strings.Builder, p *Proof, inputs []term.Input, sorted func(s *term.Store, terms ...term.Term) []string) *Text {
	e := &Text{sorted: sorted, b: b, proof: p, short: make(map[uint32]shortened), names: make(map[uint32]string), weight: make(map[uint32]int)}
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

// Line writes a line, after the definitions of names that it mentions.
func (e *Text) Line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, d := range e.new {
		e.comment("       " + d)
	}
	e.new = nil
	e.comment(text)
}

func (e *Text) comment(text string) {
	for l := range strings.Lines(text) {
		e.b.WriteString(strings.TrimRight("-- "+l, " \n") + "\n")
	}
}

// Steps writes the steps of an equation in the order in which they are first needed, with
// rests those of conditions too. They have numbers from count on.
func (e *Text) Steps(equation int, rests bool, count int) int {
	e.proof.Walk(equation, rests, func(l *Link, from term.Term, p Place) {
		switch l.Kind {
		case Instance:
			e.instance(l, from, p)
		case Assumed, Computed:
			count++
			ts := e.texts(from, l.To)
			e.Line("%3d. %s\n     => %s\n     %s, %s", count, ts[0], ts[1], l.Reason, p)
		case ByRule:
			count++
			e.step(count, l, from, p)
		}
	})
	return count
}

// step writes the application of a rule.
func (e *Text) step(number int, l *Link, from term.Term, p Place) {
	a := e.proof.Steps[l.Step]
	by := a.Match.Rule.Name
	if p.Reverse {
		by += ", backwards"
	}
	ts := e.texts(from, l.To)
	was, is := ts[0], ts[1]
	if was == is {
		is += "   (as one literal)" // the only terms that differ and are written alike
	}
	text := fmt.Sprintf("%3d. %s\n     => %s\n     by %s, %s", number, was, is, by, p)
	for _, c := range a.Match.Rule.Assumes {
		text += "\n     assuming " + c.Text
	}
	for _, c := range e.proof.Shown(l, from, e.sides[l.Step], e.texts) {
		text += "\n     as " + c
	}
	e.Line("%s", text)
}

// Shown are the conditions of a step of a language that no equation gives, as they are
// written, with variables called as in the terms of its link. Texts writes terms, in
// which free variables are called alike.
func (p *Proof) Shown(l *Link, from term.Term, s *rules.Sides, texts func(...term.Term) []string) []string {
	a, b := s.Lhs, s.Rhs
	if l.Reverse {
		a, b = b, a
	}
	is := make(map[slot.Name]slot.Name)
	for i, n := range append(slices.Clone(a.Args), b.Args...) {
		is[n] = append(slices.Clone(from.Args), l.To.Args...)[i]
	}
	return p.Steps[l.Step].Shown(rules.Terms{Store: p.Store}, func(ts ...term.Term) []string {
		all := []term.Term{from, l.To}
		for _, t := range ts {
			all = append(all, t.Rename(func(n slot.Name) slot.Name { return slot.Renamed(is, n) }))
		}
		return texts(all...)[2:]
	})
}

// instance writes that what was proved for all values of some variables is used for some.
func (e *Text) instance(l *Link, from term.Term, p Place) {
	e.Line("     %s\n     => %s\n     as it is the same for all values of a variable, %s", e.Term(from), e.Term(l.To), p)
}

// maxPrinted is how large a closed term may be to be written in full where it occurs.
const maxPrinted = 12

// texts prints terms, in which free variables of a language are called alike.
func (e *Text) texts(ts ...term.Term) (out []string) {
	if e.sorted != nil {
		return e.sorted(e.proof.Store, ts...)
	}
	for _, t := range ts {
		out = append(out, e.Term(t))
	}
	return out
}

// Term prints a term; large parts of it that are closed have names.
func (e *Text) Term(t term.Term) string {
	u := e.shorten(t, true)
	pr := &term.Printer{Store: e.store}
	pr.NameFree(u)
	return strings.ReplaceAll(pr.Term(u), "\n", "\n        ")
}

// Sides are the two sides of a step.
func (e *Text) Sides(step int) *rules.Sides { return e.sides[step] }

// size is how many operators the shortened term has.
func (e *Text) size(t term.Term) int {
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

func (e *Text) shorten(t term.Term, whole bool) term.Term {
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
