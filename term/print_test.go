package term_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/term/ast"
	"egad/term/module"
)

// printed are programs whose print is kept in testdata/print.golden, with what
// to see there.
var printed = []struct{ why, text string }{
	{"names of lets and of index variables are those of the source",
		`def main(a: R[3], b: R[4]): R =
  let shifted = build 3 (\row -> a[row - 1] + 1) in
  let scaled = build 4 (\col -> b[col] * maximum shifted) in
  sum shifted * sum scaled`},
	{"what does not depend on a loop is bound outside it",
		`def main(a: R[3], x: R): R[3] = build 3 (\i -> let e = exp x in a[i] * e + log e)`},
	{"… in a nest of loops each let is in the outermost loop that it can be in",
		`def main(a: R[3], b: R[4]): R[3, 4] = build [3, 4] (\[i, j] ->
  let u = exp a[i] in
  let v = exp b[j] in
  let w = u * v in
  w + u / w - v)`},
	{"loops over one range after another use the same names",
		`def main(a: R[3]): R = sum (build 3 (\i -> exp a[i])) + maximum (build 3 (\k -> sin a[k]))`},
	{"a variable of the source is not hidden",
		`def main(i: R[3]): R[3] = build 3 (\k -> i[k] * 2)`},
	{"a let hides nothing either",
		`def main(x: R): R = let x = exp x in let x = x * x in x + x / 3`},
	{"elements of named arrays are not given names",
		`def main(a: R[3]): R[3] = build 3 (\i -> a[i] * a[i] * a[i])`},
	{"scalar operands are not replicated in the text",
		`def main(a: R[2, 3], x: R): R[2, 3] = where (a < 0) (a * x) (2 * a + x) / 3`},
	{"… unless the shape is to be told",
		`def main(x: R, c: B): R[3] = replicate 3 x + (if c then replicate 3 1.0 else replicate 3 x)`},
	{"literals keep their element types",
		`def main(x: R, n: I): (R, I) = (x + 1 + 0.5 + 1e-9 + 1%3 + 123456789012345678901234567890.0, n + 1 - -1)`},
	{"infinities and NaN", `def main(x: R): R[4] = [x + inf, min x (-inf), nan, neg 0.0]`},
	{"signs", `def main(x: R, y: R): R = -x - -y + -(x + y) * -2 ^ 2 - (-2) ^ y - neg (-3) - -(-x)`},
	{"binding strengths",
		`def main(x: R, y: R, b: B): R = if b && (x < y || x == y) && not (b || x != y) then (x + y) * (x - (y - x)) / (x / (y / x)) else (x ^ y) ^ x ^ y`},
	{"a chain of comparisons", `def main(x: R, y: R): B = 0 <= x < y`},
	{"tuples and their components",
		`def main(p: (R, (I, R[2]))): (R, (R[2], I)) = let (x, q) = p in (x * x, (q.1 * x, q.0 + 1))`},
	{"gather and scatter",
		`def main(a: R[3, 4], ix: I[5]): (R[5, 4], R[4, 3]) = (gather [5] a (\[i] -> [ix[i] mod 3]), scatter [4] (tr [1, 0] a) (\[k] -> [k * k]))`},
	{"lets inside an index list",
		`def main(a: R[7, 7], k: I): R[3] = gather [3] a (\[i] -> let j = i * i + k in [j, j - k])`},
	{"long expressions are broken up",
		`def main(x: R): R = ` + strings.Repeat("exp (x + ", 15) + "1" + strings.Repeat(")", 15)},
	{"definitions are inlined, their names kept",
		`def main(a: R[3]): R[3] = softmax a`},
	{"the user's names win over those of the prelude",
		`def main(a: R[3]): R = let top = maximum a in logsumexp a + top`},
	{"shapes",
		`def main(a: R[2, 3]): R[3, 2, 2] = tr [1, 0] (replicate [2] (reshape [3, 2] a) + tr [0, 1] (build [2, 3, 2] (\[i, j, k] -> real (i * j + k))))`},
	{"a name for a replicated scalar is kept",
		`def main(a: R[3], x: R): R[3] = let s = replicate 3 (exp x) in a * s + s / a`},
	{"linear maps",
		`def main(a: R[3], x: R[3]): (R, R[3]) = lapply (lpair (lcompose (lmap sum @R[3]) (lscale a)) (ladd (lone @R[3]) (ltranspose (lmap scatter [3] @R[3] (\[i] -> [i + 1]))))) x`},
	{"a tuple, which has no name, is called alike when it is read back",
		`def main(a: R[3], x: R): R =
  let p = (build 3 (\i -> exp a[i] * exp a[i]), x) in
  lapply (lzero @(R[3], R) @R) p + lapply (lproj 1 @(R[3], R)) p`},
	{"an empty array leaves nothing behind",
		`def main(e: R[0], x: R): R = sum (e * x) + maximum e + x`},
	{"names that the printer would make up are free",
		`def main(t1: R): R = exp (t1 + 1) * sin (exp (t1 + 1))`},
	{"a name that is a definition of the prelude",
		`def main(a: R[3]): R = let mean = exp (sum a) in mean / (1 + mean)`},
	{"the name of the definition itself", `def main(a: R): R = let main = exp a in main * main`},
	{"all variables of many loops in use",
		`def main(a: R): R = sum (sum (sum (sum (sum (sum (sum (sum (sum (build [2, 2, 2, 2, 2, 2, 2, 2, 2] (\[a1, a2, a3, a4, a5, a6, a7, a8, a9] ->
  a * real (a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9)))))))))))`},
	{"more loops than letters",
		`def main(a: R): R = sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\i -> sum (build 2 (\z -> a * real z))))))))))))))))))`},
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	for _, c := range printed {
		p := instance(t, c.text, nil)
		text := p.Text("main")
		fmt.Fprintf(&b, "-- %s\n%s\n", c.why, text)
		linear := strings.Contains(c.text, "lapply")
		if err := checkRoundTrip(p, !linear, 1); err != nil {
			t.Errorf("%s: %v", c.why, err)
		}
	}
	golden.Check(t, "testdata/print.golden", b.String())
}

// Every definition of the prelude can be printed and read back.
func TestPrintPrelude(t *testing.T) {
	m := load(t, "def f: R = 1")
	for _, d := range ast.ReadDefs(module.Prelude(), new(diag.List)) {
		name, sizes := d.Name, make(map[string]int64)
		for i, s := range d.Sizes {
			sizes[s.Name] = int64(2 + i)
		}
		for _, p := range d.Params {
			if p.Type.Name == "size" {
				sizes[p.Name] = int64(2 + len(sizes))
			}
		}
		p, err := m.Instantiate(name, sizes)
		if err != nil {
			if !strings.Contains(err.Error(), "takes a function") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err := checkRoundTrip(p, true, 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d.Doc == "" {
			t.Errorf("%s has no doc comment", name)
		}
	}
}
