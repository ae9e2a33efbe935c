package ad

import (
	"testing"

	"egad/fusion"
	"egad/internal/defs"
)

// TestWrittenOtherwise: products that are written in another order, or with a choice around them
// instead of around a factor, or half of them, take value and gradient about as many operations.
func TestWrittenOtherwise(t *testing.T) {
	for _, c := range []struct{ what, dear, cheap string }{
		{"weighted outer products", `
def f(x: R[40, 6], p: R[40]): R = sum2 (square (sum (build 40 (\i -> p[i] * outer x[i] x[i]))))`, `
def f(x: R[40, 6], p: R[40]): R = sum2 (square (sum (build 40 (\i -> outer (p[i] * x[i]) x[i]))))`},
		{"products of three factors", `
def f(w: R[4, 6, 6], x: R[20, 6], z: R[20, 6]): R =
  sum2 (square (build [20, 4] (\k c -> sum (build 6 (\i -> sum (build 6 (\j -> x[k, i] * w[c, i, j] * z[k, j])))))))`, `
def f(w: R[4, 6, 6], x: R[20, 6], z: R[20, 6]): R =
  let y = map (\k -> outer x[k] z[k]) (iota 20) in
  sum2 (square (build [20, 4] (\k c -> sum (build 6 (\i -> sum (build 6 (\j -> w[c, i, j] * y[k, i, j])))))))`},
		{"a triangle", `
def f(x: R[40, 6], mu: R[4, 6], q: R[4, 6, 6]): R =
  sum (flat (build [40, 4] (\p c -> sumsq (build 6 (\i -> sum (build 6 (\j -> if j < i then q[c, i, j] * (x[p, j] - mu[c, j]) else 0)))))))`, `
def f(x: R[40, 6], mu: R[4, 6], q: R[4, 6, 6]): R =
  sum (flat (build [40, 4] (\p c -> sumsq (build 6 (\i -> sum (build 6 (\j -> (if j < i then q[c, i, j] else 0) * (x[p, j] - mu[c, j]))))))))`},
		{"half a square", `
def f(x: R[40, 6], w: R[40]): R = sum (build 40 (\i -> w[i] * (1.5 - 0.5 * sumsq x[i])))`, `
def f(x: R[40, 6], w: R[40]): R = sum (build 40 (\i -> w[i] * (1.5 - dot(x[i], stopgrad x[i]))))`},
	} {
		t.Run(c.what, func(t *testing.T) {
			operations := func(text string) int64 {
				lib, p := defs.Last(t, text)
				g, err := Grad(lib, p, Options{})
				if err != nil {
					t.Fatal(err)
				}
				k, err := fusion.Lower(nil, g.Program, nil)
				if err != nil {
					t.Fatal(err)
				}
				return k.Counts().Float
			}
			if dear, cheap := operations(c.dear), operations(c.cheap); 10*dear > 11*cheap {
				t.Errorf("%d operations, and %d if it is written otherwise", dear, cheap)
			}
		})
	}
}
