package props

import (
	"math"
	"slices"

	"github.com/leanovate/gopter"

	"egad/internal/values"
	"egad/rules/typing"
	"egad/term/ops"
	"egad/term/types"
)

// shrinkRuleCase tries earlier instances and smaller sizes, then simpler values,
// then terms that depend on fewer index variables.
func shrinkRuleCase(c RuleCase, ins []*typing.Instance) gopter.Shrink {
	var changes []func(d *RuleCase)
	add := func(f func(d *RuleCase)) { changes = append(changes, f) }
	earlier := []int{0, 1, 2, 3, c.Instance - 1}
	for k := range 12 {
		earlier = append(earlier, c.Instance*k/12)
	}
	slices.Sort(earlier)
	for _, i := range slices.Compact(earlier) {
		if i >= 0 && i < c.Instance {
			add(func(d *RuleCase) {
				d.Instance, d.Set, d.Literals, d.Consts, d.Drop = i, nil, nil, nil, nil
				d.Sizes = nil
				for k, n := range ins[i].Sizes() {
					size := int64(1)
					if at := slices.Index(ins[c.Instance].Sizes(), n); at >= 0 {
						size = c.Sizes[at]
					} else if k < len(c.Sizes) {
						size = c.Sizes[k]
					}
					d.Sizes = append(d.Sizes, size)
				}
			})
		}
	}
	for k, s := range c.Sizes {
		for _, t := range []int64{0, 1, s - 1} {
			if t < s && t >= 0 {
				add(func(d *RuleCase) { d.Sizes[k], d.Set = t, nil })
			}
		}
	}
	// One element of a leaf may be what counts.
	for k, s := range c.Sizes {
		for l, leaf := range c.made.leaves {
			for _, x := range leaf.value.R[:min(len(leaf.value.R), maxPicked)] {
				if s > 1 {
					add(func(d *RuleCase) { d.Sizes[k], d.Set = 1, []setting{{leaf: l, real: x}} })
				}
			}
		}
	}
	// An index at the end of an axis moves with it.
	literals, set := c.made.oneLess()
	for k, s := range c.Sizes {
		if s > 0 && len(literals)+len(set) > 0 {
			add(func(d *RuleCase) {
				d.Sizes[k], d.Set = s-1, set
				d.Literals = append(d.Literals, literals...)
			})
		}
	}
	for k, m := range c.Modes[:min(len(c.Modes), len(c.made.leaves))] {
		for t := values.Counting; t < m; t++ {
			add(func(d *RuleCase) { d.Modes[k], d.Set = t, nil })
		}
	}
	for _, s := range c.made.simpler() {
		add(func(d *RuleCase) { d.Set = append(d.Set, s...) })
	}
	for l, n := range c.made.literals {
		for _, k := range values.SimplerWholes(n) {
			add(func(d *RuleCase) { d.Literals = append(d.Literals, setting{leaf: l, whole: k}) })
		}
	}
	for l, old := range c.made.consts {
		for _, k := range []int64{0, 1, 2} {
			if constCost(k, old) {
				add(func(d *RuleCase) { d.Consts = append(d.Consts, setting{leaf: l, whole: k}) })
			}
		}
	}
	for t, n := range c.made.scopes {
		for v := range n {
			if dep := (dependence{t, v}); !slices.Contains(c.Drop, dep) {
				add(func(d *RuleCase) { d.Drop, d.Set, d.Literals = append(d.Drop, dep), nil, nil })
			}
		}
	}
	// There may be thousands, and the first ones often do: each is made when it is asked for.
	return func() (any, bool) {
		if len(changes) == 0 {
			return nil, false
		}
		change := changes[0]
		changes = changes[1:]
		d := c
		d.Sizes, d.Modes = slices.Clone(c.Sizes), slices.Clone(c.Modes)
		d.Set, d.Literals, d.Consts, d.Drop = slices.Clone(c.Set), slices.Clone(c.Literals), slices.Clone(c.Consts), slices.Clone(c.Drop)
		d.made = new(made)
		change(&d)
		return d, true
	}
}

// maxPicked bounds the elements of a leaf that are tried alone.
const maxPicked = 8

// oneLess takes 1 from all positive integers that stand alone.
func (m *made) oneLess() (literals, leaves []setting) {
	for l, n := range m.literals {
		if n > 0 {
			literals = append(literals, setting{leaf: l, whole: n - 1})
		}
	}
	for l, leaf := range m.leaves {
		if leaf.typ.IsScalar(types.I) && leaf.value.N[0] > 0 {
			leaves = append(leaves, setting{leaf: l, whole: leaf.value.N[0] - 1})
		}
	}
	return literals, leaves
}

// simpler lists ways to make values simpler: all elements of a leaf 0, smaller and smaller
// parts of them, as there may be many, and each element by itself.
func (m *made) simpler() [][]setting {
	var out [][]setting
	for l, leaf := range m.leaves {
		var zero []setting
		var each [][]setting
		for e, x := range leaf.value.R {
			if x != 0 || math.Signbit(x) {
				zero = append(zero, setting{leaf: l, elem: e})
			}
			for _, y := range values.SimplerReals(x) {
				each = append(each, []setting{{leaf: l, elem: e, real: y}})
			}
		}
		for e, n := range leaf.value.N {
			if n != 0 {
				zero = append(zero, setting{leaf: l, elem: e})
			}
			for _, k := range values.SimplerWholes(n) {
				each = append(each, []setting{{leaf: l, elem: e, whole: k}})
			}
		}
		for n := len(zero); n > 1; n = (n + 1) / 2 {
			out = slices.AppendSeq(out, slices.Chunk(zero, n))
		}
		out = append(out, each...)
	}
	return out
}

// constCost reports whether the literal k is simpler than c.
func constCost(k int64, c ops.Scalar) bool {
	switch {
	case c.Elem == types.B:
		return k == 0 && !c.IsInt(0)
	case c.Elem == types.I:
		return values.SimplerWhole(k, c.Int)
	}
	return values.Simpler(float64(k), c.Num.Float64())
}
