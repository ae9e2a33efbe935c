package improve_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"egad/internal/testflag"
	"egad/kernel"
	"egad/kernel/improve"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
)

func abs(in []kerneltest.Numbers) []kerneltest.Numbers {
	out := slices.Clone(in)
	for i, e := range in {
		out[i].R = slices.Clone(e.R)
		for k, x := range out[i].R {
			out[i].R[k] = math.Abs(x)
		}
	}
	return out
}

// checkRandomKernel compares machine code of a random kernel with the interpreter: bit
// for bit, unless sums of rounded numbers are added in another order.
func checkRandomKernel(seed int64) error {
	r := kerneltest.NewRandomKernel(seed)
	prog, in := r.Program(), r.Inputs()
	defer func() {
		if p := recover(); p != nil {
			fmt.Println(seed, prog)
			panic(p)
		}
	}()
	run := func(m *machine.Machine, err error) ([]machine.Elements, error) {
		if err != nil {
			return nil, err
		}
		return kerneltest.Outputs(m, prog, in)
	}
	want, err := run(machine.Compile(prog, kernel.DefaultBlock))
	if err != nil {
		return err
	}
	improve.Bound(prog)
	var bound func(k, i int) float64
	if r.Polynomial() {
		restore := r.Magnitude()
		m, err := machine.Compile(prog, kernel.DefaultBlock)
		if err != nil {
			return err
		}
		most, err := kerneltest.Outputs(m, prog, abs(in))
		restore()
		if err != nil {
			return err
		}
		bound = func(k, i int) float64 { return 2 * float64(r.Ops()) * 0x1p-52 * most[k].R[i] }
	}
	compare := func(want, got []machine.Elements, what string, bound func(k, i int) float64) error {
		for k := range want {
			for i, x := range want[k].R {
				y := got[k].R[i]
				same := math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
				if !same && (bound == nil || !(math.Abs(x-y) <= bound(k, i))) {
					return fmt.Errorf("seed %d, %s: element %d of result %d is %v, and should be %v\n%s", seed, what, i, k, y, x, prog)
				}
			}
		}
		return nil
	}
	ways := []struct {
		name     string
		how      machine.Native
		products bool
	}{{"exact", machine.Native{Exact: true}, false}, {"not exact", machine.Native{}, false}, {"products of matrices", machine.Native{}, true}}
	for _, way := range ways {
		how, prog := way.how, prog
		if seed%2 == 0 { // what does not take long is shared too
			kerneltest.Share(prog)
		}
		if way.products {
			prog = kerneltest.Free(prog)
		}
		got, err := run(how.Compile(prog))
		if err != nil {
			return fmt.Errorf("seed %d: %w\n%s", seed, err, prog)
		}
		how.Threads = 2 + int(seed%3)
		shared, err := run(how.Compile(prog))
		if err != nil {
			return fmt.Errorf("seed %d: %w\n%s", seed, err, prog)
		}
		if err := compare(got, shared, "on several threads", nil); err != nil {
			return err
		}
		switch {
		case how.Exact || r.Whole():
			err = compare(want, got, way.name, nil)
		case r.Polynomial():
			err = compare(want, got, way.name, bound)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func TestEmitter(t *testing.T) {
	n := testflag.Count(int64(100), 20_000)
	for seed := range n {
		err := checkRandomKernel(seed)
		if err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzEmitter(f *testing.F) {
	for seed := range int64(4) {
		f.Add(seed)
	}
	f.Add(int64(2385))  // an index that is computed in a panel, and again after the loop
	f.Add(int64(14990)) // an index of two axes
	f.Add(int64(11711)) // a fold in lanes that goes on from -0
	f.Add(int64(4576))  // a loop in a loop of vectors that a choice may jump over
	f.Fuzz(func(t *testing.T, seed int64) {
		if err := checkRandomKernel(seed); err != nil {
			t.Fatal(err)
		}
	})
}
