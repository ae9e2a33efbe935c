package estimate_test

import (
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/estimate"
	"egad/kernel/kerneltest"
)

// TestWork: runs of loops that machine code leaves out are not counted, whatever tells them but data.
func TestWork(t *testing.T) {
	nested := int64(0)
	for k := range 90 {
		for l := range 9 {
			nested += int64(90 * max(0, k-l) * 2)
		}
	}
	for _, test := range []struct {
		text                       string
		interpreted, exact, native int64 // operations on reals
		unsure                     bool  // of machine code
	}{
		{`def f(a: R[9, 9], x: R[9]): R[9] = build 9 (\i -> sum (build 9 (\j -> if j < i then a[i, j] * x[j] else 0)))`, 162, 72, 72, false},
		{`def f(a: R[9, 9], x: R[9]): R[9] = build 9 (\i -> sum (build 9 (\j -> (if j < i then a[i, j] else 0) * x[j])))`, 162, 162, 72, false},
		{`def f(a: R[9, 9, 9]): R[9] = build 9 (\i -> sum (build 9 (\j -> sum (build 9 (\k -> if k < j && j < i then exp a[i, j, k] else 0)))))`,
			9*9*9*2 + 81, 9*8*7/6*2 + 36, 9*8*7/6*2 + 36, false},
		{`def f(x: R[90, 90]): R[90] = fold (\s k -> build 90 (\i -> sum (build 90 (\j -> if j < k then x[i, j] * s[j] else 0)))) x[0] (iota 90)`,
			90 * 90 * 90 * 2, 90 * 45 * 89 * 2, 90 * 45 * 89 * 2, false},
		{`def f(x: R[90, 90]): R[90] = fold (\s k -> fold (\r l -> build 90 (\i -> sum (build 90 (\j -> if j + l < k then x[i, j] * r[j] else 0)))) s (iota 9)) x[0] (iota 90)`,
			90 * 9 * 90 * 90 * 2, nested, nested, false},
		{`def f(x: R[9], m: I): R = sum (build 9 (\j -> if j < m then x[j] * x[j] else 0))`, 18, 18, 18, true},
		{`def f(x: R[9], m: I): R = iterate m (\s -> s * x[0]) 1.0`, 0, 0, 0, true},
	} {
		p := kerneltest.Program(t, test.text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct {
			native, exact bool
			want          int64
		}{{false, false, test.interpreted}, {true, true, test.exact}, {true, false, test.native}} {
			all, each := estimate.WorkOf(k, x.native, x.exact)
			if all.Unsure != (test.unsure && (x.native || test.native == 0)) || !all.Unsure && all.Float != x.want {
				t.Errorf("%s\n%+v: %+v, want %d operations\n%s", test.text, x, all, x.want, k)
			}
			sum := int64(0)
			for _, n := range k.Kernels {
				sum += each[n].Float
			}
			if sum != all.Float {
				t.Errorf("%s\n%+v: kernels are %d operations, and all %d", test.text, x, sum, all.Float)
			}
		}
	}
	if all, _ := estimate.WorkOf((*kernel.Program)(nil), false, false); all != (estimate.Work{}) {
		t.Errorf("nothing is %+v", all)
	}
}
