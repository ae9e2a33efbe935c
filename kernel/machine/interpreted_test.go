package machine_test

import (
	"math"
	"testing"

	"egad/internal/testflag"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
)

// TestInterpretedModules: the module of a kernel makes the same numbers, to the bit, where it is compiled and where it
// is interpreted.
func TestInterpretedModules(t *testing.T) {
	for seed := range testflag.Count(int64(100), 10_000) {
		r := kerneltest.NewRandomKernel(seed)
		prog, in := r.Program(), r.Inputs()
		how := machine.Native{Exact: seed%3 == 0}
		run := func() []machine.Elements {
			m, err := how.Compile(prog)
			if err != nil {
				t.Fatal(err)
			}
			out, err := kerneltest.Outputs(m, prog, in)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		got := run()
		undo := machine.InterpretModules()
		want := run()
		undo()
		for k := range want {
			for i, x := range want[k].R {
				if y := got[k].R[i]; math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
					t.Fatalf("seed %d: element %d of result %d is %v, and %v where the module is interpreted\n%s", seed, i, k, y, x, prog)
				}
			}
		}
	}
}
