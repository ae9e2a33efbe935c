package chad

import (
	"fmt"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/programs"
	"egad/internal/values"
	"egad/props"
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
		if n > 12 && !*long {
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
		tr, err := newTransformer(basic{}, lib, p.Context)
		if err != nil {
			t.Fatal(err)
		}
		tr.naive = true
		var primals, backs []*int64
		tr.derived = func(s, d *fun.Term) {
			if s.Form == fun.Var {
				count.put(s, d)
				primals, backs = append(primals, count.primals[s]), append(backs, count.backs[s])
			}
		}
		if d.Term, _, err = tr.term(p.Body); err != nil {
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

// TestC15: closure conversion keeps types and values, and makes no closure that captures.
func TestC15(t *testing.T) {
	o := higherOrder
	o.NoArrays = false
	programs.Hold(t, *seed, cases(300, 10_000), props.GenFunctional(o), func(c props.FunctionalCase) error {
		p, err := Convert(c.Program)
		if err != nil {
			return err
		}
		if typ, err := fun.Check(p.Body, p.Context); err != nil || !typ.Equal(p.Result) {
			return fmt.Errorf("%v %w\n%s", typ, err, c.Text())
		}
		m, n := &fun.Machine{Domain: fun.Floats()}, &fun.Machine{Domain: fun.Floats()}
		want, err := c.Program.Run(m, c.Inputs)
		if err != nil {
			return err
		}
		got, err := p.Run(n, c.Inputs)
		if err != nil || !same(got, want) {
			return fmt.Errorf("another value %w\n%s", err, c.Text())
		}
		if n.Steps > 12*m.Steps {
			return fmt.Errorf("%d steps for %d\n%s", n.Steps, m.Steps, c.Text())
		}
		return nil
	})
}

// TestC2Functions: programs with functions as values have the transposed derivative, by both
// routes that take them.
func TestC2Functions(t *testing.T) {
	programs.Hold(t, *seed, cases(200, 10_000), props.GenFunctional(higherOrder), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-naive", "chad-closures"), Options{Limit: 1_000_000}, func(*Route, *Derivative, *Measured, fun.Value) error { return nil })
	})
	withArrays := higherOrder
	withArrays.NoArrays = false
	programs.Hold(t, *seed, cases(200, 10_000), props.GenFunctional(withArrays), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-closures"), Options{Affine: true}, func(*Route, *Derivative, *Measured, fun.Value) error { return nil })
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
