// Package programs makes random programs, for property tests.
package programs

import (
	"fmt"
	"math/rand"
	rng "math/rand/v2"
	"slices"
	"testing"

	"egad/internal/slice"
	"egad/internal/values"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// Tree is a random well-typed expression, kept as a tree so that it can be made
// smaller piece by piece.
type Tree struct {
	Op    ops.Op // of an operator; SymNone otherwise
	Kind  TreeKind
	Type  *types.Type
	Kids  []*Tree
	Binds []int // names of the index variables the operator binds
	Name  int   // of an index variable, a let-bound variable, or an input
}

// TreeKind tells the forms of a [Tree] apart.
type TreeKind uint8

// The forms.
const (
	TreeOp    TreeKind = iota
	TreeInput          // the input number Name
	TreeIvar           // the index variable Name
	TreeLet            // let Name = Kids[0] in Kids[1]
	TreeUse            // the let-bound variable Name, or an array of the state of a loop
	TreeLoop           // a loop
)

// Palette is which operators a generator uses.
type Palette uint8

// The palettes.
const (
	// Everything is the whole language, with values of all kinds.
	Everything Palette = iota
	// Rational operators stay in the rationals: + - * max min cond where gather
	// scatter sum and data movement.
	Rational
	// Smooth operators are differentiable almost everywhere and stay finite on
	// moderate values.
	Smooth
)

// functions are all operators on one real.
var functions = func() []ops.Sym {
	var out []ops.Sym
	for _, o := range term.NewSignature().All() {
		if o.Arity == 1 && !o.Has(ops.FormInt) && ops.FloatUnary(o.Sym, 0) != nil {
			out = append(out, o.Sym)
		}
	}
	return out
}()

// grower makes random trees.
type grower struct {
	rng     *rand.Rand
	palette Palette
	next    int
	inputs  []*types.Type
	ivars   []int // index variables in scope
	lets    []boundLet
}

// boundLet is a let-bound variable in scope.
type boundLet struct {
	name int
	typ  *types.Type
}

func (g *grower) name() int { g.next++; return g.next }

func (g *grower) pick(n int) int { return g.rng.Intn(n) }

func scalarOf(e types.Elem) *types.Type { return types.ArrayOf(e) }

func sizes(ns ...int64) []size.Size {
	return slice.Map(ns, size.Const)
}

func (g *grower) size() int64 { return []int64{1, 2, 2, 3, 3, 4}[g.pick(6)] }

// shape is a random shape of at most the given rank.
func (g *grower) shape(rank int) []size.Size {
	var out []size.Size
	for range g.pick(rank + 1) {
		out = append(out, size.Const(g.size()))
	}
	return out
}

// tree grows an expression of type t.
func (g *grower) tree(t *types.Type, depth int) *Tree {
	if depth <= 0 {
		return g.leaf(t)
	}
	if g.pick(8) == 0 {
		bound := types.ArrayOf([]types.Elem{types.R, types.R, types.I}[g.pick(3)], g.shape(2)...)
		first := g.tree(bound, depth-1)
		n := g.name()
		g.lets = append(g.lets, boundLet{n, bound})
		body := g.tree(t, depth-1)
		g.lets = g.lets[:len(g.lets)-1]
		return &Tree{Kind: TreeLet, Type: t, Kids: []*Tree{first, body}, Name: n}
	}
	if g.pick(6) == 0 {
		return g.leaf(t)
	}
	if g.pick(2) == 0 || len(t.Shape) == 0 && g.pick(3) > 0 {
		if n := g.elementwise(t, depth); n != nil {
			return n
		}
	}
	return g.structural(t, depth)
}

// leaf is a variable or a literal of type t.
func (g *grower) leaf(t *types.Type) *Tree {
	var uses []int
	for _, l := range g.lets {
		if l.typ.Equal(t) {
			uses = append(uses, l.name)
		}
	}
	if len(uses) > 0 && g.pick(2) == 0 {
		return &Tree{Kind: TreeUse, Type: t, Name: uses[g.pick(len(uses))]}
	}
	if t.IsScalar(types.I) && len(g.ivars) > 0 && g.pick(4) > 0 {
		return &Tree{Kind: TreeIvar, Type: t, Name: g.ivars[g.pick(len(g.ivars))]}
	}
	if t.Elem == types.I && len(t.Shape) == 1 && g.pick(4) == 0 {
		return &Tree{Type: t, Op: ops.Op{Sym: ops.SymIota, Sizes: t.Shape}}
	}
	if g.pick(4) == 0 || t.Elem == types.B && g.pick(2) == 0 {
		return g.literal(t)
	}
	for i, in := range g.inputs {
		if in.Equal(t) && g.pick(3) > 0 {
			return &Tree{Kind: TreeInput, Type: t, Name: i}
		}
	}
	g.inputs = append(g.inputs, t)
	return &Tree{Kind: TreeInput, Type: t, Name: len(g.inputs) - 1}
}

func (g *grower) literal(t *types.Type) *Tree {
	c := ops.ScalarB(g.pick(2) == 0)
	switch t.Elem {
	case types.R:
		c = ops.ScalarR(numeric.Int(int64(g.pick(5) - 1)))
	case types.I:
		c = ops.ScalarI(int64(g.pick(5) - 1))
	}
	return &Tree{Type: t, Op: ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(c), Type: t}}
}

func (g *grower) apply(t *types.Type, sym ops.Sym, kids ...*Tree) *Tree {
	return &Tree{Type: t, Op: ops.Op{Sym: sym}, Kids: kids}
}

// elementwise grows an elementwise operator or a conditional.
func (g *grower) elementwise(t *types.Type, depth int) *Tree {
	with := func(e types.Elem) *Tree { return g.tree(types.ArrayOf(e, t.Shape...), depth-1) }
	switch g.pick(8) {
	case 0:
		return g.apply(t, ops.SymWhere, with(types.B), with(t.Elem), with(t.Elem))
	case 1:
		return g.apply(t, ops.SymCond, g.tree(scalarOf(types.B), depth-1), with(t.Elem), with(t.Elem))
	}
	switch t.Elem {
	case types.R:
		two := []ops.Sym{ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymMul, ops.SymMax, ops.SymMin}
		one := []ops.Sym{ops.SymNeg, ops.SymAbs}
		switch g.palette {
		case Everything:
			two = append(two, ops.SymDiv, ops.SymPow, ops.SymAtan2)
			one = functions
		case Smooth:
			one = append(one, ops.SymSin, ops.SymCos, ops.SymTanh, ops.SymSigmoid, ops.SymExp)
		}
		if g.palette == Everything && g.pick(12) == 0 {
			return g.apply(t, ops.SymReal, with(types.I))
		}
		if g.pick(3) > 0 {
			return g.apply(t, two[g.pick(len(two))], with(types.R), with(types.R))
		}
		sym := one[g.pick(len(one))]
		arg := with(types.R)
		if sym == ops.SymExp && g.palette == Smooth { // of something small
			arg = g.apply(t, ops.SymTanh, arg)
		}
		return g.apply(t, sym, arg)
	case types.I:
		if g.pick(6) == 0 && g.palette == Everything {
			return g.apply(t, []ops.Sym{ops.SymFloor, ops.SymRound}[g.pick(2)], with(types.R))
		}
		two := []ops.Sym{ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymIdiv, ops.SymMod, ops.SymMin, ops.SymMax}
		return g.apply(t, two[g.pick(len(two))], with(types.I), with(types.I))
	}
	switch g.pick(4) {
	case 0:
		return g.apply(t, ops.SymNot, with(types.B))
	case 1:
		return g.apply(t, []ops.Sym{ops.SymAnd, ops.SymOr}[g.pick(2)], with(types.B), with(types.B))
	}
	e := []types.Elem{types.R, types.I, types.I}[g.pick(3)]
	return g.apply(t, []ops.Sym{ops.SymLt, ops.SymLe, ops.SymEq}[g.pick(3)], with(e), with(e))
}

// bound grows f with new index variables over the given ranges in scope.
func (g *grower) bound(ranges []size.Size, f func()) []int {
	depth := len(g.ivars)
	var names []int
	for range ranges {
		n := g.name()
		g.ivars = append(g.ivars, n)
		names = append(names, n)
	}
	f()
	g.ivars = g.ivars[:depth]
	return names
}

// indices grows n integers that are mostly in range.
func (g *grower) indices(axes []size.Size, depth int) []*Tree {
	return slice.Make(len(axes), func(int) *Tree { return g.tree(scalarOf(types.I), min(depth-1, 2)) })
}

// structural grows data movement, reductions and builds.
func (g *grower) structural(t *types.Type, depth int) *Tree {
	sub := func(shape ...size.Size) *Tree { return g.tree(types.ArrayOf(t.Elem, shape...), depth-1) }
	room := 3 - len(t.Shape) // axes that may be added
	for range 20 {
		switch g.pick(11) {
		case 10:
			if g.palette == Rational && depth > 3 {
				continue
			}
			return g.loop(t, depth)
		case 0: // index
			if room < 1 {
				continue
			}
			ks := g.shape(min(room, 2))
			if len(ks) == 0 {
				ks = sizes(g.size())
			}
			a := sub(slices.Concat(ks, t.Shape)...)
			return g.apply(t, ops.SymIndex, append([]*Tree{a}, g.indices(ks, depth)...)...)
		case 1: // a reduction
			if room < 1 {
				continue
			}
			return g.reduction(t, depth)
		case 2: // gather
			m := g.pick(len(t.Shape) + 1)
			ks := g.shape(min(3-(len(t.Shape)-m), 2))
			n := &Tree{Type: t, Op: ops.Op{Sym: ops.SymGather, Sizes: t.Shape[:m]}}
			n.Kids = []*Tree{sub(slices.Concat(ks, t.Shape[m:])...)}
			n.Binds = g.bound(t.Shape[:m], func() { n.Kids = append(n.Kids, g.indices(ks, depth)...) })
			return n
		case 3: // scatter
			if t.Elem == types.B {
				continue
			}
			p := g.pick(len(t.Shape) + 1)
			ks := g.shape(min(3-(len(t.Shape)-p), 2))
			n := &Tree{Type: t, Op: ops.Op{Sym: ops.SymScatter, Sizes: ks, Targets: t.Shape[:p]}}
			n.Kids = []*Tree{sub(slices.Concat(ks, t.Shape[p:])...)}
			n.Binds = g.bound(ks, func() { n.Kids = append(n.Kids, g.indices(t.Shape[:p], depth)...) })
			return n
		case 4: // an array literal
			if len(t.Shape) == 0 || !fits(t.Shape[0], 3) {
				continue
			}
			c, _ := t.Shape[0].Const()
			n := g.apply(t, ops.SymStack)
			for range c {
				n.Kids = append(n.Kids, sub(t.Shape[1:]...))
			}
			return n
		case 5:
			if len(t.Shape) == 0 {
				continue
			}
			return &Tree{Type: t, Op: ops.Op{Sym: ops.SymReplicate, Sizes: t.Shape[:1]}, Kids: []*Tree{sub(t.Shape[1:]...)}}
		case 6:
			if len(t.Shape) < 2 {
				continue
			}
			p := g.rng.Perm(len(t.Shape))
			from := make([]size.Size, len(p))
			for i, j := range p {
				from[j] = t.Shape[i]
			}
			return &Tree{Type: t, Op: ops.Op{Sym: ops.SymTr, Perm: p}, Kids: []*Tree{sub(from...)}}
		case 7:
			from := g.reshaped(t.Shape)
			return &Tree{Type: t, Op: ops.Op{Sym: ops.SymReshape, Sizes: t.Shape}, Kids: []*Tree{sub(from...)}}
		case 8: // build
			if len(t.Shape) == 0 {
				continue
			}
			n := &Tree{Type: t, Op: ops.Op{Sym: ops.SymBuild, Sizes: t.Shape[:1]}}
			n.Binds = g.bound(t.Shape[:1], func() { n.Kids = []*Tree{sub(t.Shape[1:]...)} })
			return n
		case 9:
			if len(t.Shape) == 0 || t.Elem == types.B {
				continue
			}
			return g.columnwise(t, depth)
		}
	}
	return g.leaf(t)
}

func fits(s size.Size, n int64) bool {
	c, ok := s.Const()
	return ok && c >= 1 && c <= n
}

func (g *grower) reduction(t *types.Type, depth int) *Tree {
	k := sizes(g.size())
	elem := t.Elem
	var syms []ops.Sym
	switch {
	case t.Elem == types.B:
		syms = []ops.Sym{ops.SymAny, ops.SymAll}
	case g.pick(4) > 0:
		syms = []ops.Sym{ops.SymSum}
	case t.Elem == types.I:
		syms, elem = []ops.Sym{ops.SymArgmax, ops.SymArgmin}, types.R
	default:
		syms = []ops.Sym{ops.SymMaximum, ops.SymMinimum}
		if g.palette != Rational || depth < 3 { // or numbers grow long
			syms = append(syms, ops.SymProd)
		}
		if g.palette != Rational {
			syms = append(syms, ops.SymLogsumexp)
		}
		if g.palette == Everything {
			syms = append(syms, ops.SymNorm)
		}
	}
	return g.apply(t, syms[g.pick(len(syms))], g.tree(types.ArrayOf(elem, slices.Concat(k, t.Shape)...), depth-1))
}

// columnwise grows a columnwise operator; t has an axis.
func (g *grower) columnwise(t *types.Type, depth int) *Tree {
	of := func(e types.Elem) *Tree { return g.tree(types.ArrayOf(e, t.Shape...), depth-1) }
	if t.Elem == types.I && g.pick(2) == 0 {
		return g.apply(t, ops.SymArgsort, of(types.R))
	}
	syms := []ops.Sym{ops.SymCumsum}
	if g.palette != Rational || depth < 3 {
		syms = append(syms, ops.SymCumprod)
	}
	if t.Elem == types.R {
		if len(syms) > 1 {
			syms = append(syms, ops.SymLinrec)
		}
		syms = append(syms, ops.SymSort)
		if g.palette != Rational {
			syms = append(syms, ops.SymSoftmax)
		}
	}
	sym := syms[g.pick(len(syms))]
	if sym == ops.SymLinrec {
		return g.apply(t, sym, of(t.Elem), of(t.Elem))
	}
	return g.apply(t, sym, of(t.Elem))
}

// reshaped is another shape with as many elements.
func (g *grower) reshaped(shape []size.Size) []size.Size {
	n, _ := size.Product(shape).Const()
	var out []size.Size
	for d := int64(2); n > 1 && len(out) < 2; d++ {
		if n%d == 0 && g.pick(2) == 0 {
			out = append(out, size.Const(d))
			n /= d
			d = 1
		}
		if d > n {
			break
		}
	}
	if n > 1 || g.pick(3) == 0 {
		out = append(out, size.Const(n))
	}
	g.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// Case is a random program with the inputs it needs.
type Case struct {
	Root   *Tree
	Inputs []*types.Type
	Seed   int64 // of the values of the inputs
}

// Gen makes random programs that result in arrays of elem, or of any
// element type if it is NoElem.
func Gen(palette Palette, elem types.Elem) gopter.Gen {
	return genProgram(palette, func(g *grower) *types.Type {
		e := elem
		if e == types.NoElem {
			e = []types.Elem{types.R, types.R, types.R, types.I, types.B}[g.pick(5)]
		}
		return types.ArrayOf(e, g.shape(2)...)
	})
}

// GenScalar makes random programs that result in a real scalar.
func GenScalar(palette Palette) gopter.Gen {
	return genProgram(palette, func(*grower) *types.Type { return types.ArrayOf(types.R) })
}

// Hold tests a property of n random cases, as programs; the smallest that is found not to have it
// is in the message.
func Hold[C any](t testing.TB, seed int64, n int, gen gopter.Gen, property func(C) error) {
	t.Helper()
	params := gopter.DefaultTestParameters()
	params.Rng = rand.New(rand.NewSource(seed))
	params.MinSuccessfulTests, params.MaxShrinkCount, params.Workers = n, 500, 1
	var failure error
	res := prop.ForAll(func(c C) bool {
		err := property(c)
		if err != nil { // of the last case that fails, the smallest
			failure = err
		}
		return err == nil
	}, gen).Check(params)
	if !res.Passed() {
		t.Fatalf("-seed %d: %v %v", seed, failure, res.Error)
	}
}

func genProgram(palette Palette, result func(*grower) *types.Type) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		g := &grower{rng: p.Rng, palette: palette}
		t := result(g)
		c := Case{Root: g.tree(t, 1+g.pick(7)), Seed: p.Rng.Int63()}
		c.Inputs = g.inputs
		return gopter.NewGenResult(c, func(v any) gopter.Shrink { return v.(Case).smaller() })
	}
}

// smaller tries to replace the whole by a part of the same type, and any part by a smaller one.
func (c Case) smaller() gopter.Shrink {
	var out []Case
	for _, root := range c.Root.smaller() {
		if closed(root, nil) {
			out = append(out, Case{root, c.Inputs, c.Seed})
		}
	}
	return slice.Each(out)
}

// smaller lists t with a replacement for one of its parts, the whole first.
func (t *Tree) smaller() []*Tree {
	if len(t.Kids) == 0 {
		return nil
	}
	out := t.replacements()
	for i, k := range t.Kids {
		for _, s := range k.smaller() {
			u := *t
			u.Kids = slices.Clone(t.Kids)
			u.Kids[i] = s
			out = append(out, &u)
		}
	}
	return out
}

// replacements lists the parts of t that have its type, and a literal.
func (t *Tree) replacements() []*Tree {
	var out []*Tree
	var parts func(u *Tree)
	parts = func(u *Tree) {
		for _, k := range u.Kids {
			if k.Type.Equal(t.Type) {
				out = append(out, k)
			}
			parts(k)
		}
	}
	parts(t)
	if t.Kind == TreeLoop {
		out = append(out, t.smallerLoop()...)
	}
	c := ops.ScalarZero(t.Type.Elem)
	return append(out, &Tree{Type: t.Type, Op: ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(c), Type: t.Type}})
}

// closed reports whether every variable is bound.
func closed(t *Tree, bound []int) bool {
	switch t.Kind {
	case TreeIvar, TreeUse:
		return slices.Contains(bound, t.Name)
	case TreeLet:
		return closed(t.Kids[0], bound) && closed(t.Kids[1], append(bound, t.Name))
	}
	for i, k := range t.Kids {
		inner := bound
		if t.Kind == TreeLoop && i > t.arrays() || t.Kind != TreeLoop && len(t.Binds) > 0 && ops.Builtin(t.Op.Sym).Under(i) {
			inner = append(slices.Clone(bound), t.Binds...)
		}
		if !closed(k, inner) {
			return false
		}
	}
	return true
}

// Program turns the case into a program: lets become named atoms.
func (c Case) Program(sig *term.Signature) *term.Program {
	p := &term.Program{Store: term.NewStore(sig), Name: "p", Names: make(map[uint32]term.Hint)}
	for i, t := range c.Inputs {
		p.Inputs = append(p.Inputs, term.Input{Name: fmt.Sprintf("x%d", i), Type: t})
	}
	p.Root = c.Root.term(p, make(map[int]term.Term))
	return p
}

// term makes the term of a tree; env gives variables their terms.
func (t *Tree) term(p *term.Program, env map[int]term.Term) term.Term {
	s := p.Store
	switch t.Kind {
	case TreeInput:
		return s.Var(fmt.Sprintf("x%d", t.Name), t.Type)
	case TreeIvar, TreeUse:
		return env[t.Name]
	case TreeLet:
		bound := t.Kids[0].term(p, env)
		if len(s.Kids(bound)) > 0 {
			p.Names[bound.ID] = term.NewHint(fmt.Sprintf("l%d", t.Name), t.Name)
		}
		env[t.Name] = bound
		return t.Kids[1].term(p, env)
	case TreeLoop:
		return t.states(p, env)
	}
	names := s.FreshN(len(t.Binds))
	for i, b := range t.Binds {
		env[b] = s.Ivar(names[i], t.Op.Sizes[i])
	}
	return s.MustMake(t.Op, nil, names, slice.Map(t.Kids, func(k *Tree) term.Term { return k.term(p, env) }))
}

// Values makes random values for the inputs of a program. With whole, reals are
// whole numbers; with moderate, they are between -2 and 2.
func (c Case) Values(whole, moderate bool) eval.Env[*eval.Value[float64]] {
	from := rng.New(rng.NewPCG(uint64(c.Seed), 0))
	env := make(eval.Env[*eval.Value[float64]])
	for i, t := range c.Inputs {
		v, err := eval.FloatArrays().New(t)
		if err != nil {
			panic(&overflow.Error{Msg: err.Error()})
		}
		mode := []values.Mode{values.Counting, values.Small, values.Dyadic, values.Wild}[from.IntN(4)]
		for k := range v.R {
			switch {
			case whole:
				v.R[k] = float64(from.IntN(9) - 4)
			case moderate:
				v.R[k] = 4*from.Float64() - 2
			default:
				v.R[k] = values.Real(from, mode, k)
			}
		}
		for k := range v.N {
			v.N[k] = values.Whole(from, mode, k, t.Elem)
		}
		env[fmt.Sprintf("x%d", i)] = v
	}
	return env
}
