package loops

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// loopsToSum are definitions of loops that only add up, or seem to.
var loopsToSum = []struct{ why, text string }{
	{"all steps", `def f(a: R[4], b: R[4]): R = fold (\s i -> s + a[i] * b[i]) 0 (iota 4)`},
	{"a first number is added", `def f(a: R[4], w: R): R = (iterate 4 (\(s, e) -> (a[e] * w + s + 1, 2 + e)) (w, 1)).0`},
	{"as many as data say of a few", `def f(a: R[4], n: I): R = (states 4 0.0 n (\i s -> s - a[i] * a[i]))[4]`},
	{"the rows of a matrix without zeros", `def f(a: R[6], p: I[4], c: I[6], x: R[5]): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[e] * x[c[e]], e + 1)) (0, p[i])).0)`},
	{"of which data say where they begin and how long they are", `def f(a: R[6], p: I[3], n: I[3], x: R[6]): R[3] = build 3 (\i -> (iterate (n[i]) (\(e, s) -> (e + 1, s - x[e] * (a[e] / 2) + 2 * a[e])) (p[i], x[i])).1)`},
	{"times the rows of another matrix", `def f(a: R[6], p: I[4], c: I[6], x: R[5, 2]): R[3, 2] = build [3, 2] (\i j -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[e] * x[c[e], j], e + 1)) (0, p[i])).0)`},
	{"in the steps of another loop, times what these make", `def f(a: R[6], p: I[4], c: I[6], x: R[3]): R[3] = iterate 2 (\x -> build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[e] * x[c[e]], e + 1)) (0, p[i])).0)) x`},
	{"less what is the same in a row", `def f(a: R[6], p: I[4], c: I[6], x: R[3]): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[e] * (x[c[e]] - x[i]), e + 1)) (0, p[i])).0)`},
	{"functions in rows that are one after the other", `def f(a: R[6], p: I[4], c: I[6], x: R[3]): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[e] * relu (x[c[e]] - x[i]), e + 1)) (0, p[i])).0)`},
	{"which are read a few places further on", `def f(a: R[6], p: I[4], k: I): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[k + e] * real e, e + 1)) (0, p[i])).0)`},
	{"times what is the same in a row", `def f(a: R[6], p: I[4], x: R[3], y: R[6]): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + x[i] * (a[e] * y[e] * (x[i] + 1)), e + 1)) (1, p[i])).0)`},
	{"with what stays as it is, and another number that is counted", `def f(a: R[6], n: I, w: R): R = (iterate n (\(s, e, j, w) -> (s + w * a[e] * real j, 1 + e, j + 3, w)) (0, 0, 2, w)).0`},
	{"more than one", `def f(a: R[6], n: I): R = let (s, t, e) = iterate n (\(s, t, e) -> (s + a[e], t + a[e] * a[e], e + 1)) (0, 1, 0) in s * t`},
	{"beside what is none", `def f(a: R[6], n: I): R = let (s, t, e) = iterate n (\(s, t, e) -> (s + a[e], t * a[e], e + 1)) (0, 1, 0) in s * t`},
	{"in the steps of another one", `def f(a: R[3, 4], w: R): R = fold (\u i -> u * fold (\s j -> s + a[i, j] * u) 0 (iota 4)) w (iota 3)`},
	{"what beyond the ends is something", `def f(a: R[6], n: I): R = (iterate n (\(s, e) -> (s + (a[e] + 1), e + 1)) (0, 0)).0`},
	{"what is read where rows say", `def f(p: I[4], c: I[6], x: R[5]): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e) -> (s + x[c[e]], e + 1)) (0, p[i])).0)`},
	{"functions of it, which stay as they are beyond the ends", `def f(p: I[4], c: I[6], x: R[5], w: R): R[3] = build 3 (\i -> (iterate (p[i + 1] - p[i]) (\(s, e, w) -> (s + relu (w - x[c[e + 1]]), e + 1, w)) (w, p[i], w * 2)).0)`},
	{"not what beyond the ends of one axis is read along another", `def f(a: R[6], b: R[5], n: I): R = (iterate n (\(s, e) -> (s + a[e] + b[e], e + 1)) (0, 0)).0`},
	{"nor what is counted there", `def f(a: R[6], n: I): R = (iterate n (\(s, e) -> (s + a[e] + real e, e + 1)) (0, 0)).0`},
	{"nor functions, which a gradient might keep for all that is left out", `def f(a: R[6], n: I): R = (iterate n (\(s, e) -> (s + a[e] * relu (a[e]), e + 1)) (0, 0)).0`},
	{"nor what is made of the row too, for the same reason", `def f(a: R[6], n: I[3], x: R[3]): R[3] = build 3 (\i -> (iterate (n[i]) (\(s, e) -> (s + a[e] * (a[e] - x[i]), e + 1)) (0, 0)).0)`},
	{"nor what is divided by what may be 0", `def f(a: R[6], b: R[6], n: I): R = (iterate n (\(s, e) -> (s + a[e] / b[e], e + 1)) (0, 0)).0`},
	{"nor sums of many numbers", `def f(a: R[6, 3], b: R[3]): R = fold (\s i -> s + sum (a[i] * b)) 0 (iota 6)`},
	{"nor what is read at steps of two", `def f(a: R[6], n: I): R = (iterate n (\(s, e) -> (s + a[e], e + 2)) (0, 0)).0`},
	{"nor what needs the sum", `def f(a: R[4]): R = fold (\s x -> s + s * x) 1 a`},
	{"nor what another part of the state needs", `def f(a: R[4]): R = (fold (\(s, t) x -> (s + t * x, t * x)) (0, 1) a).0`},
	{"nor all states", `def f(a: R[4]): R[4] = scan (\s x -> s + x) 0 a`},
	{"nor arrays", `def f(a: R[4, 2]): R[2] = fold (\s x -> s + x) (replicate 2 0) a`},
}

// TestSums keeps as golden text what becomes of loops that only add up, and compares values over the rationals.
func TestSums(t *testing.T) {
	var out strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for _, x := range loopsToSum {
		text, changed := checkSums(t, r, x.text)
		if changed == strings.HasPrefix(x.why, "no") {
			t.Errorf("%s: changed is %v", x.why, changed)
		}
		fmt.Fprintf(&out, "-- %s\n%s\n", x.why, text)
	}
	golden.Check(t, "testdata/sums.golden", out.String())
}

// TestRandomSums compares values of loops that add something made at random.
func TestRandomSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	of := func(words ...string) string { return words[r.IntN(len(words))] }
	var number func(depth int) string
	number = func(depth int) string {
		if depth == 0 {
			return of("a[e]", "a[e]", "a[e + k]", "b[e - 1, 2]", "x[c[e]]", "x[c[e]]", "real e", "real j", "w")
		}
		switch x, y := number(depth-1), number(r.IntN(depth)); r.IntN(6) {
		case 0:
			return "(" + x + " + " + y + ")"
		case 1:
			return "(" + x + " - " + y + ")"
		case 2:
			return "neg (" + x + ")"
		case 3:
			return x + " / 2"
		default:
			return x + " * " + y
		}
	}
	sum := 0
	for range 300 {
		step := of("s + ", "s - ", "w + s + ", "s + a[e] - ") + number(2)
		loop := of("iterate n", "iterate (p[1] - p[0])", "iterate (p[1])", "iterate 3") + " (\\(e, s, j) -> (" +
			of("e + 1", "e + 1", "1 + e", "e - 2") + ", " + step + ", j + k)) (" + of("0", "p[0]", "p[0] - k", "k") + ", " + of("0", "w") + ", 1)"
		if _, changed := checkSums(t, r, "def f(a: R[6], b: R[5, 3], c: I[6], x: R[6], p: I[2], n: I, k: I, w: R): R = ("+loop+").1"); changed {
			sum++
		}
	}
	if sum < 100 {
		t.Errorf("%d loops are sums", sum)
	}
}

// wrapping are integers of which differences wrap around.
var wrapping = [][2]int64{{math.MinInt64 + 5, math.MaxInt64 - 3}, {-5, math.MaxInt64 - 3}}

// checkSums compares a definition with what has sums in the place of its loops, which it gives as text.
func checkSums(t *testing.T, r *rand.Rand, text string) (after string, changed bool) {
	t.Helper()
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "test.egad", Text: text})
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	p, err := m.Instantiate("", nil)
	if err != nil {
		t.Fatal(err)
	}
	q, changed, err := Sums(p)
	if err != nil {
		t.Fatal(err)
	}
	after = q.Text("f")
	if changed == (after == p.Text("f")) {
		t.Errorf("changed is %v\n%s", changed, text)
	}
	for round := range 20 {
		env := make(eval.Env[*eval.Value[*big.Rat]])
		for _, in := range p.Inputs {
			v := someRationals(r, in.Type)
			if env[in.Name] = v; round < len(wrapping) {
				for i := range v.N {
					v.N[i] = wrapping[round][i%2]
				}
			}
		}
		want, err := eval.Interpret(p.Store, p.Root, eval.RationalArrays(), env)
		if err != nil { // too many steps
			continue
		}
		if got, err := eval.Interpret(q.Store, q.Root, eval.RationalArrays(), env); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, %v, want %v\n%s\n%s", got, err, want, text, after)
		}
	}
	return after, changed
}

// someRationals is an array of small numbers.
func someRationals(r *rand.Rand, typ *types.Type) *eval.Value[*big.Rat] {
	v := &eval.Value[*big.Rat]{Elem: typ.Elem}
	size := 1
	for _, s := range typ.Shape {
		n, _ := s.Const()
		v.Shape, size = append(v.Shape, int(n)), size*int(n)
	}
	for range size {
		if n := r.Int64N(12) - 3; typ.Elem == types.R {
			v.R = append(v.R, big.NewRat(n, 1+r.Int64N(3)))
		} else {
			v.N = append(v.N, n)
		}
	}
	return v
}
