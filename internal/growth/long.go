package growth

import (
	"fmt"
	"strings"
)

// Long lists families of long programs, of which all stages are looked at and
// printed.
var Long = []Family{
	{"long chain", "n lets of the two before", 200, func(n int) string {
		return chain(n, func(k int) string { return fmt.Sprintf("x%d * x%d", k-1, max(k-2, 0)) })
	}},
	{"long sum of one input", "x + x + … + x", 200, func(n int) string {
		return "def f(x: R): R = x" + strings.Repeat(" + x", n-1) + "\n"
	}},
	{"long product of one input", "x * x * … * x", 800, func(n int) string {
		return "def f(x: R): R = x" + strings.Repeat(" * x", n-1) + "\n"
	}},
	{"long sum of powers", "x ^ 1 + x ^ 2 + … + x ^ n", 200, func(n int) string {
		return "def f(x: R): R = " + terms(n, "x ^ %d") + "\n"
	}},
	{"long polynomial", "Horner's scheme", 200, func(n int) string {
		return chain(n, func(k int) string { return fmt.Sprintf("x%d * x0 + %d", k-1, k) })
	}},
	{"long chain of arrays", "n lets of arrays", 200, func(n int) string {
		return strings.NewReplacer("x0: R", "x0: R[4]", fmt.Sprintf("  x%d\n", n), fmt.Sprintf("  sum x%d\n", n)).
			Replace(chain(n, func(k int) string { return fmt.Sprintf("sin x%d * x0", k-1) }))
	}},
	{"long chain of conditions", "n lets that depend on the one before", 100, func(n int) string {
		return chain(n, func(k int) string { return fmt.Sprintf("if x%d < %d then x%[1]d * x0 else x%[1]d + x0", k-1, k) })
	}},
	{"long array", "an array of n terms", 200, func(n int) string {
		return "def f(x: R): R = sum [" + strings.ReplaceAll(terms(n, "%d.5 * x"), " + ", ", ") + "]\n"
	}},
}
