package proof

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// Chain is the proof of an equation as a reader follows it: each step changes the whole term, as
// the steps before left it, at one place, and the last one leaves the right side.
type Chain struct {
	From, To term.Term
	Steps    []Step
}

// Step is a link of a chain, or if that is nil some steps before that are made again, at another
// place. Its terms are the parts of the whole term at that place.
type Step struct {
	*Link
	From, To term.Term
	Path     Path
	Scope    []Bound // of the place
	// First and Last are the numbers of the steps that are made again, from 1 on, and At is where
	// the equation is that they prove.
	First, Last int
	At          Path
	// As has the proofs of what the step rests on that no step before rests on: of equations for its
	// conditions, or of what it is an instance of.
	As []*Chain
}

// Bound is a variable that is bound around a place.
type Bound struct {
	Name slot.Name
	Type ops.VarType
}

// Path is a place in a term: numbers of operands, from 1 on, from the whole term on.
type Path []int

func (p Path) String() string {
	if len(p) == 0 {
		return "at the root"
	}
	var at strings.Builder
	for i, times := 0, 0; i < len(p); i += times {
		for times = 1; i+times < len(p) && p[i+times] == p[i]; times++ {
		}
		if times < manyTimes {
			times = 1
		}
		fmt.Fprintf(&at, ".%d", p[i])
		if times > 1 {
			fmt.Fprintf(&at, "×%d", times)
		}
	}
	return "at " + at.String()[1:]
}

// manyTimes is how often an operand is named in a row where its number is written once.
const manyTimes = 10

// Last is the number of the last equation, which a proof proves; -1 if there is none.
func (p *Proof) Last() int { return len(p.Equations) - 1 }

// Chain is the proof of an equation as a chain. What is equal in several places is proved in the
// first of them, and in the others the steps are made again.
func (p *Proof) Chain(equation int) *Chain {
	return (&chains{p, make([]bool, len(p.Equations))}).of(equation)
}

// Rules are the names of the rules in a proof, each once, in order; those of conditions too.
func (p *Proof) Rules() (out []string) {
	p.Chain(p.Last()).Walk(func(s *Step) {
		if s.Link == nil || s.Kind != ByRule {
			return
		}
		if name := p.Steps[s.Step].Match.Rule.Name; !slices.Contains(out, name) {
			out = append(out, name)
		}
	})
	return out
}

// Walk calls f for the steps of a chain, each after those of what it rests on.
func (c *Chain) Walk(f func(*Step)) {
	for i := range c.Steps {
		for _, q := range c.Steps[i].As {
			q.Walk(f)
		}
		f(&c.Steps[i])
	}
}

// As lists the proofs of what the steps of a chain rest on.
func (c *Chain) As() []*Chain {
	return slices.Concat(slice.Map(c.Steps, func(s Step) []*Chain { return s.As })...)
}

// chains makes a chain of an equation, and of each that it rests on.
type chains struct {
	*Proof
	done []bool // equations that are listed
}

func (cs *chains) of(equation int) *Chain {
	c := &Chain{}
	if equation < 0 {
		return c
	}
	e, is := &cs.Equations[equation], make(map[slot.Name]slot.Name)
	c.From, c.To = e.From, e.To()
	for _, n := range slices.Concat(c.From.Args, c.To.Args) {
		is[n] = n
	}
	(&chainer{cs, c, make(map[int]Step), 0}).equation(equation, place{is: is})
	return c
}

// chainer puts the steps of a chain together.
type chainer struct {
	*chains
	out   *Chain
	first map[int]Step // by equation the steps that prove it
	low   int          // how few steps there were since an equation began
}

// place is where an equation is used in the whole term.
type place struct {
	path  Path
	scope []Bound
	is    map[slot.Name]slot.Name // what its variables are there
}

// term is a term of the equation, as it is at the place. Variables that neither side of the
// equation has get names of their own.
func (c *chainer) term(t term.Term, at place) term.Term {
	for _, n := range t.Args {
		if _, ok := at.is[n]; !ok {
			at.is[n] = c.Store.Fresh()
		}
	}
	return t.Rename(func(n slot.Name) slot.Name { return at.is[n] })
}

// equation adds the steps of an equation.
func (c *chainer) equation(k int, at place) {
	e := &c.Equations[k]
	if s, ok := c.first[k]; ok && s.First < s.Last {
		s.From, s.To, s.Path, s.Scope = c.term(e.From, at), c.term(e.To(), at), at.path, at.scope
		c.out.Steps = append(c.out.Steps, s)
		return
	}
	low, first, from := c.low, len(c.out.Steps)+1, e.From
	c.low = len(c.out.Steps)
	for i := range e.Links {
		l := &e.Links[i]
		if a, b := c.term(from, at), c.term(l.To, at); l.Kind == InOperands {
			c.operands(l, a, b, at)
		} else {
			c.add(Step{Link: l, From: a, To: b, Path: at.path, Scope: at.scope, As: c.rests(l)})
		}
		from = l.To
	}
	if c.low >= first-1 {
		c.first[k] = Step{First: first, Last: len(c.out.Steps), At: at.path}
	}
	c.low = min(c.low, low)
}

// add adds a step. If it undoes the one before, both are left out.
func (c *chainer) add(s Step) {
	n := len(c.out.Steps)
	if n > 0 {
		last := &c.out.Steps[n-1]
		if last.Link != nil && last.From.Equal(s.To) && last.To.Equal(s.From) && slices.Equal(last.Path, s.Path) && len(last.As)+len(s.As) == 0 {
			c.out.Steps = c.out.Steps[:n-1]
			c.low = min(c.low, n-1)
			maps.DeleteFunc(c.first, func(_ int, f Step) bool { return f.Last >= n })
			return
		}
	}
	c.out.Steps = append(c.out.Steps, s)
}

// operands adds the steps in the operands of a term, one operand after the other.
func (c *chainer) operands(l *Link, from, to term.Term, at place) {
	v := c.Store.Open(from)
	w := c.Store.OpenWith(to, v.Binders)
	o := c.Store.Signature().Operator(v.Op.Sym)
	scope := at.scope[:len(at.scope):len(at.scope)]
	for k, n := range v.Binders {
		scope = append(scope, Bound{n, o.BinderType(v.Op, k)})
	}
	for i, k := range l.Kids {
		if k < 0 {
			continue
		}
		e := &c.Equations[k]
		in := place{append(at.path[:len(at.path):len(at.path)], i+1), at.scope, make(map[slot.Name]slot.Name)}
		if o.Under(i) {
			in.scope = scope
		}
		for j, n := range e.From.Args {
			in.is[n] = v.Kids[i].Args[j]
		}
		for j, n := range e.To().Args {
			in.is[n] = w.Kids[i].Args[j]
		}
		c.equation(k, in)
	}
}

// rests are chains of what a link rests on and nothing before does.
func (c *chains) rests(l *Link) (out []*Chain) {
	var rests []int
	switch l.Kind {
	case ByRule:
		rests = c.Rests[l.Step]
	case Instance:
		rests = l.Kids
	}
	for _, k := range rests {
		if !c.done[k] {
			c.done[k] = true
			out = append(out, c.of(k))
		}
	}
	return out
}
