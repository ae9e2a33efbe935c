package match

import (
	"math"
	"slices"

	"egad/internal/slice"
	"egad/rules"
	"egad/slot"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// HoldsAt reports whether what the rule asks for, its conditions and its
// assumptions, holds where the inputs of the terms have the values of env. Facts
// about numbers are decided by values, element by element and for all values of
// the index variables; the others are proved.
func (m *Match) HoldsAt(t Terms, env eval.Env[*eval.Value[float64]]) (ok bool, err error) {
	err = m.ask(t, func(b *builder) {
		ok = !slices.ContainsFunc(slices.Concat(m.Rule.Conds, m.Rule.Assumes), func(c rules.Cond) bool { return !b.holdsAt(t, env, &c) })
	})
	return ok && err == nil, err
}

func (b *builder) holdsAt(t Terms, env eval.Env[*eval.Value[float64]], c *rules.Cond) (holds bool) {
	defer valueless(&holds)
	all := func(is func(x []element) bool, of ...*fact) bool { return everywhere(t, env, of, is) }
	switch c.Kind {
	case rules.CondOrder:
		return all(func(x []element) bool { return ordered(c.Op, x[0], x[1]) }, b.fact(c.L), b.fact(c.R))
	case rules.CondFinite:
		return all(func(x []element) bool { return x[0].finite() }, b.fact(c.L))
	case rules.CondFact:
		return all(func(x []element) bool { return x[0].n == 1 }, b.fact(c.L))
	case rules.CondSame:
		x, y := b.sides(c)
		return b.space.Same(x, y) || all(func(x []element) bool { return x[0] == x[1] }, &fact{ref: &x}, &fact{ref: &y})
	case rules.CondLiteral, rules.CondNotLiteral:
		return true // it may be one, or not
	case rules.CondType:
		if p := c.Of; p.Kind == rules.PDigits && p.Lit.Args[1].Args[0].Kind == rules.ADivisor {
			return true // the sizes of an instance fit, and whether a term divides by them decides nothing
		}
	case rules.CondInside:
		return b.indices(c, func(r slot.Ref, n int64, outside bool) bool {
			return all(func(x []element) bool { return (0 <= x[0].n && x[0].n < n) != outside }, &fact{ref: &r})
		})
	}
	return b.condition(c)
}

// element is an element of a term, or a number.
type element struct {
	n     int64
	r     float64
	whole bool // n says what r says, and exactly
}

func (x element) finite() bool { return x.whole || !math.IsNaN(x.r) && !math.IsInf(x.r, 0) }

// ordered compares two elements; NaN is in any order.
func ordered(op string, x, y element) bool {
	less, equal := x.r < y.r, x.r == y.r
	if x.whole && y.whole {
		less, equal = x.n < y.n, x.n == y.n
	} else if math.IsNaN(x.r) || math.IsNaN(y.r) {
		return true
	}
	switch op {
	case "<":
		return less
	case "<=":
		return less || equal
	}
	return !equal
}

// fact is a side of a comparison: a term, or a number.
type fact struct {
	ref    *slot.Ref
	number element
}

func (b *builder) fact(p *rules.Pattern) *fact {
	n, is, known := b.numeral(p)
	switch {
	case known:
		x := element{r: n.Float64()}
		x.n, x.whole = n.Int64()
		return &fact{number: x}
	case is:
		b.noValue("a symbolic size")
	}
	r := b.term(p, nil)
	return &fact{ref: &r}
}

// everywhere reports whether holds is true of the elements of arrays that belong
// together, for all values of the index variables. Arrays of one shape belong
// together element by element, others each with each. What has no value makes it
// false.
func everywhere(t Terms, env eval.Env[*eval.Value[float64]], fs []*fact, holds func([]element) bool) bool {
	var names []slot.Name
	var ranges []ops.VarType
	for _, f := range fs {
		if f.ref == nil {
			continue
		}
		for i, n := range f.ref.Args {
			if !slices.Contains(names, n) {
				names, ranges = append(names, n), append(ranges, t.Vars(*f.ref)[i])
			}
		}
	}
	runs := 1
	for _, r := range ranges {
		n, ok := r.Size.Const()
		if !ok {
			return false
		}
		runs *= int(n)
	}
	values := make([]*eval.Value[float64], len(fs))
	for i, f := range fs {
		if f.ref == nil {
			continue
		}
		closed := *f.ref
		for k := len(names) - 1; k >= 0; k-- {
			var err *ops.TypeError
			if closed, err = t.Make(ops.Op{Sym: ops.SymBuild, Sizes: []size.Size{ranges[k].Size}}, nil, names[k:k+1], []slot.Ref{closed}); err != nil {
				return false
			}
		}
		v, err := eval.Interpret(t.Store, closed, eval.FloatArrays(), env)
		if err != nil || v.Elem == types.NoElem {
			return false
		}
		values[i] = v
	}
	at := func(f int, k int) element {
		v := values[f]
		if v.Elem == types.R {
			return element{r: v.R[k]}
		}
		return element{v.N[k], float64(v.N[k]), true}
	}
	for run := range runs {
		block := func(f int) []element {
			if values[f] == nil {
				return []element{fs[f].number}
			}
			n := values[f].Len() / runs
			return slice.Make(n, func(k int) element { return at(f, run*n+k) })
		}
		xs := block(0)
		if len(fs) == 1 {
			if slices.ContainsFunc(xs, func(x element) bool { return !holds([]element{x}) }) {
				return false
			}
			continue
		}
		ys := block(1)
		together := fs[0].ref != nil && fs[1].ref != nil && slices.Equal(values[0].Shape, values[1].Shape)
		for i, x := range xs {
			for j, y := range ys {
				if (!together || i == j) && !holds([]element{x, y}) {
					return false
				}
			}
		}
	}
	return true
}
