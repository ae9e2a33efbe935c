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

// TestRule tests a rule on n random well-typed instances, of the shapes ins: both
// sides have the same value, bit for bit if the rule is exact, else over the rationals where
// the operators allow and within rounding where they do not. The maps of a
// derivative rule are tested against differences. Run twice with one seed it
// does the same.
func TestRule(sig *term.Signature, r *rules.Rule, ins []*rules.Instance, n int, seed int64) *RuleResult {
	res := &RuleResult{Rule: r}
	if len(ins) == 0 {
		res.Err = fmt.Errorf("no shapes give the left side a type")
		return res
	}
	var last *RuleCase // the smallest that fails so far
	shrinks := 0
	check := func(c RuleCase) bool {
		shrinking := last != nil || res.Err != nil
		if shrinking {
			if shrinks++; shrinks > maxShrinks || res.Err != nil {
				return true
			}
		}
		counts, cex, err := runRuleCase(sig, r, ins, c)
		switch {
		case err != nil:
			if !shrinking {
				res.Err = err
			}
			return last != nil
		case cex != nil:
			last = &c
			return false
		case shrinking:
		case !counts:
			res.Skipped++
		default:
			res.Tested++
		}
		return true
	}
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = n
	params.Workers = 1
	params.MaxShrinkCount = 400
	params.Rng = rand.New(rand.NewSource(seed))
	if got := prop.ForAll(check, genRuleCase(ins, r.Label == rules.Exact)).Check(params); got.Status == gopter.TestFailed || got.Status == gopter.TestError {
		if last != nil {
			_, cex, said, _ := evaluateRuleCase(sig, r, ins, *last, true)
			cex.Evaluation = *said
			res.Counterexample = cex
		}
		if got.Error != nil && res.Err == nil {
			res.Err = got.Error
		}
	}
	return res
}

// RuleInstance evaluates a rule at an instance of moderate size, of one of the
// shapes ins; nil if none is found. It does the same whenever it is run.
func RuleInstance(sig *term.Signature, r *rules.Rule, ins []*rules.Instance) *Evaluation {
	if len(ins) == 0 {
		return nil
	}
	from := rand.New(rand.NewSource(1))
	var some *Evaluation
	for range 200 {
		c := randomRuleCase(from, ins, false)
		for i := range c.Sizes {
			c.Sizes[i] = 2 + int64(from.Intn(2))
		}
		for i := range c.Modes {
			c.Modes[i] = Small
		}
		counts, cex, said, err := evaluateRuleCase(sig, r, ins, c, true)
		if !counts || cex != nil || err != nil {
			continue
		}
		some = said
		if n := strings.Count(some.Left.Value, ","); 0 < n && n < 10 && len(some.String()) < 600 {
			break
		}
	}
	return some
}

// maxShrinks bounds the cases that shrinking tries.
const maxShrinks = 5000

// runRuleCase evaluates both sides at a case. It is false if the case says
// nothing about the rule.
func runRuleCase(sig *term.Signature, r *rules.Rule, ins []*rules.Instance, c RuleCase) (counts bool, cex *Counterexample, err error) {
	counts, cex, _, err = evaluateRuleCase(sig, r, ins, c, false)
	return counts, cex, err
}

// evaluateRuleCase is runRuleCase, with what it evaluated if explain is set.
func evaluateRuleCase(sig *term.Signature, r *rules.Rule, ins []*rules.Instance, c RuleCase, explain bool) (counts bool, cex *Counterexample, said *Evaluation, err error) {
	in := ins[c.Instance]
	b := &caseBuilder{
		made: c.made, s: term.NewStore(sig), c: c, in: in, sizes: c.sizes(in), explain: explain,
	}
	*b.made = made{smooth: r.Nabla}
	fixed, ok := in.At(b.sizes)
	if !ok {
		return false, nil, nil, nil // a size comes out negative, or numbers of elements differ
	}
	b.in = fixed
	err = term.Guard(func() (err error) {
		sides, ok, err := fixed.Build(b.s, b.value)
		if err != nil || !ok {
			return err
		}
		holds, err := sides.Match.HoldsAt(rules.Terms{Store: b.s}, b.env())
		if err != nil || !holds {
			return err
		}
		counts = true
		if b.explain {
			b.shown = b.readable(sides)
		}
		if r.Nabla {
			counts, cex, err = b.differences(sides)
		} else {
			counts, cex, err = b.compare(r, sides)
		}
		if explain {
			b.said.Bindings = append(b.describe(), b.said.Bindings...)
		}
		return err
	})
	if _, big := err.(*term.Overflow); big {
		return false, nil, nil, nil
	}
	return counts, cex, &b.said, err
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
	cex := compareValues(b, x, y, func(a, c float64) bool {
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
	return true, compareValues(b, x, y, func(a, c *big.Rat) bool { return a.Cmp(c) == 0 },
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
	cex := compareValues(b, x, y, func(a, c Bounded) bool {
		if !finite(a) || !finite(c) {
			return true
		}
		counts = true
		return math.Abs(a.V-c.V) <= a.E+c.E
	}, func(a ...any) string { return fmt.Sprint(a[0].(Bounded).V) })
	return counts, cex, nil
}
