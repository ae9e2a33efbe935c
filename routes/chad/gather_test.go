package chad

import (
	"math/rand"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/testflag"
	"egad/term/numeric"
	"egad/term/ops"
)

// without is a route that does not tell gathered elements together.
func without(name string) *Route {
	r := *Find(name)
	r.gathers = false
	return &r
}

// doubled is Eq. (15): let a = build n (\i -> x * i) in build (length a) (\i -> a[t] * 2), of
// inputs x and n.
func doubled(t *fun.Term) *fun.Program {
	a := fun.Build.Typed(fun.Real, v(0), mul(v(2), op(ops.SymReal, v(0))))
	b := fun.Build.Typed(fun.Real, fun.Length.Make(v(0)), mul(fun.Index.Typed(fun.Real, v(1), t), lit(2)))
	return &fun.Program{Names: []string{"x", "n"}, Context: []*fun.Type{fun.Real, fun.Int}, Result: fun.Array(fun.Real), Body: fun.LetIn(a, b)}
}

// TestT12Gather: of a program that gathers, the cotangents of the elements are one
// constructor, whatever their number; else n BOne and n - 1 BPlus. The gradient is the same.
func TestT12Gather(t *testing.T) {
	for name, at := range map[string]*fun.Term{
		"i":            v(0),
		"length a - i": op(ops.SymSub, fun.Length.Make(v(1)), v(0)), // once outside
	} {
		p := doubled(at)
		for _, n := range []int64{1, 2, 10, 1000} {
			ct := make([]float64, n)
			for i := range ct {
				ct[i] = float64(i%7 - 3)
			}
			run := func(r *Route) ([]float64, *Measured) {
				d, err := r.Transform(library(t), p)
				if err != nil {
					t.Fatal(err)
				}
				if err := d.Check(); err != nil {
					t.Fatal(err)
				}
				g, m, err := d.Gradient([]fun.Value{3.0, n}, ct, Options{Affine: true})
				if err != nil {
					t.Fatal(err)
				}
				return g, m
			}
			one, m := run(Find("chad"))
			many, plain := run(without("chad"))
			if m.Bags != 1 || plain.Bags != 2*n-1 {
				t.Errorf("a[%s] of %d: %d constructors, and %d without", name, n, m.Bags, plain.Bags)
			}
			if !slices.Equal(one, many) {
				t.Errorf("a[%s] of %d: %v, and %v without", name, n, one, many)
			}
		}
	}
}

// TestGather: which elements every run of the body takes.
func TestGather(t *testing.T) {
	// In the body, i is 0, and outside are k (1), a (2) of numbers, b (3) of arrays.
	real := func(a, i *fun.Term) *fun.Term { return fun.Index.Typed(fun.Real, a, i) }
	row := func(b, i *fun.Term) *fun.Term { return fun.Index.Typed(fun.Array(fun.Real), b, i) }
	yes := fun.Operator(ops.Op{Sym: ops.SymLt}, v(0), v(1))
	for _, c := range []struct {
		name, want string
		found      int
		body       *fun.Term
	}{
		{"both operands", "x * y", 2, mul(real(v(2), v(0)), real(v(2), v(1)))},
		{"a row", "reduce (\\p -> fst p) x", 1, fun.Reduce.Typed(fun.Real, fun.Fst.Make(v(0)), row(v(3), v(0))).Named("p")},
		{"of no cotangent", "", 0, fun.Length.Make(row(v(3), v(0)))},
		{"an element of a row of that run", "x[i]", 1, real(row(v(3), v(0)), v(0))},
		{"an element of one row", "x", 1, real(row(v(3), v(1)), v(0))},
		{"in a branch", "", 0, fun.Case.Make(yes, real(v(3), v(1)), lit(0))},
		{"as an index", "x", 1, real(v(2), fun.Index.Typed(fun.Int, v(4), v(0)))},
		{"after a let", "let z = 1.0 in\nz * x", 1, fun.LetIn(lit(1), mul(v(0), real(v(3), v(1)))).Named("z")},
		{"by what is bound inside", "", 0, fun.LetIn(v(0), real(v(3), v(0)))},
		{"in a build inside", "", 0, fun.Build.Typed(fun.Real, v(1), real(v(3), v(0)))},
	} {
		body, found := gather(c.body)
		if len(found) != c.found {
			t.Errorf("%s: %d elements", c.name, len(found))
			continue
		}
		if got := fun.Print(body, slices.Concat([]string{"ks", "b", "a", "k", "i"}, []string{"x", "y"}[:len(found)])...); c.found > 0 && got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// gathering makes a random body of a build: the variables are its index (0), integers k and
// two arrays of numbers outside (1, 2, 3), inside of which depth more are bound.
func gathering(rng *rand.Rand, size, depth int) *fun.Term {
	index := v(depth)
	switch rng.Intn(3) {
	case 0:
		index = op(ops.SymSub, v(depth+1), index)
	case 1:
		index = fun.Literal(numeric.Int(int64(rng.Intn(4))), fun.Int)
	}
	part := func(n int) *fun.Term { return gathering(rng, size/2, depth+n) }
	switch pick := rng.Intn(8); {
	case size < 2 && depth > 0 && pick < 3:
		return v(0) // a number; others may be ()
	case size < 2 || pick == 0:
		return fun.Index.Typed(fun.Real, v(depth+2+rng.Intn(2)), index)
	case pick < 3:
		return add(part(0), part(0))
	case pick < 5:
		return mul(part(0), part(0))
	case pick < 7:
		return fun.LetIn(part(0), part(1))
	default: // each branch binds (), and then a number
		return fun.Case.Make(op(ops.SymLt, part(0), part(0)), fun.LetIn(lit(2), part(2)), fun.LetIn(lit(3), part(2)))
	}
}

// TestGatherC2: random builds have the same gradients with gathered elements told together and
// apart, by all routes that do the one or the other.
func TestGatherC2(t *testing.T) {
	rng := rand.New(rand.NewSource(testflag.Seed))
	lib := library(t)
	most := 0
	for range testflag.Count(100, 5_000) {
		body := gathering(rng, 12, 0)
		n := rng.Intn(4)
		p := &fun.Program{Names: []string{"a", "b", "k"}, Context: []*fun.Type{fun.Array(fun.Real), fun.Array(fun.Real), fun.Int}, Result: fun.Array(fun.Real),
			Body: fun.Build.Typed(fun.Real, fun.Literal(numeric.Int(int64(n)), fun.Int), body)}
		_, found := gather(body)
		most = max(most, len(found))
		inputs := []fun.Value{reals(1, -2, 3), reals(2, 0), int64(2)}
		ct := []float64{1, 2, -1}[:n]
		var want []float64
		for _, r := range []*Route{without("chad"), Find("chad"), Find("chad-parallel"), Find("chad-closures"), Find("chad-map")} {
			d, err := r.Transform(lib, p)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Check(); err != nil {
				t.Fatalf("%s: %v\n%s", r.Name, err, fun.Print(p.Body, p.Names...))
			}
			got, _, err := d.Gradient(inputs, ct, Options{Affine: true, grain: 1})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %v, apart %v\n%s", r.Name, got, want, fun.Print(p.Body, p.Names...))
			}
		}
	}
	if most < 3 {
		t.Errorf("at most %d elements are gathered", most)
	}
}
