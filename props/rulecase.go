// Package props holds the properties that must hold of all terms, as generators
// of random well-typed cases with shrinkers and as the checks themselves. The
// same code serves `go test` and the command for rule authors.
package props

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	rng "math/rand/v2"
	"slices"

	"egad/internal/slice"
	"egad/internal/values"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/typing"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// RuleCase is a random instance of a rule: shapes, and how values are made.
type RuleCase struct {
	Instance int           // which of the rule's instances; early ones have low ranks
	Sizes    []int64       // of the instance's size symbols
	Seed     int64         // of the values
	Modes    []values.Mode // by leaf: how wild its values are
	// Most bounds the elements of each array, and the entries of the matrix of each linear
	// map, that either side computes; 0 is no bound.
	Most int64

	// What shrinking does to a case: elements of leaves, and the index variables
	// on which terms depend.
	Set      []setting
	Literals []setting // their leaf is the number of an integer literal
	Consts   []setting // their leaf is the number of a literal that the rule binds
	Drop     []dependence

	special special // numbers of the rule
	corner  corner  // what some metavariables are

	unsigned bool // 0 and -0 count as one number, so that more has to differ

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
	literals []int64      // integers in terms
	consts   []ops.Scalar // literals that the rule binds
	scopes   []int        // by term metavariable: on how many index variables it depends
}

// maxLeaves is how many leaves have a mode of their own.
const maxLeaves = 12

// drawing is what is known of a rule when cases are drawn.
type drawing struct {
	ins    []*typing.Instance
	modes  values.Mode // the wildest mode
	weight int64       // bounds the elements of arrays
	special
	corners corners
}

// drawingOf says how cases of a rule are drawn: with any float64 only if both
// sides are compared as floats, and small where matrices are.
func drawingOf(sig *term.Signature, r *rules.Rule, ins []*typing.Instance) drawing {
	d := drawing{ins: ins, modes: values.Special, weight: 2000, special: specialOf(sig, r)}
	if linearRule(sig, r) {
		d.weight = 36
		if regularRule(sig, r) {
			d.modes = values.Rounded
		}
	} else if r.Label == rules.Exact && !r.Nabla {
		d.modes = values.Wild
	}
	d.corners = cornersOf(ins, d.modes == values.Wild)
	return d
}

// linearRule reports whether a rule is about linear maps.
func linearRule(sig *term.Signature, r *rules.Rule) bool {
	return r.Nabla || mentions(sig, r.Lhs, func(o *ops.Operator) bool { return o.Linear || o.Sym == ops.SymLapply })
}

// regularRule reports whether a rule about linear maps is one of systems of equations:
// those have a solution, as factors are finite.
func regularRule(sig *term.Signature, r *rules.Rule) bool {
	return linearRule(sig, r) && mentions(sig, r.Lhs, func(o *ops.Operator) bool {
		return o.Matrixwise || o.Sym == ops.SymLogdet || o.Of != ops.SymNone && sig.Operator(o.Of).Matrixwise
	})
}

// mentions reports whether a pattern has an operator that is one of those.
func mentions(sig *term.Signature, p *rules.Pattern, those func(o *ops.Operator) bool) bool {
	if p.Kind == rules.PApp && p.Name == "" && those(sig.Operator(p.Sym)) {
		return true
	}
	return slices.ContainsFunc(p.Kids, func(e rules.Elem) bool { return e.Pat != nil && mentions(sig, e.Pat, those) })
}

func (d drawing) draw(rng *rand.Rand) RuleCase { return d.drawOf(rng, rng.Intn(len(d.ins))) }

// drawOf draws a case of instance number i.
func (d drawing) drawOf(rng *rand.Rand, i int) RuleCase {
	c := RuleCase{Instance: i, Seed: rng.Int63(), special: d.special, made: new(made)}
	in := d.ins[c.Instance]
	for range 60 {
		c.Sizes = randomSizes(rng, in)
		if ks := d.wholes[0]; len(ks) > 0 && len(c.Sizes) > 0 && rng.Intn(4) == 0 {
			if k := ks[rng.Intn(len(ks))]; 0 <= k && k <= d.weight {
				c.Sizes[rng.Intn(len(c.Sizes))] = k
			}
		}
		if fixed, ok := in.At(c.sizes(in)); ok && fixed.Largest() <= d.weight {
			break
		}
	}
	same := -1
	if rng.Intn(3) == 0 { // all leaves alike
		same = rng.Intn(int(d.modes) + 1)
	}
	for range maxLeaves {
		m := rng.Intn(int(d.modes) + 1)
		if same >= 0 {
			m = same
		}
		c.Modes = append(c.Modes, values.Mode(m))
	}
	return c
}

// randomSizes draws sizes, mostly small ones. 0 is rare: most of what an instance
// says is about elements. Where two shapes must have equally many, a size that
// only one of them has is solved for.
func randomSizes(rng *rand.Rand, in *typing.Instance) []int64 {
	from := []int64{0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4}
	switch rng.Intn(8) {
	case 0:
		from = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	case 1, 2:
		from = []int64{1, 1, 2}
	case 3:
		from = []int64{1, 2, 3, 4, 5}
	}
	names := in.Sizes()
	out := make([]int64, len(names))
	value := make(map[string]size.Size)
	for i, n := range names {
		out[i] = from[rng.Intn(len(from))]
		value[n] = size.Const(out[i])
	}
	for _, p := range in.Products {
		x, y := size.Product(p[0]), size.Product(p[1])
		if x.Subst(value).Equal(y.Subst(value)) {
			continue
		}
		for i, n := range names {
			old := value[n]
			delete(value, n)
			if s, ok := x.Subst(value).Sub(y.Subst(value)).Solve(n); ok {
				if c, is := s.Const(); is && c >= 0 {
					out[i], value[n] = c, s
					break
				}
			}
			value[n] = old
		}
	}
	return out
}

// sizes gives the size symbols their values.
func (c RuleCase) sizes(in *typing.Instance) map[string]size.Size {
	out := make(map[string]size.Size)
	for i, name := range in.Sizes() {
		out[name] = size.Const(c.Sizes[i])
	}
	return out
}

// leaf is a named input of a case with its value.
type leaf struct {
	name  string
	typ   *types.Type
	value *eval.Value[float64]
}

// bound is the term of a metavariable, with names for its index variables.
type bound struct {
	name string
	term term.Term
	vars []slot.Name
	in   []variable // what they are in the rule
}

// variable is a bound variable of a rule, or one of a list of them.
type variable struct {
	name string
	at   int
	many bool
	of   ops.VarType
}

// term is the variable, by the name n.
func (v variable) term(s *term.Store, n slot.Name) term.Term {
	if v.of.Type == nil {
		return s.Ivar(n, v.of.Size)
	}
	return s.MustMake(ops.Op{Sym: ops.SymLocal, Type: v.of.Type}, []slot.Name{n}, nil, nil)
}

// caseBuilder makes terms for metavariables. What it draws for a term or a leaf
// depends on its number only, so that a case changes little when it shrinks.
type caseBuilder struct {
	*made
	s     *term.Store
	rng   *rng.Rand // of the term in hand
	c     RuleCase
	in    *typing.Instance
	sizes map[string]size.Size
	bound []bound
	of    string // the metavariable of the term in hand
	hint  string // a name for the next leaf, if it is the term in hand

	wanted  map[string][]match.Want // what conditions ask of numbers
	within  *match.Want             // where the elements of the next leaf must lie
	slopes  bool                    // values are points at which slopes are compared
	regular bool                    // square matrices have an inverse

	explain bool // say what was evaluated
	shown   *match.Sides
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
	streamConsts
)

// at is the size symbols of a type at their values.
func (b *caseBuilder) at(t *types.Type) *types.Type { return t.Subst(b.sizes) }

// input makes a named input of type t with random elements.
func (b *caseBuilder) input(t *types.Type) term.Term {
	n := len(b.leaves)
	mode := b.c.Modes[min(n, maxLeaves-1)]
	name := b.hint
	if name == "" || slices.ContainsFunc(b.leaves, func(l leaf) bool { return l.name == name }) {
		name = b.fresh("v")
	}
	v, err := eval.FloatArrays().New(t)
	if err != nil {
		panic(&overflow.Error{Msg: err.Error()})
	}
	v.Elem = t.Elem
	b.fill(n, mode, v)
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

// fill draws the elements of leaf number n. Some leaves are equal to one before,
// and some elements to one before.
func (b *caseBuilder) fill(n int, mode values.Mode, v *eval.Value[float64]) {
	from := b.c.stream(streamLeaves, n)
	_, cornered := b.c.corner.at[b.of]
	if from.IntN(6) == 0 && !cornered {
		for _, l := range b.leaves {
			if l.value.Elem == v.Elem && slices.Equal(l.value.Shape, v.Shape) && b.within == nil {
				copy(v.R, l.value.R)
				copy(v.N, l.value.N)
				return
			}
		}
	}
	for i := range v.R {
		switch {
		case i > 0 && from.IntN(8) == 0:
			v.R[i] = v.R[from.IntN(i)]
		case b.slopes:
			v.R[i] = values.Point(from, mode)
		default:
			v.R[i] = values.Real(from, mode, i)
		}
		if x, ok := chosen(from, b.c.special.reals); ok {
			v.R[i] = x
		}
		if b.within != nil {
			v.R[i] = values.RealIn(from, v.R[i], *b.within)
		}
		if x, ok := b.c.corner.real(b.of, b.within); ok {
			v.R[i] = x
		}
	}
	if b.regular && len(v.Shape) > 1 && v.Shape[0] == v.Shape[1] {
		dominate(v)
	}
	for i := range v.N {
		if b.within != nil && v.Elem == types.I {
			v.N[i] = values.WholeIn(from, b.within.Int)
		} else {
			v.N[i] = values.Whole(from, mode, i, v.Elem)
		}
		if x, ok := b.whole(from); ok && v.Elem == types.I {
			v.N[i] = x
		}
		if x, ok := b.c.corner.whole(b.of, b.within); ok && v.Elem == types.I {
			v.N[i] = x
		}
	}
	if v.Elem == types.B && from.IntN(6) == 0 { // all alike
		for i := range v.N {
			v.N[i] = v.N[0]
		}
	}
}

// whole is sometimes an integer of the rule that lies where it must.
func (b *caseBuilder) whole(from *rng.Rand) (int64, bool) {
	x, ok := chosen(from, b.c.special.wholes)
	return x, ok && (b.within == nil || b.within.Int.Lo <= x && x <= b.within.Int.Hi)
}

// dominate makes the diagonals of square matrices so large that they have inverses and
// that their lower triangles are those of positive definite matrices.
func dominate(v *eval.Value[float64]) {
	n := v.Shape[0]
	step := len(v.R) / max(n*n, 1)
	for at := range step {
		size := 1.0
		for i := range n * n {
			size += math.Abs(v.R[at+i*step])
		}
		for i := range n {
			v.R[at+i*(n+1)*step] = size
		}
	}
}

// fresh is a name that neither the rule nor another leaf has.
func (b *caseBuilder) fresh(hint string) string {
	for k := 1; ; k++ {
		name := fmt.Sprintf("%s%d", hint, k)
		taken := slices.ContainsFunc(b.leaves, func(l leaf) bool { return l.name == name }) ||
			slices.ContainsFunc(b.in.Terms, func(t typing.InstanceTerm) bool { return t.Name == name })
		if !taken {
			return name
		}
	}
}

// value makes the term of a metavariable: a function of the variables in its
// scope.
func (b *caseBuilder) value(t typing.InstanceTerm, scope map[string][]slot.Name) (term.Term, error) {
	n := len(b.bound)
	b.rng = b.c.stream(streamTerms, n)
	is := bound{name: t.Name}
	if t.List {
		is.name = fmt.Sprintf("%s%d", t.Name, b.place(t)+1)
	}
	var vars []term.Term // the index variables in scope
	var ranges []size.Size
	var also []term.Term // what a term mentions besides
	depends := 0
	for _, name := range t.Scope {
		if _, isLet := b.in.Lets[name]; isLet {
			also = append(also, b.s.Var(match.LetInput(name), b.at(b.in.Lets[name])))
			continue
		}
		if s := b.in.State(name); s != nil {
			v := variable{name: name, of: ops.VarType{Type: b.at(s)}}
			is.vars, is.in = append(is.vars, scope[name][0]), append(is.in, v)
			if depends++; !slices.Contains(b.c.Drop, dependence{n, depends - 1}) {
				also = append(also, v.term(b.s, scope[name][0]))
			}
			continue
		}
		ss := types.SubstSizes(b.in.Binders(name), b.sizes)
		for i, x := range scope[name] {
			is.vars = append(is.vars, x)
			is.in = append(is.in, variable{name, i, len(scope[name]) > 1, ops.VarType{Size: ss[i]}})
			depends++
			if slices.Contains(b.c.Drop, dependence{n, depends - 1}) {
				continue
			}
			vars = append(vars, b.s.Ivar(x, ss[i]))
			ranges = append(ranges, ss[i])
		}
	}
	b.scopes = append(b.scopes, depends)
	if b.hint = ""; len(vars) == 0 && len(also) == 0 {
		b.hint = is.name
	}
	b.of, b.within = t.Name, b.wants(t)
	is.term = b.ofType(b.at(t.Type), vars, ranges)
	for _, x := range also {
		is.term = b.mention(is.term, x)
	}
	b.bound = append(b.bound, is)
	return is.term, nil
}

// wants is what the elements of a term must be for the conditions to hold; nil if
// nothing is asked, and sometimes although it is.
func (b *caseBuilder) wants(t typing.InstanceTerm) *match.Want {
	if ws, at := b.wanted[t.Name], b.place(t); at < len(ws) && !ws[at].Int.Empty() && b.rng.IntN(10) > 0 {
		return &ws[at]
	}
	return nil
}

// place is that of the next term in its list of terms, 0 if it is in none.
func (b *caseBuilder) place(t typing.InstanceTerm) int {
	n := 0
	for _, x := range b.in.Terms[:len(b.bound)] {
		if t.List && x.List && x.Name == t.Name {
			n++
		}
	}
	return n
}

// mention makes real arrays depend on the real arrays of a term.
func (b *caseBuilder) mention(r, x term.Term) term.Term {
	t, of := b.s.Type(r), b.s.Type(x)
	switch {
	case t.Kind == types.KTuple:
		parts := slice.Make(len(t.Parts), func(i int) term.Term { return b.mention(b.s.Proj(i, r), x) })
		return b.s.Apply(ops.SymTuple, parts...)
	case t.Kind != types.KArray || t.Elem != types.R:
		return r
	case of.Kind == types.KTuple:
		for i := range of.Parts {
			r = b.mention(r, b.s.Proj(i, x))
		}
		return r
	case of.Elem != types.R:
		return r
	}
	for range of.Shape {
		x = b.s.Apply(ops.SymSum, x)
	}
	return b.s.Apply(ops.SymAdd, r, b.s.ReplicateTo(t.Shape, x))
}

// ofType makes a term of type t that depends on index variables. It has a value
// for all integers in their place: a rule may put some out of range.
func (b *caseBuilder) ofType(t *types.Type, vars []term.Term, ranges []size.Size) term.Term {
	switch t.Kind {
	case types.KTuple:
		b.hint = ""
		parts := slice.Map(t.Parts, func(p *types.Type) term.Term { return b.ofType(p, vars, ranges) })
		return b.s.Apply(ops.SymTuple, parts...)
	case types.KLin:
		b.hint = ""
		return b.linear(t, vars, ranges)
	}
	if t.IsScalar(types.I) && b.rng.IntN(4) > 0 {
		b.hint = ""
		return b.integer(vars, ranges)
	}
	rows, ix := make([]size.Size, len(vars)), make([]term.Term, len(vars))
	for i, v := range vars {
		n, _ := ranges[i].Const()
		n++ // behind the last place the value is another one than in the first
		rows[i], ix[i] = size.Const(n), b.s.Apply(ops.SymMod, v, b.s.LitInt(n))
	}
	all := b.input(types.ArrayOf(t.Elem, slices.Concat(rows, t.Shape)...))
	if len(vars) == 0 {
		return all
	}
	return b.s.Index(all, ix...)
}

// integer makes a scalar integer: often a literal or an index variable, at the
// ends of ranges more often than elsewhere.
func (b *caseBuilder) integer(vars []term.Term, ranges []size.Size) term.Term {
	corner, cornered := b.c.corner.whole(b.of, b.within)
	lit := func(k int64) term.Term {
		if x, ok := b.whole(b.rng); ok {
			k = x
		}
		if cornered {
			k = corner
		}
		for _, s := range b.c.Literals {
			if s.leaf == len(b.literals) {
				k = s.whole
			}
		}
		b.literals = append(b.literals, k)
		return b.s.LitInt(k)
	}
	near := func() term.Term { return lit(b.nearSize()) }
	if b.within != nil {
		near = func() term.Term { return lit(values.WholeIn(b.rng, b.within.Int)) }
	}
	if cornered || len(vars) == 0 || b.rng.IntN(4) == 0 {
		if !cornered && b.rng.IntN(3) == 0 {
			return b.s.Apply(ops.SymMod, b.input(types.ArrayOf(types.I)), b.s.LitInt(int64(1+b.rng.IntN(3))))
		}
		return near()
	}
	k := b.rng.IntN(len(vars))
	v := vars[k]
	n, _ := ranges[k].Const()
	switch b.rng.IntN(6) {
	case 0:
		return b.s.Apply(ops.SymAdd, v, near())
	case 1: // the other way round
		return b.s.Apply(ops.SymSub, b.s.LitInt(n-1), v)
	case 2:
		return b.s.Apply(ops.SymMod, v, b.s.LitInt(int64(1+b.rng.IntN(3))))
	}
	return v
}

// nearSize is a small integer, or one beside a size of the case; sometimes a
// special one.
func (b *caseBuilder) nearSize() int64 {
	if b.rng.IntN(8) == 0 {
		return values.SpecialWhole(b.rng)
	}
	if n := len(b.c.Sizes); n > 0 && b.rng.IntN(3) == 0 {
		return b.c.Sizes[b.rng.IntN(n)] + int64(b.rng.IntN(3)-1)
	}
	return int64(b.rng.IntN(6) - 1)
}

// constants draws the literals that the rule binds; it is false if there are none
// that fit.
func (b *caseBuilder) constants(in *typing.Instance) bool {
	from := b.c.stream(streamConsts, 0)
	return in.SetLiterals(func(name string, e types.Elem) ops.Scalar {
		c := values.Literal(from, e)
		if x, ok := chosen(from, b.c.special.reals); ok && e == types.R {
			if n, err := numeric.FromRat(new(big.Rat).SetFloat64(x)); err == nil {
				c = ops.ScalarR(n)
			}
		} else if x, ok := chosen(from, b.c.special.wholes); ok && e == types.I {
			c = ops.ScalarI(x)
		}
		for _, old := range b.consts {
			if old.Elem == e && from.IntN(3) == 0 {
				c = old
			}
		}
		if x, ok := b.c.corner.whole(name, nil); ok && e == types.I {
			c = ops.ScalarI(x)
		}
		for _, s := range b.c.Consts {
			if s.leaf != len(b.consts) {
				continue
			}
			switch e {
			case types.R:
				c = ops.ScalarR(numeric.Int(s.whole))
			case types.I:
				c = ops.ScalarI(s.whole)
			default:
				c = ops.ScalarB(s.whole != 0)
			}
		}
		b.consts = append(b.consts, c)
		return c
	})
}

// linear makes a linear map: sometimes a simple one, mostly any matrix, of which some
// elements may be out of reach.
func (b *caseBuilder) linear(t *types.Type, vars []term.Term, ranges []size.Size) term.Term {
	from, to := t.Parts[0], t.Parts[1]
	if to.Kind == types.KTuple {
		ms := slice.Map(to.Parts, func(p *types.Type) term.Term { return b.linear(types.LinOf(from, p), vars, ranges) })
		return b.s.Apply(ops.SymLpair, ms...)
	}
	if from.Kind == types.KTuple {
		ms := slice.Map(from.Parts, func(p *types.Type) term.Term { return b.linear(types.LinOf(p, to), vars, ranges) })
		return b.s.Apply(ops.SymLjoin, ms...)
	}
	m, n := size.Product(to.Shape), size.Product(from.Shape)
	if from.Elem != types.R || to.Elem != types.R || m.IsConst(0) || n.IsConst(0) || b.rng.IntN(8) == 0 {
		return b.s.MustMake(ops.Op{Sym: ops.SymLzero, Type: from, Type2: to}, nil, nil, nil)
	}
	if from.Equal(to) {
		switch b.rng.IntN(5) {
		case 0:
			return b.s.MustMake(ops.Op{Sym: ops.SymLone, Type: from}, nil, nil, nil)
		case 1:
			return b.s.Apply(ops.SymLscale, b.ofType(from, vars, ranges))
		case 2:
			return b.mask(to, vars, ranges)
		}
	}
	// x -> reshape (sum (tr [1, 0] (M * replicate m (reshape [n] x))))
	matrix := b.ofType(types.ArrayOf(types.R, m, n), vars, ranges)
	r := types.ArrayOf(types.R, n)
	steps := []term.Term{
		b.s.MustMake(ops.Op{Sym: ops.SymReshape, Sizes: []size.Size{n}}.MapOn(from), nil, nil, nil),
		b.s.MustMake(ops.Op{Sym: ops.SymReplicate, Sizes: []size.Size{m}}.MapOn(r), nil, nil, nil),
		b.s.Apply(ops.SymLscale, matrix),
		b.s.MustMake(ops.Op{Sym: ops.SymTr, Perm: []int{1, 0}}.MapOn(types.ArrayOf(types.R, m, n)), nil, nil, nil),
		b.s.MustMake(ops.Op{Sym: ops.SymSum}.MapOn(types.ArrayOf(types.R, n, m)), nil, nil, nil),
		b.s.MustMake(ops.Op{Sym: ops.SymReshape, Sizes: to.Shape}.MapOn(types.ArrayOf(types.R, m)), nil, nil, nil),
	}
	out := steps[0]
	for _, s := range steps[1:] {
		out = b.s.Apply(ops.SymLcompose, s, out)
	}
	if b.rng.IntN(4) == 0 {
		out = b.s.Apply(ops.SymLcompose, b.mask(to, vars, ranges), out)
	}
	return out
}

// mask makes a map that holds some elements of an array of type t back.
func (b *caseBuilder) mask(t *types.Type, vars []term.Term, ranges []size.Size) term.Term {
	return b.s.Apply(ops.SymLmask, b.ofType(types.ArrayOf(types.B, t.Shape...), vars, ranges))
}
