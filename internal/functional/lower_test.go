package functional

import (
	"strings"
	"testing"

	"egad/fun"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
)

// lower is the value of a program of one input, as it is and lowered.
func lower(t *testing.T, p *fun.Program, x fun.Value) (want, got string, l *Lowered) {
	t.Helper()
	typ, err := fun.Check(p.Body, p.Context)
	if err != nil {
		t.Fatal(err)
	}
	p.Result = typ
	v, err := p.Run(&fun.Machine{Domain: fun.Floats()}, []fun.Value{x})
	if err != nil {
		t.Fatal(err)
	}
	lengths, err := fun.Lengths(x, p.Context[0])
	if err != nil {
		t.Fatal(err)
	}
	layout, err := fun.LayoutOf(p.Context[0], lengths...)
	if err != nil {
		t.Fatal(err)
	}
	if l, err = Lower(term.NewSignature(), p, layout); err != nil {
		t.Fatal(err)
	}
	env, err := l.Env([]fun.Value{x})
	if err != nil {
		t.Fatal(err)
	}
	w, err := eval.Interpret(l.Program.Store, l.Program.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	return fun.Show(v, typ, showReal), fun.Show(l.result(w), typ, showReal), l
}

func reals(n int) *fun.Elements {
	out := &fun.Elements{}
	for i := range n {
		out.X = append(out.X, float64(i*i+1)/8)
	}
	return out
}

// TestLoweredReduce: the tree of a reduction is the same for all lengths, and its array
// program grows with the logarithm of the length squared.
func TestLoweredReduce(t *testing.T) {
	// x - 2 y is neither associative nor commutative.
	body := op(ops.SymSub, fun.Fst.Make(fun.V(0)), mul(fun.Literal(numeric.Int(2), fun.Real), fun.Snd.Make(fun.V(0))))
	for n := 1; n < 70; n++ {
		p := &fun.Program{Names: []string{"a"}, Context: []*fun.Type{fun.Array(fun.Real)}, Body: fun.Reduce.Typed(fun.Real, body, fun.V(0))}
		want, got, l := lower(t, p, reals(n))
		if want != got {
			t.Fatalf("%d elements: %s, and lowered %s", n, want, got)
		}
		if n := l.Program.Store.Len(); n > 300 {
			t.Errorf("%d terms", n)
		}
	}
}

// TestLoweredOutside: what is outside of an array of sums is the left side of zero, whatever
// side its elements are known to be.
func TestLoweredOutside(t *testing.T) {
	sum := fun.Sum(fun.Prod(fun.Real, fun.Int), fun.Prod(fun.Int, fun.Real))
	at := func(i *fun.Term) *fun.Term {
		a := fun.Build.Typed(sum, fun.Literal(numeric.Int(3), fun.Int), fun.Inr.Typed(sum, fun.Pair.Make(fun.V(0), fun.Literal(numeric.Int(5), fun.Real))))
		return fun.Index.Typed(sum, a, i)
	}
	p := &fun.Program{Names: []string{"i"}, Context: []*fun.Type{fun.Int}, Body: at(fun.V(0))}
	for i, want := range []string{"inr (0, 5)", "inr (1, 5)", "inr (2, 5)", "inl (0, 0)"} {
		a, b, _ := lower(t, p, int64(i))
		if a != want || b != want {
			t.Errorf("at %d: %s, and lowered %s", i, a, b)
		}
	}
}

// TestLoweredSharing: what is called a thousand times grows in proportion, and functions of
// functions of which one is chosen by data are one function of chosen data if they can be.
func TestLoweredSharing(t *testing.T) {
	size := func(n int) int {
		// let f = \x -> sin x * x in f (f (… x))
		t2 := fun.V(1)
		for range n {
			t2 = fun.App.Make(fun.V(0), t2)
		}
		f := fun.Closure(fun.Real, mul(op(ops.SymSin, fun.V(0)), fun.V(0)))
		p := &fun.Program{Names: []string{"x"}, Context: []*fun.Type{fun.Real}, Body: fun.LetIn(f, t2)}
		_, _, l := lower(t, p, 0.5)
		return l.Program.Store.Len()
	}
	if a, b, c := size(500), size(1000), size(1500); c-b != b-a || b > 2100 {
		t.Errorf("%d, %d, %d terms", a, b, c)
	}
	// f0 = \x -> x; f(k+1) = \y -> f(k) (c * y), where c is 1 or 2, as x is.
	choices := func(n int) int64 {
		body := fun.App.Make(fun.V(0), fun.V(n+1))
		for k := n - 1; k >= 0; k-- {
			next := fun.Closure(fun.Real, fun.App.Make(fun.V(3), mul(fun.V(1), fun.V(0))))
			with := func(c int64) *fun.Term { return fun.LetIn(fun.Literal(numeric.Int(c), fun.Real), next) }
			body = fun.LetIn(fun.Case.Make(op(ops.SymLt, fun.V(k+1), fun.Literal(numeric.Int(int64(k)), fun.Real)), with(1), with(2)), body)
		}
		body = fun.LetIn(fun.Closure(fun.Real, fun.V(0)), body)
		want, got, l := lower(t, &fun.Program{Names: []string{"x"}, Context: []*fun.Type{fun.Real}, Body: body}, 2.5)
		if want != got {
			t.Errorf("%s, and lowered %s", want, got)
		}
		return l.Choices
	}
	if n := choices(200); n != 200 {
		t.Errorf("both branches of %d cases", n)
	}
}

// TestNotLowered: what depends on data that it may not.
func TestNotLowered(t *testing.T) {
	one := fun.Literal(numeric.Int(1), fun.Int)
	forever := fun.App.Make(fun.Recursive(fun.Fun(fun.Int, fun.Int), fun.Case.Make(op(ops.SymLt, fun.V(0), one), fun.V(1), fun.App.Make(fun.V(2), op(ops.SymSub, fun.V(1), one)))), fun.V(0))
	double := func(n int) *fun.Term { // functions that are chosen, of which each calls two
		body := fun.App.Make(fun.V(0), fun.V(n+1))
		for k := n - 1; k >= 0; k-- {
			f := func(c int64) *fun.Term {
				return fun.Closure(fun.Int, fun.App.Make(fun.V(2), op(ops.SymAdd, fun.V(0), fun.Literal(numeric.Int(c), fun.Int))))
			}
			body = fun.LetIn(fun.Case.Make(op(ops.SymLt, fun.V(k+1), fun.Literal(numeric.Int(int64(k)), fun.Int)), f(1), f(2)), body)
		}
		return fun.LetIn(fun.Closure(fun.Int, fun.V(0)), body)
	}
	for _, c := range []struct {
		body *fun.Term
		want string
	}{
		{fun.Build.Typed(fun.Int, fun.V(0), fun.V(0)), "the length of an array is not known"},
		{forever, "a function that calls itself must end by what is known"},
		{fun.Case.Make(op(ops.SymLt, fun.V(0), one), fun.List.Typed(fun.Int, one), fun.List.Typed(fun.Int, one, one)), "of 1 and of 2 elements"},
		{fun.Reduce.Typed(fun.Int, fun.Fst.Make(fun.V(0)), fun.List.Typed(fun.Int)), "reduce of an empty array"},
		{fun.Fst.Make(fun.Index.Typed(fun.Prod(fun.Int, fun.Fun(fun.Int, fun.Int)), fun.List.Typed(fun.Prod(fun.Int, fun.Fun(fun.Int, fun.Int)), fun.Pair.Make(one, fun.Closure(fun.Int, fun.V(0)))), fun.V(0))), "an element of an array is a function"},
		{fun.Reduce.Typed(fun.Array(fun.Int), fun.Case.Make(op(ops.SymLt, fun.V(1), one), fun.List.Typed(fun.Int, one), fun.List.Typed(fun.Int, one, one)), fun.List.Typed(fun.Array(fun.Int), fun.List.Typed(fun.Int, one), fun.List.Typed(fun.Int, one))), "of 1 and of 2 elements"},
		{double(40), "cases both branches are evaluated"},
	} {
		p := &fun.Program{Names: []string{"n"}, Context: []*fun.Type{fun.Int}, Body: c.body}
		typ, err := fun.Check(c.body, p.Context)
		if err != nil {
			t.Fatal(err)
		}
		p.Result = typ
		l, _ := fun.LayoutOf(fun.Int)
		if _, err = Lower(term.NewSignature(), p, l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %q", fun.Print(c.body, "n"), err, c.want)
		}
	}
}

func BenchmarkLower(b *testing.B) {
	l, _ := fun.LayoutOf(fun.Real)
	p := &fun.Program{Names: []string{"x"}, Context: []*fun.Type{fun.Real}, Body: doubling(10_000), Result: fun.Real}
	for range b.N {
		if _, err := Lower(term.NewSignature(), p, l); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e9/10_000, "ns/primitive")
}

func op(sym ops.Sym, ts ...*fun.Term) *fun.Term { return fun.Operator(ops.Op{Sym: sym}, ts...) }

func mul(a, b *fun.Term) *fun.Term { return op(ops.SymMul, a, b) }

// doubling is let x = x * x in, n times.
func doubling(n int) *fun.Term {
	t := fun.V(0)
	for range n {
		t = fun.LetIn(mul(fun.V(0), fun.V(0)), t)
	}
	return t
}
