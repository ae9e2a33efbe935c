package props

import (
	"math"
	"math/rand"
	"slices"

	"egad/internal/slice"
	"egad/internal/values"
	"egad/rules/match"
	"egad/rules/typing"
	"egad/term/types"
)

// corner is a case of which some metavariables have values at which arithmetic has limits: by
// name, the number of the value.
type corner struct {
	at    map[string]int
	elems []types.Elem // those of the metavariables that are to be there
}

// The values at corners: first those that are the ends of what there is.
var (
	cornerWholes = [...]int64{math.MinInt64, math.MaxInt64, -1, 0, 1}
	cornerReals  = [len(cornerWholes)]float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 0}
)

// ends is how many of them a metavariable has for itself, while others have any values.
var ends = map[types.Elem]int{types.I: 2, types.R: 4}

// corners are those of a rule, and the metavariables of each instance that have values at them.
type corners struct {
	all   []corner
	named []map[types.Elem][]string
}

// cornersOf are the corners of a rule: of each element type, each metavariable at each end alone, and all at the same
// value; then such that any two have each pair of values in one of them, if there are no more
// than six. Reals count if the rule is about all of them.
func cornersOf(ins []*typing.Instance, reals bool) (out corners) {
	elems := []types.Elem{types.I}
	if reals {
		elems = append(elems, types.R)
	}
	add := func(names []string, elems []types.Elem, at func(k int) int) {
		c := corner{at: make(map[string]int), elems: elems}
		for k, name := range names {
			c.at[name] = at(k)
		}
		out.all = append(out.all, c)
	}
	out.named = slice.Map(ins, func(in *typing.Instance) map[types.Elem][]string { return namedIn(in, elems) })
	var names []string
	together := [][]types.Elem{elems}
	n := len(cornerWholes)
	for _, e := range elems {
		var here []string
		for _, in := range out.named {
			for _, name := range in[e] {
				if slices.Contains(names, name) && !slices.Contains(here, name) { // it may be of either type
					together = [][]types.Elem{{types.I}, {types.R}}
				}
				here = slice.With(here, name)
				names = slice.With(names, name)
			}
		}
		for v := range ends[e] {
			for _, name := range here {
				add([]string{name}, []types.Elem{e}, func(int) int { return v })
			}
		}
		if len(here) > 1 {
			for v := range n {
				add(here, []types.Elem{e}, func(int) int { return v })
			}
		}
	}
	if len(names) < 2 {
		return out
	}
	// An orthogonal array: a row for each line that is not vertical of the plane over the field of n
	// elements, as n is a prime, and a column for each direction.
	for _, elems := range together {
		for line := range n * n {
			add(names, elems, func(k int) int {
				slope, y := line/n, line%n
				if k %= n + 1; k == n {
					return slope
				}
				return (k*slope + y) % n
			})
		}
	}
	return out
}

// namedIn names the metavariables of an instance that have values of the element types.
func namedIn(in *typing.Instance, elems []types.Elem) map[types.Elem][]string {
	out := map[types.Elem][]string{types.I: in.WholeLiterals()}
	for _, e := range elems {
		for _, t := range in.Terms {
			if hasElem(t.Type, e) {
				out[e] = slice.With(out[e], t.Name)
			}
		}
	}
	return out
}

// hasElem reports whether a type of values has arrays of an element type.
func hasElem(t *types.Type, e types.Elem) bool {
	return t.Kind == types.KArray && t.Elem == e ||
		t.Kind == types.KTuple && slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return hasElem(p, e) })
}

// drawCorner draws a case at a corner, of an instance that has as many of its metavariables as
// any has.
func (d drawing) drawCorner(rng *rand.Rand, c corner) RuleCase {
	var among []int
	most := 0
	for i, in := range d.corners.named {
		n := 0
		for _, e := range c.elems {
			n += len(slice.Filter(in[e], func(name string) bool { _, ok := c.at[name]; return ok }))
		}
		if n > most {
			among, most = among[:0], n
		}
		if n == most {
			among = append(among, i)
		}
	}
	out := d.drawOf(rng, among[rng.Intn(len(among))])
	out.corner = c
	return out
}

// whole is the integer that a metavariable has at the corner: where conditions ask for others, the
// nearest of these.
func (c corner) whole(name string, within *match.Want) (int64, bool) {
	k, ok := c.at[name]
	if !ok {
		return 0, false
	}
	v := cornerWholes[k]
	if within != nil {
		v = min(max(v, within.Int.Lo), within.Int.Hi)
	}
	return v, true
}

// real is the real that a metavariable has at the corner; none where conditions ask for others.
func (c corner) real(name string, within *match.Want) (float64, bool) {
	k, ok := c.at[name]
	if !ok || !slices.Contains(c.elems, types.R) {
		return 0, false
	}
	v := cornerReals[k]
	return v, within == nil || values.Fits(v, *within)
}
