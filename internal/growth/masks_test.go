package growth

import "testing"

// TestMasks asserts that rules match few times where one mask chooses a sum and a
// difference: their derivatives choose each other's parts in endlessly many ways.
func TestMasks(t *testing.T) {
	for _, text := range []string{
		"def f(a: R[6], b: R[6], m: B[6]): R = sum (where m (a + b) (a - b))\n",
		"def f(a: R[6], b: R[6], m: B[6]): R = sumsq (where m (a + b) (a - b))\n",
		"def f(a: R[6], b: R[6], m: B[6]): R = sumsq (exp (where m (a + b) (a - b)))\n",
		"def f(a: R[6], b: R[6]): R = sumsq (where (a < b) (a + b) (a - b))\n",
		"def f(a: R[6], h: I): R =\n  sumsq (build 6 (\\q -> let p = if q < h then q else q - h in if q < h then a[p] + a[p + h] else a[p] - a[p + h]))\n",
	} {
		c, err := derive(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if c.Matches > 2000 {
			t.Errorf("%d matches in\n%s", c.Matches, text)
		}
	}
}
