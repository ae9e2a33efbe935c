package chad

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"testing"

	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/raise"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term/numeric"
	"egad/term/ops"
)

// firstOrder are the programs of the paper's proof.
var firstOrder = props.FunctionalOptions{FirstOrder: true, NoArrays: true, Values: values.Small}

// copied is a cotangent with marks of its own.
func copied(x fun.Value) fun.Value {
	switch x := x.(type) {
	case *lpair:
		return &lpair{l: copied(x.l), r: copied(x.r)}
	case *lside:
		return &lside{right: x.right, x: copied(x.x)}
	case *bag:
		if x.l != nil {
			return &bag{l: copied(x.l).(*bag), r: copied(x.r).(*bag)}
		}
		out := &bag{i: x.i, x: copied(x.x)}
		for _, y := range x.all {
			out.all = append(out.all, copied(y))
		}
		return out
	}
	return x
}

// cotangents are of the result and of the inputs.
func cotangents(c props.FunctionalCase, seed int64) (ct fun.Value, before []fun.Value, err error) {
	rng := rand.New(rand.NewSource(seed))
	v, err := c.Program.Run(&fun.Machine{Domain: fun.Floats()}, c.Inputs)
	if err != nil {
		return nil, nil, err
	}
	ct = randomCotangent(rng, v, c.Program.Result)
	for i, x := range c.Inputs {
		before = append(before, randomCotangent(rng, x, c.Program.Context[i]))
	}
	return ct, before, nil
}

func copies(xs []fun.Value) []fun.Value {
	if xs == nil {
		return nil
	}
	out := make([]fun.Value, len(xs))
	for i, x := range xs {
		out[i] = copied(x)
	}
	return out
}

// dual is a number with a tangent: forward mode, for what the operators of the paper are.
type dual struct{ x, dx float64 }

type duals struct{}

func (duals) FromNum(n numeric.Num) dual { return dual{n.Float64(), 0} }
func (duals) FromInt(i int64) dual       { return dual{float64(i), 0} }
func (duals) Floor(a dual) int64         { return int64(math.Floor(a.x)) }
func (duals) Round(a dual) int64         { return int64(math.Round(a.x)) }
func (duals) IsNaN(a dual) bool          { return math.IsNaN(a.x) }

func (duals) Unary(sym ops.Sym, _ int, a dual) dual {
	switch sym {
	case ops.SymNeg:
		return dual{-a.x, -a.dx}
	case ops.SymSin:
		return dual{math.Sin(a.x), a.dx * math.Cos(a.x)}
	}
	raise.Error(fmt.Errorf("no tangent of %d", sym))
	return dual{}
}

func (duals) Binary(sym ops.Sym, a, b dual) dual {
	switch sym {
	case ops.SymAdd:
		return dual{a.x + b.x, a.dx + b.dx}
	case ops.SymMul:
		return dual{a.x * b.x, a.dx*b.x + a.x*b.dx}
	}
	raise.Error(fmt.Errorf("no tangent of %d", sym))
	return dual{}
}

func (duals) Compare(sym ops.Sym, a, b dual) bool {
	if sym == ops.SymLt {
		return a.x < b.x
	}
	return a.x == b.x
}

// transposed checks <d, J v> = <Jᵀ d, v> for random v.
func transposed(c props.FunctionalCase, ct fun.Value, grads []fun.Value, seed int64) error {
	rng := rand.New(rand.NewSource(seed))
	var inputs []fun.Value
	var tangents []float64
	for i, x := range c.Inputs {
		inputs = append(inputs, fun.MapLeaves(x, c.Program.Context[i], func(x float64) fun.Value {
			tangents = append(tangents, float64(rng.Intn(5)-2))
			return dual{x, tangents[len(tangents)-1]}
		}))
	}
	m := &fun.Machine{Domain: &fun.Concrete[dual]{Scalars: duals{}}}
	v, err := c.Program.Run(m, inputs)
	if err != nil {
		return err
	}
	plain := fun.MapLeaves(v, c.Program.Result, func(x dual) fun.Value { return x.x })
	d, err := realsOf(ct, plain, c.Program.Result)
	if err != nil {
		return err
	}
	var left, right, scale float64
	for i, x := range fun.Leaves[dual](v, c.Program.Result) {
		left += x.dx * d[i]
		scale += math.Abs(x.dx * d[i])
	}
	at := 0
	for i, x := range grads {
		g, err := realsOf(x, c.Inputs[i], c.Program.Context[i])
		if err != nil {
			return err
		}
		for _, x := range g {
			right += x * tangents[at]
			scale += math.Abs(x * tangents[at])
			at++
		}
	}
	if !(math.Abs(left-right) <= 1e-9*scale) && !math.IsNaN(left-right) && !math.IsInf(scale, 0) {
		return fmt.Errorf("<d, J v> = %g, <Jᵀ d, v> = %g", left, right)
	}
	return nil
}

// find are routes by their names.
func find(names ...string) (out []*Route) {
	for _, n := range names {
		out = append(out, Find(n))
	}
	return out
}

// holds is what must be true of each route on a program.
func holds(t *testing.T, c props.FunctionalCase, routes []*Route, o Options, check func(r *Route, d *Derivative, m *Measured, ct fun.Value) error) error {
	lib := library(t)
	number := int64(c.Program.Body.Size()) + testflag.Seed<<20
	ct, before, err := cotangents(c, number)
	if err != nil {
		return err
	}
	plain, err := c.Program.Run(&fun.Machine{Domain: fun.Floats()}, c.Inputs)
	if err != nil {
		return err
	}
	for _, r := range routes {
		err := func() error {
			d, err := r.Transform(lib, c.Program)
			if err != nil {
				return err
			}
			if err := d.Check(); err != nil {
				return err
			}
			if r.linear == (dense{}) { // which has no other zeros
				before = nil
				ct = filled(ct, d.result)
			}
			m, err := d.Measure(c.Inputs, copied(ct), copies(before), o)
			if err != nil {
				return err
			}
			if !same(m.Value, plain) {
				return errors.New("another value than the program's (C1)")
			}
			if before == nil {
				if err := transposed(c, ct, m.Cotangents, number); err != nil {
					return fmt.Errorf("%w (C2)", err)
				}
			}
			if err := check(r, d, m, ct); err != nil {
				return err
			}
			zero, err := d.Measure(c.Inputs, copied(ct), nil, o)
			if err != nil {
				return err
			}
			return transposed(c, ct, zero.Cotangents, number)
		}()
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", r.Name, err, c.Text())
		}
	}
	return nil
}

// same reports whether values are the same, NaN too.
func same(a, b fun.Value) bool {
	if x, ok := a.(float64); ok {
		return math.Float64bits(x) == math.Float64bits(b.(float64)) || math.IsNaN(x) && math.IsNaN(b.(float64))
	}
	switch x := a.(type) {
	case *fun.Pairing:
		y := b.(*fun.Pairing)
		return same(x.L, y.L) && same(x.R, y.R)
	case *fun.Side:
		y := b.(*fun.Side)
		return x.Right == y.Right && same(x.X, y.X)
	case *fun.Elements:
		y := b.(*fun.Elements)
		for i := range x.X {
			if len(x.X) != len(y.X) || !same(x.X[i], y.X[i]) {
				return false
			}
		}
		return len(x.X) == len(y.X)
	}
	return reflect.DeepEqual(a, b)
}

// filled is a cotangent with pairs of zeros for zeros of pairs.
func filled(x fun.Value, t *fun.Type) fun.Value {
	if x == nil {
		x, _ = dense{}.zero(t)
		return x
	}
	switch x := x.(type) {
	case *lpair:
		return &lpair{l: filled(x.l, t.Parts[0]), r: filled(x.r, t.Parts[1])}
	case *lside:
		return &lside{right: x.right, x: filled(x.x, t.Parts[fun.Place(x.right)])}
	}
	return x
}

// TestC1C2C7C13T10: by each of the four implementations the value is that of the program, bit
// for bit (C1), the backpropagator is the transposed derivative (C2), cotangents of different
// sides of a sum never meet (C7 and T10), and no cotangent is used twice (C13).
func TestC1C2C7C13T10(t *testing.T) {
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(firstOrder), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-dense", "chad-sparse", "chad-map", "chad"), Options{Affine: true}, func(*Route, *Derivative, *Measured, fun.Value) error { return nil })
	})
}

// TestC4C5: TH1 and TH2 of the paper, with and without the operand's cost of lfst and lsnd
// of a zero, on sparse cotangents and inputs' cotangents that are not zero.
func TestC4C5(t *testing.T) {
	for _, charge := range []bool{false, true} {
		worst1, worst2 := 0.0, 0.0
		programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(firstOrder), func(c props.FunctionalCase) error {
			return holds(t, c, find("chad"), Options{Affine: true, Charge: charge}, func(_ *Route, d *Derivative, m *Measured, ct fun.Value) error {
				left, right := m.Theorem1()
				if left > right {
					return fmt.Errorf("TH1: %d > %d", left, right)
				}
				whole, err := d.Whole(c.Inputs, copied(ct), Options{Affine: true, Charge: charge})
				if err != nil {
					return err
				}
				if bound := m.Theorem2(); whole > bound {
					return fmt.Errorf("TH2: %d > %d", whole, bound)
				}
				worst1 = max(worst1, float64(left)/float64(right))
				worst2 = max(worst2, float64(whole)/float64(m.Theorem2()))
				return nil
			})
		})
		t.Logf("charge %t: at most %.3f of TH1's bound and %.3f of TH2's", charge, worst1, worst2)
	}
}

// TestC4C5Operators: with all operators both theorems hold with the constant that they need.
func TestC4C5Operators(t *testing.T) {
	o := firstOrder
	o.Operators = props.AllOperators
	larger := 0
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(o), func(c props.FunctionalCase) error {
		ct, before, err := cotangents(c, testflag.Seed)
		if err != nil {
			return err
		}
		d, err := Find("chad").Transform(library(t), c.Program)
		if err != nil {
			return err
		}
		cost, err := d.Cost(c.Inputs, ct, before, Options{})
		if err != nil {
			return err
		}
		if cost.Left1 > cost.Right1 || cost.Left2 > cost.Right2 {
			return fmt.Errorf("constant %d: %d > %d or %d > %d\n%s", cost.Constant, cost.Left1, cost.Right1, cost.Left2, cost.Right2, c.Text())
		}
		if cost.Constant > 31 {
			larger++
		}
		return nil
	})
	if larger == 0 {
		t.Error("no program has a constant above 31")
	}
	// A sum takes no more than the paper allows, a quotient does.
	for sym, want := range map[ops.Sym]int64{ops.SymAdd: 31, ops.SymMul: 31, ops.SymSin: 31, ops.SymDiv: 37} {
		kids := []*fun.Term{v(0), v(0)}[:ops.Builtin(sym).Arity]
		d, err := Find("chad").Transform(library(t), scalar(op(sym, kids...), "x"))
		if err != nil || d.Constant.Of != want {
			t.Errorf("%s: %d, want %d (%v)", ops.Builtin(sym).Text(), d.Constant.Of, want, err)
		}
	}
}

// TestC3C7Sums: the cost of an addition is what it takes from the sizes (5), exactly, and addition
// is associative and commutative with its zero, on cotangents of one value.
func TestC3C7Sums(t *testing.T) {
	s := &state{linear: sparse{}}
	plus := func(x, y fun.Value) (fun.Value, int64) {
		return s.plus(copied(x), copied(y))
	}
	rng := rand.New(rand.NewSource(testflag.Seed))
	for range testflag.Count(2500, 100_000) {
		c := props.RandomFunctional(rng, props.FunctionalOptions{FirstOrder: true, NoArrays: true, Size: 1})
		for i, v := range c.Inputs {
			typ := c.Program.Context[i]
			x, y, z := randomCotangent(rng, v, typ), randomCotangent(rng, v, typ), randomCotangent(rng, v, typ)
			xy, cost := plus(x, y)
			if cost != sizeOf(x)+sizeOf(y)-sizeOf(xy) {
				t.Fatalf("cost %d of sizes %d + %d - %d", cost, sizeOf(x), sizeOf(y), sizeOf(xy))
			}
			l, _ := plus(xy, z)
			yz, _ := plus(y, z)
			r, _ := plus(x, yz)
			yx, _ := plus(y, x)
			l0, err := realsOf(l, v, typ)
			r0, err2 := realsOf(r, v, typ)
			if err != nil || err2 != nil || !reflect.DeepEqual(l0, r0) || !reflect.DeepEqual(xy, yx) {
				t.Fatalf("not a commutative monoid at %s", typ)
			}
		}
	}
}

// TestC12: D[s] is part of D[t] for each part s of t, once, and D[t] is at most a constant
// times as large as t.
func TestC12(t *testing.T) {
	lib := library(t)
	for _, r := range find("chad-map", "chad") {
		worst := 0.0
		o := firstOrder
		o.NoArrays = false
		programs.Hold(t, testflag.Seed, testflag.Count(75, 10_000), functional.Gen(o), func(c props.FunctionalCase) error {
			parts := make(map[*fun.Term]int)
			tr := newTransformer(r.calculus, lib, c.Program.Context)
			tr.derived = func(_, d *fun.Term) { parts[d] = 0 }
			d, err := tr.transformed(c.Program.Body)
			if err != nil {
				return err
			}
			if len(parts) != c.Program.Body.Size() {
				return fmt.Errorf("%d derivatives of %d parts", len(parts), c.Program.Body.Size())
			}
			var walk func(t *fun.Term)
			walk = func(t *fun.Term) {
				if _, ok := parts[t]; ok {
					parts[t]++
				}
				for _, k := range t.Kids {
					walk(k)
				}
			}
			walk(d)
			for s, n := range parts {
				if n != 1 {
					return fmt.Errorf("%s is there %d times", fun.Print(s, c.Program.Names...), n)
				}
			}
			ratio := float64(d.Size()) / float64(c.Program.Body.Size())
			if ratio > 38 { // as of an empty list, which is one form
				return fmt.Errorf("%g times as large\n%s", ratio, c.Text())
			}
			worst = max(worst, ratio)
			return nil
		})
		t.Logf("%s: |D[t]| ≤ %.1f |t|", r.Name, worst)
	}
}
