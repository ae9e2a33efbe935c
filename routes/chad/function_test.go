package chad

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/raise"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term/ops"
)

// nested is t_n of Section 9: the identity, n - 1 times applied in each other.
func nested(n int) *fun.Program {
	body := v(0)
	for range n - 1 {
		body = fun.App.Make(fun.Capturing(fun.Real, body), v(0))
	}
	return scalar(body, "x")
}

// TestC10: on t_n the naive derivative runs 2^n - 1 backpropagators of variables and
// evaluates 2^n - n - 1 variables again; with closures each is run once and the steps have a
// constant first difference.
func TestC10(t *testing.T) {
	lib := library(t)
	var steps []int64
	for n := 1; n <= 14; n++ {
		p := nested(n)
		_, plain := measured(t, Find("chad-closures"), p, Options{Affine: true})
		steps = append(steps, plain.Steps())
		if n > 12 && !testflag.Long {
			continue
		}
		d, err := Find("chad-naive").Transform(lib, p)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(); n < 8 && err != nil {
			t.Fatal(err)
		}
		count := &probed{make(map[*fun.Term]*int64), make(map[*fun.Term]*int64)}
		tr := newTransformer(basic{}, lib, p.Context)
		tr.naive = true
		var primals, backs []*int64
		tr.derived = func(s, d *fun.Term) {
			if s.Form == fun.Var {
				count.put(s, d)
				primals, backs = append(primals, count.primals[s]), append(backs, count.backs[s])
			}
		}
		if d.Term, err = tr.transformed(p.Body); err != nil {
			t.Fatal(err)
		}
		grad, _, err := d.Gradient([]fun.Value{2.0}, []float64{1}, Options{})
		if err != nil || grad[0] != 1 {
			t.Fatal(n, grad, err)
		}
		var forth, back int64
		for i := range primals {
			forth, back = forth+*primals[i], back+*backs[i]
		}
		if back != 1<<n-1 || forth-int64(n) != 1<<n-int64(n)-1 {
			t.Errorf("n = %d: %d backpropagators, %d variables again", n, back, forth-int64(n))
		}
	}
	for i := 2; i < len(steps); i++ {
		if steps[i]-steps[i-1] != steps[1]-steps[0] {
			t.Errorf("not linear: %v", steps)
		}
	}
}

// higherOrder are programs with functions as values.
var higherOrder = props.FunctionalOptions{NoArrays: true, Values: values.Small, Size: 30}

// operations counts the operators that are applied.
type operations struct {
	*fun.Concrete[float64]
	n int64
}

func (o *operations) Op(op ops.Op, xs []fun.Value) fun.Value {
	o.n++
	return o.Concrete.Op(op, xs)
}

// TestC15: closure conversion and defunctionalisation keep types, values and the number of
// operations; the first makes no closure that captures, the second no function at all.
func TestC15(t *testing.T) {
	o := higherOrder
	o.NoArrays = false
	several := 0
	programs.Hold(t, testflag.Seed, testflag.Count(150, 10_000), functional.Gen(o), func(c props.FunctionalCase) error {
		before := &operations{Concrete: fun.Floats()}
		m := &fun.Machine{Domain: before}
		want, err := c.Program.Run(m, c.Inputs)
		if err != nil {
			return err
		}
		for name, convert := range map[string]func(*fun.Program) (*fun.Program, error){"closures": convert, "sums": Defunctionalise} {
			p, err := convert(c.Program)
			if err != nil {
				return err
			}
			if typ, err := fun.Check(p.Body, p.Context); err != nil || !typ.Equal(p.Result) {
				return fmt.Errorf("%s: %v %w\n%s", name, typ, err, c.Text())
			}
			if has(p.Body, fun.Lam) || name == "sums" && has(p.Body, fun.App) {
				return fmt.Errorf("%s: a function is left\n%s", name, c.Text())
			}
			after := &operations{Concrete: fun.Floats()}
			n := &fun.Machine{Domain: after}
			got, err := p.Run(n, c.Inputs)
			if err != nil || !same(got, want) {
				return fmt.Errorf("%s: another value %w\n%s", name, err, c.Text())
			}
			if after.n != before.n {
				return fmt.Errorf("%s: %d operations, and %d before\n%s", name, after.n, before.n, c.Text())
			}
			if n.Steps > 12*m.Steps {
				return fmt.Errorf("%s: %d steps for %d\n%s", name, n.Steps, m.Steps, c.Text())
			}
			if name == "sums" && has(c.Program.Body, fun.App) && cased(p.Body) > cased(c.Program.Body) {
				several++
			}
		}
		return nil
	})
	if several == 0 {
		t.Error("no call has several instances")
	}
	t.Logf("%d programs have a call of several instances", several)
}

func has(t *fun.Term, f *fun.Form) bool {
	return t.Form == f || slices.ContainsFunc(t.Kids, func(k *fun.Term) bool { return has(k, f) })
}

// cased counts cases.
func cased(t *fun.Term) int {
	n := 0
	if t.Form == fun.Case {
		n++
	}
	for _, k := range t.Kids {
		n += cased(k)
	}
	return n
}

// TestDefunctional: a function that is one of two is a sum, of which a call is a case; a
// function of functions is written out at each call.
func TestDefunctional(t *testing.T) {
	real := fun.Fun(fun.Real, fun.Real)
	// let f = case sign x of inl b -> \y -> y * x | inr u -> \y -> y + x in
	// let twice = \g -> \y -> g (g y) in twice (twice f) x
	f := fun.Case.Make(fun.Sign.Make(v(0)), fun.Closure(fun.Real, mul(v(0), v(2))), fun.Closure(fun.Real, add(v(0), v(2))))
	twice := fun.Closure(real, fun.Closure(fun.Real, fun.App.Make(v(1), fun.App.Make(v(1), v(0)))))
	call := fun.App.Make(fun.App.Make(v(0), fun.App.Make(v(0), v(1))), v(2))
	p := scalar(fun.LetIn(f, fun.LetIn(twice, call)), "x")
	for _, c := range []struct{ x, grad float64 }{{2, 5 * 16}, {-2, 5 * 16}, {0, 5}} {
		for _, name := range []string{"chad-naive", "chad-closures", "chad-defunctional"} {
			d, err := Find(name).Transform(library(t), p)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Check(); err != nil {
				t.Error(err)
			}
			if grad, _, err := d.Gradient([]fun.Value{c.x}, []float64{1}, Options{}); err != nil || !slices.Equal(grad, []float64{c.grad}) {
				t.Errorf("%s at %g: %v, want %g (%v)", name, c.x, grad, c.grad, err)
			}
		}
	}
	// let f0 = \y -> y * y in let f1 = \y -> f0 (f0 y) in …: the text doubles, as the run does.
	body := fun.App.Make(v(0), v(30))
	for range 29 {
		body = fun.LetIn(fun.Closure(fun.Real, fun.App.Make(v(1), fun.App.Make(v(1), v(0)))), body)
	}
	_, err := Defunctionalise(scalar(fun.LetIn(fun.Closure(fun.Real, mul(v(0), v(0))), body), "x"))
	var large *UnsupportedError
	if !errors.As(err, &large) {
		t.Errorf("no error: %v", err)
	}
}

// TestC4C5Functions: after defunctionalisation, which makes a program of first order, both
// theorems hold as they stand (002, Section 9).
func TestC4C5Functions(t *testing.T) {
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(higherOrder), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-defunctional"), Options{Affine: true}, func(_ *Route, d *Derivative, m *Measured, ct fun.Value) error {
			if left, right := m.Theorem1(); left > right {
				return fmt.Errorf("TH1: %d > %d", left, right)
			}
			whole, err := d.Whole(c.Inputs, copied(ct), Options{Affine: true})
			if err != nil {
				return err
			}
			if bound := m.Theorem2(); whole > bound {
				return fmt.Errorf("TH2: %d > %d", whole, bound)
			}
			return nil
		})
	})
}

// TestC2Functions: programs with functions as values have the transposed derivative, by both
// routes that take them.
func TestC2Functions(t *testing.T) {
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(higherOrder), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-naive", "chad-closures", "chad-defunctional"), Options{Limit: 1_000_000}, func(*Route, *Derivative, *Measured, fun.Value) error { return nil })
	})
	withArrays := higherOrder
	withArrays.NoArrays = false
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(withArrays), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-closures", "chad-defunctional"), Options{Affine: true}, func(*Route, *Derivative, *Measured, fun.Value) error { return nil })
	})
}

// TestClosureCalls: a closure called n times that captures a variable costs as much each time.
func TestClosureCalls(t *testing.T) {
	at := func(n int) (*fun.Program, int64) {
		// let f = \y -> y * x in f (f (… x))
		body := repeated(n, v(1), func(t *fun.Term) *fun.Term { return fun.App.Make(v(0), t) })
		p := scalar(fun.LetIn(fun.Closure(fun.Real, mul(v(0), v(1))), body), "x")
		_, m := measured(t, Find("chad-closures"), p, Options{Affine: true})
		return p, m.Steps()
	}
	p, a := at(3)
	_, b := at(6)
	_, c := at(9)
	if b-a != c-b {
		t.Errorf("not linear: %d, %d, %d", a, b, c)
	}
	for _, name := range []string{"chad-naive", "chad-closures"} {
		d, err := Find(name).Transform(library(t), p)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
		if grad, _, err := d.Gradient([]fun.Value{2.0}, []float64{1}, Options{}); err != nil || !slices.Equal(grad, []float64{32}) {
			t.Errorf("%s: %v, want 32 (%v)", name, grad, err)
		}
	}
}

// Check reports whether D[t] has the type that the paper promises.
func (d *Derivative) Check() (err error) {
	defer raise.Caught(&err)
	got, err := fun.Check(d.Term, d.Program.Context)
	if err == nil && !got.Equal(d.Type) {
		err = fmt.Errorf("the derivative is of type %s, where %s must be", got, d.Type)
	}
	return err
}
