package typing

import (
	"slices"

	"egad/rules"
	"egad/term"
	"egad/term/overflow"
	"egad/term/size"
)

// general is what typing finds out about a rule: the cases in which its left side
// has a type, each with the most general one. There is more than one where operators
// of different types may stand for a variable, or where a shape depends on which of
// two lists is longer.
type general struct {
	sig   *term.Signature
	rule  *rules.Rule
	cases []*unifier
	// none is why the left side has no type in some case, bad why the sides have not one
	// type, and why what could not be decided.
	none, bad *untyped
	why       string
	// short says that the cases are of few elements of lists: others were not decided.
	short bool
}

// maxSplits bounds how often a case is split by the lengths of lists.
const maxSplits = 4

// generalise types a rule.
func generalise(sig *term.Signature, r *rules.Rule) *general {
	g := &general{sig: sig, rule: r}
	g.exploreAll()
	if g.why != "" && len(g.cases) == 0 {
		g.short = true
		g.exploreAll()
	}
	return g
}

func (g *general) exploreAll() {
	c := &chooser{}
	for more := true; more; more = c.next() {
		c.turn = 0
		was := *g
		if g.explore(c.choose, nil, nil); was.bad != nil || was.why != "" || g.bad == nil && g.why == "" {
			continue
		}
		turn := c.turn
		c.turn = 0
		if n := g.byParts(c.choose); n != nil {
			*g = was
			g.cases = append(g.cases, n)
		}
		c.turn = turn
	}
}

// byParts types a rule in a case where lists of sizes that are not known may be parts of
// others, nil if both sides have not one type then, or none of them is. That is tried
// where nothing else helps, as types become long.
func (g *general) byParts(pick func(of int) int) *unifier {
	var n *unifier
	done, _, _ := attempt(func() *unifier {
		n = newUnifier(g.sig, g.rule, g.short, pick)
		n.left()
		if !n.solveByParts() {
			return nil
		}
		n.open, n.later, n.stuck = append(n.open, n.later...), nil, nil
		n.right()
		return n
	})
	return done
}

// explore types a rule in a case: with some operators, and where differences of
// lengths are not negative, of which those before are assumed at first.
func (g *general) explore(pick func(of int) int, before, where []size.Size) {
	var picks []int
	var n *unifier
	left := func(pick func(of int) int) *unifier {
		n = newUnifier(g.sig, g.rule, g.short, pick)
		for i, d := range before {
			n.shapes.count = (i + 1) * manyNames
			n.need(g.rule.Pos, n.demand(d), "lists are too long")
		}
		n.shapes.count = 0
		n.left()
		for _, d := range where {
			n.need(g.rule.Pos, n.demand(d) && n.retry(), "lists are too long")
		}
		n.retry()
		return n
	}
	done, bad, why := attempt(func() *unifier {
		return left(func(of int) int {
			picks = append(picks, pick(of))
			return picks[len(picks)-1]
		})
	})
	again := func(int) int { p := picks[0]; picks = picks[1:]; return p }
	either := func(f func(d size.Size)) {
		kept, d := slices.Clone(picks), n.stuck[0]
		for _, d := range []size.Size{d, number(-1).Sub(d)} {
			picks = slices.Clone(kept)
			f(d)
		}
	}
	splits := len(before)+len(where) < maxSplits
	split := func() {
		either(func(d size.Size) { g.explore(again, before, append(slices.Clip(where), d)) })
	}
	switch {
	case why != "" && len(n.stuck) > 0 && len(where) == 0 && splits:
		either(func(d size.Size) { g.explore(again, append(slices.Clip(before), d), nil) })
		return
	case why != "":
		g.why = why
		return
	case done == nil:
		if bad == nil {
			bad = &untyped{g.rule.Lhs.Pos, "a function of attributes has no value in it"}
		}
		if len(before)+len(where) == 0 && g.none == nil {
			g.none = bad
		}
		return
	case len(n.later) > 0 && len(n.stuck) > 0 && splits:
		split()
		return
	}
	n.open, n.later, n.stuck = append(n.open, n.later...), nil, nil
	done, bad, why = attempt(func() *unifier { n.right(); return n })
	switch {
	case done == nil && bad == nil && why == "": // no function of the right side has a value
		n = left(again)
		n.open = append(n.open, n.later...)
	case (bad != nil || why != "") && len(n.stuck) > 0 && splits:
		split()
		return
	case why != "":
		g.why = why
	case bad != nil:
		if g.bad == nil {
			g.bad = bad
		}
	}
	g.cases = append(g.cases, n)
}

// manyNames is more names than typing makes.
const manyNames = 1_000_000

// attempt types something: the result has no type, or it is not decided, for a
// reason.
func attempt(f func() *unifier) (n *unifier, bad *untyped, why string) {
	defer func() {
		switch e := recover().(type) {
		case nil, noValue:
		case untyped:
			bad = &e
		case undecided:
			why = e.why
		case *overflow.Error:
			why = e.Msg
		default:
			panic(e)
		}
	}()
	return f(), nil, ""
}
