package schedule_test

import (
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
)

// TestLongLoops: loops that are so long that they ask on the way whether to end give what
// others do: with lanes, rows, folds, stores and what is left at the end.
func TestLongLoops(t *testing.T) {
	p := kerneltest.Program(t, `def f(x: R, a: R[70001]): (R, R, R[70001], R[5], I) =
		(sum (exp (a * x)), maximum (sin a + a), sin (x * a),
		 build 5 (\i -> sum (build 70001 (\j -> sin (a[j] * x + real i)))), argmax (cos a))`)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	env := kerneltest.Values(t, p, 1)
	m, err := machine.Compile(k, kernel.DefaultBlock)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Run(env)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []machine.Native{{Exact: true}, {}, {Threads: 2}, {Exact: true, Threads: 2}} {
		m, err := how.Compile(k)
		if err != nil {
			t.Fatal(err)
		}
		same := kerneltest.Near
		if how.Exact {
			same = defs.Same
		}
		got, err := m.Run(env)
		if err != nil || !same(want, got) {
			t.Errorf("%+v: %v", how, err)
		}
	}
}
