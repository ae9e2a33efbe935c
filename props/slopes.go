package props

import (
	"fmt"
	"math"
	rng "math/rand/v2"
	"slices"
	"strings"

	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/linmap"
	"egad/rules/match"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// change is a change of the operands of a term, some of which stay: those are nil.
type change []*eval.Value[float64]

// differences tests the maps of a derivative rule against one-sided difference
// quotients of its left side: along axes of each operand, along all of them, and
// with all operands moving together. Where both quotients are finite the maps must
// be, and between them: at a kink any slope between those of the two sides will do.
func (b *caseBuilder) differences(s *match.Sides) (Skip, *Counterexample) {
	floats := linmap.Algebra[float64]{Arrays: eval.FloatArrays()}
	kids := b.s.Open(s.Lhs).Kids
	op := b.s.Op(s.Lhs)
	at := make([]*eval.Value[float64], len(kids)) // of the operands that move
	for i, k := range kids {
		t := b.s.Type(k)
		if b.s.Signature().Under(op, i) || !t.Differentiable() || t.Kind != types.KArray {
			continue
		}
		at[i] = raise.Must(eval.Interpret(b.s, k, floats, b.env()))
	}
	compared := 0
	maps := make(map[int]*eval.Value[float64])
	for _, d := range b.changes(at) {
		n, cex := b.difference(floats, s, at, maps, d)
		if cex != nil {
			return "", cex
		}
		compared += n
	}
	if compared == 0 {
		return SkipSlope, nil
	}
	return "", nil
}

// maxAxes is how many elements of an operand are moved alone.
const maxAxes = 4

// changes are those of one operand at a time and of all: dyadic, so that a step
// along them is exact.
func (b *caseBuilder) changes(at []*eval.Value[float64]) []change {
	var out []change
	add := func(operands []*eval.Value[float64], f func(j int) float64) {
		d := make(change, len(at))
		for i, x := range operands {
			if x != nil {
				d[i] = like(x, f)
			}
		}
		out = append(out, d)
	}
	ones := func(int) float64 { return 1 }
	moving := 0
	for i, x := range at {
		if x == nil || len(x.R) == 0 {
			continue
		}
		moving++
		from := b.c.stream(streamDirections, i)
		alone := make([]*eval.Value[float64], len(at))
		alone[i] = x
		for axis := range min(len(x.R), maxAxes) {
			if len(x.R) > maxAxes {
				axis = from.IntN(len(x.R))
			}
			add(alone, func(j int) float64 {
				if j == axis {
					return 1
				}
				return 0
			})
		}
		if len(x.R) > 1 {
			add(alone, ones)
			add(alone, func(int) float64 { return dyadic(from) })
		}
	}
	if moving > 1 {
		from := b.c.stream(streamDirections, len(at))
		add(at, ones)
		add(at, func(int) float64 { return dyadic(from) })
	}
	return out
}

// dyadic is a number from -1 to 1 in sixteenths.
func dyadic(from *rng.Rand) float64 { return float64(from.IntN(33)-16) / 16 }

// like is an array of the shape of x.
func like(x *eval.Value[float64], f func(j int) float64) *eval.Value[float64] {
	out := &eval.Value[float64]{Elem: types.R, Shape: x.Shape, R: make([]float64, len(x.R))}
	for j := range out.R {
		out.R[j] = f(j)
	}
	return out
}

// difference compares the sum of the maps of the operands that move, at x, with
// the slopes along a change, and counts the elements that it compared. What maps are is the
// same for all changes.
func (b *caseBuilder) difference(alg linmap.Algebra[float64], s *match.Sides, at []*eval.Value[float64], maps map[int]*eval.Value[float64], d change) (int, *Counterexample) {
	want := b.slopesOf(alg, s.Lhs, at, d, 0)
	if kink(want) {
		// What is linear on each side of a tie may be so in more than two ways: as ties
		// are broken in the order of the elements, or against it.
		for _, apart := range []float64{0x1p-10, -0x1p-10} {
			want = between(want, b.slopesOf(alg, s.Lhs, at, d, apart))
		}
	}
	env := b.env()
	// Without a map the derivative is zero.
	got := raise.Must(eval.Interpret(b.s, b.s.Zeros(b.s.Type(s.Lhs)), alg, env))
	var texts, says []string
	for i, dir := range d {
		if dir == nil {
			continue
		}
		if b.explain {
			says = append(says, fmt.Sprintf("change of operand %d = %s", i, showValue(dir, significant)))
		}
		m, ok := s.Maps[i]
		if !ok {
			texts = append(texts, "none")
			continue
		}
		name, by := fmt.Sprintf("direction %d", i), fmt.Sprintf("map %d", i)
		env[name] = dir
		env[by] = memo.Of(maps, i, func() *eval.Value[float64] { return raise.Must(eval.Interpret(b.s, m, alg, env)) })
		part := b.s.Apply(ops.SymLapply, b.s.Var(by, b.s.Type(m)), b.s.Var(name, b.s.Type(b.s.Open(s.Lhs).Kids[i])))
		accumulate(got, raise.Must(eval.Interpret(b.s, part, alg, env)))
		if b.explain {
			texts = append(texts, b.print(b.shown.Maps[i]))
		}
	}
	first, n := compareSlopes(got, want)
	if b.explain {
		b.said = Evaluation{
			Bindings: says,
			Left:     Side{"map", strings.Join(texts, " and "), showValue(got, significant)},
			Right:    Side{"slope", b.print(b.shown.Lhs), showValue(want, showSlope)},
		}
	}
	if first == "" {
		return n, nil
	}
	return n, &Counterexample{First: first}
}

// compareSlopes says in which element the changes by a map are not those by differences,
// "" if in none, and of how many elements something was learnt.
func compareSlopes(got *eval.Value[float64], want *eval.Value[slope]) (first string, compared int) {
	c := comparison[slope]{show: showSlope, same: func(a, w slope) agreement {
		switch {
		case !w.known:
			return notKnown
		case a.lo >= w.lo-w.noise && a.hi <= w.hi+w.noise:
			return agrees
		}
		return differs
	}}
	first = c.first(pointwise(got, func(x float64) slope { return slope{lo: x, hi: x, known: true} }), want, "")
	return strings.NewReplacer("on the left", "by the map", "on the right", "by differences").Replace(first), c.compared
}

// accumulate adds the reals of b to those of a.
func accumulate(a, b *eval.Value[float64]) {
	for i := range a.Parts {
		accumulate(a.Parts[i], b.Parts[i])
	}
	for i := range a.R {
		a.R[i] += b.R[i]
	}
}

// slope is what is known of a directional derivative: it is between two numbers,
// but for noise.
type slope struct {
	lo, hi, noise float64
	known         bool
}

func showSlope(a ...any) string {
	s := a[0].(slope)
	switch {
	case !s.known:
		return "not known"
	case s.hi-s.lo <= s.noise:
		return significant((s.lo + s.hi) / 2)
	}
	return significant(s.lo) + " to " + significant(s.hi)
}

// significant prints the digits of a difference quotient that mean something.
func significant(a ...any) string { return fmt.Sprintf("%.6g", a...) }

// pointwise applies f to the reals of a value.
func pointwise[S, T any](v *eval.Value[S], f func(S) T) *eval.Value[T] {
	out := &eval.Value[T]{Elem: v.Elem, Shape: v.Shape, N: v.N}
	for _, p := range v.Parts {
		out.Parts = append(out.Parts, pointwise(p, f))
	}
	for _, x := range v.R {
		out.R = append(out.R, f(x))
	}
	return out
}

// between joins slopes; they are known where both are. Where they
// agree but for noise there is no kink.
func between(below, above *eval.Value[slope]) *eval.Value[slope] {
	out := &eval.Value[slope]{Elem: below.Elem, Shape: below.Shape, N: below.N}
	for i := range below.Parts {
		out.Parts = append(out.Parts, between(below.Parts[i], above.Parts[i]))
	}
	for i, a := range below.R {
		c := above.R[i]
		out.R = append(out.R, slope{lo: min(a.lo, c.lo), hi: max(a.hi, c.hi), noise: max(a.noise, c.noise), known: a.known && c.known})
	}
	return out
}

// kink reports whether the slopes of both sides differ in an element.
func kink(v *eval.Value[slope]) bool {
	return slices.ContainsFunc(v.Parts, kink) || slices.ContainsFunc(v.R, func(s slope) bool { return s.known && s.hi-s.lo > s.noise })
}

// slopesOf are the derivatives of a term from below and from above as its operands
// move along a change from x, of which each element is moved apart from the one before.
func (b *caseBuilder) slopesOf(alg linmap.Algebra[float64], t term.Term, x []*eval.Value[float64], d change, apart float64) *eval.Value[slope] {
	v := b.s.Open(t)
	moved := func(i int) string { return fmt.Sprintf("moved %d", i) }
	for i := range d {
		if d[i] != nil {
			v.Kids[i] = b.s.Var(moved(i), b.s.Type(v.Kids[i]))
		}
	}
	all, err := b.s.Make(v.Op, v.Own, v.Binders, v.Kids)
	if err != nil {
		raise.Error(err)
	}
	env := b.env()
	return slopesAt(func(step float64) *eval.Value[float64] {
		for i := range d {
			if d[i] != nil {
				env[moved(i)] = like(x[i], func(j int) float64 { return x[i].R[j] + apart*float64(j) + step*d[i].R[j] })
			}
		}
		return raise.Must(eval.Interpret(b.s, all, alg, env))
	})
}

// slopesAt are the slopes of a function of one number at 0, from below and from above.
func slopesAt(of func(step float64) *eval.Value[float64]) *eval.Value[slope] {
	middle := of(0)
	sides := make([]*eval.Value[slope], 2)
	for i, sign := range []float64{-1, 1} {
		var steps []float64
		var values, twice []*eval.Value[float64]
		for _, h := range []float64{0x1p-20, 0x1p-14, 0x1p-8} {
			steps, values, twice = append(steps, sign*h), append(values, of(sign*h)), append(twice, of(2*sign*h))
		}
		sides[i] = oneSided(steps, middle, values, twice)
	}
	return between(sides[0], sides[1])
}

// oneSided is the slope in each element at the first step that the one after it
// agrees with.
func oneSided(steps []float64, middle *eval.Value[float64], values, twice []*eval.Value[float64]) *eval.Value[slope] {
	out := &eval.Value[slope]{Elem: middle.Elem, Shape: middle.Shape, N: make([]int64, len(middle.N))}
	part := func(vs []*eval.Value[float64], i int) []*eval.Value[float64] {
		return slice.Map(vs, func(v *eval.Value[float64]) *eval.Value[float64] { return v.Parts[i] })
	}
	for i := range middle.Parts {
		out.Parts = append(out.Parts, oneSided(steps, middle.Parts[i], part(values, i), part(twice, i)))
	}
	for i, y := range middle.R {
		quotient := func(k int) (q, noise float64) {
			u, w := values[k].R[i], twice[k].R[i]
			q = (-3*y + 4*u - w) / (2 * steps[k])
			size := math.Abs(y) + math.Abs(u) + math.Abs(w)
			return q, 16 * 0x1p-52 * size / math.Abs(steps[k])
		}
		s := slope{}
		for k := range len(steps) - 1 {
			q, noise := quotient(k)
			next, less := quotient(k + 1)
			if noise = noise + less + 2e-5*(1+math.Abs(q)); math.Abs(q-next) <= noise && noise <= 1e-2*(1+math.Abs(q)) {
				s = slope{lo: q, hi: q, noise: noise, known: true}
				break
			}
		}
		out.R = append(out.R, s)
	}
	return out
}
