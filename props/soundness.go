package props

import (
	"cmp"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"time"

	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/internal/values"
	"egad/linmap"
	"egad/rules"
	"egad/rules/lint"
	"egad/rules/match"
	"egad/rules/typing"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Skip is why a random instance says nothing about a rule.
type Skip string

// The reasons.
const (
	SkipSize      Skip = "sizes that do not fit"
	SkipCondition Skip = "a condition does not hold"
	SkipNoValue   Skip = "the right side has no value"
	SkipEmpty     Skip = "no elements"
	SkipNoNumber  Skip = "the left side is no number"
	SkipRounding  Skip = "rounding decides"
	SkipSlope     Skip = "no slope"
	SkipLarge     Skip = "too large to evaluate"
)

// ruleResult is what testing a rule on random instances found.
type ruleResult struct {
	Tested  int          // instances on which elements of both sides were compared
	Skipped map[Skip]int // other instances
	// Counterexample is the smallest failing instance found, nil if there is none.
	Counterexample *Counterexample
	Late           bool  // the time was over before so many instances were tested
	Err            error // testing was not possible
}

// extremeShare says which part of the instances of a rule that keeps all float64 have but few values, at which
// they are no numbers: a rule about one of them may be wrong of -0 alone.
const extremeShare = 5

// cornerTries bounds the cases, of which every second one is at a corner, after which it is left if none there has
// said anything.
const cornerTries = 6

// maxAttempts bounds the random instances that are made for each that shall be
// tested, and fewAttempts those after which one must have been.
const maxAttempts, fewAttempts = 20, 4000

// testRule tests a rule until n random well-typed instances of the shapes ins have
// been compared: both sides have the same value, bit for bit if the rule is exact,
// else as numbers as docs/rules.md says. The maps of a derivative rule are compared
// with one-sided difference quotients. It ends at the deadline if there is
// one. Run twice with one seed, and not ended by the deadline, it does the same.
func testRule(sig *term.Signature, r *rules.Rule, ins []*typing.Instance, n int, seed int64, deadline time.Time) *ruleResult {
	res := &ruleResult{Skipped: make(map[Skip]int)}
	if len(ins) == 0 {
		res.Err = fmt.Errorf("no shapes give the left side a type")
		return res
	}
	from := rand.New(rand.NewSource(seed))
	d := drawingOf(sig, r, ins)
	corners, tries := d.corners.all, 0
	var sign *RuleCase     // the first that fails, if nothing is found in which more than the sign of a 0 differs
	never := lint.Never(r) // of numbers: NaN is in any order
	for attempts := 0; res.Tested < n && attempts < maxAttempts*(n+100); attempts++ {
		if attempts == fewAttempts && res.Tested == 0 {
			break
		}
		if !deadline.IsZero() && time.Now().After(deadline) || interrupt.Requested() {
			res.Late = true
			break
		}
		var c RuleCase
		cornered := attempts%2 == 0 && len(corners) > 0
		if cornered {
			c = d.drawCorner(from, corners[0])
		} else {
			c = d.draw(from)
		}
		if d.modes == values.Wild && res.Tested >= n-n/extremeShare && attempts%4 != 0 {
			c.Modes = slices.Repeat([]values.Mode{values.Extreme}, maxLeaves)
		}
		got := outcome{skip: SkipCondition}
		if !never {
			got = evaluateRuleCase(sig, r, ins, c, false)
		}
		if tries++; cornered && (got.skip == "" || tries >= cornerTries) {
			corners, tries = corners[1:], 0
		}
		switch {
		case got.err != nil:
			res.Err = got.err
			return res
		case got.cex != nil:
			more := c
			more.unsigned = true
			if evaluateRuleCase(sig, r, ins, more, false).cex != nil {
				res.Counterexample = d.smallest(sig, r, more, from)
				return res
			}
			if sign == nil {
				sign = &c
			}
			res.Tested++
		case got.skip != "":
			res.Skipped[got.skip]++
		default:
			res.Tested++
		}
	}
	if sign != nil {
		res.Counterexample = d.smallest(sig, r, *sign, from)
	}
	return res
}

// lower is a case that fails of an instance with fewer axes than that of c, or as many and
// fewer operands, or c if none is found. If carry is set, values of c, which may be rare, are
// given to its leaves, and it may also be one with as many, and fewer elements.
func (d drawing) lower(sig *term.Signature, r *rules.Rule, c RuleCase, from *rand.Rand, carry bool) RuleCase {
	less := func(i, j int) int {
		x, y := d.ins[i], d.ins[j]
		return cmp.Or(len(x.Sizes())-len(y.Sizes()), len(x.Terms)-len(y.Terms))
	}
	order := slice.Make(len(d.ins), func(i int) int { return i })
	slices.SortStableFunc(order, less)
	for _, i := range order[:min(len(order), lowInstances)] {
		as := less(i, c.Instance)
		if as > 0 || as == 0 && !carry {
			break
		}
		for range lowTries {
			e := d.drawOf(from, i)
			e.unsigned = c.unsigned
			got := evaluateRuleCase(sig, r, d.ins, e, false)
			if as == 0 && (e.made.elements() >= c.made.elements() || slices.Contains(e.Sizes, 0)) {
				continue // without elements it would say less
			}
			for try := 0; carry && try < lowTries && got.cex == nil; try++ {
				e.Set = c.made.given(e.made, from)
				got = evaluateRuleCase(sig, r, d.ins, e, false)
			}
			if got.err == nil && got.cex != nil {
				return e
			}
		}
	}
	return c
}

// elements is how many elements the leaves have.
func (m *made) elements() int {
	return slice.Sum(m.leaves, func(l leaf) int { return len(l.value.R) + len(l.value.N) })
}

// given gives about half of the elements of the leaves of to values of m, whatever leaf has
// them: one that m has often is as likely as one that is rare. The others are as they are, also
// if a leaf that is equal to one before becomes another one.
func (m *made) given(to *made, from *rand.Rand) (out []setting) {
	var reals []float64
	wholes := make(map[types.Elem][]int64)
	for _, l := range m.leaves {
		for _, x := range l.value.R {
			if !slices.ContainsFunc(reals, func(y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
				reals = append(reals, x)
			}
		}
		for _, n := range l.value.N {
			if e := l.value.Elem; !slices.Contains(wholes[e], n) {
				wholes[e] = append(wholes[e], n)
			}
		}
	}
	for k, l := range to.leaves {
		for i, x := range l.value.R {
			if len(reals) > 0 && from.Intn(2) == 0 {
				x = reals[from.Intn(len(reals))]
			}
			out = append(out, setting{leaf: k, elem: i, real: x})
		}
		for i, n := range l.value.N {
			if ns := wholes[l.value.Elem]; len(ns) > 0 && from.Intn(2) == 0 {
				n = ns[from.Intn(len(ns))]
			}
			out = append(out, setting{leaf: k, elem: i, whole: n})
		}
	}
	return out
}

// lowInstances bounds the instances in which a simpler counterexample is looked
// for, lowTries the cases of each, and how often these are given other values.
const lowInstances, lowTries = 40, 8

// smallest is the simplest case that is found to fail as c does.
func (d drawing) smallest(sig *term.Signature, r *rules.Rule, c RuleCase, from *rand.Rand) *Counterexample {
	for _, carry := range []bool{false, true} { // when it has been shrunk it has few values to carry
		c = shrunk(sig, r, d.ins, d.lower(sig, r, c, from, carry))
	}
	got := evaluateRuleCase(sig, r, d.ins, c, true)
	got.cex.Evaluation = *got.said
	return got.cex
}

// shrunk makes a case that fails simpler as long as it fails.
func shrunk(sig *term.Signature, r *rules.Rule, ins []*typing.Instance, c RuleCase) RuleCase {
	next := shrinkRuleCase(c, ins)
	for range maxShrinks {
		v, ok := next()
		if !ok || interrupt.Requested() {
			break
		}
		d := v.(RuleCase)
		if got := evaluateRuleCase(sig, r, ins, d, false); got.err == nil && got.cex != nil {
			c, next = d, shrinkRuleCase(d, ins)
		}
	}
	return c
}

// shownElements bounds the arrays, and the matrices of maps, of an instance that is
// shown: a larger one would take long, and nobody would read it.
const shownElements = 500

// RuleInstance evaluates a rule at an instance of moderate size, of one of the
// shapes ins; nil if none is found. It does the same whenever it is run.
func RuleInstance(sig *term.Signature, r *rules.Rule, ins []*typing.Instance) *Evaluation {
	if len(ins) == 0 {
		return nil
	}
	from := rand.New(rand.NewSource(1))
	d := drawingOf(sig, r, ins)
	var some *Evaluation
	for range 400 {
		c := d.drawOf(from, from.Intn(1+from.Intn(len(ins)))) // low ranks more often
		for i := range c.Sizes {
			c.Sizes[i] = 2 + int64(from.Intn(2))
		}
		for i := range c.Modes {
			c.Modes[i] = values.Small
		}
		c.Most = shownElements
		if in, ok := ins[c.Instance].At(c.sizes(ins[c.Instance])); !ok || in.Largest() > shownElements {
			continue
		}
		got := evaluateRuleCase(sig, r, ins, c, true)
		if got.skip != "" || got.cex != nil || got.err != nil {
			continue
		}
		some = got.said
		if n := strings.Count(some.Left.Value, ","); 0 < n && n < 10 && len(some.String()) < 600 {
			break
		}
	}
	return some
}

// maxShrinks bounds the cases that shrinking tries.
const maxShrinks = 5000

// outcome is what evaluating both sides at a case says.
type outcome struct {
	skip Skip // why it says nothing, or ""
	cex  *Counterexample
	said *Evaluation // what was evaluated, if it was asked for
	err  error
}

// evaluateRuleCase evaluates both sides at a case, and keeps what it evaluated if
// explain is set.
func evaluateRuleCase(sig *term.Signature, r *rules.Rule, ins []*typing.Instance, c RuleCase, explain bool) (out outcome) {
	in := ins[c.Instance]
	b := &caseBuilder{
		made: c.made, s: term.NewStore(sig), c: c, in: in, sizes: c.sizes(in), explain: explain, slopes: r.Nabla, regular: regularRule(sig, r),
	}
	*b.made = made{}
	fixed, ok := in.At(b.sizes)
	if !ok {
		return outcome{skip: SkipSize} // a size comes out negative, or numbers of elements differ
	}
	if !b.constants(fixed) {
		return outcome{skip: SkipCondition}
	}
	b.in = fixed
	if len(r.Conds)+len(r.Assumes) > 0 {
		b.wanted = fixed.Wanted(sig)
	}
	out.said = &b.said
	out.err = overflow.Guard(func() (err error) {
		defer raise.Caught(&err)
		sides, ok, err := fixed.Build(b.s, b.value)
		if err != nil || !ok {
			out.skip = SkipNoValue
			return err
		}
		holds, err := sides.Match.HoldsAt(match.Terms{Store: b.s}, b.env())
		if err != nil || !holds {
			out.skip = SkipCondition
			return err
		}
		if c.Most > 0 && typing.Largest(sides, b.s) > c.Most {
			out.skip = SkipLarge
			return nil
		}
		if b.explain {
			b.shown = b.readable(sides)
		}
		if r.Nabla {
			out.skip, out.cex = b.differences(sides)
		} else {
			out.skip, out.cex = b.compare(r, sides)
			if out.skip == "" && out.cex == nil {
				out.cex = b.held(r, sides)
			}
		}
		if explain {
			b.said.Bindings = append(b.describe(), b.said.Bindings...)
		}
		return nil
	})
	if _, big := out.err.(*overflow.Error); big {
		return outcome{skip: SkipLarge}
	}
	return out
}

func (b *caseBuilder) env() eval.Env[*eval.Value[float64]] {
	env := make(eval.Env[*eval.Value[float64]])
	for _, l := range b.leaves {
		env[l.name] = l.value
	}
	return env
}

// compare evaluates both sides and compares.
func (b *caseBuilder) compare(r *rules.Rule, s *match.Sides) (Skip, *Counterexample) {
	if r.Label == rules.Real || mentionsLinear(b.s, s.Lhs) || mentionsLinear(b.s, s.Rhs) {
		return b.compareNumbers(s)
	}
	floats := linmap.Algebra[float64]{Arrays: eval.FloatArrays()}
	x, err := eval.Interpret(b.s, s.Lhs, floats, b.env())
	if err != nil {
		return SkipLarge, nil
	}
	y, err := eval.Interpret(b.s, s.Rhs, floats, b.env())
	if err != nil {
		return withoutRight(b, x, err, fmt.Sprint)
	}
	compared, cex := compareValues(b, x, y, func(a, c float64) agreement {
		if math.Float64bits(a) == math.Float64bits(c) || math.IsNaN(a) && math.IsNaN(c) || b.c.unsigned && a == c {
			return agrees
		}
		return differs
	}, fmt.Sprint)
	if compared == 0 && cex == nil {
		return SkipEmpty, nil
	}
	return "", cex
}

// withoutRight is what an instance says of which the left side has the value x and the
// right side none: where a loop may not make its steps, the rule is wrong.
func withoutRight[S any](b *caseBuilder, x *eval.Value[S], err error, show func(...any) string) (Skip, *Counterexample) {
	if _, steps := err.(*ops.StepsError); !steps {
		return SkipLarge, nil
	}
	if elements, _ := compareValues(b, x, x, func(a, c S) agreement { return agrees }, show); elements == 0 {
		return SkipEmpty, nil
	}
	if b.explain {
		b.said = Evaluation{
			Left:  Side{"left", b.print(b.shown.Lhs), showValue(x, show)},
			Right: Side{"right", b.print(b.shown.Rhs), "no value: " + err.Error()},
		}
	}
	return "", &Counterexample{First: "the right side has no value: " + err.Error()}
}

func mentionsLinear(s *term.Store, t term.Term) bool {
	return s.Contains(t, func(u term.Term) bool {
		o := s.Signature().Operator(s.Op(u).Sym)
		return o.Linear || o.Sym == ops.SymLapply || o.Sym == ops.SymLreached
	})
}

// compareNumbers compares exactly what is rational, and the rest within its
// errors.
func (b *caseBuilder) compareNumbers(s *match.Sides) (Skip, *Counterexample) {
	env := make(eval.Env[*eval.Value[Number]])
	for _, l := range b.leaves {
		v := &eval.Value[Number]{Elem: l.value.Elem, Shape: l.value.Shape, N: l.value.N, R: []Number{}}
		for _, x := range l.value.R {
			v.R = append(v.R, numberOf(x))
		}
		env[l.name] = v
	}
	unsure := false
	alg := linmap.Algebra[Number]{Arrays: eval.Arrays[Number]{Scalars: Running{Unsure: &unsure}}}
	x, err := eval.Interpret(b.s, s.Lhs, alg, env)
	if err != nil {
		return SkipLarge, nil
	}
	show := func(a ...any) string { return a[0].(Number).String() }
	y, err := eval.Interpret(b.s, s.Rhs, alg, env)
	if err != nil {
		return withoutRight(b, x, err, show)
	}
	none := SkipEmpty
	compared, cex := compareValues(b, x, y, func(a, c Number) agreement {
		got := a.agree(c)
		if got == noNumber || got == notKnown {
			none = SkipNoNumber
		}
		return got
	}, show)
	switch {
	case cex != nil && unsure:
		return SkipRounding, nil
	case compared == 0 && cex == nil:
		return none, nil
	}
	return "", cex
}
