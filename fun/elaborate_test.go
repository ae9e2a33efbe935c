package fun

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/module"
)

// loaded is a module with functional programs, or what is wrong with it.
func loaded(text string) (*module.Module, error) {
	sig := term.NewSignature()
	sig.Functional = Functional
	return module.Load(sig, &diag.Source{Name: "t.egad", Text: text})
}

// program is a definition of a text as a functional program.
func program(t testing.TB, text, name string) *Program {
	t.Helper()
	m, err := loaded(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	p, err := ProgramOf(m, name)
	if err != nil {
		t.Fatal(err)
	}
	typ, err := Check(p.Body, p.Context)
	if err != nil || !typ.Equal(p.Result) {
		t.Fatalf("%s: %v %v", Print(p.Body, p.Names...), typ, err)
	}
	return p
}

// TestElaborate: what programs are as terms of the core, and their values.
func TestElaborate(t *testing.T) {
	for _, c := range []struct {
		text   string
		inputs []Value
		want   string
	}{
		{"def f(x: R): R = (\\g -> g (x, x)) (*)", []Value{3.0}, "9"},
		{"def f(x: R): R = (\\g -> g (x, x)) (\\(a, b) -> a - b * b)", []Value{3.0}, "-6"},
		{"def f(x: R): R = let g = (\\(a, b) -> a - b * b) in g (x, x)", []Value{3.0}, "-6"},
		{"def f(x: R): R = (\\g y -> g (x, y)) (\\p -> let (a, b) = p in a - b * b) x", []Value{3.0}, "-6"},
		{"def f(x: R): R = (\\g -> g (x, x)) (\\p -> 2.0)", []Value{3.0}, "2"},
		{"def twice(g: R -> R, x: R): R = g (g x)\ndef f(x: R): R = twice (\\y -> y * x + 1) x", []Value{2.0}, "11"},
		{"def compose(f: R -> R, g: R -> R): R -> R = \\x -> f (g x)\ndef f(x: R): R = compose exp log x", []Value{1.0}, "1"},
		{"def area(s: R + (R, R)): R = case s of inl r -> 3.0 * r * r | inr (a, b) -> a * b", []Value{&Side{true, &Pairing{2.0, 5.0}}}, "10"},
		{"def f(x: R): R + () = if x < 0 then inr () else inl (sqrt x)", []Value{4.0}, "inl 2"},
		{"def newton(n: I, x: R, a: R): R = if n < 1 then x else newton (n - 1) ((x + a / x) / 2) a", []Value{int64(20), 1.0, 2.0}, "1.414213562373095"},
		{"def f(x: R): R = case sign x of inl b -> (if b then -x else x) | inr _ -> 7.0", []Value{-2.5}, "2.5"},
		{"def f(x: R): R = sign x + fst ((x, 1.0))", []Value{-2.5}, "-3.5"},
		{"def f[n](a: R[n]): R = reduce (\\x y -> x * y) (map (\\x -> x + 1) a)", []Value{&Elements{[]Value{1.0, 2.0}}}, "6"},
		{"def f[n](a: R[n]): R = reduce (\\p -> fst p * snd p) (build n (\\i -> a[n - 1 - i] + real i))", []Value{&Elements{[]Value{1.0, 2.0}}}, "4"},
		{"def f[m, n](a: R[m, n]): (I, R) = let b = 2 * a in (m * n + 1, reduce (+) b[1])", []Value{&Elements{[]Value{&Elements{[]Value{1.0, 2.0}}, &Elements{[]Value{3.0, 4.0}}}}}, "(5, 14)"},
		{"def f(x: R): R = (build [2, 3] (\\i j -> x * real (3 * i + j)))[1, 2]", []Value{2.0}, "10"},
		{"def f(x: R): R = let fs = (sin, \\(y: R) -> y * x, (cos, exp)) in fs.1 (fs.2.1 0)", []Value{5.0}, "5"},
		{"def f(x: R): R = let g = (if x < 0 then exp else sqrt) in let (a, (b, c)) = (x, (x, 1)) in g a + b + c", []Value{4.0}, "7"},
		{"def f(x: R): R = (rec go(p: (I, R)): R = if p.0 < 1 then p.1 else go (p.0 - 1, p.1 * x)) (3, 1)", []Value{2.0}, "8"},
		{"def f(x: R): R = case (\\(u: ()) -> inl @(R + R) x) () of inl a -> a | inr b -> b", []Value{2.0}, "2"},
		{"def f(x: R): (R + I) + B = inl (inl @(R + I) x)", []Value{2.0}, "inl (inl 2)"},
		{"def f[m, n](a: R[m, n]): (R, R, R) = let s = sum a in (sum (s * s), fold (\\x b -> x + fst ((b[0], b))) 0.5 a, maximum s)", []Value{&Elements{[]Value{&Elements{[]Value{1.0, 2.0}}, &Elements{[]Value{3.0, 4.0}}}}}, "((52, 4.5), 6)"},
		{"def f(x: R): (R, R[_]) = (iterate 3 (\\y -> fst ((y * x, y))) 1, scan (+) 1 [x, x])", []Value{2.0}, "(8, [3, 5])"},
		{"def f(x: R): R = square x + (\\case -> case * 2) x", []Value{3.0}, ""},
	} {
		name := "f"
		for _, n := range []string{"area", "newton"} {
			if strings.HasPrefix(c.text, "def "+n) {
				name = n
			}
		}
		if c.want == "" {
			if _, err := loaded(c.text); err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		p := program(t, c.text, name)
		m := &Machine{Domain: Floats()}
		v, err := p.Run(m, c.inputs)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := Show(v, p.Result, func(x Value) string { return fmt.Sprint(x) }); got != c.want {
			t.Errorf("%s: %s, want %s, of\n%s", c.text, got, c.want, Print(p.Body, p.Names...))
		}
	}
}

// TestWrong: what is wrong is said where it is.
func TestWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f(x: R): R + () = inl (inr x)", "and must be R"},
		{"def f(x: R): R = case x of inl a -> a | inr b -> b", "what case looks at is of type R, and must be a sum"},
		{"def f(s: R + R, x: R): R = if x then 1 else 2", "the condition is of type R, and must be B\n"},
		{"def f(s: R + R): R = s + 1", "an operand of + is of type R + R, and must be R or I"},
		{"def f(x: R): R = let s = inl x in 1.0", "nothing determines the other side of inl"},
		{"def f(x: R + R): R = (\\g -> g g) (\\y -> y)", "contains itself"},
		{"def f(x: R + R): R = case x of inl a -> a | inl b -> b", "each once"},
		{"def f(a: (R -> R)[_]): R = 1.0", "the elements of an array hold no functions"},
		{"def f(x: R + R): R = (\\(a, b) -> a) 1.0 2.0 3.0", "an argument is of type R, and must be a tuple of 2\n"},
		{"def f[n](a: R[n]): R = sum (map f a)", "the function of map is of type R[_] -> R, and must be a function of R\n"},
		{"def f(x: R + R): R = fold (\\s -> s) 1.0 [1.0]", "the function of a fold is of type R -> R, and must be R -> R -> R\n"},
		{"def f(x: R + R): R = 1.0 + (\\y -> y)", "an operand of + is a function of 1 argument, and must be R; an argument may be missing\n"},
		{"def f(x: R + R): R = sum x", "the operand of sum is of type R + R, and must be an array"},
		{"def f(x: R + R): R = (\\(a: I) -> a) 1.5", "an argument is of type R, and must be I"},
		{"def f(x: R + R): R = (\\p -> p.0) (1.0, 2.0) 3.0", "the type of this tuple must be known here"},
		{"def f(x: R + R): R = y", "unknown name y"},
		{"def f(x: R + R): R = sum (build [2, 2] (\\i j k -> 1.0))[0]", "a build of 2 sizes takes a function of as many indices"},
		{"def f(x: R + R): R = sum (build [2, 2] exp)[0]", "build of 2 sizes takes a function \\i j -> "},
		{"def f(x: R + R): R = sum (build [2, 2] (\\i (j: R) -> 1.0))[0]", "j is of type I, and must be R"},
		{"def f(x: R + R, a: R[_, _]): R = sum (flat a)", "flat is for array programs, and this is a functional one"},
		{"def f(x: R + R, a: R[_]): R = sum (gather [2] a (\\[i] -> [i]))", "gather is for array programs, and this is a functional one"},
		{"def f(x: R + R): R = x[2.0]", "what is read at an index is of type R + R"},
		{"def f(g: (R -> R, R)): R = g.2", "has no component 2"},
		{"def g(x: R + ()): R = f x\ndef f(x: R + ()): R = g x", "call"},
	} {
		_, err := loaded(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}
