package fun

import (
	"strconv"
	"strings"
	"testing"

	"egad/term"
)

// lower is the value of a program of one input, as it is and lowered.
func lower(t *testing.T, p *Program, x Value) (want, got string, l *Lowered) {
	t.Helper()
	real := func(v Value) string { return strconv.FormatFloat(v.(float64), 'g', -1, 64) }
	typ, err := Check(p.Body, p.Context)
	if err != nil {
		t.Fatal(err)
	}
	p.Result = typ
	v, err := p.Run(&Machine{Domain: Floats()}, []Value{x})
	if err != nil {
		t.Fatal(err)
	}
	lengths, err := Lengths(x, p.Context[0])
	if err != nil {
		t.Fatal(err)
	}
	layout, err := LayoutOf(p.Context[0], lengths...)
	if err != nil {
		t.Fatal(err)
	}
	if l, err = Lower(term.NewSignature(), p, layout); err != nil {
		t.Fatal(err)
	}
	env, err := Env(Floats(), l, []Value{x})
	if err != nil {
		t.Fatal(err)
	}
	w, err := term.Interpret(l.Program.Store, l.Program.Root, term.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	return Show(v, typ, real), Show(ResultOf(l, w), typ, real), l
}

func reals(n int) *Elements {
	out := &Elements{}
	for i := range n {
		out.X = append(out.X, float64(i*i+1)/8)
	}
	return out
}

// TestLoweredReduce: the tree of a reduction is the same for all lengths, and its array
// program grows with the logarithm of the length squared.
func TestLoweredReduce(t *testing.T) {
	// x - 2 y is neither associative nor commutative.
	body := op(term.SymSub, Fst.Make(V(0)), mul(Literal(term.NumInt(2), Real), Snd.Make(V(0))))
	for n := 1; n < 70; n++ {
		p := &Program{Names: []string{"a"}, Context: []*Type{Array(Real)}, Body: Reduce.Typed(Real, body, V(0))}
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
	sum := Sum(Prod(Real, Int), Prod(Int, Real))
	at := func(i *Term) *Term {
		a := Build.Typed(sum, Literal(term.NumInt(3), Int), Inr.Typed(sum, Pair.Make(V(0), Literal(term.NumInt(5), Real))))
		return Index.Typed(sum, a, i)
	}
	p := &Program{Names: []string{"i"}, Context: []*Type{Int}, Body: at(V(0))}
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
		t2 := V(1)
		for range n {
			t2 = App.Make(V(0), t2)
		}
		f := Closure(Real, mul(op(term.SymSin, V(0)), V(0)))
		p := &Program{Names: []string{"x"}, Context: []*Type{Real}, Body: LetIn(f, t2)}
		_, _, l := lower(t, p, 0.5)
		return l.Program.Store.Len()
	}
	if a, b, c := size(500), size(1000), size(1500); c-b != b-a || b > 2100 {
		t.Errorf("%d, %d, %d terms", a, b, c)
	}
	// f0 = \x -> x; f(k+1) = \y -> f(k) (c * y), where c is 1 or 2, as x is.
	choices := func(n int) int64 {
		body := App.Make(V(0), V(n+1))
		for k := n - 1; k >= 0; k-- {
			next := Closure(Real, App.Make(V(3), mul(V(1), V(0))))
			with := func(c int64) *Term { return LetIn(Literal(term.NumInt(c), Real), next) }
			body = LetIn(Case.Make(op(term.SymLt, V(k+1), Literal(term.NumInt(int64(k)), Real)), with(1), with(2)), body)
		}
		body = LetIn(Closure(Real, V(0)), body)
		want, got, l := lower(t, &Program{Names: []string{"x"}, Context: []*Type{Real}, Body: body}, 2.5)
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
	one := Literal(term.NumInt(1), Int)
	forever := App.Make(Recursive(Fun(Int, Int), Case.Make(op(term.SymLt, V(0), one), V(1), App.Make(V(2), op(term.SymSub, V(1), one)))), V(0))
	double := func(n int) *Term { // functions that are chosen, of which each calls two
		body := App.Make(V(0), V(n+1))
		for k := n - 1; k >= 0; k-- {
			f := func(c int64) *Term {
				return Closure(Int, App.Make(V(2), op(term.SymAdd, V(0), Literal(term.NumInt(c), Int))))
			}
			body = LetIn(Case.Make(op(term.SymLt, V(k+1), Literal(term.NumInt(int64(k)), Int)), f(1), f(2)), body)
		}
		return LetIn(Closure(Int, V(0)), body)
	}
	for _, c := range []struct {
		body *Term
		want string
	}{
		{Build.Typed(Int, V(0), V(0)), "the length of an array is not known"},
		{forever, "a function that calls itself must end by what is known"},
		{Case.Make(op(term.SymLt, V(0), one), List.Typed(Int, one), List.Typed(Int, one, one)), "of 1 and of 2 elements"},
		{Reduce.Typed(Int, Fst.Make(V(0)), List.Typed(Int)), "reduce of an empty array"},
		{Fst.Make(Index.Typed(Prod(Int, Fun(Int, Int)), List.Typed(Prod(Int, Fun(Int, Int)), Pair.Make(one, Closure(Int, V(0)))), V(0))), "an element of an array is a function"},
		{Reduce.Typed(Array(Int), Case.Make(op(term.SymLt, V(1), one), List.Typed(Int, one), List.Typed(Int, one, one)), List.Typed(Array(Int), List.Typed(Int, one), List.Typed(Int, one))), "of 1 and of 2 elements"},
		{double(40), "cases both branches are evaluated"},
	} {
		p := &Program{Names: []string{"n"}, Context: []*Type{Int}, Body: c.body}
		typ, err := Check(c.body, p.Context)
		if err != nil {
			t.Fatal(err)
		}
		p.Result = typ
		l, _ := LayoutOf(Int)
		if _, err = Lower(term.NewSignature(), p, l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %q", Print(c.body, "n"), err, c.want)
		}
	}
}

func BenchmarkLower(b *testing.B) {
	l, _ := LayoutOf(Real)
	p := &Program{Names: []string{"x"}, Context: []*Type{Real}, Body: doubling(10_000), Result: Real}
	for range b.N {
		if _, err := Lower(term.NewSignature(), p, l); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e9/10_000, "ns/primitive")
}
