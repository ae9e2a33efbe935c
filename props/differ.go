package props

import (
	"fmt"
	"math/rand"
	"slices"

	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/internal/values"
	"egad/rules/match"
	"egad/term"
	"egad/term/eval"
	"egad/term/overflow"
	"egad/term/types"
)

// maxPairs bounds the random inputs for which two programs are compared, and maxPairWork the operations
// that this takes.
const maxPairs, maxPairWork = 200, 400_000

// Differ looks for inputs for which two programs with inputs of the same types, in their order, have results
// that are different numbers, and makes them simple. It is nil if none are found, or if the programs compute
// too much. It does the same whenever it is run.
func Differ(a, b *term.Program) *Counterexample {
	s, called := a.Clone().Store, make(map[string]string)
	inputs := term.Leaves(a.Inputs)
	for i, in := range term.Leaves(b.Inputs) {
		called[in.Name] = inputs[i].Name
	}
	if slices.ContainsFunc(inputs, func(in term.Input) bool { return in.Type.Kind != types.KArray }) {
		return nil
	}
	p := &pair{inputs: inputs, s: s}
	if err := overflow.Guard(func() error {
		p.sides = match.Sides{Lhs: a.Root, Rhs: s.Import(b.Store, b.Root, called)}
		return nil
	}); err != nil {
		return nil
	}
	work := int64(1)
	for _, x := range []term.Term{p.sides.Lhs, p.sides.Rhs} {
		c := eval.CountOps(s, x)
		work += c.Float + c.Int + c.Selected
	}
	from, left := rand.New(rand.NewSource(1)), maxPairWork/work
	for range min(left, maxPairs) {
		c := RuleCase{Seed: from.Int63()}
		for range maxLeaves {
			c.Modes = append(c.Modes, values.Mode(from.Intn(int(values.Special)+1)))
		}
		if p.compare(&c) != nil {
			return p.smallest(c, int(left))
		}
	}
	return nil
}

// pair is two programs that are compared, over the inputs of the first.
type pair struct {
	inputs []term.Input
	s      *term.Store
	sides  match.Sides
}

// compare evaluates both programs at a case. It is nil if that shows no difference.
func (p *pair) compare(c *RuleCase) (cex *Counterexample) {
	c.made = new(made)
	b := &caseBuilder{made: c.made, s: p.s, c: *c}
	err := overflow.Guard(func() (err error) {
		defer raise.Caught(&err)
		for _, in := range p.inputs {
			b.hint = in.Name
			b.input(in.Type)
		}
		_, cex = b.compareNumbers(&p.sides)
		return nil
	})
	if err != nil || cex == nil {
		return nil
	}
	for _, l := range b.leaves {
		cex.Bindings = append(cex.Bindings, fmt.Sprintf("%s : %s = %s", l.name, l.typ, showValue(l.value, fmt.Sprint)))
	}
	return cex
}

// smallest makes a case in which the programs differ simpler, in so many steps at most.
func (p *pair) smallest(c RuleCase, steps int) *Counterexample {
	best := p.compare(&c)
	for ways := c.made.simpler(); len(ways) > 0 && steps > 0 && !interrupt.Requested(); steps-- {
		d := c
		d.Set, ways = append(slices.Clone(c.Set), ways[0]...), ways[1:]
		if cex := p.compare(&d); cex != nil {
			best, c = cex, d
			ways = c.made.simpler()
		}
	}
	return best
}
