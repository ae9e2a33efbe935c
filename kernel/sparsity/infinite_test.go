package sparsity_test

import (
	"strings"
	"testing"
)

// TestInfinite: exponentials of what a mask makes -inf are 0, and left out, if it is sure that there is something else
// in each row.
func TestInfinite(t *testing.T) {
	for _, test := range []struct {
		text string
		only int // loops that need not do all runs
	}{
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if abs (i - j) <= 2 then a[i, j] * v[j] else -inf) in
			build 90 (\i -> sum (softmax s[i] * v))`, 4},
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if j <= i && i <= j + 2 then a[i, j] * v[j] else -inf) in
			build 90 (\i -> logsumexp (s[i] / 2))`, 2},
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if j <= i && i <= j + 2 then a[i, j] * v[j] else -inf) in
			let m = build 90 (\i -> maximum s[i]) in build 90 (\i -> sum (build 90 (\j -> exp (s[i, j] - m[i]) * v[j])))`, 2},
		{`def f(a: R[90, 90], v: R[90]): R[90] = let d = build [90, 90] (\i j -> if abs (i - j) <= 2 then a[i, j] * v[j] else inf) in
			let m = build 90 (\i -> minimum d[i]) in build 90 (\i -> sum (build 90 (\j -> exp (m[i] - d[i, j]) * v[j])))`, 3},
		// A mask may be added.
		{`def f(a: R[90, 90], v: R[90]): R[90] = let m = build [90, 90] (\i j -> if abs (i - j) <= 2 then 0 else -inf) in
			let s = build [90, 90] (\i j -> a[i, j] * v[j] + m[i, j]) in build 90 (\i -> sum (softmax s[i] * v))`, 3},
		{`def f(a: R[90, 90], v: R[90]): R[90] = let m = build [90, 90] (\i j -> if j <= i then (if i <= j + 9 then 0 else -inf) else -inf) in
			let s = build [90, 90] (\i j -> a[i, j] * v[j] - m[i, j] / (-2)) in build 90 (\i -> logsumexp s[i])`, 2},
		// Blocks are near the diagonal.
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if i div 9 == j div 9 then a[i, j] * v[j] else -inf) in
			build 90 (\i -> sum (softmax s[i] * v))`, 4},
		{`def f(a: R[12, 96], v: R[96]): R[12] = let s = build [12, 96] (\i j -> if i == j div 8 then a[i, j] * v[j] else -inf) in
			build 12 (\i -> sum (softmax s[i] * v))`, 4},
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if j div 12 <= (i + 7) div 12 then a[i, j] * v[j] else -inf) in
			build 90 (\i -> maximum s[i])`, 1},
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if (i + 5) div 9 == j div 9 + 1 then a[i, j] * v[j] else -inf) in
			build 90 (\i -> sum (softmax s[i] * v))`, 2},
		// The first row is empty, and so the share of each element is the same.
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if j < i && i <= j + 2 then a[i, j] * v[j] else -inf) in
			build 90 (\i -> sum (softmax s[i] * v))`, 1},
		// A row is empty if p is false for what is near.
		{`def f(a: R[90, 90], v: R[90], p: B[90]): R[90] = let s = build [90, 90] (\i j -> if abs (i - j) <= 2 && p[j] then a[i, j] * v[j] else -inf) in
			build 90 (\i -> sum (softmax s[i] * v))`, 2},
		// Elements that are not there are 0.
		{`def f(a: R[90, 90], v: R[90]): R[90] = let s = build [90, 90] (\i j -> if abs (i - j) <= 2 then a[i, j] * v[j] else -inf) in
			let m = build 90 (\i -> maximum s[i]) in build 90 (\i -> sum (build 90 (\j -> exp (s[i, j + 1] - m[i]) * v[j])))`, 0},
		// So are those beside a copy.
		{`def f(a: R[40, 40], v: R[40], w: R[30, 20]): R[30, 40, 40] = let s = build [40, 40] (\i j -> if j <= i + 3 then a[i, j] * v[j] - 100 else -inf) in
			build [30, 40, 40] (\k i j -> maximum (build 20 (\d -> s[j, i + d] - w[k, d])))`, 0},
		// States of a loop may be infinite if the first ones are.
		{`def f(a: R[40, 40], v: R[40], c: R[3]): R[40] = let s = build [40, 40] (\i j -> if j < i - 2 then a[i, j] else -inf) in
			(fold (\(s, y) r -> let t = build [40, 40] (\i j -> if j <= i then s[i, j] / 2 else -inf) in
				(build [40, 40] (\i j -> s[i, j] - y[j] * y[i]), build 40 (\i -> r + y[i] + sum (softmax t[i] * v)))) (s, v) c).1`, 0},
		// Or if a step makes them so.
		{`def f(a: R[40, 40], v: R[40], c: R[3]): R[40] =
			(fold (\(s, y) r -> let t = build [40, 40] (\i j -> if j <= i then s[i, j] / 2 else -inf) in
				(build [40, 40] (\i j -> if j < i - 2 then s[i, j] * y[j] else -inf), build 40 (\i -> r + y[i] + sum (softmax t[i] * v)))) (a, v) c).1`, 0},
		// So may be what is computed before the loop.
		{`def f(a: R[40, 40], v: R[40], c: R[3]): R[40] = let s = build [40, 40] (\i j -> if j < i - 2 then exp a[i, j] else -inf) in
			fold (\y r -> let t = build [40, 40] (\i j -> if j <= i then a[i, j] * y[j] + s[i, j] else -inf) in
				build 40 (\i -> r + y[i] + sum (softmax t[i] * v))) v c`, 3},
		// Layers of sums, divided by roots of sums of squares, are finite.
		{`def f(a: R[40, 40], v: R[40], c: R[3]): R[40] = fold (\y r -> let t = build [40, 40] (\i j -> if j <= i then a[i, j] * y[j] else -inf) in
			let z = build 40 (\i -> r + y[i] + sum (softmax t[i] * y)) in z / sqrt (1e-5 + sumsq z / 40)) v c`, 3},
	} {
		if only := onlyIn(t, test.text); len(only) != test.only {
			t.Errorf("%d loops need not do all runs, not %d\n%s\n%s", len(only), test.only, test.text, strings.Join(only, "\n"))
		}
	}
}
