// Package props holds the properties that must hold of all terms, as generators
// of random well-typed cases with shrinkers and as the checks themselves. The
// same code serves `go test` and the command for rule authors.
package props

import (
	"fmt"
	"math"
	"math/rand"
	"slices"

	"egad/rules"
	"egad/slot"
	"egad/term"

	"github.com/leanovate/gopter"
)

// RuleCase is a random instance of a rule: shapes, and how values are made.
type RuleCase struct {
	Instance int     // which of the rule's instances; early ones have low ranks
	Sizes    []int64 // of the instance's size symbols
	Seed     int64   // of the values
	Modes    []Mode  // by leaf: how wild its values are
}

// Mode says how the values of a leaf are made; lower is simpler.
type Mode uint8

// The modes.
const (
	Counting Mode = iota // 1, 2, 3, …
	Small                // small whole numbers, with 0 and repetitions
	Dyadic               // halves and quarters of both signs
	Wild                 // exact rules: any float64, with NaN, infinities and -0
)

// maxLeaves is how many leaves have a mode of their own.
const maxLeaves = 12

// genRuleCase makes cases for a rule with the given instances.
func genRuleCase(ins []*rules.Instance, exact bool) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		c := randomRuleCase(p.Rng, ins, exact)
		r := gopter.NewGenResult(c, func(v any) gopter.Shrink { return shrinkRuleCase(v.(RuleCase), ins) })
		return r
	}
}

func randomRuleCase(rng *rand.Rand, ins []*rules.Instance, exact bool) RuleCase {
	c := RuleCase{Instance: rng.Intn(len(ins)), Seed: rng.Int63()}
	in := ins[c.Instance]
	for range 40 { // shapes that must have equally many elements are met by luck
		c.Sizes = c.Sizes[:0]
		for range in.Sizes() {
			// 0 is rare: most of what an instance says is about elements.
			c.Sizes = append(c.Sizes, []int64{0, 1, 1, 2, 2, 2, 3, 3, 4}[rng.Intn(9)])
		}
		if _, ok := in.At(c.sizes(in)); ok {
			break
		}
	}
	modes := 3
	if exact {
		modes = 4
	}
	for range maxLeaves {
		c.Modes = append(c.Modes, Mode(rng.Intn(modes)))
	}
	return c
}

// sizes gives the size symbols their values.
func (c RuleCase) sizes(in *rules.Instance) map[string]term.Size {
	out := make(map[string]term.Size)
	for i, name := range in.Sizes() {
		out[name] = term.SizeConst(c.Sizes[i])
	}
	return out
}

// shrinkRuleCase tries earlier instances, smaller sizes and simpler values.
func shrinkRuleCase(c RuleCase, ins []*rules.Instance) gopter.Shrink {
	var out []RuleCase
	add := func(f func(d *RuleCase)) {
		d := c
		d.Sizes, d.Modes = slices.Clone(c.Sizes), slices.Clone(c.Modes)
		f(&d)
		out = append(out, d)
	}
	for _, i := range []int{0, c.Instance / 4, c.Instance / 2, c.Instance - 1} {
		if i >= 0 && i < c.Instance {
			add(func(d *RuleCase) {
				d.Instance = i
				n := len(ins[i].Sizes())
				for len(d.Sizes) < n {
					d.Sizes = append(d.Sizes, 1)
				}
				d.Sizes = d.Sizes[:n]
			})
		}
	}
	for k, s := range c.Sizes {
		for _, t := range []int64{0, 1, s - 1} {
			if t < s && t >= 0 {
				add(func(d *RuleCase) { d.Sizes[k] = t })
			}
		}
	}
	for k, m := range c.Modes {
		for t := Counting; t < m; t++ {
			add(func(d *RuleCase) { d.Modes[k] = t })
		}
	}
	if c.Seed > 8 {
		for s := range int64(4) {
			add(func(d *RuleCase) { d.Seed = s })
		}
	}
	i := 0
	return func() (any, bool) {
		if i == len(out) {
			return nil, false
		}
		i++
		return out[i-1], true
	}
}

// leaf is a named input of a case with its value.
type leaf struct {
	name  string
	typ   *term.Type
	value *term.Value[float64]
}

// caseBuilder makes terms for metavariables.
type caseBuilder struct {
	s      *term.Store
	rng    *rand.Rand
	c      RuleCase
	in     *rules.Instance
	sizes  map[string]term.Size
	leaves []leaf
	// positive asks for reals between 1/2 and 5/2, where every operator is smooth.
	positive bool
}

// at is the size symbols of a type at their values.
func (b *caseBuilder) at(t *term.Type) *term.Type { return t.Subst(b.sizes) }

// input makes a named input of type t with random elements.
func (b *caseBuilder) input(t *term.Type) term.Term {
	mode := b.c.Modes[min(len(b.leaves), maxLeaves-1)]
	name := fmt.Sprintf("v%d", len(b.leaves)+1)
	v, err := term.FloatArrays().New(t)
	if err != nil {
		panic(&term.Overflow{Msg: err.Error()})
	}
	v.Elem = t.Elem
	for i := range v.R {
		v.R[i] = b.real(mode, i)
	}
	for i := range v.N {
		v.N[i] = b.whole(mode, i, t.Elem)
	}
	b.leaves = append(b.leaves, leaf{name, t, v})
	return b.s.Var(name, t)
}

func (b *caseBuilder) real(mode Mode, i int) float64 {
	if b.positive {
		return 0.5 + 2*b.rng.Float64()
	}
	switch mode {
	case Counting:
		return float64(i + 1)
	case Small:
		return float64(b.rng.Intn(7) - 3)
	case Dyadic:
		return float64(b.rng.Intn(65)-32) / 4
	}
	wild := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e-300, 0.1}
	if k := b.rng.Intn(2 * len(wild)); k < len(wild) {
		return wild[k]
	}
	return b.rng.NormFloat64()
}

func (b *caseBuilder) whole(mode Mode, i int, e term.Elem) int64 {
	if e == term.B {
		return b.rng.Int63() & 1
	}
	switch mode {
	case Counting:
		return int64(i)
	case Wild:
		if b.rng.Intn(4) == 0 {
			return []int64{math.MinInt64, math.MaxInt64, -1, 1 << 40}[b.rng.Intn(4)]
		}
	}
	return int64(b.rng.Intn(7) - 2)
}

// value makes the term of a metavariable: a function of all variables in its
// scope.
func (b *caseBuilder) value(t rules.InstanceTerm, scope map[string][]slot.Name) (term.Term, error) {
	var vars []term.Term // the index variables in scope
	var ranges []term.Size
	var lets []string
	for _, n := range t.Scope {
		if _, isLet := b.in.Lets[n]; isLet {
			lets = append(lets, n)
			continue
		}
		ss := term.SubstSizes(b.in.Binders(n), b.sizes)
		for i, x := range scope[n] {
			vars = append(vars, b.s.Ivar(x, ss[i]))
			ranges = append(ranges, ss[i])
		}
	}
	r := b.ofType(b.at(t.Type), vars, ranges)
	for _, l := range lets {
		r = b.mention(r, l)
	}
	return r, nil
}

// mention makes a real array depend on a let-bound variable.
func (b *caseBuilder) mention(r term.Term, let string) term.Term {
	t, x := b.s.Type(r), b.at(b.in.Lets[let])
	if t.Kind != term.KArray || t.Elem != term.R || x.Elem != term.R {
		return r
	}
	sum := b.s.Var(rules.LetInput(let), x)
	for range x.Shape {
		sum = b.s.Apply(term.SymSum, sum)
	}
	return b.s.Apply(term.SymAdd, r, b.s.ReplicateTo(t.Shape, sum))
}

// ofType makes a term of type t that depends on index variables. It has a value
// for all integers in their place: a rule may put some out of range.
func (b *caseBuilder) ofType(t *term.Type, vars []term.Term, ranges []term.Size) term.Term {
	switch t.Kind {
	case term.KTuple:
		parts := make([]term.Term, len(t.Parts))
		for i, p := range t.Parts {
			parts[i] = b.ofType(p, vars, ranges)
		}
		return b.s.Apply(term.SymTuple, parts...)
	case term.KLin:
		return b.linear(t, vars, ranges)
	}
	if t.IsScalar(term.I) && b.rng.Intn(4) > 0 {
		return b.integer(vars, ranges)
	}
	all := b.input(term.ArrayOf(t.Elem, slices.Concat(ranges, t.Shape)...))
	if len(vars) == 0 {
		return all
	}
	ix := make([]term.Term, len(vars))
	for i, v := range vars {
		n, _ := ranges[i].Const()
		ix[i] = b.s.Apply(term.SymMod, v, b.s.LitInt(n))
	}
	return b.s.Index(all, ix...)
}

// integer makes a scalar integer of which something is known: it is for
// conditions that rest on ranges.
func (b *caseBuilder) integer(vars []term.Term, ranges []term.Size) term.Term {
	lit := func() term.Term { return b.s.LitInt(int64(b.rng.Intn(6) - 1)) }
	if len(vars) == 0 || b.rng.Intn(4) == 0 {
		if b.rng.Intn(3) == 0 {
			return b.s.Apply(term.SymMod, b.input(term.ArrayOf(term.I)), b.s.LitInt(int64(1+b.rng.Intn(3))))
		}
		return lit()
	}
	k := b.rng.Intn(len(vars))
	v := vars[k]
	n, _ := ranges[k].Const()
	switch b.rng.Intn(6) {
	case 0:
		return b.s.Apply(term.SymAdd, v, lit())
	case 1: // the other way round
		return b.s.Apply(term.SymSub, b.s.LitInt(n-1), v)
	case 2:
		return b.s.Apply(term.SymMod, v, b.s.LitInt(int64(1+b.rng.Intn(3))))
	}
	return v
}

// linear makes a linear map: sometimes a simple one, mostly any matrix.
func (b *caseBuilder) linear(t *term.Type, vars []term.Term, ranges []term.Size) term.Term {
	from, to := t.Parts[0], t.Parts[1]
	if to.Kind == term.KTuple {
		var ms []term.Term
		for _, p := range to.Parts {
			ms = append(ms, b.linear(term.LinOf(from, p), vars, ranges))
		}
		return b.s.Apply(term.SymLpair, ms...)
	}
	if from.Kind == term.KTuple {
		var ms []term.Term
		for _, p := range from.Parts {
			ms = append(ms, b.linear(term.LinOf(p, to), vars, ranges))
		}
		return b.s.Apply(term.SymLjoin, ms...)
	}
	m, n := term.Product(to.Shape), term.Product(from.Shape)
	if from.Elem != term.R || to.Elem != term.R || m.IsConst(0) || n.IsConst(0) || b.rng.Intn(8) == 0 {
		return b.s.MustMake(term.Op{Sym: term.SymLzero, Type: from, Type2: to}, nil, nil, nil)
	}
	if from.Equal(to) {
		switch b.rng.Intn(4) {
		case 0:
			return b.s.MustMake(term.Op{Sym: term.SymLone, Type: from}, nil, nil, nil)
		case 1:
			return b.s.Apply(term.SymLscale, b.ofType(from, vars, ranges))
		}
	}
	// x -> reshape (sum (tr [1, 0] (M * replicate m (reshape [n] x))))
	matrix := b.ofType(term.ArrayOf(term.R, m, n), vars, ranges)
	r := term.ArrayOf(term.R, n)
	steps := []term.Term{
		b.s.MustMake(term.Op{Sym: term.SymLreshape, Sizes: []term.Size{n}, Type: from}, nil, nil, nil),
		b.s.MustMake(term.Op{Sym: term.SymLreplicate, Sizes: []term.Size{m}, Type: r}, nil, nil, nil),
		b.s.Apply(term.SymLscale, matrix),
		b.s.MustMake(term.Op{Sym: term.SymLtr, Perm: []int{1, 0}, Type: term.ArrayOf(term.R, m, n)}, nil, nil, nil),
		b.s.MustMake(term.Op{Sym: term.SymLsum, Type: term.ArrayOf(term.R, n, m)}, nil, nil, nil),
		b.s.MustMake(term.Op{Sym: term.SymLreshape, Sizes: to.Shape, Type: term.ArrayOf(term.R, m)}, nil, nil, nil),
	}
	out := steps[0]
	for _, s := range steps[1:] {
		out = b.s.Apply(term.SymLcompose, s, out)
	}
	return out
}
