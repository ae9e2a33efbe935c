package chad

import (
	"egad/fun"
	"egad/internal/blocks"
)

// Counts are what a run did beside its steps.
type Counts struct {
	// Bags counts the constructors of bags that were made, and Collected those that
	// collect visited (002, Section 7).
	Bags, Collected int64
	// Nodes counts the backpropagators of nodes of a reduce that were run.
	Nodes int64
	// Unions counts the joined environment vectors, and Joined the entries of the smaller of
	// the two each time: the magical cost of 002, Appendix A.
	Unions, Joined int64
}

// add counts what a part did.
func (c *Counts) add(part Counts) {
	c.Bags += part.Bags
	c.Collected += part.Collected
	c.Nodes += part.Nodes
	c.Unions += part.Unions
	c.Joined += part.Joined
}

// state is what the forms of the target languages compute with: an implementation of the
// interface of Fig. 3 of 002.
type state struct {
	Counts
	linear linear
	vector vectors // of the basic transformation
	cells  store   // of the monadic one
	charge bool    // lfst and lsnd of a zero take a step, and the operand's, too
	affine bool    // using a cotangent twice is an error

	actions blocks.Of[action]
	pairs   blocks.Of[lpair]
}

// action makes a computation.
func (s *state) action(a action) *action {
	out := s.actions.New()
	*out = a
	return out
}

// pair makes a cotangent of a pair.
func (s *state) pair(l, r fun.Value) *lpair {
	out := s.pairs.New()
	out.l, out.r = l, r
	return out
}

func stateOf(m *fun.Machine) *state { return m.State.(*state) }
