package maps

import (
	"fmt"

	"egad/internal/raise"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// environment is Γ: it has the changes Γ* of the inputs, and of what has been bound since, of
// which each makes a pair with those before it.
type environment struct {
	outer *environment
	added *types.Type // the changes of what is bound
	all   *types.Type // Γ*
	depth int
}

// mostBound is how many variables with reals may be bound inside each other: each makes the
// types of the maps larger.
const mostBound = 200

// bind is Γ, x: t.
func (g *environment) bind(t *types.Type) *environment {
	if g.depth == mostBound {
		raise.Error(fmt.Errorf("linear maps of more than %d variables inside each other are not written", mostBound))
	}
	return &environment{outer: g, added: t, all: pairOf(g.all, t), depth: g.depth + 1}
}

// variable is what was bound last in an environment; or an input, by where its changes are.
type variable struct {
	at *environment
	// Of an input: the injection of its changes into those of all inputs, and the projection.
	in, out *term.Term
}

// into takes the changes of a variable to Γ*.
func (k *maker) into(x variable, g *environment) *term.Term {
	return k.between(ops.SymLinj, x.in, x, g, k.after)
}

// from takes Γ* to the changes of a variable.
func (k *maker) from(x variable, g *environment) *term.Term {
	return k.between(ops.SymLproj, x.out, x, g, func(m, n *term.Term) *term.Term { return k.after(n, m) })
}

// between is the injection or projection of a variable, by that of an input: through those of the
// environments around it, which come first.
func (k *maker) between(by ops.Sym, input *term.Term, x variable, g *environment, through func(outer, m *term.Term) *term.Term) *term.Term {
	switch {
	case g == x.at && g.outer == nil:
		return input
	case g == x.at:
		return k.part(by, 1, g.outer.all, g.added)
	}
	m := k.between(by, input, x, g.outer, through)
	if g.added == nil {
		return m
	}
	return through(k.part(by, 0, g.outer.all, g.added), m)
}

// drop takes what comes to Γ* and to what was bound last, of which m is the map, to Γ*: 1 ⋈ m.
func (k *maker) drop(m *term.Term, g *environment) *term.Term {
	if g.added == nil {
		return k.one(g.all)
	}
	if g.outer.all == nil {
		return nil
	}
	return k.join(k.one(g.outer.all), m)
}

// extend takes Γ* to it and to what was bound last, of which m is the map: [1; m].
func (k *maker) extend(m *term.Term, g *environment) *term.Term {
	return k.pair(k.one(g.outer.all), m)
}
