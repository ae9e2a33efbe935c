package props

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"strings"

	"egad/linmap"
	"egad/rules"
	"egad/term"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// RuleResult is what testing a rule on random instances found.
type RuleResult struct {
	Rule    *rules.Rule
	Tested  int // instances on which both sides were evaluated
	Skipped int // instances that break a condition, or have no value to compare
	// Counterexample is the smallest failing instance found, nil if there is none.
	Counterexample *Counterexample
	Err            error // testing was not possible
}

// Counterexample is an instance on which the sides of a rule differ.
type Counterexample struct {
	Where    string // the metavariables and their values
	Lhs, Rhs string // both sides as terms
	Left     string // their values
	Right    string
	First    string // the first element that differs
}

func (c *Counterexample) String() string {
	return fmt.Sprintf("%s\n  left:  %s\n       = %s\n  right: %s\n       = %s\n  %s", c.Where, c.Lhs, c.Left, c.Rhs, c.Right, c.First)
}

// TestRule tests a rule on n random well-typed instances: both sides have the
// same value, bit for bit if the rule is exact, else over the rationals where
// the operators allow and within rounding where they do not. The maps of a
// derivative rule are tested against differences. Run twice with one seed it
// does the same.
func TestRule(sig *term.Signature, r *rules.Rule, n int, seed int64) *RuleResult {
	res := &RuleResult{Rule: r}
	var ins []*rules.Instance
	r.Instances(sig, func(in *rules.Instance) bool {
		ins = append(ins, in)
		return len(ins) < maxInstances
	})
	if len(ins) == 0 {
		res.Err = fmt.Errorf("no shapes give the left side a type")
		return res
	}
	var last *Counterexample
	check := func(c RuleCase) bool {
		out, cex, err := runRuleCase(sig, r, ins, c)
		switch {
		case err != nil:
			res.Err = err
			return false
		case !out:
			res.Skipped++
			return true
		case cex != nil:
			last = cex
			return false
		}
		res.Tested++
		return true
	}
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = n
	params.Workers = 1
	params.MaxShrinkCount = 400
	params.Rng = rand.New(rand.NewSource(seed))
	if got := prop.ForAll(check, genRuleCase(ins, r.Label == rules.Exact)).Check(params); got.Status == gopter.TestFailed || got.Status == gopter.TestError {
		res.Counterexample = last
		if got.Error != nil && res.Err == nil {
			res.Err = got.Error
		}
	}
	return res
}

// maxInstances bounds the shapes that random testing draws from.
const maxInstances = 3000

// runRuleCase evaluates both sides at a case. It is false if the case says
// nothing about the rule.
func runRuleCase(sig *term.Signature, r *rules.Rule, ins []*rules.Instance, c RuleCase) (counts bool, cex *Counterexample, err error) {
	in := ins[c.Instance]
	b := &caseBuilder{
		s: term.NewStore(sig), rng: rand.New(rand.NewSource(c.Seed)), c: c, in: in,
		sizes: c.sizes(in), positive: r.Nabla,
	}
	fixed, ok := in.At(b.sizes)
	if !ok {
		return false, nil, nil // a size comes out negative, or numbers of elements differ
	}
	b.in = fixed
	err = term.Guard(func() (err error) {
		sides, ok, err := fixed.Build(b.s, b.value)
		if err != nil || !ok {
			return err
		}
		holds, err := sides.Match.Holds(rules.Terms{Store: b.s})
		if err != nil || !holds {
			return err
		}
		counts = true
		if r.Nabla {
			counts, cex, err = b.differences(sides)
		} else {
			counts, cex, err = b.compare(r, sides)
		}
		return err
	})
	if _, big := err.(*term.Overflow); big {
		return false, nil, nil
	}
	return counts, cex, err
}

func (b *caseBuilder) env() term.Env[*term.Value[float64]] {
	env := make(term.Env[*term.Value[float64]])
	for _, l := range b.leaves {
		env[l.name] = l.value
	}
	return env
}

// compare evaluates both sides and compares.
func (b *caseBuilder) compare(r *rules.Rule, s *rules.Sides) (bool, *Counterexample, error) {
	if r.Label == rules.Real || mentionsLinear(b.s, s.Lhs) || mentionsLinear(b.s, s.Rhs) {
		if done, cex := b.compareRational(s); done {
			return true, cex, nil
		}
		if r.Label == rules.Exact {
			return false, nil, nil // linear maps over what is not rational
		}
		return b.compareRunning(s)
	}
	floats := linmap.Algebra[float64]{Arrays: term.FloatArrays()}
	x, err := term.Interpret(b.s, s.Lhs, floats, b.env())
	if err != nil {
		return false, nil, nil
	}
	y, err := term.Interpret(b.s, s.Rhs, floats, b.env())
	if err != nil {
		return false, nil, nil
	}
	cex := compareValues(b, s, x, y, func(a, c float64) bool {
		return math.Float64bits(a) == math.Float64bits(c) || math.IsNaN(a) && math.IsNaN(c)
	}, fmt.Sprint)
	return true, cex, nil
}

func mentionsLinear(s *term.Store, t term.Term) bool {
	found := false
	s.Walk(t, func(u term.Term) {
		o := s.Signature().Operator(s.Op(u).Sym)
		found = found || o.Linear || o.Sym == term.SymLapply
	})
	return found
}

// compareRational compares exactly; done is false if an operator or a value is
// not rational.
func (b *caseBuilder) compareRational(s *rules.Sides) (done bool, cex *Counterexample) {
	env := make(term.Env[*term.Value[*big.Rat]])
	for _, l := range b.leaves {
		v, ok := rational(l.value)
		if !ok {
			return false, nil
		}
		env[l.name] = v
	}
	rats := linmap.Algebra[*big.Rat]{Arrays: term.RationalArrays()}
	x, err := term.Interpret(b.s, s.Lhs, rats, env)
	if err != nil {
		return false, nil
	}
	y, err := term.Interpret(b.s, s.Rhs, rats, env)
	if err != nil {
		return false, nil
	}
	return true, compareValues(b, s, x, y, func(a, c *big.Rat) bool { return a.Cmp(c) == 0 },
		func(a ...any) string { return a[0].(*big.Rat).RatString() })
}

// rational converts finite floats, which are rational numbers.
func rational(v *term.Value[float64]) (*term.Value[*big.Rat], bool) {
	out := &term.Value[*big.Rat]{Elem: v.Elem, Shape: v.Shape, N: v.N}
	for _, x := range v.R {
		r := new(big.Rat).SetFloat64(x)
		if r == nil {
			return nil, false
		}
		out.R = append(out.R, r)
	}
	if v.Elem == term.R && out.R == nil {
		out.R = []*big.Rat{}
	}
	return out, true
}

// compareRunning compares floats within their error bounds. What is not finite
// on either side is left out: real rules assume finite operands.
func (b *caseBuilder) compareRunning(s *rules.Sides) (bool, *Counterexample, error) {
	env := make(term.Env[*term.Value[Bounded]])
	for _, l := range b.leaves {
		v := &term.Value[Bounded]{Elem: l.value.Elem, Shape: l.value.Shape, N: l.value.N, R: []Bounded{}}
		for _, x := range l.value.R {
			v.R = append(v.R, Bounded{V: x})
		}
		env[l.name] = v
	}
	alg := linmap.Algebra[Bounded]{Arrays: term.Arrays[Bounded]{Scalars: Running{}}}
	x, err := term.Interpret(b.s, s.Lhs, alg, env)
	if err != nil {
		return false, nil, nil
	}
	y, err := term.Interpret(b.s, s.Rhs, alg, env)
	if err != nil {
		return false, nil, nil
	}
	finite := func(a Bounded) bool {
		return !math.IsNaN(a.V) && !math.IsInf(a.V, 0) && !math.IsNaN(a.E) && !math.IsInf(a.E, 0)
	}
	counts := false
	cex := compareValues(b, s, x, y, func(a, c Bounded) bool {
		if !finite(a) || !finite(c) {
			return true
		}
		counts = true
		return math.Abs(a.V-c.V) <= a.E+c.E
	}, func(a ...any) string { return fmt.Sprint(a[0].(Bounded).V) })
	return counts, cex, nil
}

// compareValues finds the first element that differs.
func compareValues[S any](b *caseBuilder, s *rules.Sides, x, y *term.Value[S], same func(a, c S) bool, show func(...any) string) *Counterexample {
	first := firstDifference(x, y, same, show, "")
	if first == "" {
		return nil
	}
	pr := &term.Printer{Store: b.s}
	return &Counterexample{
		Where: b.describe(), First: first,
		Lhs: oneLine(pr.Term(s.Lhs)), Rhs: oneLine(pr.Term(s.Rhs)),
		Left: showValue(x, show), Right: showValue(y, show),
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// firstDifference describes the first element that differs, "" if there is none.
func firstDifference[S any](x, y *term.Value[S], same func(a, c S) bool, show func(...any) string, at string) string {
	if m, ok := x.Map.(*linmap.Matrix[S]); ok {
		n := y.Map.(*linmap.Matrix[S])
		if m.Rows != n.Rows || m.Cols != n.Cols {
			return fmt.Sprintf("matrices of %d × %d and %d × %d", m.Rows, m.Cols, n.Rows, n.Cols)
		}
		for i := range m.At {
			if !same(m.At[i], n.At[i]) {
				return fmt.Sprintf("entry (%d, %d) is %s on the left and %s on the right", i/m.Cols, i%m.Cols, show(m.At[i]), show(n.At[i]))
			}
		}
		return ""
	}
	if x.Parts != nil {
		for i := range x.Parts {
			if d := firstDifference(x.Parts[i], y.Parts[i], same, show, fmt.Sprintf("%s.%d", at, i)); d != "" {
				return d
			}
		}
		return ""
	}
	if x.Len() != y.Len() {
		return fmt.Sprintf("%d elements on the left and %d on the right", x.Len(), y.Len())
	}
	for i := range x.Len() {
		if x.Elem == term.R && !same(x.R[i], y.R[i]) {
			return fmt.Sprintf("element %s%v is %s on the left and %s on the right", at, position(x.Shape, i), show(x.R[i]), show(y.R[i]))
		}
		if x.Elem != term.R && x.N[i] != y.N[i] {
			return fmt.Sprintf("element %s%v is %d on the left and %d on the right", at, position(x.Shape, i), x.N[i], y.N[i])
		}
	}
	return ""
}

// position is the index of element number i.
func position(shape []int, i int) []int {
	ix := make([]int, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		ix[k] = i % shape[k]
		i /= shape[k]
	}
	return ix
}

// showValue prints a value on a line.
func showValue[S any](v *term.Value[S], show func(...any) string) string {
	if m, ok := v.Map.(*linmap.Matrix[S]); ok {
		v = &term.Value[S]{Elem: term.R, Shape: []int{m.Rows, m.Cols}, R: m.At}
	}
	if v.Parts != nil {
		parts := make([]string, len(v.Parts))
		for i, p := range v.Parts {
			parts[i] = showValue(p, show)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	var nest func(shape []int, from, n int) string
	nest = func(shape []int, from, n int) string {
		if len(shape) == 0 {
			switch {
			case v.Elem == term.R:
				return show(v.R[from])
			case v.Elem == term.B:
				return fmt.Sprint(v.N[from] != 0)
			}
			return fmt.Sprint(v.N[from])
		}
		parts := make([]string, shape[0])
		step := 0
		if shape[0] > 0 {
			step = n / shape[0]
		}
		for i := range parts {
			parts[i] = nest(shape[1:], from+i*step, step)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return nest(v.Shape, 0, v.Len())
}

// describe lists the inputs of a case.
func (b *caseBuilder) describe() string {
	var parts []string
	for _, l := range b.leaves {
		parts = append(parts, fmt.Sprintf("%s : %s = %s", l.name, l.typ, showValue(l.value, fmt.Sprint)))
	}
	if len(parts) == 0 {
		return "for all inputs"
	}
	return "with " + strings.Join(parts, ", ")
}

// differences tests the maps of a derivative rule against central differences
// of its left side.
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
		for j := range dir.R {
			dir.R[j] = b.rng.Float64()*2 - 1
		}
		want, err := b.quotient(floats, s.Lhs, i, x, dir)
		if err != nil {
			return false, nil, err
		}
		env := b.env()
		env["direction"] = dir
		var got *term.Value[float64]
		if m, ok := s.Maps[i]; ok {
			applied := b.s.Apply(term.SymLapply, m, b.s.Var("direction", t))
			if got, err = term.Interpret(b.s, applied, floats, env); err != nil {
				return false, nil, err
			}
		} else { // no map: the derivative is zero
			zero, err := term.Interpret(b.s, b.s.Zeros(b.s.Type(s.Lhs)), floats, env)
			if err != nil {
				return false, nil, err
			}
			got = zero
		}
		counts = true
		cex := compareValues(b, &rules.Sides{Lhs: s.Lhs, Rhs: s.Lhs}, got, want, func(a, c float64) bool {
			return math.Abs(a-c) <= 1e-5*(1+math.Abs(a)+math.Abs(c)) || math.IsNaN(c)
		}, fmt.Sprint)
		if cex != nil {
			cex.First = fmt.Sprintf("the map of operand %d: %s (left: the map, right: the difference quotient)", i, cex.First)
			return true, cex, nil
		}
	}
	return counts, nil, nil
}

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
