package sparsity_test

import (
	"math"
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/kernel/machine"
)

// TestUnsigned: sums begin with 0 where that shows, and not elsewhere.
func TestUnsigned(t *testing.T) {
	const dot = `(0 + a[n] * b[n] + b[n])`
	for body, want := range map[string]int{
		dot:                                      1,
		dot + ` * c`:                             1,
		dot + ` + c`:                             1,
		dot + ` + 1`:                             0,
		dot + ` + square c`:                      0,
		dot + ` * c + abs c`:                     0,
		`square c - ` + dot:                      0,
		`c - ` + dot:                             1,
		dot + ` + (0 + (a[n] - b[n]))`:           1,
		`abs (` + dot + `)`:                      0,
		`exp (` + dot + `)`:                      1,
		`c / ` + dot + ` + 1`:                    1,
		dot + ` / c + 1`:                         0,
		dot + ` * (0 + (a[n] - b[n])) + 1`:       0,
		`(if c < 1 then ` + dot + ` else c) + 1`: 0,
		`(if ` + dot + ` < 1 then c else 2) + 1`: 0,
		`sum (build 1000 (\i -> c * ` + dot + ` - real i))`: 0,
	} {
		_, p := defs.Last(t, `def f(a: R[9], b: R[9], d: R[9]): R[9] = build 9 (\n -> let c = d[n] in `+body+`)`)
		k, err := lower.Lower(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := k.String(); strings.Count(text, "0 + ")+strings.Count(text, " + 0") != want {
			t.Errorf("%s: there should be %d additions of 0 in\n%s", body, want, text)
		}
	}
}

// TestUnsignedValues: results are the same, bit for bit, where many numbers are 0 and -0.
func TestUnsignedValues(t *testing.T) {
	less := 0
	for seed := range int64(4000) {
		var out [2][]machine.Elements
		var before int64
		for i := range out {
			p, in := kerneltest.RandomSums(seed, i > 0)
			if i > 0 {
				less += int(before - p.Counts().Float)
			}
			before = p.Counts().Float
			m, err := machine.Compile(p, kernel.DefaultBlock)
			if err != nil {
				t.Fatal(err)
			}
			if out[i], err = kerneltest.Outputs(m, p, in); err != nil {
				t.Fatal(err)
			}
		}
		for k, e := range out[1][len(out[0]):] {
			for i, x := range e.R {
				if x == 0 && math.Signbit(x) {
					t.Fatalf("seed %d: element %d of plus value %d is -0", seed, i, k)
				}
			}
		}
		for k := range out[0] {
			for i, x := range out[0][k].R {
				if y := out[1][k].R[i]; math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
					p, _ := kerneltest.RandomSums(seed, false)
					t.Fatalf("seed %d: element %d of result %d is %v, and should be %v\n%s", seed, i, k, y, x, p)
				}
			}
		}
	}
	if less == 0 {
		t.Error("no addition is left out")
	}
}
