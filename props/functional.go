package props

import (
	"math/rand"
	rng "math/rand/v2"
	"slices"
	"strconv"

	"egad/fun"
	"egad/internal/slice"
	"egad/internal/values"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// FunctionalCase is a random functional program with values of its inputs.
type FunctionalCase struct {
	Program *fun.Program
	Inputs  []fun.Value // in the domain of float64
	Length  int64       // of all arrays, if the program is rectangular
}

// Text is the program and what it is run on.
func (c FunctionalCase) Text() string {
	text := fun.Print(c.Program.Body, c.Program.Names...) + "\n"
	for i, x := range c.Inputs {
		text += c.Program.Names[i] + ": " + c.Program.Context[i].String() + " = " + fun.Show(x, c.Program.Context[i], showReal) + "\n"
	}
	return text
}

func showReal(x fun.Value) string { return strconv.FormatFloat(x.(float64), 'g', -1, 64) }

// Operators is which operators on scalars a functional program has.
type Operators uint8

// The sets of operators; each has those before it.
const (
	// Ring is + * neg on reals and integers, as Fig. 1 of Efficient CHAD has it. There are
	// literals and sign too.
	Ring Operators = iota
	// Polynomial is - max min abs too, and comparisons.
	Polynomial
	// Differentiable is functions too that are so almost everywhere and stay finite on
	// moderate values.
	Differentiable
	// AllOperators is all elementwise operators.
	AllOperators
)

// FunctionalOptions says what random functional programs are like. The zero has everything
// but recursion, with operators of [Ring].
type FunctionalOptions struct {
	FirstOrder, NoArrays, NoSums, NoIntegers bool
	// Recursion allows functions that call themselves a few times.
	Recursion bool
	// Rectangular gives all arrays of a program one length, so that they are arrays of the
	// array language too.
	Rectangular bool
	Operators   Operators
	// Result is the type of the result; nil for any first-order type.
	Result *fun.Type
	// Values says how wild the reals and integers of the inputs are.
	Values values.Mode
	// Size is about how many forms a program has, 0 for some forty.
	Size int
}

// RandomFunctional is a random well-typed functional program of a closed set of inputs.
func RandomFunctional(from *rand.Rand, o FunctionalOptions) FunctionalCase {
	g := &funGrower{FunctionalOptions: o, rng: from, length: []int64{1, 2, 2, 3, 3, 5}[from.Intn(6)]}
	if g.Size == 0 {
		g.Size = 40
	}
	g.fuel = 1 + from.Intn(2*g.Size)
	p := &fun.Program{Result: o.Result}
	for i := range 1 + from.Intn(3) {
		t := fun.Real
		if i > 0 {
			t = g.typ(2, true)
		}
		p.Names, p.Context = append(p.Names, string(rune('a'+i))), append(p.Context, t)
	}
	if p.Result == nil {
		p.Result = g.typ(2, true)
	}
	g.scope = slices.Clone(p.Context)
	p.Body = g.term(p.Result, 8)
	c := FunctionalCase{Program: p, Length: g.length}
	seeded := rng.New(rng.NewPCG(from.Uint64(), 0))
	for _, t := range p.Context {
		c.Inputs = append(c.Inputs, g.value(seeded, t))
	}
	return c
}

// funGrower makes random terms.
type funGrower struct {
	FunctionalOptions
	rng    *rand.Rand
	length int64 // of all arrays, of a rectangular program
	fuel   int   // how many forms may still be made
	scope  []*fun.Type
}

func (g *funGrower) pick(n int) int { return g.rng.Intn(n) }

// typ is a random type.
func (g *funGrower) typ(depth int, firstOrder bool) *fun.Type {
	for {
		switch g.pick(12) {
		default:
			return fun.Real
		case 4:
			if !g.NoIntegers {
				return fun.Int
			}
		case 5:
			if !g.NoSums {
				return fun.Bool
			}
		case 6:
			return fun.Unit
		case 7, 8:
			if depth > 0 {
				return fun.Prod(g.typ(depth-1, firstOrder), g.typ(depth-1, firstOrder))
			}
		case 9:
			if depth > 0 && !g.NoSums {
				return fun.Sum(g.typ(depth-1, firstOrder), g.typ(depth-1, firstOrder))
			}
		case 10:
			if depth > 0 && !g.NoArrays {
				return fun.Array(g.typ(depth-1, true))
			}
		case 11:
			if depth > 0 && !firstOrder && !g.FirstOrder {
				return fun.Fun(g.typ(depth-1, false), g.typ(depth-1, false))
			}
		}
	}
}

// under makes a term where variables are bound; nil is of one that may not be used.
func (g *funGrower) under(f func() *fun.Term, bound ...*fun.Type) *fun.Term {
	n := len(g.scope)
	g.scope = append(g.scope, bound...)
	t := f()
	g.scope = g.scope[:n]
	return t
}

// variables lists those in scope whose type is as asked.
func (g *funGrower) variables(is func(t *fun.Type) bool) []*fun.Term {
	var out []*fun.Term
	for i, t := range g.scope {
		if t != nil && is(t) {
			out = append(out, fun.V(len(g.scope)-1-i))
		}
	}
	return out
}

// leaf is a variable of type t, or a constant.
func (g *funGrower) leaf(t *fun.Type) *fun.Term {
	if vs := g.variables(t.Equal); len(vs) > 0 && g.pick(5) > 0 {
		return vs[g.pick(len(vs))]
	}
	return g.intro(t, 0, g.leaf)
}

// intro is a constructor of values of type t, of parts.
func (g *funGrower) intro(t *fun.Type, depth int, part func(t *fun.Type) *fun.Term) *fun.Term {
	switch t.Kind {
	case fun.KReal:
		return fun.Literal(numeric.Int(int64(g.pick(5)-1)), t)
	case fun.KInt:
		return fun.Literal(numeric.Int(int64(g.pick(5)-1)), t)
	case fun.KProd:
		return fun.Pair.Make(part(t.Parts[0]), part(t.Parts[1]))
	case fun.KSum:
		if g.pick(2) == 0 {
			return fun.Inl.Typed(t, part(t.Parts[0]))
		}
		return fun.Inr.Typed(t, part(t.Parts[1]))
	case fun.KFun:
		return fun.Closure(t.Parts[0], g.under(func() *fun.Term { return part(t.Parts[1]) }, t.Parts[0]))
	case fun.KArray:
		if depth > 0 && g.pick(2) == 0 {
			n := fun.Literal(numeric.Int(g.size()), fun.Int)
			if !g.Rectangular && g.pick(4) == 0 {
				n = fun.Operator(ops.Op{Sym: ops.SymMod}, part(fun.Int), fun.Literal(numeric.Int(4), fun.Int))
			} else if vs := g.variables(isArray); len(vs) > 0 && g.pick(2) == 0 {
				n = fun.Length.Make(vs[g.pick(len(vs))])
			}
			return fun.Build.Typed(t.Parts[0], n, g.under(func() *fun.Term { return part(t.Parts[0]) }, fun.Int))
		}
		return fun.List.Typed(t.Parts[0], slice.Make(g.size(), func(int) *fun.Term { return part(t.Parts[0]) })...)
	}
	return fun.Star.Make()
}

func isArray(t *fun.Type) bool { return t.Kind == fun.KArray }

// size is the length of an array.
func (g *funGrower) size() int64 {
	if g.Rectangular {
		return g.length
	}
	return int64([]int{0, 1, 2, 2, 3, 3}[g.pick(6)])
}

// term makes a term of type t.
func (g *funGrower) term(t *fun.Type, depth int) *fun.Term {
	g.fuel--
	if depth <= 0 || g.fuel <= 0 {
		return g.leaf(t)
	}
	part := func(t *fun.Type) *fun.Term { return g.term(t, depth-1) }
	branch := func(bound *fun.Type) *fun.Term {
		return g.under(func() *fun.Term { return part(t) }, bound)
	}
	for {
		switch g.pick(16) {
		case 0, 1:
			a := g.typ(2, false)
			return fun.LetIn(part(a), branch(a))
		case 2:
			if !g.NoSums {
				of := fun.Sum(g.typ(1, false), g.typ(1, false))
				return fun.Case.Make(part(of), branch(of.Parts[0]), branch(of.Parts[1]))
			}
		case 3:
			if g.NoSums {
				continue
			}
			if g.pick(2) == 0 {
				return fun.Case.Make(fun.Sign.Make(part(fun.Real)), branch(fun.Bool), branch(fun.Unit))
			}
			return fun.Case.Make(part(fun.Bool), branch(fun.Unit), branch(fun.Unit))
		case 4:
			other := g.typ(1, false)
			if g.pick(2) == 0 {
				return fun.Fst.Make(part(fun.Prod(t, other)))
			}
			return fun.Snd.Make(part(fun.Prod(other, t)))
		case 5, 6:
			if g.FirstOrder {
				continue
			}
			if vs := g.variables(func(u *fun.Type) bool { return u.Kind == fun.KFun && u.Parts[1].Equal(t) }); len(vs) > 0 {
				f := vs[g.pick(len(vs))]
				return fun.App.Make(f, part(g.scope[len(g.scope)-1-f.N].Parts[0]))
			}
			a := g.typ(1, false)
			return fun.App.Make(part(fun.Fun(a, t)), part(a))
		case 7:
			if !g.NoArrays && t.FirstOrder() {
				return fun.Index.Typed(t, part(fun.Array(t)), part(fun.Int))
			}
		case 8:
			if !g.NoArrays && t.FirstOrder() {
				return g.reduce(t, part)
			}
		case 9:
			if g.Recursion && !g.NoSums && !g.NoIntegers && !g.FirstOrder {
				return g.recursion(t, part)
			}
		default:
			if op := g.operator(t, part); op != nil && g.pick(5) > 0 {
				return op
			}
			if g.pick(3) == 0 {
				return g.leaf(t)
			}
			return g.intro(t, depth, part)
		}
	}
}

// reduce reduces an array, if it has elements.
func (g *funGrower) reduce(t *fun.Type, part func(t *fun.Type) *fun.Term) *fun.Term {
	array := part(fun.Array(t))
	both := func() *fun.Term { return part(t) }
	if array.Form == fun.List && len(array.Kids) > 0 {
		return fun.Reduce.Typed(t, g.under(both, fun.Prod(t, t)), array)
	}
	// let a = array in case 0 < length a of inl _ -> reduce f a | inr _ -> other
	return fun.LetIn(array, g.under(func() *fun.Term {
		some := fun.Operator(ops.Op{Sym: ops.SymLt}, fun.Literal(numeric.Int(0), fun.Int), fun.Length.Make(fun.V(0)))
		return fun.Case.Make(some,
			g.under(func() *fun.Term {
				return fun.Reduce.Typed(t, g.under(both, fun.Prod(t, t)), fun.V(1))
			}, fun.Unit),
			g.under(func() *fun.Term { return g.leaf(t) }, fun.Unit))
	}, fun.Array(t)))
}

// recursion is a function that calls itself a few times:
// (rec f(i) = if i < 1 then first else let r = f (i - 1) in next) n.
func (g *funGrower) recursion(t *fun.Type, part func(t *fun.Type) *fun.Term) *fun.Term {
	one := fun.Literal(numeric.Int(1), fun.Int)
	body := g.under(func() *fun.Term {
		less := fun.Operator(ops.Op{Sym: ops.SymLt}, fun.V(0), one)
		first := g.under(func() *fun.Term { return part(t) }, fun.Unit)
		next := g.under(func() *fun.Term { return part(t) }, fun.Unit, t)
		return fun.Case.Make(less, first, fun.LetIn(fun.App.Make(fun.V(2), fun.Operator(ops.Op{Sym: ops.SymSub}, fun.V(1), one)), next))
	}, nil, fun.Int)
	return fun.App.Make(fun.Recursive(fun.Fun(fun.Int, t), body), fun.Literal(numeric.Int(int64(g.pick(4))), fun.Int))
}

// operator is an operator on scalars that results in t, nil if there is none.
func (g *funGrower) operator(t *fun.Type, part func(t *fun.Type) *fun.Term) *fun.Term {
	apply := func(of *fun.Type, syms ...ops.Sym) *fun.Term {
		sym := syms[g.pick(len(syms))]
		kids := slice.Make(ops.Builtin(sym).Arity, func(int) *fun.Term { return part(of) })
		return fun.Operator(ops.Op{Sym: sym}, kids...)
	}
	choose := func() *fun.Term {
		return fun.Operator(ops.Op{Sym: ops.SymWhere}, part(fun.Bool), part(t), part(t))
	}
	from := func(least Operators, syms ...ops.Sym) []ops.Sym {
		if g.Operators < least {
			return nil
		}
		return syms
	}
	arithmetic := slices.Concat([]ops.Sym{ops.SymAdd, ops.SymAdd, ops.SymMul, ops.SymMul, ops.SymNeg},
		from(Polynomial, ops.SymSub, ops.SymMax, ops.SymMin, ops.SymAbs))
	_, scalar := t.Elem()
	switch all := g.Operators == AllOperators; {
	case scalar && all && g.pick(10) == 0 && !g.NoSums:
		return choose()
	case t.Kind == fun.KReal:
		if all && g.pick(10) == 0 && !g.NoIntegers {
			return apply(fun.Int, ops.SymReal)
		}
		arithmetic = append(arithmetic, from(Differentiable, ops.SymSin, ops.SymCos, ops.SymTanh, ops.SymSigmoid)...)
		return apply(t, append(arithmetic, from(AllOperators, onReals...)...)...)
	case t.Kind == fun.KInt:
		if all && g.pick(6) == 0 {
			return apply(fun.Real, ops.SymFloor, ops.SymRound)
		}
		return apply(t, append(arithmetic, from(AllOperators, ops.SymIdiv, ops.SymMod)...)...)
	case t.Equal(fun.Bool) && g.Operators >= Polynomial:
		switch {
		case all && g.pick(4) == 0:
			return apply(t, ops.SymNot, ops.SymAnd, ops.SymOr)
		case g.pick(3) == 0 && !g.NoIntegers:
			return apply(fun.Int, ops.SymLt, ops.SymLe, ops.SymEq)
		}
		return apply(fun.Real, ops.SymLt, ops.SymLe, ops.SymEq)
	}
	return nil
}

// onReals are all operators of reals that result in one and have no attribute.
var onReals = func() []ops.Sym {
	var out []ops.Sym
	for _, o := range term.NewSignature().All() {
		if o.Elementwise && !o.Has(ops.FormInt) && o.Arity > 0 {
			all := slices.Repeat([]types.Elem{types.R}, o.Arity)
			if e, ok := o.OnElements(all...); ok && e == types.R {
				out = append(out, o.Sym)
			}
		}
	}
	return out
}()

// value is a random value of a first-order type.
func (g *funGrower) value(from *rng.Rand, t *fun.Type) fun.Value {
	switch t.Kind {
	case fun.KReal:
		return values.Real(from, g.Values, from.IntN(5))
	case fun.KInt:
		return values.Whole(from, g.Values, from.IntN(5), types.I)
	case fun.KProd:
		return &fun.Pairing{L: g.value(from, t.Parts[0]), R: g.value(from, t.Parts[1])}
	case fun.KSum:
		if t.Equal(fun.Bool) {
			return fun.Truth(from.IntN(2) == 0)
		}
		side := from.IntN(2)
		return &fun.Side{Right: side == 1, X: g.value(from, t.Parts[side])}
	case fun.KArray:
		return &fun.Elements{X: slice.Make(g.size(), func(int) fun.Value { return g.value(from, t.Parts[0]) })}
	}
	return fun.Nothing{}
}
