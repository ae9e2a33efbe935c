package term_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/testflag"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// repeated is n pieces of text that depend on their number.
func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// Programs that ask for too much end with an error that says so, or work; they
// do not exhaust the memory, the stack or anybody's patience.
func TestLimits(t *testing.T) {
	million, deep := 1_000_000, "nested more than 10000 deep"
	if !testflag.Long {
		million /= 10
	}
	type limit struct {
		name string
		text func() string
		want string // part of the error; "" if the program loads and has an instance
	}
	cases := []limit{
		{"parentheses two million deep", func() string {
			return "def f: R = " + strings.Repeat("(", 2*million) + "1" + strings.Repeat(")", 2*million)
		}, deep},
		{"brackets without an end", func() string { return "def f: R = " + strings.Repeat("[", 2*million) }, deep},
		{"minus signs a million deep", func() string { return "def f: R = " + strings.Repeat("- ", million) + "1" }, deep},
		{"lambdas a million deep", func() string { return "def f: R = " + strings.Repeat(`\x -> `, million) + "1" }, deep},
		{"conditionals a million deep", func() string { return "def f: R = " + strings.Repeat("if true then 1 else ", million) + "1" }, deep},
		{"powers a million deep", func() string { return "def f: R = 1" + strings.Repeat(" ^ 1", million) }, deep},
		{"tuple types a million deep", func() string { return "def f(x: " + strings.Repeat("(", million) + "R" }, deep},
		{"sum types a million deep", func() string { return "def f(x: R" + strings.Repeat(" + R", million) + "): R = 1" }, deep},
		{"sums of sums of types, a million deep", func() string {
			return "def f(x: " + strings.Repeat("(", million/5_000) + "R" + strings.Repeat(strings.Repeat(" + R", 5_000)+")", million/5_000) + "): R = 1"
		}, deep},
		{"functions of a million arguments", func() string { return "def f(g: R" + strings.Repeat(" -> R", million) + "): R = 1" }, deep},
		{"patterns a million deep", func() string { return "def f: R = let " + strings.Repeat("(", million) + "x" }, deep},
		{"indices a million deep", func() string { return "def f(a: R[3]): R = " + strings.Repeat("a[", million) + "0" }, deep},
		{"a sum of a million terms", func() string { return "def f(a: R): R = a" + strings.Repeat(" + a", million) }, deep},
		{"a chain of a million comparisons", func() string { return "def f(a: R): B = a" + strings.Repeat(" < a", million) }, deep},
		{"a million indices in a row", func() string { return "def f(a: R): R = a" + strings.Repeat("[0]", million) }, deep},
		{"a million lets", func() string { return "def f(x0: R): R = " + repeated(million/2, "let y# = x0 in ") + "y0" }, ""},
		{"lets on lets deeper than terms may nest", func() string {
			return "def f(y: R): R = let y0 = y in " + repeated(100_100, "let y = y * y in ") + "y"
		}, "terms nest more than 100000 deep"},
		{"as many operators as are allowed", func() string { return "def f(a: R): R = a" + strings.Repeat(" + a", 9_900) }, ""},
		{"as many lets as are allowed", func() string { return "def f(x: R): R = " + repeated(9_900, "let y# = x * # in ") + "y0 + y9899" }, ""},
		{"as deep as is allowed", func() string {
			return "def f(a: R): R = " + strings.Repeat("(", 4_900) + "a" + strings.Repeat(")", 4_900)
		}, ""},
		{"loops as deep as is allowed", func() string {
			return "def f(a: R): R = " + repeated(1_200, `sum (build 2 (\i# -> a + `) + "a" + strings.Repeat("))", 1_200)
		}, ""},
		{"one loop inside another, all variables used at once", func() string {
			return "def f(a: R): R = " + repeated(1_000, `sum (build 1 (\i# -> `) + "a + real (sum [" + repeated(1_000, "i#, ") + "0])" + strings.Repeat("))", 1_000)
		}, "more than 200 variables"},
		{"100000 sizes", func() string { return "def f[" + repeated(100_000, "s#, ") + "](x: R): R = x" }, "at most 1000 sizes and parameters, not 100000"},
		{"100000 parameters", func() string { return "def f(" + repeated(100_000, "x#: R, ") + "): R = x0" }, "at most 1000 sizes and parameters, not 100000"},
		{"a thousand of each", func() string {
			return "def f[" + repeated(1_000, "s#, ") + "](" + repeated(1_000, "x#: R[s#], ") + "): R = x0[s1]\n" +
				"def g: R = f(" + repeated(1_000, "[1.0], ") + ")"
		}, ""},
		{"100000 axes", func() string { return "def f(x: R[" + strings.Repeat("1, ", 100_000) + "]): R = 1" }, "at most 64 axes, and here are 100000 sizes"},
		{"a build over 100000 axes", func() string {
			return "def f(x: R): R = build [" + strings.Repeat("1, ", 100_000) + `] (\[` + repeated(100_000, "i#, ") + "] -> x)"
		}, "at most 64 axes, and here are 100000 sizes"},
		{"a tuple of a million", func() string { return "def f(x: R): R = (" + strings.Repeat("x, ", million) + ").0" }, "a tuple has at most 1000 components"},
		{"a tuple type of a million", func() string { return "def f(x: (" + strings.Repeat("R, ", million) + ")): R = x.0" }, "a tuple has at most 1000 components"},
		{"tuples of tuples", func() string {
			return "def f(x: R): (R, R) = let t0 = (x, x) in " + doubling(60, "let t#+1 = (t#, t#) in ") + "t60"
		}, "a tuple has at most 1000 components"},
		{"a size of a million terms", func() string {
			side := "(" + strings.TrimSuffix(repeated(1_000, "s# + "), " + ") + ")"
			return "def f[" + repeated(1_000, "s#, ") + "](x: R[" + side + " * " + side + "]): R = 1"
		}, "f: a size grows beyond 1000 terms"},
		{"a size of large degree, by calls", func() string {
			return "def sq[n](a: R[n]): R[n * n] = replicate (n * n) 0.0\ndef f[n](a0: R[n]): R = " + doubling(60, "let a#+1 = sq(a#) in ") + "a60[0]"
		}, "f: a size grows beyond 1000 terms, degree 100"},
		{"a size with large coefficients, by calls", func() string {
			return "def up[n](a: R[n]): R[9000000000000000000 * n] = replicate (9000000000000000000 * n) 0.0\ndef f[n](a0: R[n]): R = " + doubling(60, "let a#+1 = up(a#) in ") + "a60[0]"
		}, "f: a size grows beyond"},
		{"a huge exponent", func() string { return "def f: R = 1e999999999999" }, "needs more than 256 bits"},
		{"a small exponent", func() string { return "def f: R = 1e-999999999999" }, "needs more than 256 bits"},
		{"an exponent with zeros in front", func() string { return "def f: R = 1e" + strings.Repeat("0", 100) + "5" }, ""},
		{"a literal of a million digits", func() string { return "def f: R = " + strings.Repeat("9", million) }, "at most 200 characters"},
		{"a ratio of a million digits", func() string { return "def f: R = 1%" + strings.Repeat("9", million) }, "at most 200 characters"},
		{"a name of a million letters", func() string { return "def f(x: R): R = " + strings.Repeat("x", million) }, "unknown name xxx"},
		{"an array of 10^14 elements", func() string { return `def f: R = sum (sum (build [10000000, 10000000] (\[i, j] -> real i)))` }, "more than the 1099511627776 elements"},
		{"an input of 10^12 elements", func() string { return `def f(a: R[1000000, 1000000]): R = a[0, 0]` }, "more than the 134217728 elements"},
		{"a literal of 10^14 elements", func() string { return `def f: R[10000000, 10000000] = replicate [10000000, 10000000] 1.0` }, "more than the 1099511627776 elements"},
		{"an axis of 2^63 - 1", func() string { return `def f: I[9223372036854775807] = iota 9223372036854775807` }, "more than the 1099511627776 elements"},
		{"axes whose product of elements wraps to 0", func() string { return `def f: R = (replicate [4294967296, 4294967296] 1.0)[1, 2]` }, "more than the 1099511627776 elements"},
		{"axes whose product wraps to 0", func() string { return `def f: R = sum (reshape [4294967296, 4294967296] (replicate 0 1.0))` }, "has 0 elements"},
		{"a literal array of 200000 elements", func() string { return "def f: R = sum [" + strings.Repeat("1.5, ", 200_000) + "]" }, ""},
		{"an array of 20000 expressions", func() string { return "def f(x: R): R = sum [x" + strings.Repeat(", 1.5", 20_000) + "]" },
			"literal of 20001 elements that are not all numbers; at most 16384"},
		{"calls that double, on equal arguments", func() string {
			return "def f0(x: R): R = x * x\n" + doubling(60, "def f#+1(x: R): R = f#(x) + f#(x)\n") + "def f(x: R): R = f60(x)"
		}, ""},
		{"calls that double, on different arguments", func() string {
			return "def f0(x: R): R = x * x\n" + doubling(60, "def f#+1(x: R): R = f#(x + 1) + f#(x + 2)\n") + "def f(x: R): R = f60(x)"
		}, "more than 200000 calls are inlined"},
		{"functions that double", func() string {
			return `def f(x: R): R = (\g0 -> ` + doubling(60, `(\g#+1 -> `) + "g60 x" + doublingDown(60, `)(\y -> g#(g#(y)))`) + `)(\y -> y + 1)`
		}, "terms nest more than 100000 deep"},
		{"functions that share", func() string {
			return "def f(x: R): R =\n  let f0 = \\y -> y + 1 in\n" + doubling(300, "  let f#+1 = \\y -> f#(y) * f#(y) in\n") + "  f300 x"
		}, ""},
		{"a function applied to itself", func() string { return `def f(x: R): R = (\g -> g g)(\g -> g g)` }, "nest more than 100000 deep"},
		{"a function applied to itself, growing", func() string { return `def f(x: R): R = (\g -> g g + g g)(\g -> g g + g g)` }, "nest more than 100000 deep"},
		{"middle operands of comparisons inside each other", func() string {
			return "def f(x: R): B = " + strings.Repeat("0 < (if ", 60) + "x < 1" + strings.Repeat(" then x else 1) < 2", 60)
		}, ""},
		{"definitions inlined inside each other, each deep", func() string {
			text := "def f0(x: R): R = x\n"
			for k := range 60 {
				text += fmt.Sprintf("def f%d(x: R): R = %sf%d(x)%s\n", k+1, strings.Repeat("1 + (", 2_400), k, strings.Repeat(")", 2_400))
			}
			return text
		}, "nest more than 100000 deep"},
		{"a million definitions in a circle", func() string {
			return repeated(million/4, "def a#: R = b#\ndef b#: R = a#\n")
		}, "calls itself"},
		{"names defined twice", func() string { return strings.Repeat("def f: R = 1\n", million/4) }, "defined twice"},
		{"many names in one body", func() string { return "def f: R = sum [" + repeated(16_000, "nowhere#, ") + "1]" }, "unknown name nowhere0"},
		{"a long chain of definitions", func() string {
			return "def f0(x: R): R = x\n" + doubling(9_000, "def f#+1(x: R): R = f#(x)\n")
		}, ""},
		{"bytes that are not text", func() string { return "def f: R = 1\n" + strings.Repeat("\xff\xfe\x00", million) }, "unexpected character"},
		{"many mistakes", func() string { return strings.Repeat("#", 5*million) }, "unexpected character"},
		{"many mistaken definitions", func() string { return strings.Repeat("def ", million) }, "expected the name of the definition"},
		{"a file of blanks", func() string { return strings.Repeat(" \n", 7*million) }, "has no definition"},
		{"a file of comments", func() string { return strings.Repeat("-- | nothing\n-- here\n", 700_000) }, "has no definition"},
		{"a long comment", func() string { return "-- " + strings.Repeat("x", 15*million) + "\ndef f: R = 1" }, ""},
		{"an empty file", func() string { return "" }, "the program has no definition"},
	}
	if testflag.Long {
		cases = append(cases,
			limit{"loops that double", func() string {
				return "def f0(x: R): R = x * x\n" + doubling(60, "def f#+1(x: R): R = sum (build 2 (\\i -> f#(x + real i))) + f#(x)\n") + "def f(x: R): R = f60(x)"
			}, "more than 200000 calls are inlined"},
			limit{"terms deeper than their texts", func() string {
				text := "def f0(x: R): R = x\n"
				for k := range 60 {
					text += fmt.Sprintf("def f%d(x: R): R = f%d(x%s)\n", k+1, k, strings.Repeat(" * x + 1", 2_000))
				}
				return text
			}, "terms nest more than 100000 deep"},
			limit{"a file of brackets", func() string { return strings.Repeat("[]", 2_600_000) }, "more than 5000000 words, numbers and symbols"},
			limit{"lets on lets as deep as terms may nest", func() string {
				return "def f(y: R): R = let y0 = y in " + repeated(90_000, "let y = y * y in ") + "y"
			}, ""},
			limit{"a file of 15 MB", func() string { return repeated(400_000, "def f#(x: R): R = x * x + 1.5 * x\n") }, "more than 5000000 words, numbers and symbols"},
			limit{"a file of 15 MB of numbers", func() string { return "def f: R = sum [" + strings.Repeat("1.5, ", 3*million) + "]" }, "more than 5000000 words, numbers and symbols"},
			limit{"as many numbers as are allowed", func() string { return "def f: R = sum [" + strings.Repeat("1.5, ", 2_490_000) + "]" }, ""},
			limit{"as many definitions as are allowed", func() string { return repeated(400_000, "def f#: R = 1.5 + 3\n") }, ""},
			limit{"15 MB of quotation marks", func() string { return strings.Repeat("\"", 15*million-1) }, "more than 5000000 words, numbers and symbols"},
		)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := c.text()
			m, err := module.Load(term.NewSignature(), source(text))
			if err == nil {
				sizes := make(map[string]int64)
				if info, err := m.Lookup(""); err == nil {
					for _, s := range info.Sizes {
						sizes[s] = 1
					}
				}
				p, err := m.Instantiate("", sizes)
				if c.want == "" && err == nil {
					if text := p.Text("f"); !strings.HasPrefix(text, "def f") {
						t.Errorf("printed as %.100s", text)
					}
					return
				}
				if err == nil {
					t.Fatalf("no error, want %q", c.want)
				}
				checkReport(t, err, c.want)
				return
			}
			checkReport(t, err, c.want)
		})
	}
}

// doubling is a text for each k below n, in which # is k and #+1 the next.
func doubling(n int, format string) string {
	var b strings.Builder
	for k := range n {
		b.WriteString(strings.NewReplacer("#+1", fmt.Sprint(k+1), "#", fmt.Sprint(k)).Replace(format))
	}
	return b.String()
}

// doublingDown is doubling from the last to the first.
func doublingDown(n int, format string) string {
	var b strings.Builder
	for k := n - 1; k >= 0; k-- {
		b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(k)))
	}
	return b.String()
}

// checkReport checks that a report says what it should, in few words.
func checkReport(t *testing.T, err error, want string) {
	t.Helper()
	text := err.Error()
	if want == "" || !strings.Contains(text, want) {
		t.Errorf("want %q in\n%.3000s", want, text)
	}
	if len(text) > 100_000 {
		t.Errorf("the report has %d bytes", len(text))
	}
}

// The bound on the terms of a store is an error of the instance.
func TestTooManyTerms(t *testing.T) {
	s := term.NewStore(term.NewSignature())
	s.MaxNodes = 10
	err := overflow.Guard(func() error {
		x := s.Var("x", types.ArrayOf(types.R))
		for range 100 {
			x = s.Apply(ops.SymExp, x)
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "more than 10 distinct terms") {
		t.Errorf("got %v", err)
	}
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("Guard swallowed a panic that is none of its own: %v", r)
		}
	}()
	_ = overflow.Guard(func() error { panic("other") })
}

// Files of several sources are reported source by source.
func TestSeveralSources(t *testing.T) {
	a := &diag.Source{Name: "a", Text: "\n\ndef f: R = nothing1"}
	b := &diag.Source{Name: "b", Text: "def g: R = nothing2\ndef f: R = 2"}
	_, err := module.Load(term.NewSignature(), a, b)
	want := []string{"b:2:5: f is defined twice (first in a, line 3)", "a:3:12: unknown name nothing1", "b:1:12: unknown name nothing2"}
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("no %q in\n%v", w, err)
		}
	}
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "a", Text: "def f: R = g + 1"}, &diag.Source{Name: "b", Text: "def g: R = 2"})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.Defs(), " "); got != "f g" {
		t.Errorf("definitions %s", got)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := run(t, p, nil); got != "3" {
		t.Errorf("f is %s", got)
	}
}

// The arrays of one evaluation are bounded together, before any is made.
func TestTooManyElements(t *testing.T) {
	const text = "def f(x: R): R = let a0 = replicate 120000000 x in %ssum (a0 + a%d)"
	for _, n := range []int{4, 400} {
		p := instance(t, fmt.Sprintf(text, doubling(n, "let a#+1 = a# * a0 + exp a# in "), n), nil)
		_, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), eval.Env[*eval.Value[float64]]{"x": reals(nil, 1)})
		if err == nil || !strings.Contains(err.Error(), "more than the 536870912 elements together") {
			t.Errorf("%d lets: %v", n, err)
		}
	}
}
