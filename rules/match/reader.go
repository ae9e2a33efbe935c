package match

import (
	"slices"

	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Reader makes a [Match] of what an e-graph has found. It is used for one match after
// the other.
type Reader struct {
	space Space
	m     *Match
	// Missing are the conditions that something is finite for want of which alone what was read
	// last is no match.
	Missing []*rules.Cond
}

// Begin begins to read a match of r.
func (c *Reader) Begin(s Space, r *rules.Rule) {
	if c.m == nil {
		c.m = new(Match)
	}
	c.space, c.m.Rule, c.m.Vars = s, r, c.m.Vars[:0]
}

// Bind says what a metavariable or a bound variable stands for. A list is kept, and not nil even
// if it is empty.
func (c *Reader) Bind(v Variable) { c.m.Vars = append(c.m.Vars, v) }

// Permuted says what a permutation stands for: of the bound variables of a list it makes other
// terms. It is false if these are not the variables, each once.
func (c *Reader) Permuted(name, of string, rs []slot.Ref) bool {
	was := c.m.Get(of).Names
	if len(rs) != len(was) {
		return false
	}
	p := make([]int, len(rs))
	for i, r := range rs {
		p[i] = -1
		c.space.Nodes(r, func(v term.View) bool {
			if _, is := v.Op.Variable(); is {
				p[i] = slices.Index(was, v.Own[0])
			}
			return p[i] < 0
		})
		if p[i] < 0 || slices.Contains(p[:i], p[i]) {
			return false
		}
	}
	p = ops.CanonPerm(p)
	if x := c.m.Get(name); x != nil {
		return slices.Equal(x.Perm, p)
	}
	c.Bind(Variable{Name: name, Perm: p})
	return true
}

// End ends what Begin has begun. It is false if it is asked for and the match is none: some
// of the conditions does not hold, or a literal is not the size that it must be. Typed is
// asked whether the type of a term is what a condition says, and reads what that says. The
// match is there until the reader begins another one.
func (c *Reader) End(root slot.Ref, asked bool, conds []*rules.Cond, typed func(*rules.Cond, *types.Type) bool) (m *Match, ok bool, err error) {
	c.m.Root, ok, c.Missing = root, true, nil
	if asked {
		var missing []*rules.Cond
		err = c.m.ask(c.space, func(b *builder) {
			b.typed = typed
			ok = !slices.ContainsFunc(conds, func(k *rules.Cond) bool {
				holds := b.condition(k)
				if !holds && k.Kind == rules.CondFinite {
					missing, holds = append(missing, k), true
				}
				return !holds
			}) && !slices.ContainsFunc(c.m.Vars, func(x Variable) bool { return x.Size != nil && !b.sizeFits(x) })
		})
		if ok && err == nil {
			c.Missing, ok = missing, len(missing) == 0
		}
	}
	if ok = ok && err == nil; ok {
		m = c.m
	}
	return m, ok, err
}
