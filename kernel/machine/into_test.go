package machine_test

import (
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/term"
)

// TestRunIntoMakesNoMemory runs a machine again and again, with other results.
func TestRunIntoMakesNoMemory(t *testing.T) {
	p, k := lowered(t, `def f(a: R[30, 40], ix: I[30], c: B): (R[40], R[5, 40], I, R[30, 40]) =
		let s = exp (a * a) in
		(if c then sum s else maximum s, scatter [5] a (\[i] -> [ix[i]]), argmax (build 30 (\i -> sum a[i])), a)`)
	eachMachine(t, k, func(name string, m *machine.Machine) {
		t.Run(name, func(t *testing.T) { runInto(t, p, m) })
	})
}

// runInto runs m into memory that is there, which takes no more.
func runInto(t *testing.T, p *term.Program, m *machine.Machine) {
	var in []machine.Elements
	env := drawn(t, p, 1)
	for _, input := range p.Inputs {
		in = append(in, machine.Elements{R: env[input.Name].R, N: env[input.Name].N})
	}
	want, err := m.Run(env)
	if err != nil {
		t.Fatal(err)
	}
	got := want.Copy()
	var out []machine.Elements
	for _, v := range got.Parts {
		for i := range v.R {
			v.R[i] = -1
		}
		for i := range v.N {
			v.N[i] = -1
		}
		out = append(out, machine.Elements{R: v.R, N: v.N})
	}
	if n := testing.AllocsPerRun(100, func() { err = m.RunInto(out, in) }); n != 0 || err != nil {
		t.Errorf("%v allocations a run, %v", n, err)
	}
	if !defs.Same(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// What is not wanted is left out.
	if err := m.RunInto(make([]machine.Elements, 4), in); err != nil {
		t.Error(err)
	}
}

// TestRunIntoInputs: results may be written to where the inputs are.
func TestRunIntoInputs(t *testing.T) {
	for _, c := range []struct {
		text string
		want [2]float64 // of x = 3, y = 5
	}{
		{`def f(x: R[1], y: R[1]): (R[1], R[1]) = (y, x)`, [2]float64{5, 3}},
		{`def f(x: R[1], y: R[1]): (R[1], R[1]) = (x + y, x - y)`, [2]float64{8, -2}},
		{`def f(x: R[1], y: R[1]): (R[1], R[1]) = (x * y, x)`, [2]float64{15, 3}},
		{`def f(x: R[1], y: R[1]): (R[1], R[1]) = (y, y)`, [2]float64{5, 5}},
	} {
		_, k := lowered(t, c.text)
		eachMachine(t, k, func(name string, m *machine.Machine) {
			x, y := []float64{3}, []float64{5}
			at := []machine.Elements{{R: x}, {R: y}}
			if err := m.RunInto(at, at); err != nil || [2]float64{x[0], y[0]} != c.want {
				t.Errorf("%s, %s: %v, %v, %v", c.text, name, x, y, err)
			}
		})
	}
}

// TestRunIntoErrors: elements that do not fit are an error, and nothing is written.
func TestRunIntoErrors(t *testing.T) {
	_, p := lowered(t, `def f(x: R[2], k: I): (R, R[2]) = (real k, x)`)
	m, err := machine.Compile(p, kernel.DefaultBlock)
	if err != nil {
		t.Fatal(err)
	}
	reals := func(n int) machine.Elements { return machine.Elements{R: make([]float64, n)} }
	k := machine.Elements{N: []int64{1}}
	for _, c := range []struct {
		out, in []machine.Elements
		want    string
	}{
		{nil, nil, "f has 2 inputs and 2 results, and 0 and 0 are given"},
		{[]machine.Elements{reals(1), reals(2)}, []machine.Elements{reals(3), k}, "input x: R[2], and its elements are 3 reals and 0 integers"},
		{[]machine.Elements{reals(1), reals(2)}, []machine.Elements{reals(2), reals(1)}, "input k: I, and its elements are 1 reals and 0 integers"},
		{[]machine.Elements{reals(1), k}, []machine.Elements{reals(2), k}, "result 1 is R[2], and has room for 0 reals and 1 integers"},
		{[]machine.Elements{reals(1), reals(1)}, []machine.Elements{reals(2), k}, "result 1 is R[2], and has room for 1 reals and 0 integers"},
	} {
		if err := m.RunInto(c.out, c.in); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %s", err, c.want)
		}
		if c.out != nil && c.out[0].R[0] != 0 {
			t.Error("something was written")
		}
	}
}
