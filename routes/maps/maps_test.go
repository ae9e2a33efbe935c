package maps_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/linmap"
	"egad/props"
	"egad/routes/maps"
	"egad/rules"
	"egad/rules/load"
	"egad/stages"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

// lib is the rules of egad, and sig the signature that they are for.
var sig = term.NewSignature()
var lib = func() *rules.Library {
	sig.Functional = fun.Functional
	lib, err := load.Builtin(sig)
	if err != nil {
		panic(err)
	}
	return lib
}()

// task is the definition f of a text.
func task(t *testing.T, text string) *maps.Task {
	t.Helper()
	m, err := module.Load(sig, &diag.Source{Name: "t.egad", Text: text})
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	p, err := fun.ProgramOf(m, "f")
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	arrays, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	k := &maps.Task{Lib: lib, Program: p, Arrays: arrays}
	for _, in := range arrays.Inputs {
		l, err := fun.Declared(in.Type)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		k.Layouts = append(k.Layouts, l)
	}
	return k
}

// made are all maps of a task.
func made(t *testing.T, k *maps.Task) *maps.Maps {
	t.Helper()
	m, err := maps.Chad(k)
	if err != nil {
		t.Fatalf("%s\n%v", fun.Print(k.Program.Body, k.Program.Names...), err)
	}
	d, err := maps.Monadic(k)
	if err != nil {
		t.Fatalf("%s\n%v", fun.Print(k.Program.Body, k.Program.Names...), err)
	}
	m.Delta, m.Eval = d.Delta, d.Eval
	return m
}

// straight are programs without loops: with lets that are used twice, tuples, cases on tags
// that are known and that are not, products and sines.
var straight = []string{
	`def f(x: R): R = sin x`,
	`def f(x: R, y: R): R = x * y`,
	`def f(x: R): R = let y = x * x in y + y`,
	`def f(x: R, y: R): R = let z = x * y in sin z + x`,
	`def f(x: R): R = let y = x * x in let z = x + y in y * z`,
	`def f(x: R): R = let x1 = x + x in let x2 = x1 + x1 in let x3 = x2 + x2 in x3`,
	`def f(x: R, y: R, z: R): R = x * y * z`,
	`def f(x: R, y: R): (R, R) = (x * y, sin x)`,
	`def f(x: R, y: R): (R, R) = let (a, b) = (x * y, sin x) in (b, a + b)`,
	`def f(p: (R, R), x: R): R = let (a, b) = p in a * x + b`,
	`def f(x: R, n: I): (R, I) = let (a, k) = (x * x, n + 1) in (sin a, k)`,
	`def f(x: R): R = case inl @(R + R) (x * x) of inl y -> sin y | inr z -> z`,
	`def f(x: R): R = if x < 0 then sin x else x * x`,
	`def f(x: R, y: R): R = let z = if x < y then x else y in z * z`,
	`def f(x: R, y: R): R = if x < y then sin x else sin x`,
	`def f(s: R + (R, R)): R = case s of inl r -> 3.0 * r * r | inr (a, b) -> a * b`,
	`def f(s: R + R, x: R): R = case s of inl a -> a * x | inr b -> sin b`,
	`def f(s: R + R): R + R = case s of inl a -> inr (a * a) | inr b -> inl (sin b)`,
	`def f(s: (R + R) + R, x: R): R = case s of inl t -> (case t of inl a -> a * x | inr b -> b + x) | inr c -> c * c * x`,
	`def f(s: R + R, t: R + R): R = (case s of inl a -> a * a | inr b -> sin b) * (case t of inl a -> a | inr b -> b * b)`,
}

// interpreter has a sum of more paths than are found in another order.
const interpreter = `def f(x: R, e: (R + B) + (B, R + B, R + B)): R =
  case e of
    inl l -> (case l of inl k -> k | inr minus -> if minus then -x else x)
  | inr p -> let a = (case p.1 of inl k -> k | inr minus -> if minus then -x else x) in
             let b = (case p.2 of inl k -> k | inr minus -> if minus then -x else x) in
             if p.0 then a + b else a * b`

// TestT5OneLinearMap: C[t] = ∇[t]ᵀ, h of the Delta of monadic = ∇[t], and what eval does is
// ∇[t]ᵀ and C[t], each by a proof that has been checked.
func TestT5OneLinearMap(t *testing.T) {
	programs := straight
	if testflag.Long {
		programs = append(programs, interpreter)
	}
	for _, text := range programs {
		m := made(t, task(t, text))
		equations := m.Prove(lib, m)
		proof, err := stages.Equal(lib, m.Eval, m.Chad, ad.Options{})
		for _, e := range append(equations, maps.Equation{Text: "f_eval = f_chad", Proof: proof, Err: err}) {
			if e.Err != nil {
				t.Errorf("%s\n%s%s%s%s: %v", text, m.Chad.Text("chad"), m.Delta.Text("delta"), m.Nabla.Text("nabla"), e.Text, e.Err)
			}
		}
		if len(equations) != 3 {
			t.Errorf("%s\n%d equations", text, len(equations))
		}
	}
}

// TestFunctions: C[t] of programs with functions as values is ∇[t]ᵀ, too, when it is that of
// what they are without functions; of themselves there is none.
func TestFunctions(t *testing.T) {
	for _, text := range []string{
		`def f(x: R, y: R): R = let g = \u -> u * y in g (g x)`,
		`def f(x: R): R = (\g -> g (x, x)) (\(a, b) -> a * sin b)`,
		`def f(s: R + R, x: R): R = (case s of inl a -> (\u -> u * a) | inr b -> (\u -> sin u + b)) x`,
		`def f(x: R, y: R): R = (if x < y then sin else (\u -> u * x)) (x * y)`,
	} {
		k := task(t, text)
		if _, err := maps.Chad(k); err == nil {
			t.Errorf("%s\nhas maps with functions", text)
		}
		m, err := maps.Defunctional(k)
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		delta, err := maps.Monadic(k)
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		for _, e := range m.Prove(lib, delta) {
			if e.Err != nil {
				t.Errorf("%s\n%s%s: %v", text, m.Chad.Text("chad"), e.Text, e.Err)
			}
		}
	}
}

// TestLetIsLet: what eval does with a Let, the transpose of h(u₂) ∘ [1; h(u₁)], is what CHAD
// does with let, whatever the maps.
func TestLetIsLet(t *testing.T) {
	m, err := module.Load(sig, &diag.Source{Name: "t.egad", Text: `
def delta(u: (R, R) -o R, v: ((R, R), R) -o R): R -o (R, R) = ltranspose (lcompose v (lpair (lone @(R, R)) u))
def chad(u: (R, R) -o R, v: ((R, R), R) -o R): R -o (R, R) = lcompose (ljoin (lone @(R, R)) (ltranspose u)) (ltranspose v)
def other(u: (R, R) -o R, v: ((R, R), R) -o R): R -o (R, R) = lcompose (ljoin (lone @(R, R)) (ltranspose (lcompose u (lpair (lproj 1 @(R, R)) (lproj 0 @(R, R)))))) (ltranspose v)
`})
	if err != nil {
		t.Fatal(err)
	}
	prove := func(a, b string) error {
		p, err := m.Instantiate(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.Instantiate(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = stages.Equal(lib, p, q, ad.Options{})
		return err
	}
	if err := prove("delta", "chad"); err != nil {
		t.Error(err)
	}
	var unproved *stages.Unproved
	if err := prove("delta", "other"); !errors.As(err, &unproved) {
		t.Errorf("with u's inputs changed over: %v", err)
	}
}

// TestRagged: of arrays of different lengths in one there are no maps, which is said.
func TestRagged(t *testing.T) {
	k := task(t, `def f(s: R + R): R = case s of inl a -> let x = [[1.0, a], [a]] in a | inr b -> b`)
	if _, err := maps.Chad(k); err == nil {
		t.Error("no error")
	}
}

// TestNotProved: what is false is not proved: of a program with two inputs changed over, or
// two branches.
func TestNotProved(t *testing.T) {
	for _, c := range [][2]string{
		{`def f(x: R, y: R): R = sin x * y`, `def f(x: R, y: R): R = sin y * x`},
		{`def f(x: R): R = if x < 0 then sin x else x`, `def f(x: R): R = if x < 0 then x else sin x`},
	} {
		m, wrong := made(t, task(t, c[0])), made(t, task(t, c[1]))
		for _, e := range [][2]*term.Program{{wrong.Chad, m.Transposed}, {wrong.Delta, m.Nabla}, {wrong.Eval, m.Transposed}} {
			var unproved *stages.Unproved
			if _, err := stages.Equal(lib, e[0], e[1], ad.Options{}); !errors.As(err, &unproved) {
				t.Errorf("%s of\n%s\nand %s of\n%s\n%v", e[0].Name, c[1], e[1].Name, c[0], err)
			}
		}
	}
}

// TestMatrices compares the matrices of all maps with that of ∇[t], of random programs with
// sums, integers and lets at random inputs.
func TestMatrices(t *testing.T) {
	n := testflag.Count(100, 10_000)
	counts := make(map[string]int)
	programs.Hold(t, testflag.Seed, n, functional.Gen(props.FunctionalOptions{Operators: props.Differentiable, Values: values.Dyadic}), func(c props.FunctionalCase) error {
		var layouts []*fun.Layout
		for i, x := range c.Inputs {
			lengths, err := fun.Lengths(x, c.Program.Context[i])
			if err != nil {
				return nil // arrays of different lengths in one
			}
			l, err := fun.LayoutOf(c.Program.Context[i], lengths...)
			if err != nil {
				return err
			}
			layouts = append(layouts, l)
		}
		low, err := functional.Lower(sig, c.Program, layouts...)
		if err != nil {
			return nil
		}
		k := &maps.Task{Lib: lib, Program: c.Program, Arrays: low.Program, Layouts: layouts}
		env, err := low.Env(c.Inputs)
		if err != nil {
			return err
		}
		for _, make := range []func(*maps.Task) (*maps.Maps, error){maps.Chad, maps.Defunctional, maps.Monadic} {
			m, err := make(k)
			if err != nil {
				counts[err.Error()]++
				continue
			}
			matrix := func(p *term.Program) (*linmap.Matrix[float64], error) {
				v, err := eval.Interpret(p.Store, p.Root, linmap.Algebra[float64]{Arrays: eval.Arrays[float64]{Scalars: eval.Floats{}}}, env)
				if err != nil {
					return nil, err
				}
				return v.Map.(*linmap.Matrix[float64]), nil
			}
			compare := func(p, q *term.Program) error {
				if p == nil {
					return nil
				}
				counts[p.Name]++
				a, err := matrix(p)
				if err != nil {
					return err
				}
				b, err := matrix(q)
				if err != nil {
					return err
				}
				for i := range b.At {
					if x, y := a.At[i], b.At[i]; math.Abs(x-y) > 1e-9*(1+math.Abs(y)) {
						return fmt.Errorf("%s has %v for %v\n%s", p.Name, a.At, b.At, c.Text())
					}
				}
				return nil
			}
			if err := errors.Join(compare(m.Chad, m.Transposed), compare(m.Delta, m.Nabla), compare(m.Eval, m.Transposed)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, what := range []string{"main_chad", "main_delta", "main_eval"} {
		if counts[what] < n/10 {
			t.Errorf("%d times %s: %v", counts[what], what, counts)
		}
	}
	t.Log(counts)
}
