// Package proof holds proofs that two terms of the array language are equal, and
// checks them. It knows rules and terms, and neither e-graphs nor matching: a proof
// says what the variables of each rule stand for.
//
// What is equal in many places is proved once: a proof is a list of equations, each
// of which may rest on those before it.
package proof

import (
	"errors"
	"fmt"
	"slices"

	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Proof is a list of equations between terms of a store.
type Proof struct {
	Store     *term.Store
	Steps     []*match.Application
	Equations []Equation
	// Rests has for steps the numbers of the equations that their conditions rest on.
	// These come before all equations that use the step.
	Rests map[int][]int
}

// Equation says that two terms are equal, for all values of their index variables.
type Equation struct {
	From  term.Term
	Links []Link // from From on; at least one
}

// To is the other term of an equation.
func (e *Equation) To() term.Term { return e.Links[len(e.Links)-1].To }

// Link goes on to an equal term.
type Link struct {
	Kind    Kind
	To      term.Term
	Step    int  // of ByRule: the number of the application; of Assumed: that of what is assumed
	Reverse bool // of ByRule, Assumed and Instance: from the right side to the left one
	// Kids has numbers of equations. Of InOperands: that of each operand, -1 if it stays;
	// of Instance: that which it is one of.
	Kids   []int
	Reason string // of Assumed and Computed
	// Values of Instance: what the variables of the equation stand for, those of its left
	// side first.
	Values []term.Term
}

// Kind tells the forms of a [Link] apart.
type Kind uint8

// The forms of links.
const (
	ByRule     Kind = iota // an application of a rule
	InOperands             // operands that are equal
	Swapped                // the operands of a commutative operator change places
	Literal                // an array of literals, or a replicated one, is a literal
	Instance               // an equation, with values for its variables
	Assumed                // it is assumed
	Computed               // it is arithmetic, or says that constants differ
)

// Options say what rules may be used, and what is taken for granted.
type Options struct {
	Exact  bool // rules that keep every float64 as it is only
	Finite bool // conditions take the reals among the inputs for finite
	// Language is that of the terms, nil if they are of arrays.
	Language *rules.Language
	// Assumed lists terms that are taken for equal, whatever their index variables are.
	Assumed []Said
}

// Said says that two terms are equal, and why that is taken for granted.
type Said struct {
	A, B   term.Term
	Reason string
}

// The reasons of what is said.
const (
	ByTest  = "assumed"
	ReadIn  = "read in"
	Folding = "folding"
)

// Check checks all of a proof: that every application has the two sides of its rule
// and its conditions hold, and that every equation follows.
func (p *Proof) Check(o Options) error {
	gaps, err := p.Gaps(o)
	if err == nil && len(gaps) > 0 {
		err = gaps[0]
	}
	return err
}

// Gap is a condition of a step that is not proved.
type Gap struct {
	Step int
	Rule string
	Err  error // what is not proved
}

func (g Gap) Error() string { return fmt.Sprintf("step %d, %s: %v", g.Step+1, g.Rule, g.Err) }

// Gaps checks a proof but for conditions that are not proved, which it lists.
func (p *Proof) Gaps(o Options) (gaps []Gap, err error) {
	err = overflow.Guard(func() error {
		c := &checker{p: p, o: o, space: newSpace(p.Store, o), gaps: &gaps}
		for i, a := range p.Steps {
			if err := c.step(i, a); err != nil {
				return fmt.Errorf("step %d, %s: %w", i+1, a.Match.Rule.Name, err)
			}
		}
		for i := range p.Equations {
			if err := c.equation(i); err != nil {
				return fmt.Errorf("equation %d: %w", i+1, err)
			}
		}
		return nil
	})
	return gaps, err
}

type checker struct {
	p     *Proof
	o     Options
	space *space
	sides []*match.Sides // of the steps
	gaps  *[]Gap
}

// step checks an application of a rule.
func (c *checker) step(i int, a *match.Application) error {
	r := a.Match.Rule
	switch {
	case c.o.Exact && r.Label == rules.Real:
		return errors.New("the rule does not keep every float64 as it is")
	case r.Nabla || r.BySharing:
		return errors.New("the rule is not one for rewriting")
	}
	s, err := a.Sides(c.space.Terms)
	if err != nil {
		return err
	}
	in := c.space
	if rests := c.p.Rests[i]; len(rests) > 0 {
		var equal [][2]term.Term
		for _, k := range rests {
			if k < 0 || k >= len(c.p.Equations) {
				return errors.New("it rests on what is not there")
			}
			e := &c.p.Equations[k]
			equal = append(equal, [2]term.Term{e.From, e.To()})
		}
		in = c.space.with(equal)
	}
	for _, err := range a.Conditions(in) {
		*c.gaps = append(*c.gaps, Gap{i, r.Name, err})
	}
	c.sides = append(c.sides, s)
	return c.pair(s.Lhs, s.Rhs)
}

// pair checks that two terms can be equal: that they have one type, that a variable
// of both has one range, and that there are values for all variables.
func (c *checker) pair(a, b term.Term) error {
	s := c.p.Store
	if !s.Type(a).Equal(s.Type(b)) {
		return fmt.Errorf("the terms have the types %s and %s", s.Type(a), s.Type(b))
	}
	for i, n := range a.Args {
		if j := slices.Index(b.Args, n); j >= 0 && !s.Vars(a)[i].Equal(s.Vars(b)[j]) {
			return errors.New("a variable has two types")
		}
	}
	for _, t := range []term.Term{a, b} {
		if c.space.empty(t) {
			return errors.New("there is an axis without elements")
		}
	}
	return nil
}

// equation checks that an equation follows from those before it.
func (c *checker) equation(k int) error {
	e := &c.p.Equations[k]
	if len(e.Links) == 0 {
		return errors.New("it says nothing")
	}
	at := e.From
	for i := range e.Links {
		l := &e.Links[i]
		if err := c.pair(at, l.To); err != nil {
			return fmt.Errorf("link %d: %w", i+1, err)
		}
		if err := c.link(k, at, l); err != nil {
			return fmt.Errorf("link %d: %w", i+1, err)
		}
		at = l.To
	}
	return c.pair(e.From, at)
}

func (c *checker) link(k int, from term.Term, l *Link) error {
	switch l.Kind {
	case ByRule:
		if l.Step < 0 || l.Step >= len(c.sides) {
			return fmt.Errorf("there is no step %d", l.Step+1)
		}
		if slices.ContainsFunc(c.p.Rests[l.Step], func(e int) bool { return e >= k }) {
			return fmt.Errorf("step %d rests on what is not proved yet", l.Step+1)
		}
		a, b := c.sides[l.Step].Lhs, c.sides[l.Step].Rhs
		if l.Reverse {
			a, b = b, a
		}
		if !slot.Alike(a, b, from, l.To) {
			return fmt.Errorf("it is not step %d", l.Step+1)
		}
		return nil
	case Swapped:
		if !Commutes(c.p.Store, from, c.o.Language) {
			return errors.New("the operator is not commutative")
		}
		v := c.p.Store.Open(from)
		swapped, err := c.p.Store.Make(v.Op, v.Own, nil, []term.Term{v.Kids[1], v.Kids[0]})
		if err != nil || !swapped.Equal(l.To) {
			return errors.New("the operands do not change places")
		}
		return nil
	case Literal:
		for _, pair := range [][2]term.Term{{from, l.To}, {l.To, from}} {
			if x, ok := c.p.Store.Literal(pair[0]); ok && x.Equal(pair[1]) {
				return nil
			}
		}
		return errors.New("it is not that literal")
	case Assumed:
		if l.Step < 0 || l.Step >= len(c.o.Assumed) {
			return errors.New("nobody has assumed it")
		}
		said := c.o.Assumed[l.Step]
		if l.Reverse {
			said.A, said.B = said.B, said.A
		}
		if said.Reason != l.Reason || !slot.Alike(said.A, said.B, from, l.To) {
			return errors.New("something else is assumed")
		}
		return nil
	case Computed:
		if l.Reverse {
			return c.computed(l.To, from)
		}
		return c.computed(from, l.To)
	case Instance:
		if c.o.Language != nil { // different variables may have to stay different
			return errors.New("equations of a language have no instances")
		}
		if l.Reverse {
			return c.instance(k, l.To, from, l)
		}
		return c.instance(k, from, l.To, l)
	case InOperands:
		return c.operands(k, from, l)
	}
	return errors.New("there is no such link")
}

// Commutes reports whether the operands of a term can change places: as those of a
// commutative operator can, or where a language, if that is not nil, says that two terms
// differ.
func Commutes(s *term.Store, t term.Term, l *rules.Language) bool {
	op := s.Op(t)
	if l != nil {
		if d := l.Distinct(); d != nil && d.Sym == op.Sym {
			return true
		}
	}
	return s.Signature().Operator(op.Sym).Commutative && len(s.Kids(t)) == 2 && s.Binders(t) == 0
}

// operands checks that two terms differ in operands only, which are equal.
func (c *checker) operands(k int, from term.Term, l *Link) error {
	s := c.p.Store
	differ := errors.New("the operators differ")
	if s.Op(l.To).Key() != s.Op(from).Key() { // then they bind as many variables
		return differ
	}
	v := s.Open(from)
	w := s.OpenWith(l.To, v.Binders)
	if !slices.Equal(v.Own, w.Own) || len(v.Kids) != len(w.Kids) || len(l.Kids) != len(v.Kids) {
		return differ
	}
	for i, e := range l.Kids {
		switch {
		case e == -1:
			if !v.Kids[i].Equal(w.Kids[i]) {
				return fmt.Errorf("operand %d changes", i+1)
			}
		case e < 0 || e >= k:
			return fmt.Errorf("operand %d rests on what is not proved yet", i+1)
		default:
			eq := &c.p.Equations[e]
			if !slot.Alike(eq.From, eq.To(), v.Kids[i], w.Kids[i]) {
				return fmt.Errorf("equation %d does not say that operand %d is equal", e+1, i+1)
			}
		}
	}
	return nil
}

// Variables are the variables of an equation with what they stand for, those of its left
// side first.
func (e *Equation) Variables(s *term.Store) (names []slot.Name, types []ops.VarType) {
	for _, t := range []term.Term{e.From, e.To()} {
		for i, n := range t.Args {
			if !slices.Contains(names, n) {
				names, types = append(names, n), append(types, s.Vars(t)[i])
			}
		}
	}
	return names, types
}

// instance checks that two terms are those of an equation before, with values for its
// variables that these can have.
func (c *checker) instance(k int, from, to term.Term, l *Link) error {
	s := c.p.Store
	if len(l.Kids) != 1 || l.Kids[0] < 0 || l.Kids[0] >= k {
		return errors.New("it is an instance of what is not proved yet")
	}
	eq := &c.p.Equations[l.Kids[0]]
	names, types := eq.Variables(s)
	if len(names) != len(l.Values) {
		return fmt.Errorf("there are %d values for %d variables", len(l.Values), len(names))
	}
	at := make(map[slot.Name]term.Term)
	for i, by := range l.Values {
		if !c.stands(by, types[i]) {
			return fmt.Errorf("value %d is not one of its variable", i+1)
		}
		at[names[i]] = by
	}
	if !s.Subst(eq.From, at).Equal(from) || !s.Subst(eq.To(), at).Equal(to) {
		return fmt.Errorf("it is no instance of equation %d", l.Kids[0]+1)
	}
	return nil
}

// stands reports whether a variable can stand for a term, whatever that is at.
func (c *checker) stands(t term.Term, v ops.VarType) bool {
	typ := c.p.Store.Type(t)
	if v.Type != nil {
		return typ.Equal(v.Type)
	}
	n, ok := v.Size.Const()
	in := c.space.Bounds(t).Int
	return ok && typ.IsScalar(types.I) && in.Lo >= 0 && in.Hi < n
}
