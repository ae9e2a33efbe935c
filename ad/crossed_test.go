package ad

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/term"
	"egad/term/eval"
)

// TestCrossed: sums of what is read along two axes are taken apart, unless the order of
// additions is to stay, and have the same value but for rounding.
func TestCrossed(t *testing.T) {
	for _, c := range []struct{ text, has string }{
		{`def f(x: R[4, 3]): R = sum (build 4 (\i -> sum (build 4 (\j -> exp (neg (sumsq (x[i] - x[j])))))))`, "sum (tr [1, 0] t3) - sum t3"},
		{`def f(x: R[4]): R = sum (build 4 (\i -> sum (build 4 (\j -> sqrt (1 + square (x[i] - x[j]))))))`, "sum (tr [1, 0] t4) - sum t4"},
		{`def f(x: R[7, 6], w: R[3, 2]): R = sumsq (flat (build [7, 6] (\i j -> sum (build 3 (\y -> sum (build 2 (\k -> w[y, k] * x[(i + y - 1) mod 7, (j + k) mod 6])))))))`, "[(i + 1 - k) mod 7, j, k, l]"},
		{`def f(v: R[9], w: R[3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[k] * index v [i - k]))))`, "[i + j, j]"},
		{`def f(v: R[9], w: R[3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[k] * index v [i - 3 * k]))))`, "[i + j * 3, j]"},
		{`def f(v: R[9], w: R[3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[k] * index v [i + 2 * k]))))`, "[i - j * 2, j]"},
		{`def f(v: R[9], w: R[9, 3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[i, k] * index v [i - k + 1]))))`, "[j + (i - 1), j]"},
		{`def f(v: R[9], w: R[9, 3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[i, k] * index v [5 + 2 * k - i]))))`, "- i, j]"},
		{`def f(v: R[9], w: R[3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[k] * v[(i - k) mod 9]))))`, "[(i + j) mod 9, j]"},
		{`def f(v: R[9], w: R[3]): R = sumsq (build 9 (\i -> sum (build 3 (\k -> w[k] * v[(i - 2 * k + 5) mod 9]))))`, "[(j * 2 + (i - 5)) mod 9, j]"},
		{`def f(z: R[2, 9], d: R[2, 3]): R = sumsq (build 9 (\i -> sum (build 2 (\q -> sum (build 3 (\k -> d[q, k] * index z [q, i - k + 1]))))))`, "[k + (i - 1), j, k]"},
		{`def f(z: R[2, 9], d: R[2, 3]): R = sumsq (build 9 (\i -> sum (build 2 (\q -> sum (build 3 (\k -> d[q, k] * index z [q, (i - k + 1) mod 9]))))))`, "[(k + (i - 1)) mod 9, j, k]"},
		{`def f(z: R[2, 9], d: R[2, 3]): R = sumsq (build 9 (\i -> sum (build 2 (\q -> sum (build 3 (\k -> d[q, k] * index z [q, i + k + 2]))))))`, "[i - 2 - k, j, k]"},
		{`def f(z: R[2, 9], d: R[2, 3]): R = sumsq (build 9 (\i -> sum (build 2 (\q -> sum (build 3 (\k -> d[q, k] * index z [q, i - k - 2]))))))`, "[k + (i + 2), j, k]"},
		{`def f(z: R[2, 9], d: R[2, 3]): R = sumsq (build 9 (\i -> sum (build 2 (\q -> sum (build 3 (\k -> d[q, k] * index z [q, k - i + 2]))))))`, "[k - (i - 2), j, k]"},
		{`def f(z: R[2, 9], d: R[2, 3]): R = sumsq (build 9 (\i -> sum (build 2 (\q -> sum (build 3 (\k -> d[q, k] * index z [q, 4 - i - k]))))))`, "[4 - (i + k), j, k]"},
		{`def f(z: R[2, 5, 4], d: R[2, 3, 2]): R = sumsq (flat (build [5, 4] (\i j -> sum (build 2 (\q -> sum2 (build [3, 2] (\k l -> d[q, k, l] * index z [q, i - k + 1, j - l + 1])))))))`, "[p + (j - 1), k, l, p]"},
		{`def f(x: R[4]): R = sum (flat (build [4, 4, 4] (\i j k -> relu (x[i] * x[j] - x[k]))))`, "(sum (sum (tr [1, 0] (sum (tr [2, 0, 1] (relu t3)))))"},
	} {
		lib, p := defs.Last(t, c.text)
		var values [2]*eval.Value[float64]
		for i, exact := range []bool{false, true} {
			d, err := Grad(lib, p, Options{Exact: exact})
			if err != nil {
				t.Fatal(err)
			}
			pr := &term.Printer{Store: d.Program.Store, Names: d.Program.Names}
			text := pr.Def("g", d.Program.Inputs, d.Program.Root)
			if strings.Contains(text, c.has) == exact {
				t.Errorf("exact is %t, and the gradient is\n%s", exact, text)
			}
			k := 0
			env := defs.Inputs(t, d.Program, func() float64 { k++; return float64(k*k%7) / 3 }, nil)
			if values[i], err = eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env); err != nil {
				t.Fatal(err)
			}
		}
		for i, g := range values[0].Parts[1].R {
			if want := values[1].Parts[1].R[i]; math.Abs(g-want) > 1e-12 {
				t.Errorf("%s\nelement %d of the gradient is %v, not %v", c.text, i, g, want)
			}
		}
	}
}

// TestClampedOnce: where a loop makes one run its index is 0, and yet no equation takes one for the
// other, however indices stop at the ends of axes; the value beside a gradient is that of the program.
func TestClampedOnce(t *testing.T) {
	for _, text := range []string{
		`def f(y: R[3], x: R[4]): R = sum (build 1 (\j -> y[max 0 j] * x[j])) + sum (scatter [1] y (\[q] -> [0]))`,
		`def f(y: R[3], x: R[4]): R = sum (build 1 (\j -> y[max 0 (min 0 j)] * x[j])) + sum (scatter [1] y (\[q] -> [max 0 (min 0 q)]))`,
		`def f(x: R[2]): R = x[0] + sum (build 1 (\i -> index (scatter [12] (build 9 (\j -> sum [0.25, 0.5, 0.75, 2])) (\[q] -> [min i 0])) [i]))`,
		`def f(x: R[5]): R = sumsq (build 5 (\i -> x[max 0 (min 4 (i + 1))] - x[max 0 (min 4 (i - 1))] * x[max 0 (min 4 i)]))`,
	} {
		lib, p := defs.Last(t, text)
		for _, exact := range []bool{false, true} {
			d, err := Grad(lib, p, Options{Exact: exact})
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			k := 0
			env := defs.Inputs(t, p, func() float64 { k++; return float64(k*k%7) / 3 }, nil)
			got, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Parts[0].R[0]-want.R[0]) > 1e-12 {
				t.Errorf("%s: the value beside the gradient is %v, not %v (exact is %t)", text, got.Parts[0].R[0], want.R[0], exact)
			}
		}
	}
}

// TestEdgesProved: gradients at the ends of an axis have proofs, bounds that are never passed among them.
func TestEdgesProved(t *testing.T) {
	for _, index := range []string{
		"max 0 (i - 1)", "min 19 (i + 1)", "if i == 0 then 19 else i - 1", "if i + 1 < 20 then i + 1 else 0", "(i - 1) mod 20", "if i - 1 < 0 then 0 else if i - 1 > 19 then 19 else i - 1",
		"max 0 (min 19 i)", "max 0 (min 19 (19 - i))", "max 0 (min 30 (20 - i - 1))", "if i < 0 then 0 else i",
	} {
		lib, p := defs.Last(t, fmt.Sprintf(`def f(a: R[20]): R = sumsq (build 20 (\i -> 2 * a[i] - a[%s]))`, index))
		task := Task{Mode: "grad"}
		d, err := task.Derive(lib, p, Options{Record: true})
		if err != nil {
			t.Fatal(err)
		}
		proof, err := d.Prove(task)
		if err != nil {
			t.Errorf("a[%s]: %v", index, err)
		} else if _, err := Verify(lib, p, proof); err != nil {
			t.Errorf("a[%s]: %v", index, err)
		}
	}
}

// TestEdges: however a program says what it reads at the ends of an axis, its gradient reads too.
func TestEdges(t *testing.T) {
	one := `def f(a: R[20]): R = sumsq (build 20 (\i -> 2 * a[i] - a[%s]))`
	filter := `def f(a: R[20], w: R[3]): R = sumsq (build 20 (\i -> sum (build 3 (\j -> w[j] * a[%s]))))`
	last := `def f(a: R[20, 20, 2], w: R[3]): R = sumsq (flat (build [20, 20, 2] (\i k c -> sum (build 3 (\j -> w[j] * a[k, %s, c])))))`
	for _, c := range []struct {
		program string
		indices []string
	}{
		{one, []string{
			"if i < 3 then 0 else i - 3", "if i >= 1 then i - 1 else 0", "if i > 0 then i - 1 else 0", "if i == 0 then 0 else i - 1", "if i <= 0 then 0 else i - 1",
			"if i == 19 then 19 else i + 1", "if i < 19 then i + 1 else 19", "if i + 1 > 19 then 19 else i + 1", "if i - 1 < 0 then 0 else i - 1",
			"if i == 0 then 19 else i - 1", "if i > 0 then i - 1 else 19", "if i == 19 then 0 else i + 1", "if i + 1 < 20 then i + 1 else 0", "if i == 20 - 1 then 0 else i + 1",
			"max 0 (i - 1)", "min 19 (i + 12)", "min 19 (max 0 (i - 2 + 1))", "(i + 20 - 1) mod 20", "(i - 1 + 20) mod 20", "if i - 2 < 0 then i - 2 + 20 else i - 2", "if i + 3 >= 20 then i + 3 - 20 else i + 3", "if i + 1 == 20 then 0 else i + 1", "if i - 1 < 0 then 0 else if i - 1 > 19 then 19 else i - 1",
		}},
		{filter, []string{
			"max 0 (i - j)", "max 0 (i - j - 1)", "min 19 (i - j)", "min 19 (i + j)", "max 0 (min 19 (i - (j - 1)))", "max 0 (min 19 (i + (j - 1)))", "max 0 (min 19 (j + i - 1))",
			"(i + (j - 1)) mod 20", "(i - (1 - j)) mod 20", "(j - 1 + i) mod 20", "if i + j < 20 then i + j else 19", "if i - j < 0 then i - j + 20 else i - j", "if i - j - 1 < 0 then i - j + 19 else i - j - 1", "if i + j < 20 then i + j else i + j - 20", "if i + j - 1 >= 20 then 19 else if i + j - 1 < 0 then 0 else i + j - 1",
		}},
		{last, []string{"max 0 (i - j)", "min 19 (i + j)", "max 0 (min 19 (i + j - 1))", "(i + j - 1) mod 20"}},
	} {
		for _, index := range c.indices {
			lib, p := defs.Last(t, fmt.Sprintf(c.program, index))
			var gradients [2][]float64
			for i, exact := range []bool{false, true} {
				d, err := Grad(lib, p, Options{Exact: exact})
				if err != nil {
					t.Fatal(err)
				}
				text := (&term.Printer{Store: d.Program.Store, Names: d.Program.Names}).Def("g", d.Program.Inputs, d.Program.Root)
				if !exact && strings.Contains(text, "scatter") {
					t.Errorf("a[%s]: the gradient is\n%s", index, text)
				}
				k := 0
				env := defs.Inputs(t, d.Program, func() float64 { k++; return float64(k*k%7) / 3 }, nil)
				v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
				if err != nil {
					t.Fatal(err)
				}
				gradients[i] = v.Parts[1].R
			}
			for i, g := range gradients[0] {
				if want := gradients[1][i]; math.Abs(g-want) > 1e-9 {
					t.Errorf("a[%s]: element %d of the gradient is %v, not %v", index, i, g, want)
				}
			}
		}
	}
}
