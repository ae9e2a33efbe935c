package props

import (
	"fmt"
	"math"
	"strings"

	"egad/linmap"
	"egad/rules"
	"egad/term"
)

// differences tests the maps of a derivative rule against central differences
// of its left side: along a random direction, and if that fails along each axis.
func (b *caseBuilder) differences(s *rules.Sides) (bool, *Counterexample, error) {
	floats := linmap.Algebra[float64]{Arrays: term.FloatArrays()}
	kids := b.s.Open(s.Lhs).Kids
	op := b.s.Op(s.Lhs)
	counts := false
	for i, k := range kids {
		t := b.s.Type(k)
		if op.Under(i) || !t.Differentiable() || t.Kind != term.KArray {
			continue
		}
		x, err := term.Interpret(b.s, k, floats, b.env())
		if err != nil {
			return false, nil, err
		}
		dir := &term.Value[float64]{Elem: term.R, Shape: x.Shape, R: make([]float64, len(x.R))}
		from := b.c.stream(streamDirections, i)
		for j := range dir.R {
			dir.R[j] = from.Float64()*2 - 1
		}
		cex, err := b.difference(floats, s, i, x, dir)
		if err != nil {
			return false, nil, err
		}
		if counts = true; cex == nil {
			continue
		}
		for j := range dir.R {
			unit := &term.Value[float64]{Elem: term.R, Shape: x.Shape, R: make([]float64, len(x.R))}
			unit.R[j] = 1
			if simple, err := b.difference(floats, s, i, x, unit); err == nil && simple != nil {
				return true, simple, nil
			}
		}
		return true, cex, nil
	}
	return counts, nil, nil
}

// difference compares the map of operand i, at x, with the difference quotient
// along a direction.
func (b *caseBuilder) difference(alg linmap.Algebra[float64], s *rules.Sides, i int, x, dir *term.Value[float64]) (*Counterexample, error) {
	want, err := b.quotient(alg, s.Lhs, i, x, dir)
	if err != nil {
		return nil, err
	}
	env := b.env()
	env["direction"] = dir
	// Without a map the derivative is zero.
	applied := b.s.Zeros(b.s.Type(s.Lhs))
	if m, ok := s.Maps[i]; ok {
		t := b.s.Type(b.s.Open(s.Lhs).Kids[i])
		applied = b.s.Apply(term.SymLapply, m, b.s.Var("direction", t))
	}
	got, err := term.Interpret(b.s, applied, alg, env)
	if err != nil {
		return nil, err
	}
	first := firstDifference(got, want, func(a, c float64) bool {
		return math.Abs(a-c) <= 1e-5*(1+math.Abs(a)+math.Abs(c)) || math.IsNaN(c)
	}, significant, "")
	if b.explain {
		text := "none"
		if m, ok := b.shown.Maps[i]; ok {
			text = b.print(m)
		}
		b.said = Evaluation{
			Bindings: []string{fmt.Sprintf("change of operand %d = %s", i, showValue(dir, significant))},
			Left:     Side{"map", text, showValue(got, significant)},
			Right:    Side{"slope", b.print(b.shown.Lhs), showValue(want, significant)},
		}
	}
	if first == "" {
		return nil, nil
	}
	first = strings.NewReplacer("on the left", "by the map", "on the right", "by differences").Replace(first)
	return &Counterexample{First: first}, nil
}

// significant prints the digits of a difference quotient that mean something.
func significant(a ...any) string { return fmt.Sprintf("%.6g", a...) }

// quotient is the derivative of a term as its operand i moves from x along dir,
// by differences; NaN where two steps do not agree, as near a pole.
func (b *caseBuilder) quotient(alg linmap.Algebra[float64], t term.Term, i int, x, dir *term.Value[float64]) (*term.Value[float64], error) {
	at := func(step float64) (*term.Value[float64], error) {
		moved := &term.Value[float64]{Elem: term.R, Shape: x.Shape, R: make([]float64, len(x.R))}
		for j := range moved.R {
			moved.R[j] = x.R[j] + step*dir.R[j]
		}
		env := b.env()
		env["moved"] = moved
		v := b.s.Open(t)
		v.Kids[i] = b.s.Var("moved", b.s.Type(v.Kids[i]))
		u, terr := b.s.Make(v.Op, v.Own, v.Binders, v.Kids)
		if terr != nil {
			return nil, terr
		}
		return term.Interpret(b.s, u, alg, env)
	}
	var out [2]*term.Value[float64]
	for k, h := range []float64{1e-5, 1e-6} {
		up, err := at(h)
		if err != nil {
			return nil, err
		}
		down, err := at(-h)
		if err != nil {
			return nil, err
		}
		out[k] = central(up, down, 2*h)
	}
	agree(out[1], out[0])
	return out[1], nil
}

// agree replaces elements of a that are not close to those of b by NaN.
func agree(a, b *term.Value[float64]) {
	for i := range a.Parts {
		agree(a.Parts[i], b.Parts[i])
	}
	for i := range a.R {
		if !(math.Abs(a.R[i]-b.R[i]) <= 1e-6*(1+math.Abs(a.R[i]))) {
			a.R[i] = math.NaN()
		}
	}
}

// central is the difference quotient of two values, on tuples part by part;
// integers and truth values do not change.
func central(a, b *term.Value[float64], h float64) *term.Value[float64] {
	out := &term.Value[float64]{Elem: a.Elem, Shape: a.Shape, N: make([]int64, len(a.N))}
	for i := range a.Parts {
		out.Parts = append(out.Parts, central(a.Parts[i], b.Parts[i], h))
	}
	for i := range a.R {
		out.R = append(out.R, (a.R[i]-b.R[i])/h)
	}
	return out
}
