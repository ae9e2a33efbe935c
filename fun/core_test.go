package fun

import (
	"errors"
	"strconv"
	"testing"

	"egad/term/numeric"
	"egad/term/ops"
)

func op(sym ops.Sym, ts ...*Term) *Term { return Operator(ops.Op{Sym: sym}, ts...) }

func mul(a, b *Term) *Term { return op(ops.SymMul, a, b) }

// doubling is let x = x * x in, n times.
func doubling(n int) *Term {
	t := V(0)
	for range n {
		t = LetIn(mul(V(0), V(0)), t)
	}
	return t
}

// TestCosts: the steps of 002, App. B.
func TestCosts(t *testing.T) {
	twice := Closure(Real, mul(V(0), V(1)))
	for _, c := range []struct {
		name string
		term *Term
		cost int64
		val  string
		text string
	}{
		{"x", V(0), 1, "3", "x"},
		{"x * x", mul(V(0), V(0)), 4, "9", "x * x"},
		{"a chain of lets", doubling(5), 26, "1853020188851841", ""},
		{"a closure", App.Make(twice, V(0)), 8, "9", "(\\(x2: R) -> x2 * x) x"},
		{"sides", Case.Make(Sign.Make(V(0)), Fst.Make(Pair.Make(V(1), V(0))), V(1)), 7, "3", "case sign x of\n    inl x2 -> fst ((x, x2))\n  | inr x2 -> x"},
		{"an array", Reduce.Typed(Real, mul(Fst.Make(V(0)), Snd.Make(V(0))), Build.Typed(Real, Literal(numeric.Int(3), Int), V(1))), 22, "27", "reduce (\\x2 -> fst x2 * snd x2) (build 3 (\\x2 -> x))"},
	} {
		typ, err := Check(c.term, []*Type{Real})
		if err != nil || !typ.Equal(Real) {
			t.Errorf("%s: %v %v", c.name, typ, err)
			continue
		}
		m := &Machine{Domain: Floats()}
		v, err := m.Eval(c.term, []Value{3.0})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s := strconv.FormatFloat(v.(float64), 'g', 17, 64); s != c.val && c.val != "" || m.Steps != c.cost {
			t.Errorf("%s: %s after %d steps, want %s after %d", c.name, s, m.Steps, c.val, c.cost)
		}
		if s := Print(c.term, "x"); s != c.text && c.text != "" {
			t.Errorf("%s is printed\n%s\nwant\n%s", c.name, s, c.text)
		}
	}
}

// TestRecursion: a function that calls itself in tail position needs no depth.
func TestRecursion(t *testing.T) {
	// rec f(i) = if i < 1 then 0 else f (i - 1)
	one := Literal(numeric.Int(1), Int)
	f := Recursive(Fun(Int, Int), Case.Make(op(ops.SymLt, V(0), one),
		Literal(numeric.Int(0), Int), App.Make(V(2), op(ops.SymSub, V(1), one))))
	run := App.Make(f, Literal(numeric.Int(1_000_000), Int))
	if typ, err := Check(run, nil); err != nil || !typ.Equal(Int) {
		t.Fatal(typ, err)
	}
	m := &Machine{Domain: Floats()}
	if v, err := m.Eval(run, nil); err != nil || v != int64(0) {
		t.Fatal(v, err)
	}
	m = &Machine{Domain: Floats(), Limit: 1000}
	if _, err := m.Eval(run, nil); err == nil {
		t.Error("no bound on steps")
	}
}

// A call that is not the last thing that a function does takes a part of the stack, which ends
// before that of Go does.
func TestDeepRecursion(t *testing.T) {
	// rec f(i) = if i < 1 then 0 else 1 + f (i - 1)
	one := Literal(numeric.Int(1), Int)
	f := Recursive(Fun(Int, Int), Case.Make(op(ops.SymLt, V(0), one),
		Literal(numeric.Int(0), Int), op(ops.SymAdd, one, App.Make(V(2), op(ops.SymSub, V(1), one)))))
	deep := func(n int64) (Value, error) {
		return (&Machine{Domain: Floats()}).Eval(App.Make(f, Literal(numeric.Int(n), Int)), nil)
	}
	if x, err := deep(maxDepth / 10 * 9); err != nil || x != int64(maxDepth/10*9) {
		t.Error(x, err)
	}
	var stopped *StoppedError
	if _, err := deep(1_000_000); !errors.As(err, &stopped) || stopped.Most != maxDepth {
		t.Error(err)
	}
}

func BenchmarkSteps(b *testing.B) {
	t := doubling(1000)
	m := &Machine{Domain: Floats(), Limit: 1 << 60}
	for range b.N {
		if _, err := m.Eval(t, []Value{1.0}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(m.Steps)/b.Elapsed().Seconds()/1e6, "Msteps/s")
}
