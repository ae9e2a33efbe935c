package growth

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"
)

var only = flag.String("only", "", "")

func stencilChain(body string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		b.WriteString("def f(x0: R[12]): R =\n")
		for k := 1; k <= n; k++ {
			fmt.Fprintf(&b, "  let x%d = build 12 (\\i -> %s) in\n", k, strings.ReplaceAll(body, "X", fmt.Sprintf("x%d", k-1)))
		}
		fmt.Fprintf(&b, "  sum x%d\n", n)
		return b.String()
	}
}

func TestY(t *testing.T) {
	fs := map[string]func(int) string{
		"else copy": stencilChain("if 0 < i && i < 11 then X[i-1] + X[i] * X[i] + X[i+1] else X[i]"),
		"copy edge": stencilChain("if i < 1 || 10 < i then X[i] else X[i-1] + X[i] * X[i] + X[i+1]"),
		"exp":       stencilChain("exp X[i-1] + exp X[i] + exp X[i+1]"),
		"plain":     stencilChain("X[i-1] + X[i] + X[i+1]"),
		"clamp":     stencilChain("X[max (i-1) 0] + X[i] + X[min (i+1) 11]"),
		"guards":    stencilChain("(if 0 < i then X[i-1] else X[i]) + X[i] + (if i < 11 then X[i+1] else X[i])"),
		"nolet": func(n int) string {
			return "def s(x: R[12]): R[12] = build 12 (\\i -> if 0 < i && i < 11 then x[i-1] + x[i] * x[i] + x[i+1] else x[i])\n" +
				"def f(x: R[12]): R = sum (" + strings.Repeat("s (", n) + "x" + strings.Repeat(")", n) + ")\n"
		},
		"nolet0": func(n int) string {
			return "def s(x: R[12]): R[12] = build 12 (\\i -> if 0 < i && i < 11 then x[i-1] + x[i] * x[i] + x[i+1] else 0)\n" +
				"def f(x: R[12]): R = sum (" + strings.Repeat("s (", n) + "x" + strings.Repeat(")", n) + ")\n"
		},
		"shift": stencilChain("X[i-1]"),
		"shiftuse": func(n int) string {
			var b strings.Builder
			b.WriteString("def f(x0: R[12]): R =\n")
			s := "sum x0"
			for k := 1; k <= n; k++ {
				fmt.Fprintf(&b, "  let x%d = build 12 (\\i -> x%d[i-1]) in\n", k, k-1)
				s += fmt.Sprintf(" + sum x%d", k)
			}
			return b.String() + s
		},
	}
	for _, name := range strings.Split(*only, ",") {
		f := fs[name]
		for _, n := range []int{5, 10, 20, 40} {
			start := time.Now()
			c, err := Measure(f(n))
			if err != nil {
				t.Errorf("%s %v", name, err)
				continue
			}
			fmt.Println(name, n, c.Source, c.ENodes, c.Matches, c.Gradient, c.Operations, time.Since(start))
			fmt.Println("   ", c.Stages)
		}
	}
}
