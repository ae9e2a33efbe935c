package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"egad/internal/growth"
)

// growthFamilies are programs of which a derivative, the text of it, or the
// kernels would be exponential or quadratic if what is shared were copied.
var growthFamilies = slices.Concat(
	growing(growth.Families, 2, "grad"),
	growing(growth.Long, 20, "stages"),
	[]family{
		{name: "a Hessian of many arrays", size: 20, long: 120, make: commandOn(func(n int) string {
			return manyInputs(n, "R[2]", "sum (x# * x#)")
		}, "grad", "--hessian")},
		{name: "second order of many inputs", size: 40, long: 200, make: commandOn(func(n int) string {
			return manyInputs(n, "R", "x#")
		}, "grad", "--order", "2")},
		{name: "a Jacobian of many inputs, column by column", size: 40, long: 200, make: commandOn(func(n int) string {
			return manyInputs(n, "R", "x#")
		}, "jacobian", "--mode", "forward")},
		{name: "sixty steps of pointer jumping", size: 60, long: 600, make: commandOn(func(n int) string {
			return "def f(): I[8] =\n  let p0 = build 8 (\\i -> (3 * i + 1) mod 8) in\n" +
				part(repeat(n, "  let p#+1 = build 8 (\\i -> p#[p#[i]]) in\n")) + fmt.Sprintf("  p%d\n", n)
		}, "run")},
		{name: "an array of which an element is computed", size: 4200, long: 16_300, make: commandOn(func(n int) string {
			return "def f(x: R): R = sum [x * x" + strings.Repeat(", 1.0", n) + "]\n"
		}, "grad")},
		{name: "sums of integers", size: 500, long: 5000, make: commandOn(func(n int) string {
			return "def f(): I[8] =\n  let p0 = build 8 (\\i -> 3 * i) in\n" +
				part(repeat(n, "  let p#+1 = build 8 (\\i -> p#[i] + p0[(i + #) mod 8]) in\n")) + fmt.Sprintf("  p%d\n", n)
		}, "run")},
	},
)

// growing is each of fs with the command, at half its size and long times as large.
func growing(fs []growth.Family, long int, args ...string) []family {
	out := make([]family, len(fs))
	for i, f := range fs {
		out[i] = family{name: f.Name, size: f.Size / 2, long: long * (f.Size / 2), make: commandOn(f.Text, args...)}
	}
	return out
}

// commandOn is the command on a program of each size.
func commandOn(text func(n int) string, args ...string) func(c *call, n int) {
	return func(c *call, n int) {
		c.run(append(slices.Clone(args), c.text("f.egad", word(text(n))))...)
	}
}

// part is a part of a text as a string.
func part(write func(w *bufio.Writer)) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	write(w)
	w.Flush()
	return b.String()
}

// manyInputs is a sum of n terms, each of its own input.
func manyInputs(n int, of, term string) string {
	head := part(repeat(n-1, "x#: "+of+", ")) + fmt.Sprintf("x%d: %s", n-1, of)
	body := part(repeat(n-1, term+" + ")) + strings.ReplaceAll(term, "#", fmt.Sprint(n-1))
	return "def f(" + head + "): R = " + body + "\n"
}
