package proof

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
)

// Naming says how variables and inputs are called in what is printed of a proof.
type Naming struct {
	Inputs []term.Input
	Free   map[slot.Name]string // what the free variables of a language are called
	// NameFree gives variables of a language names where they have none, and Sorted writes terms of
	// it, in which those of a scope are called v1, v2, …. Both are nil of arrays.
	NameFree func(names map[slot.Name]string, vars []slot.Name)
	Sorted   func(s *term.Store, names map[slot.Name]string, scope []Bound, terms ...term.Term) []string
	Taken    []string // names that large terms are not to have
}

// Texts writes terms of a proof at a place.
type Texts func(scope []Bound, terms ...term.Term) []string

// Texts writes the terms of a chain in full. Free variables are called the same in all of them; those
// of what the chain proves come first.
func (n Naming) Texts(s *term.Store, c *Chain) Texts {
	return n.texts(s, c, func(t term.Term) term.Term { return t })
}

// texts writes the terms of a chain, in which what shorten gives is in the place of terms.
func (n Naming) texts(s *term.Store, c *Chain, shorten func(term.Term) term.Term) Texts {
	names := maps.Clone(n.Free)
	if names == nil {
		names = make(map[slot.Name]string)
	}
	name := n.NameFree
	if name == nil {
		name = func(names map[slot.Name]string, vars []slot.Name) {
			(&term.Printer{Store: s, Free: names}).NameFree(term.Term{Args: vars})
		}
	}
	name(names, slices.Concat(c.From.Args, c.To.Args))
	return func(scope []Bound, ts ...term.Term) (out []string) {
		for _, t := range ts {
			name(names, slices.DeleteFunc(slices.Clone(t.Args), func(m slot.Name) bool {
				return slices.ContainsFunc(scope, func(b Bound) bool { return b.Name == m })
			}))
		}
		ts = slice.Map(ts, shorten)
		if n.Sorted != nil {
			return n.Sorted(s, names, scope, ts...)
		}
		for _, t := range ts {
			pr := &term.Printer{Store: s, Free: maps.Clone(names)}
			for _, b := range scope {
				pr.NameBound(b.Name, b.Type, n.Inputs...)
			}
			out = append(out, pr.Term(t))
		}
		return out
	}
}

// Text writes chains of a proof as text.
type Text struct {
	b      *strings.Builder
	proof  *Proof
	naming Naming
	sides  []*match.Sides
	store  *term.Store // for what is printed: with named terms in the place of large ones
	short  map[string]shortened
	names  map[string]string // of large terms that mean the same wherever they stand
	used   term.NameSet
	size   *term.TreeSizes // of shortened terms
	// Shown is what has been shown, in the texts of other proofs of terms of the store too.
	Shown map[string]bool
	new   []string // definitions of names that the next step mentions
}

// NewText returns what writes chains of a proof.
func NewText(b *strings.Builder, p *Proof, n Naming) *Text {
	e := &Text{b: b, proof: p, naming: n, short: make(map[string]shortened), names: make(map[string]string), Shown: make(map[string]bool)}
	for _, in := range n.Inputs {
		e.used.Use(in.Name)
	}
	e.used.Use(slices.Concat(n.Taken, slices.Collect(maps.Values(n.Free)))...)
	p.Store.AsWritten = true
	for _, a := range p.Steps {
		s, err := a.Sides(match.Terms{Store: p.Store})
		if err != nil {
			s = &match.Sides{} // it was checked
		}
		e.sides = append(e.sides, s)
	}
	p.Store.AsWritten = false
	e.store = p.Store.Clone()
	e.store.AsWritten = true
	e.size = e.store.TreeSizes()
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

// Chain writes the steps of a chain, with numbers from count on, and the proofs of what they rest
// on, with numbers of their own. It returns the number of the last step.
func (e *Text) Chain(c *Chain, count int) int {
	e.Steps(c, count)
	e.As(c)
	return count + len(c.Steps)
}

// Steps writes the steps of a chain, with numbers from count on.
func (e *Text) Steps(c *Chain, count int) {
	texts := e.texts(c)
	for i := range c.Steps {
		s := &c.Steps[i]
		line, why := fmt.Sprintf("%3d. ", count+i+1), fmt.Sprintf("%s, %s", e.reason(s, count), s.Path)
		if known := s.Link == nil || s.Kind == Swapped; known && max(e.size.Of(s.From), e.size.Of(s.To)) > maxKnown {
			line += why
		} else {
			text := texts(s.Scope, s.From, s.To)
			if text[0] == text[1] && (s.Link == nil || s.Kind != Literal) {
				text[1] += "   (as one literal)" // the only terms that differ and are written alike
			}
			line += fmt.Sprintf("%s\n     => %s\n     %s", text[0], text[1], why)
		}
		if s.Link == nil {
			line += " as " + s.At.String()
		} else if s.Kind == ByRule {
			for _, c := range e.proof.Steps[s.Step].Match.Rule.Assumes {
				line += "\n     assuming " + c.Text
			}
			for _, c := range e.proof.Shown(s, e.sides[s.Step], texts) {
				line += "\n     as " + c
			}
		}
		e.Line("%s", line)
	}
}

// reason says why a step can be made.
func (e *Text) reason(s *Step, count int) string {
	switch {
	case s.Link == nil:
		return fmt.Sprintf("by steps %d to %d again", count+s.First, count+s.Last)
	case s.Kind == ByRule && s.Reverse:
		return "by " + e.proof.Steps[s.Step].Match.Rule.Name + ", backwards"
	case s.Kind == ByRule:
		return "by " + e.proof.Steps[s.Step].Match.Rule.Name
	case s.Kind == Instance:
		of := &e.proof.Equations[s.Kids[0]]
		return "as for all values of the variables " + e.proof.Claim(&Chain{From: of.From, To: of.To()}, e.texts)
	}
	return e.proof.Reason(s)
}

// As writes the proofs of what the steps of a chain rest on, but for those that are shown already.
func (e *Text) As(c *Chain) {
	for _, q := range c.As() {
		claim := e.proof.Claim(q, e.texts)
		if !e.Shows(q) {
			e.Line("as %s: shown above", claim)
			continue
		}
		e.Line("as %s: %s", claim, diag.Count(len(q.Steps), "step"))
		e.Chain(q, 0)
	}
}

// Shows notes that a chain is shown, and reports whether that is new.
func (e *Text) Shows(c *Chain) bool {
	known := len(e.Shown)
	e.Shown[fmt.Sprint(c.From, c.To)] = true
	return len(e.Shown) > known
}

// texts writes the terms of a chain.
func (e *Text) texts(c *Chain) Texts {
	all := e.naming.texts(e.store, c, func(t term.Term) term.Term { return e.shorten(t, true) })
	return func(scope []Bound, ts ...term.Term) []string {
		out := all(scope, ts...)
		for i := range out {
			out[i] = strings.ReplaceAll(out[i], "\n", "\n        ")
		}
		return out
	}
}

// Reason is a word for why a step can be made: the name of its rule, if it has one.
func (p *Proof) Reason(s *Step) string {
	switch {
	case s.Link == nil:
		return "again"
	case s.Kind == ByRule:
		return p.Steps[s.Step].Match.Rule.Name
	case s.Kind == Swapped:
		return "operands change places"
	case s.Kind == Literal:
		return "as one literal"
	case s.Kind == Instance:
		return "instance"
	}
	return s.Link.Reason
}

// Claim is what a chain proves; a fact is its truth value.
func (p *Proof) Claim(c *Chain, texts func(*Chain) Texts) string {
	both := texts(c)(nil, c.From, c.To)
	if p.Store.IsTrue(c.To) {
		return both[0]
	}
	return both[0] + " = " + both[1]
}

// Shown are the conditions of a step of a language that no equation gives, as they are
// written.
func (p *Proof) Shown(s *Step, sides *match.Sides, texts Texts) []string {
	a, b := sides.Lhs, sides.Rhs
	if s.Reverse {
		a, b = b, a
	}
	is := make(map[slot.Name]slot.Name)
	for i, n := range slices.Concat(a.Args, b.Args) {
		is[n] = slices.Concat(s.From.Args, s.To.Args)[i]
	}
	return p.Steps[s.Step].Shown(match.Terms{Store: p.Store}, func(ts ...term.Term) []string {
		return texts(s.Scope, slice.Map(ts, func(t term.Term) term.Term {
			return t.Rename(func(n slot.Name) slot.Name { return slot.Renamed(is, n) })
		})...)
	})
}

// maxKnown is how large a term may be to be written where steps are made again or operands change
// places: a reader has it.
const maxKnown = 500

// How large a term that means the same everywhere may be to be written in full where it occurs, of
// arrays and of a language.
const (
	maxPrinted = 12
	maxSorted  = 40
)

// Term prints a term; large parts of it that mean the same everywhere have names.
func (e *Text) Term(t term.Term) string { return e.texts(&Chain{From: t, To: t})(nil, t)[0] }

// Sides are the two sides of a step.
func (e *Text) Sides(step int) *match.Sides { return e.sides[step] }

// shortened is a term with named terms in the place of large ones, and the names
// that it is in.
type shortened struct {
	term  term.Term
	names []slot.Name
}

func (e *Text) shorten(t term.Term, whole bool) term.Term {
	same := !slices.ContainsFunc(t.Args, func(n slot.Name) bool { return e.naming.Free[n] == "" })
	key := fmt.Sprint(t)
	if !same {
		key = fmt.Sprint(t.ID)
	}
	u := memo.Of(e.short, key, func() shortened {
		names := t.Args
		if !same {
			names = e.store.FreshN(len(names))
		}
		v := e.store.Open(term.Term{ID: t.ID, Args: names})
		for i, k := range v.Kids {
			v.Kids[i] = e.shorten(k, false)
		}
		return shortened{e.store.MustMake(v.Op, v.Own, v.Binders, v.Kids), names}
	})
	most := int64(maxPrinted)
	if e.naming.Sorted != nil {
		most = maxSorted
	}
	if whole || !same || e.size.Of(u.term) <= most {
		return u.term.RenameFrom(u.names, t.Args)
	}
	name := memo.Of(e.names, key, func() string {
		name := e.used.Like("u1")
		is := e.naming.texts(e.store, &Chain{From: u.term, To: u.term}, func(t term.Term) term.Term { return t })(nil, u.term)[0]
		e.new = append(e.new, name+" = "+strings.ReplaceAll(is, "\n", "\n            "))
		return name
	})
	return e.store.Var(name, e.store.Type(t))
}
