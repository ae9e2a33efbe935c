package krawiec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"egad/fun"
	"egad/term/numeric"
	"egad/term/ops"
)

func op(sym ops.Sym, ts ...*fun.Term) *fun.Term { return fun.Operator(ops.Op{Sym: sym}, ts...) }

func plus(a, b *fun.Term) *fun.Term  { return op(ops.SymAdd, a, b) }
func minus(a, b *fun.Term) *fun.Term { return op(ops.SymSub, a, b) }
func times(a, b *fun.Term) *fun.Term { return op(ops.SymMul, a, b) }

func number(n int64) *fun.Term { return fun.Literal(numeric.Int(n), fun.Real) }
func whole(n int64) *fun.Term  { return fun.Literal(numeric.Int(n), fun.Int) }

// program is one of real inputs with the result R.
func program(body *fun.Term, names ...string) *fun.Program {
	p := &fun.Program{Names: names, Body: body, Result: fun.Real}
	for range names {
		p.Context = append(p.Context, fun.Real)
	}
	return p
}

// doubling is let x = x + x in … n times, and then x + x.
func doubling(n int) *fun.Program {
	t := plus(fun.V(0), fun.V(0))
	for range n {
		t = fun.LetIn(plus(fun.V(0), fun.V(0)), t)
	}
	return program(t, "x")
}

// gradient runs a route.
func gradient(t testing.TB, route string, p *fun.Program, ct []float64, inputs ...fun.Value) *Outcome {
	t.Helper()
	out, err := Find(route).Gradient(&Task{Lib: lib, Program: p}, inputs, ct)
	if err != nil {
		t.Fatalf("%s: %v\n%s", route, err, fun.Print(p.Body, p.Names...))
	}
	return out
}

// want checks that all routes have a gradient, with arrays of pairs and as pairs of arrays.
func want(t *testing.T, p *fun.Program, ct, gradient []float64, inputs ...fun.Value) {
	t.Helper()
	for _, r := range Routes {
		for _, apart := range []bool{false, true} {
			out, err := r.Gradient(&Task{Lib: lib, Program: p, PairOfArrays: apart}, inputs, ct)
			if err != nil {
				t.Errorf("%s: %v", r.Name, err)
			} else if !same(out.Gradient, gradient) {
				t.Errorf("%s: %v, want %v", r.Name, out.Gradient, gradient)
			}
		}
	}
}

// TestK6NestedDoubling and T3: what delta has lost is 2^(n+2) - 1 visits, and monadic has 4
// more for each let.
func TestK6T3NestedDoubling(t *testing.T) {
	for n := 1; n <= 12; n++ {
		p := doubling(n)
		if out := gradient(t, "delta", p, nil, 3.0); out.Visits != 1<<(n+2)-1 || out.Gradient[0] != float64(int(2)<<n) {
			t.Errorf("delta, n = %d: %d visits, gradient %v", n, out.Visits, out.Gradient)
		}
		for route, visits := range map[string]int{"monadic": 4*(n+1) + 1, "overloaded": 4*(n+1) + 1, "monadic-array": 3*(n+1) + 1} {
			if out := gradient(t, route, p, nil, 3.0); out.Visits != int64(visits) || out.Gradient[0] != float64(int(2)<<n) {
				t.Errorf("%s, n = %d: %d visits, want %d, gradient %v", route, n, out.Visits, visits, out.Gradient)
			}
		}
	}
}

// TestK5Vectors: each operator costs as much as there are inputs.
func TestK5Vectors(t *testing.T) {
	work := func(a, n int) int64 {
		names := make([]string, a)
		inputs := make([]fun.Value, a)
		for i := range names {
			names[i] = fmt.Sprintf("x%d", i)
			inputs[i] = 1.5
		}
		body := fun.V(0)
		for range n {
			body = fun.LetIn(times(fun.V(0), fun.V(0)), body)
		}
		return gradient(t, "vectors", program(body, names...), nil, inputs...).Operations
	}
	for _, a := range []int{1, 2, 8, 64} {
		if one := work(a, 6) - work(a, 5); one != int64(3*a) {
			t.Errorf("%d inputs: %d operations for a product, want %d", a, one, 3*a)
		}
	}
}

// rotation is Fig. 12, the x of rotate_vec_by_quat v q: tuples for vectors, and functions of
// tuples.
func rotation() *fun.Program {
	vec := fun.Tuple(fun.Real, fun.Real, fun.Real)
	arg := func(k, n int) func(i int) *fun.Term { // the components of an argument
		return func(i int) *fun.Term { return fun.Component(fun.Component(fun.V(0), k, 2), i, n) }
	}
	p, q := arg(0, 3), arg(1, 3)
	pair := fun.Prod(vec, vec)
	scaled := func(i int) *fun.Term { return times(fun.Fst.Make(fun.V(0)), q(i)) }
	s := &scope{depth: 2}
	let, at := s.let, s.at
	call := func(f int, a, b *fun.Term) *fun.Term { return fun.App.Make(at(f), fun.Pair.Make(a, b)) }
	body := let("dot", fun.Closure(pair, plus(plus(times(p(0), q(0)), times(p(1), q(1))), times(p(2), q(2)))), func(dot int) *fun.Term {
		return let("add", fun.Closure(pair, fun.TupleOf(plus(p(0), q(0)), plus(p(1), q(1)), plus(p(2), q(2)))), func(add int) *fun.Term {
			return let("scale", fun.Closure(fun.Prod(fun.Real, vec), fun.TupleOf(scaled(0), scaled(1), scaled(2))), func(scale int) *fun.Term {
				return let("cross", fun.Closure(pair, fun.TupleOf(
					minus(times(p(1), q(2)), times(p(2), q(1))),
					minus(times(p(2), q(0)), times(p(0), q(2))),
					minus(times(p(0), q(1)), times(p(1), q(0))))), func(cross int) *fun.Term {
					return let("u", fun.Fst.Make(at(0)), func(u int) *fun.Term {
						return let("s", fun.Snd.Make(at(0)), func(w int) *fun.Term {
							v := at(1)
							first := call(scale, times(number(2), call(dot, at(u), v)), at(u))
							second := call(scale, minus(times(at(w), at(w)), call(dot, at(u), at(u))), v)
							third := call(scale, times(number(2), at(w)), call(cross, at(u), v))
							return fun.Component(call(add, call(add, first, second), third), 0, 3)
						})
					})
				})
			})
		})
	})
	return &fun.Program{
		Names: []string{"q", "v"}, Context: []*fun.Type{fun.Tuple(fun.Real, fun.Real, fun.Real, fun.Real), vec},
		Body: body, Result: fun.Real,
	}
}

// TestT7Rotation: the gradient of Fig. 12, and its bindings by the rules of Fig. 9.
func TestT7Rotation(t *testing.T) {
	p := rotation()
	q, v := fun.TupleValue(1.1, 2.2, 3.3, 4.4), fun.TupleValue(5.5, 6.6, 7.7)
	want(t, p, nil, []float64{91.96, 58.08, -77.44, 38.72, 4.84, -24.2, 26.62}, q, v)
	for _, route := range []string{"monadic", "monadic-array", "overloaded"} {
		if out := gradient(t, route, p, nil, q, v); out.Bindings != 38 || math.Abs(out.Value.(float64)-71.874) > 1e-9 {
			t.Errorf("%s: value %v, %d bindings, want 38", route, out.Value, out.Bindings)
		}
	}
}

// figure12 is the Delta that the paper prints, with ids 1 to 7 for the inputs and 8 to 47 for
// x1 to x40: a binding a line, of which "a b" is Add (Var a) (Var b), "-a b" has the Scale
// of -1 at b, and "r a s b" both Scales.
const figure12 = `5.5 qy 2.2 vx; 6.6 qx 1.1 vy; - x2 x1; 7.7 qx 1.1 vz; 5.5 qz 3.3 vx; - x5 x4; 6.6 qz 3.3 vy; 7.7 qy 2.2 vz; - x8 x7; Zero;
4.4 x10 2 qw; -4.84 x11 8.8 x3; 9.68 x11 8.8 x6; -4.84 x11 8.8 x9; 3.3 qz 3.3 qz; 2.2 qy 2.2 qy; 1.1 qx 1.1 qx; + x17 x16; + x18 x15; 4.4 qw 4.4 qw;
- x20 x19; 7.7 x21 2.42 vz; 6.6 x21 2.42 vy; 5.5 x21 2.42 vx; 7.7 qz 3.3 vz; 6.6 qy 2.2 vy; 5.5 qx 1.1 vx; + x27 x26; + x28 x25; Zero;
45.98 x30 2 x29; 3.3 x31 91.96 qz; 2.2 x31 91.96 qy; 1.1 x31 91.96 qx; + x32 x22; + x33 x23; + x34 x24; + x35 x12; + x36 x13; + x37 x14`

// TestK8Figure12: of the Delta that the paper prints what is not used is not visited.
func TestK8Figure12(t *testing.T) {
	names := map[string]int{}
	for i, n := range strings.Fields("qx qy qz qw vx vy vz") {
		names[n] = i + 1
	}
	variable := func(name string) *Delta { return &Delta{Kind: Var, ID: names[name]} }
	scaled := func(x, name string) *Delta {
		d := &Delta{Kind: Scale, A: variable(name)}
		if _, err := fmt.Sscan(x, &d.X); err != nil {
			t.Fatal(err)
		}
		return d
	}
	l := &listed{next: 8}
	for i, line := range strings.Split(figure12, ";") {
		d := zero
		switch f := strings.Fields(line); {
		case f[0] == "+":
			d = &Delta{Kind: Add, A: variable(f[1]), B: variable(f[2])}
		case f[0] == "-":
			d = &Delta{Kind: Add, A: variable(f[1]), B: scaled("-1", f[2])}
		case f[0] != "Zero":
			d = &Delta{Kind: Add, A: scaled(f[0], f[1]), B: scaled(f[2], f[3])}
		}
		names[fmt.Sprintf("x%d", i+1)] = l.let(d)
	}
	d := l.wrap(variable("x40"))
	e, um := &evaluator{most: 1000}, Map{}
	e.eval(1, d, nil, um)
	var got []float64
	for id := 1; id <= 7; id++ {
		got = append(got, um[id])
	}
	if !same(got, []float64{91.96, 58.08, -77.44, 38.72, 4.84, -24.2, 26.62}) {
		t.Errorf("gradient %v", got)
	}
	if d.Size() != 209 || e.visits != 139 {
		t.Errorf("%d of %d visited, want 139 of 209", e.visits, d.Size())
	}
}

// TestT11Infinite: a binding that is not used is not evaluated with 0, of which an infinite
// factor would make a NaN.
func TestT11Infinite(t *testing.T) {
	// let y = x * (1 / z) in x, where z = 0
	p := program(fun.LetIn(times(fun.V(1), op(ops.SymDiv, number(1), fun.V(0))), fun.V(2)), "x", "z")
	for _, route := range []string{"delta", "monadic", "monadic-array", "overloaded"} {
		if out := gradient(t, route, p, nil, 2.0, 0.0); out.Gradient[0] != 1 || out.Gradient[1] != 0 {
			t.Errorf("%s: %v, want [1 0]", route, out.Gradient)
		}
	}
}

// TestK14Shapes: inputs and results of sums, integers and tuples; ids depend on the side.
func TestK14Shapes(t *testing.T) {
	shape := fun.Sum(fun.Real, fun.Prod(fun.Real, fun.Real)) // a circle or a box
	area := fun.Case.Make(fun.V(0), times(fun.V(0), fun.V(0)), times(fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0))))
	p := &fun.Program{Names: []string{"s"}, Context: []*fun.Type{shape}, Body: area, Result: fun.Real}
	want(t, p, nil, []float64{6}, &fun.Side{Right: false, X: 3.0})
	want(t, p, nil, []float64{5, 4}, &fun.Side{Right: true, X: fun.TupleValue(4.0, 5.0)})

	// R^2 * I * R -> (R + I) * R
	result := fun.Prod(fun.Sum(fun.Real, fun.Int), fun.Real)
	pos := op(ops.SymLt, whole(0), fun.V(1))
	body := fun.Pair.Make(
		fun.Case.Make(pos, fun.Inl.Typed(result.Parts[0], times(fun.Fst.Make(fun.V(3)), fun.Snd.Make(fun.V(3)))), fun.Inr.Typed(result.Parts[0], fun.V(2))),
		times(fun.V(0), fun.Fst.Make(fun.V(2))))
	p = &fun.Program{Names: []string{"a", "n", "b"}, Context: []*fun.Type{fun.Prod(fun.Real, fun.Real), fun.Int, fun.Real}, Body: body, Result: result}
	want(t, p, []float64{10, 1}, []float64{37, 20, 2}, fun.TupleValue(2.0, 3.0), int64(1), 7.0)
	want(t, p, []float64{1}, []float64{7, 0, 2}, fun.TupleValue(2.0, 3.0), int64(0), 7.0)
}

// TestK15Arrays: arrays of any length, as inputs and results, and a product with a zero.
func TestK15Arrays(t *testing.T) {
	reals := func(xs ...float64) fun.Value {
		out := &fun.Elements{}
		for _, x := range xs {
			out.X = append(out.X, x)
		}
		return out
	}
	product := fun.Reduce.Typed(fun.Real, times(fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0))), fun.V(0))
	p := &fun.Program{Names: []string{"a"}, Context: []*fun.Type{vector}, Body: product, Result: fun.Real}
	want(t, p, nil, []float64{6, 0, 0}, reals(0, 2, 3))
	// reversed squares, with one out of range
	n := fun.Length.Make(fun.V(0))
	elem := fun.Index.Typed(fun.Real, fun.V(1), op(ops.SymSub, fun.Length.Make(fun.V(1)), fun.V(0)))
	p = &fun.Program{Names: []string{"a"}, Context: []*fun.Type{vector}, Body: fun.Build.Typed(fun.Real, n, times(elem, elem)), Result: vector}
	want(t, p, []float64{1, 10, 100}, []float64{0, 400, 60}, reals(1, 2, 3))
}

// TestK16Functions: operators as values, twice, compose, functions in tuples and sums.
func TestK16Functions(t *testing.T) {
	rr := fun.Fun(fun.Real, fun.Real)
	mul := fun.Closure(fun.Prod(fun.Real, fun.Real), fun.Operator(ops.Op{Sym: ops.SymMul}, fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0))))
	// (\g -> g (x, x)) (*)
	apply := fun.App.Make(fun.Closure(fun.Fun(fun.Prod(fun.Real, fun.Real), fun.Real), fun.App.Make(fun.V(0), fun.Pair.Make(fun.V(1), fun.V(1)))), mul)
	want(t, program(apply, "x"), nil, []float64{6}, 3.0)
	// the operator of a pair that is not written as one
	computed := fun.LetIn(fun.Pair.Make(fun.V(0), fun.V(0)), &fun.Term{Form: fun.Prim, Op: ops.Op{Sym: ops.SymMul}, Kids: []*fun.Term{fun.V(0)}})
	want(t, program(computed, "x"), nil, []float64{6}, 3.0)
	// let twice = \f -> \y -> f (f y) in twice (twice (\z -> z * x)) 1
	twice := fun.Closure(rr, fun.Closure(fun.Real, fun.App.Make(fun.V(1), fun.App.Make(fun.V(1), fun.V(0)))))
	fourth := fun.LetIn(twice, fun.App.Make(fun.App.Make(fun.V(0), fun.App.Make(fun.V(0), fun.Closure(fun.Real, times(fun.V(0), fun.V(2))))), number(1)))
	want(t, program(fourth, "x"), nil, []float64{108}, 3.0)
	// compose (\a -> a * x) (\a -> a + x) x
	compose := fun.Closure(fun.Prod(rr, rr), fun.Closure(fun.Real, fun.App.Make(fun.Fst.Make(fun.V(1)), fun.App.Make(fun.Snd.Make(fun.V(1)), fun.V(0)))))
	both := fun.App.Make(fun.App.Make(compose, fun.Pair.Make(fun.Closure(fun.Real, times(fun.V(0), fun.V(1))), fun.Closure(fun.Real, plus(fun.V(0), fun.V(1))))), fun.V(0))
	want(t, program(both, "x"), nil, []float64{12}, 3.0)
	// a function in a tuple in a sum
	sum := fun.Sum(fun.Prod(rr, fun.Real), fun.Unit)
	held := fun.LetIn(fun.Inl.Typed(sum, fun.Pair.Make(fun.Closure(fun.Real, times(fun.V(0), fun.V(1))), fun.V(0))),
		fun.Case.Make(fun.V(0), fun.App.Make(fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0))), number(0)))
	want(t, program(held, "x"), nil, []float64{6}, 3.0)
}

// power is x^n by recursion.
func power(n int64) *fun.Term {
	arg := fun.Prod(fun.Int, fun.Real)
	f := fun.Recursive(fun.Fun(arg, fun.Real), fun.Case.Make(op(ops.SymLt, fun.Fst.Make(fun.V(0)), whole(1)),
		fun.Snd.Make(fun.V(1)),
		fun.App.Make(fun.V(2), fun.Pair.Make(op(ops.SymSub, fun.Fst.Make(fun.V(1)), whole(1)), times(fun.Snd.Make(fun.V(1)), fun.V(3))))))
	return fun.App.Make(f, fun.Pair.Make(whole(n), number(1)))
}

// TestRecursion: routes follow the run of a function that calls itself.
func TestRecursion(t *testing.T) {
	want(t, program(power(5), "x"), nil, []float64{5 * 16}, 2.0)
	_, err := Find("monadic").Gradient(&Task{Lib: lib, Program: program(power(1000), "x"), Steps: 500}, []fun.Value{1.0}, nil)
	if err == nil {
		t.Error("no bound on steps")
	}
}

// TestK13T8SeparateCompilation: a definition is translated once, and two programs of
// different inputs have the same translation of it, byte for byte.
func TestK13T8SeparateCompilation(t *testing.T) {
	norm := fun.Closure(fun.Prod(fun.Real, fun.Real), op(ops.SymSqrt, plus(times(fun.Fst.Make(fun.V(0)), fun.Fst.Make(fun.V(0))), times(fun.Snd.Make(fun.V(0)), fun.Snd.Make(fun.V(0))))))
	f := fun.Fun(fun.Prod(fun.Real, fun.Real), fun.Real)
	mains := []struct {
		p        *fun.Program
		inputs   []fun.Value
		gradient []float64
	}{
		{&fun.Program{Names: []string{"norm", "x"}, Context: []*fun.Type{f, fun.Real}, Result: fun.Real,
			Body: fun.App.Make(fun.V(1), fun.Pair.Make(fun.V(0), number(4)))}, []fun.Value{3.0}, []float64{0.6}},
		{&fun.Program{Names: []string{"norm", "a", "n"}, Context: []*fun.Type{f, vector, fun.Int}, Result: fun.Real,
			Body: fun.App.Make(fun.V(2), fun.Pair.Make(fun.Index.Typed(fun.Real, fun.V(1), fun.V(0)), fun.Index.Typed(fun.Real, fun.V(1), whole(0))))},
			[]fun.Value{&fun.Elements{X: []fun.Value{3.0, 4.0}}, int64(1)}, []float64{0.6, 0.8}},
	}
	for _, r := range Routes {
		unit, err := define(r, norm)
		if r.Name == "vectors" {
			if err == nil || !strings.Contains(err.Error(), "mentions the type S of the inputs") {
				t.Errorf("vectors: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		for _, m := range mains {
			task := &Task{Lib: lib, Program: m.p, Units: []*Unit{unit}}
			if r.represent != nil {
				w, typ, err := r.Wrap(task)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := fun.Check(w, nil); err != nil || !got.Equal(typ) {
					t.Errorf("%s: %v %v", r.Name, got, err)
				}
				if !holds(w, fun.Print(unit.Translated)) {
					t.Errorf("%s: the wrapper does not hold the translation as it is:\n%s\n%s", r.Name, fun.Print(w), fun.Print(unit.Translated))
				}
			}
			out, err := r.Gradient(task, m.inputs, nil)
			if err != nil || !same(out.Gradient, m.gradient) {
				t.Errorf("%s: %v %v, want %v", r.Name, out, err, m.gradient)
			}
		}
	}
}

// holds reports whether a closed part of a term is printed as a text.
func holds(t *fun.Term, text string) bool {
	if len(t.Free()) == 0 && fun.Print(t) == text {
		return true
	}
	for _, k := range t.Kids {
		if holds(k, text) {
			return true
		}
	}
	return false
}

// define translates a definition apart from programs: its translation mentions no inputs.
func define(r *Route, source *fun.Term) (*Unit, error) {
	of, err := fun.Check(source, nil)
	if err != nil {
		return nil, err
	}
	u := &Unit{Type: of, Source: source}
	if r.represent == nil {
		return u, nil
	}
	tr := r.translator(&Task{Lib: lib, Program: &fun.Program{}})
	if tr.none == nil {
		return nil, fmt.Errorf("%s translates no definition apart: D{R} = R * δS mentions the type S of the inputs of the program, and a literal is paired with the zero of their shape", r.Name)
	}
	u.Translated, err = tr.translate(source)
	return u, err
}
