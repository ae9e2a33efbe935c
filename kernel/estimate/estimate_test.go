package estimate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/fusion"
	"egad/kernel/cost"
	"egad/kernel/estimate"
	"egad/kernel/kerneltest"
)

// TestEstimate: what an estimate says goes up with the weights.
func TestEstimate(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[1000], x: R): R = sum (exp a) + iterate 5 (\x -> sum (a * x)) x`)
	last := 0.0
	for _, n := range []int{1, 10, 100} {
		k, err := fusion.Lower(nil, p, kerneltest.Weights(t, fmt.Sprintf("exp %d\nload %[1]d\nstep %[1]d", n)))
		if err != nil {
			t.Fatal(err)
		}
		for _, native := range []bool{false, true} {
			for _, x := range k.Kernels {
				if estimate.Kernel(k, x, native, false) <= 0 {
					t.Errorf("no time for\n%s", x)
				}
			}
		}
		sum := 0.0
		for _, x := range k.Kernels {
			sum += estimate.Kernel(k, x, true, false).Seconds() + estimate.Kernel(k, x, false, false).Seconds()
		}
		if sum <= last {
			t.Errorf("%g s, and %g s with less", sum, last)
		}
		last = sum
	}
}

// TestEstimateCalls: operators on whole arrays take time, beside other kernels of the steps of a loop too, and more
// time by their weights and for more elements.
func TestEstimateCalls(t *testing.T) {
	of := func(n int, weights *cost.Weights) (all, calls time.Duration) {
		p := kerneltest.Program(t, fmt.Sprintf(`def f(a: R[%[1]d, %[1]d], x: R[%[1]d]): R[%[1]d] = iterate 5 (\x -> sort (solve a (2 * x))) x`, n))
		k, err := fusion.Lower(nil, p, weights)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range k.Kernels {
			all += estimate.Kernel(k, x, true, false)
			if x.Steps == nil {
				continue
			}
			for _, inner := range x.Steps.Step.Kernels {
				for _, native := range []bool{false, true} {
					if e := estimate.Kernel(x.Steps.Step, inner, native, false); e <= 0 {
						t.Errorf("no time for\n%s", inner)
					} else if strings.Contains(inner.String(), "solve") || strings.Contains(inner.String(), "sort") {
						calls += e
					}
				}
			}
		}
		return all, calls
	}
	all, calls := of(12, nil)
	if calls == 0 || all < calls {
		t.Errorf("%v, %v for calls", all, calls)
	}
	if more, calls2 := of(24, nil); more <= all || calls2 <= calls {
		t.Errorf("%v, and %v for fewer elements", more, all)
	}
	for _, w := range []string{"call 1000", "whole 10", "sort 100"} {
		if _, more := of(12, kerneltest.Weights(t, w)); more <= calls {
			t.Errorf("%s: %v, and %v with less", w, more, calls)
		}
	}
}
