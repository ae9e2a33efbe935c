// Package growth measures how the work of differentiation grows with the
// program: families of programs of any size, and counts of what a derivation
// makes of them. Everything is to grow in proportion to the program.
package growth

import (
	"fmt"
	"math/rand"
	"strings"

	"egad/internal/slice"
)

// Family is a program text for each size.
type Family struct {
	Name string
	Doc  string
	// Size is the larger of the two sizes that are compared; the other is half
	// of it.
	Size int
	Text func(n int) string
}

// Families lists the families: ways in which values may depend on earlier ones.
// Doubling is the example of Section 2.5 of "Dual-Numbers Reverse AD for
// Functional Array Languages", where a derivative without sharing takes
// exponential time.
var Families = []Family{
	{"previous two", "x(k) from x(k-1) and x(k-2)", 400, func(n int) string {
		return chain(n, func(k int) string { return fmt.Sprintf("x%d * x%d", k-1, max(k-2, 0)) })
	}},
	{"first", "x(k) from x(k-1) and x(0)", 400, func(n int) string {
		return chain(n, func(k int) string { return fmt.Sprintf("sin x%d * x0", k-1) })
	}},
	{"random", "x(k) from x(k-1) and a random earlier one", 400, func(n int) string {
		rng := rand.New(rand.NewSource(1))
		return chain(n, func(k int) string { return fmt.Sprintf("x%d * x%d", k-1, rng.Intn(k)) })
	}},
	{"doubling", "x(k) = x(k-1) + x(k-1)", 400, func(n int) string {
		return chain(n, func(k int) string { return fmt.Sprintf("x%d + x%d", k-1, k-1) })
	}},
	{"products", "a sum of n products", 400, products},
	{"equal gradients", "a sum of n inputs, all with gradient 1", 200, func(n int) string { return sumOf(n, "R", "x%d") }},
	{"equal gradients of arrays", "a sum of the sums of n arrays", 200, func(n int) string { return sumOf(n, "R[4]", "sum x%d") }},
	{"regularisation", "the sum of squares of n matrices", 200, func(n int) string {
		return sumOf(n, "R[2, 3]", "sum (sum (x%d * x%[1]d))")
	}},
	{"lets in a build", "a chain of n lets inside a build", 400, func(n int) string {
		var b strings.Builder
		b.WriteString("def f(a: R[4]): R = sum (build 4 (\\i ->\n  let x0 = a[i] in\n")
		for k := 1; k <= n; k++ {
			fmt.Fprintf(&b, "  let x%d = x%d * x%d in\n", k, k-1, max(k-2, 0))
		}
		fmt.Fprintf(&b, "  x%d))\n", n)
		return b.String()
	}},
	{"stencils", "a chain of n guarded 3-point stencils", 40, func(n int) string {
		return stencils(n, "if 0 < i && i < 11 then x[i - 1] + x[i] * x[i] + x[i + 1] else x[i]")
	}},
	{"stencils out of range", "a chain of n 3-point stencils that BOT has to guard, as exp 0 is not 0", 40, func(n int) string {
		return stencils(n, "exp x[i - 1] + exp x[i] + exp x[i + 1]")
	}},
	{"pointer jumping", "p(k) = p(k-1) after p(k-1): n index arrays, each made of look-ups in the one before", 60, func(n int) string {
		return pointers(n, "build 12 (\\i -> p[p[i]])")
	}},
	{"pointers and arithmetic", "look-ups of look-ups at places that are computed", 60, func(n int) string {
		return pointers(n, "build 12 (\\i -> (p[(p[i] + i) mod 12] + p[11 - i]) mod 12)")
	}},
	{"pointers and conditions", "look-ups that depend on look-ups", 60, func(n int) string {
		return pointers(n, "build 12 (\\i -> if p[i] < p[p[i]] then p[p[i]] else p[11 - p[i]])")
	}},
	{"pointers in scatters", "index arrays that are made by scatters", 60, func(n int) string {
		return pointers(n, "scatter [12] p (\\[i] -> [p[p[i]]])")
	}},
	{"rows of pointers", "tables of look-ups in the table before", 60, func(n int) string {
		var b strings.Builder
		b.WriteString("def f(p0: I[3, 4], a: R[3, 4]): R =\n")
		for k := 1; k <= n; k++ {
			fmt.Fprintf(&b, "  let p%d = build 3 (\\i -> build 4 (\\j -> p%d[p%[2]d[i, j], j])) in\n", k, k-1)
		}
		fmt.Fprintf(&b, "  sum (sum (build 3 (\\i -> build 4 (\\j -> a[p%d[i, j], j]))))\n", n)
		return b.String()
	}},
	{"look-ups that are all used", "a(k) = a(k-1) looked up by one index array, and all of them summed", 60, func(n int) string {
		return views(n, "p: I[12]", "x[p[i]]")
	}},
	{"shifts that are all used", "a(k) = a(k-1) shifted, and all of them summed", 60, func(n int) string {
		return views(n, "c: R", "x[i + 1]")
	}},
	{"halving", "x(k) of pairs of x(k-1), and one element used", 60, func(n int) string {
		return strings.Replace(strings.ReplaceAll(stencils(n, "sin (x[(2 * i) mod 2000] * x[(2 * i + 1) mod 2000])"), "12", "2000"),
			fmt.Sprintf("sum x%d", n), fmt.Sprintf("x%d[0]", n), 1)
	}},
}

// pointers is a chain of n index arrays, each made from the one before, p, and a
// look-up by the last one.
func pointers(n int, next string) string {
	return lets(n, "p0: I[12], a: R[12]", "p", func(k int) string {
		return strings.NewReplacer("p[", fmt.Sprintf("p%d[", k-1), "p ", fmt.Sprintf("p%d ", k-1)).Replace(next)
	}, fmt.Sprintf("sum (build 12 (\\i -> a[p%d[i]]))", n))
}

// views is a chain of n arrays, each made of elements of the one before, x, and
// the sum of all their sums.
func views(n int, input, element string) string {
	return lets(n, "x0: R[12], "+input, "x", built(element), terms(n, "sum x%d"))
}

// stencils is a chain of n arrays, each made from the one before, x.
func stencils(n int, element string) string {
	return lets(n, "x0: R[12]", "x", built(element), fmt.Sprintf("sum x%d", n))
}

// built is an array of elements that are made from the one before, x.
func built(element string) func(k int) string {
	return func(k int) string {
		return fmt.Sprintf("build 12 (\\i -> %s)", strings.ReplaceAll(element, "x[", fmt.Sprintf("x%d[", k-1)))
	}
}

// chain is a program of n lets on scalars.
func chain(n int, rhs func(k int) string) string {
	return lets(n, "x0: R", "x", rhs, fmt.Sprintf("x%d", n))
}

// lets is a program of n lets, of variables that are called so, and a result.
func lets(n int, inputs, name string, rhs func(k int) string, result string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "def f(%s): R =\n", inputs)
	for k := 1; k <= n; k++ {
		fmt.Fprintf(&b, "  let %s%d = %s in\n", name, k, rhs(k))
	}
	return b.String() + "  " + result + "\n"
}

func products(n int) string {
	inputs := slice.Make(n, func(k int) string { return fmt.Sprintf("x%d: R, y%[1]d: R", k) })
	return fmt.Sprintf("def f(%s): R =\n  %s\n", strings.Join(inputs, ", "), terms(n, "x%d * y%[1]d"))
}

// sumOf is a sum of n terms, each of its own input.
func sumOf(n int, of, term string) string {
	inputs := slice.Make(n, func(k int) string { return fmt.Sprintf("x%d: %s", k, of) })
	return fmt.Sprintf("def f(%s): R =\n  %s\n", strings.Join(inputs, ", "), terms(n, term))
}

// terms is a sum of n terms.
func terms(n int, term string) string {
	return strings.Join(slice.Make(n, func(k int) string { return fmt.Sprintf(term, k) }), " + ")
}
