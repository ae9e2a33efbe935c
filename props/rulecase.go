// Package props holds the properties that must hold of all terms, as generators
// of random well-typed cases with shrinkers and as the checks themselves. The
// same code serves `go test` and the command for rule authors.
package props

import (
	"fmt"
	"math"
	"math/rand"
	rng "math/rand/v2"
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

	// What shrinking does to a case: elements of leaves, and the index variables
	// on which terms depend.
	Set      []setting
	Literals []setting // their leaf is the number of an integer literal
	Drop     []dependence

	// made is what a run of the case made, for the shrinker.
	made *made
}

// setting gives an element of a leaf another value.
type setting struct {
	leaf, elem int
	real       float64 // of a leaf of reals
	whole      int64   // of another leaf
}

// dependence is that of term metavariable number term on variable number of its
// scope.
type dependence struct{ term, variable int }

// made is what the metavariables of a case became.
type made struct {
	leaves   []leaf
	literals []int64 // integers in terms
	scopes   []int   // by term metavariable: on how many index variables it depends
	smooth   bool    // values must stay positive and different
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
	c := RuleCase{Instance: rng.Intn(len(ins)), Seed: rng.Int63(), made: new(made)}
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

// leaf is a named input of a case with its value.
type leaf struct {
	name  string
	typ   *term.Type
	value *term.Value[float64]
}

// bound is the term of a metavariable, with names for its index variables.
type bound struct {
	name string
	term term.Term
	vars []slot.Name
	in   []variable // what they are in the rule
}

// variable is an index variable of a rule, or one of a list of them.
type variable struct {
	name string
	at   int
	many bool
	size term.Size
}

// caseBuilder makes terms for metavariables. What it draws for a term or a leaf
// depends on its number only, so that a case changes little when it shrinks.
type caseBuilder struct {
	*made
	s     *term.Store
	rng   *rng.Rand // of the term in hand
	c     RuleCase
	in    *rules.Instance
	sizes map[string]term.Size
	bound []bound
	hint  string // a name for the next leaf, if it is the term in hand

	explain bool // say what was evaluated
	shown   *rules.Sides
	said    Evaluation
}

// stream is the source of what is drawn for item n of a kind.
func (c RuleCase) stream(kind, n int) *rng.Rand {
	return rng.New(rng.NewPCG(uint64(c.Seed), uint64(kind)<<32+uint64(n)))
}

const (
	streamTerms = iota
	streamLeaves
	streamDirections
)

// at is the size symbols of a type at their values.
func (b *caseBuilder) at(t *term.Type) *term.Type { return t.Subst(b.sizes) }

// input makes a named input of type t with random elements.
func (b *caseBuilder) input(t *term.Type) term.Term {
	n := len(b.leaves)
	mode := b.c.Modes[min(n, maxLeaves-1)]
	name := b.hint
	if name == "" || slices.ContainsFunc(b.leaves, func(l leaf) bool { return l.name == name }) {
		name = b.fresh("v")
	}
	v, err := term.FloatArrays().New(t)
	if err != nil {
		panic(&term.Overflow{Msg: err.Error()})
	}
	v.Elem = t.Elem
	from := b.c.stream(streamLeaves, n)
	for i := range v.R {
		if v.R[i] = realOf(from, mode, i); b.smooth { // away from 0
			v.R[i] = 0.5 + 2*from.Float64()
			if mode != Counting && from.IntN(2) == 0 {
				v.R[i] = -v.R[i]
			}
		}
	}
	for i := range v.N {
		v.N[i] = wholeOf(from, mode, i, t.Elem)
	}
	for _, s := range b.c.Set {
		if s.leaf == n && s.elem < len(v.R) {
			v.R[s.elem] = s.real
		}
		if s.leaf == n && s.elem < len(v.N) {
			v.N[s.elem] = s.whole
		}
	}
	b.leaves = append(b.leaves, leaf{name, t, v})
	return b.s.Var(name, t)
}

// fresh is a name that neither the rule nor another leaf has.
func (b *caseBuilder) fresh(hint string) string {
	for k := 1; ; k++ {
		name := fmt.Sprintf("%s%d", hint, k)
		taken := slices.ContainsFunc(b.leaves, func(l leaf) bool { return l.name == name }) ||
			slices.ContainsFunc(b.in.Terms, func(t rules.InstanceTerm) bool { return t.Name == name })
		if !taken {
			return name
		}
	}
}

func realOf(from *rng.Rand, mode Mode, i int) float64 {
	switch mode {
	case Counting:
		return float64(i + 1)
	case Small:
		return float64(from.IntN(7) - 3)
	case Dyadic:
		return float64(from.IntN(65)-32) / 4
	}
	wild := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e-300, 0.1}
	if k := from.IntN(2 * len(wild)); k < len(wild) {
		return wild[k]
	}
	return from.NormFloat64()
}

func wholeOf(from *rng.Rand, mode Mode, i int, e term.Elem) int64 {
	if e == term.B {
		return from.Int64() & 1
	}
	switch mode {
	case Counting:
		return int64(i)
	case Wild:
		if from.IntN(4) == 0 {
			return []int64{math.MinInt64, math.MaxInt64, -1, 1 << 40}[from.IntN(4)]
		}
	}
	return int64(from.IntN(7) - 2)
}

// value makes the term of a metavariable: a function of the variables in its
// scope.
func (b *caseBuilder) value(t rules.InstanceTerm, scope map[string][]slot.Name) (term.Term, error) {
	n := len(b.bound)
	b.rng = b.c.stream(streamTerms, n)
	is := bound{name: t.Name}
	if t.List {
		is.name = b.elementName(t.Name)
	}
	var vars []term.Term // the index variables in scope
	var ranges []term.Size
	var lets []string
	depends := 0
	for _, name := range t.Scope {
		if _, isLet := b.in.Lets[name]; isLet {
			lets = append(lets, name)
			continue
		}
		ss := term.SubstSizes(b.in.Binders(name), b.sizes)
		for i, x := range scope[name] {
			is.vars = append(is.vars, x)
			is.in = append(is.in, variable{name, i, len(scope[name]) > 1, ss[i]})
			depends++
			if slices.Contains(b.c.Drop, dependence{n, depends - 1}) {
				continue
			}
			vars = append(vars, b.s.Ivar(x, ss[i]))
			ranges = append(ranges, ss[i])
		}
	}
	b.scopes = append(b.scopes, depends)
	if b.hint = ""; len(vars) == 0 && len(lets) == 0 {
		b.hint = is.name
	}
	is.term = b.ofType(b.at(t.Type), vars, ranges)
	for _, l := range lets {
		is.term = b.mention(is.term, l)
	}
	b.bound = append(b.bound, is)
	return is.term, nil
}

// elementName is the name of the next element of a list of terms.
func (b *caseBuilder) elementName(list string) string {
	n := 1
	for _, t := range b.in.Terms[:len(b.bound)] {
		if t.List && t.Name == list {
			n++
		}
	}
	return fmt.Sprintf("%s%d", list, n)
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
		b.hint = ""
		parts := make([]term.Term, len(t.Parts))
		for i, p := range t.Parts {
			parts[i] = b.ofType(p, vars, ranges)
		}
		return b.s.Apply(term.SymTuple, parts...)
	case term.KLin:
		b.hint = ""
		return b.linear(t, vars, ranges)
	}
	if t.IsScalar(term.I) && b.rng.IntN(4) > 0 {
		b.hint = ""
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
	lit := func() term.Term {
		k := int64(b.rng.IntN(6) - 1)
		for _, s := range b.c.Literals {
			if s.leaf == len(b.literals) {
				k = s.whole
			}
		}
		b.literals = append(b.literals, k)
		return b.s.LitInt(k)
	}
	if len(vars) == 0 || b.rng.IntN(4) == 0 {
		if b.rng.IntN(3) == 0 {
			return b.s.Apply(term.SymMod, b.input(term.ArrayOf(term.I)), b.s.LitInt(int64(1+b.rng.IntN(3))))
		}
		return lit()
	}
	k := b.rng.IntN(len(vars))
	v := vars[k]
	n, _ := ranges[k].Const()
	switch b.rng.IntN(6) {
	case 0:
		return b.s.Apply(term.SymAdd, v, lit())
	case 1: // the other way round
		return b.s.Apply(term.SymSub, b.s.LitInt(n-1), v)
	case 2:
		return b.s.Apply(term.SymMod, v, b.s.LitInt(int64(1+b.rng.IntN(3))))
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
	if from.Elem != term.R || to.Elem != term.R || m.IsConst(0) || n.IsConst(0) || b.rng.IntN(8) == 0 {
		return b.s.MustMake(term.Op{Sym: term.SymLzero, Type: from, Type2: to}, nil, nil, nil)
	}
	if from.Equal(to) {
		switch b.rng.IntN(4) {
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
