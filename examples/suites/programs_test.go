package suites

import "math"

func programs() []program {
	return []program{
		{file: "hello", def: "value", in: inputs{"x": one(3)},
			want: func(x inputs) vec { return scalar(x["x"].r[0] * x["x"].r[0]) }},
		{file: "kmeans", def: "cost", sizes: map[string]int64{"n": 40, "k": 4, "d": 3}, in: inputs{"points": made(1, 40, 3), "centers": made(2, 4, 3)},
			want: func(x inputs) vec {
				s := complex128(0)
				for _, p := range x["points"].rows() {
					s += apart(p, x["centers"].rows()[nearest(p, x["centers"].rows())])
				}
				return scalar(s)
			}},
		{file: "kmeans", def: "direction", sizes: map[string]int64{"n": 40, "k": 4, "d": 3}, in: inputs{"points": made(1, 40, 3), "centers": made(2, 4, 3)},
			by: []string{"points"},
			want: func(x inputs) vec {
				grad, diag := make(vec, 12), make(vec, 12)
				centers := x["centers"].rows()
				for _, p := range x["points"].rows() {
					k := nearest(p, centers)
					for j := range p {
						grad[3*k+j] += 2 * (centers[k][j] - p[j])
						diag[3*k+j] += 2
					}
				}
				return append(grad, diag...)
			}},
		{file: "llsq", def: "llsq", sizes: map[string]int64{"n": 30, "m": 6}, in: inputs{"x": made(1, 6)},
			want: func(x inputs) vec {
				s := complex128(0)
				for i := range 30 {
					t := -1 + 2*float64(i)/29
					y, p := complex128(0), 1.0
					for _, c := range x["x"].r {
						y, p = y+c*complex(p, 0), p*t
					}
					e := complex(math.Copysign(1, t), 0) - y
					s += e * e / 2
				}
				return scalar(s)
			}},
		{file: "lse", def: "lse", sizes: map[string]int64{"n": 30}, in: inputs{"x": made(1, 30)},
			want: func(x inputs) vec { return scalar(logsumexp(x["x"].r)) }},
		{file: "lse", def: "by_hand", sizes: map[string]int64{"n": 30}, in: inputs{"x": made(1, 30)},
			want: func(x inputs) vec { return scalar(logsumexp(x["x"].r)) }},
		{file: "chain", def: "chain", sizes: map[string]int64{"s": 50, "n": 6}, in: inputs{"x": made(1, 6)},
			want: func(x inputs) vec {
				// Each is the integral of the one before, which Runge and Kutta find exactly up to degree 4.
				y, n := make(vec, 6), 50
				field := func(y vec) vec {
					out := vec{x["x"].r[0]}
					for i := 1; i < 6; i++ {
						out = append(out, x["x"].r[i]*y[i-1])
					}
					return out
				}
				along := func(y vec, h float64, k vec) vec {
					out := make(vec, 6)
					for i := range out {
						out[i] = y[i] + complex(h, 0)*k[i]
					}
					return out
				}
				h := 1 / float64(n)
				for range n {
					a := field(y)
					b := field(along(y, h/2, a))
					c := field(along(y, h/2, b))
					d := field(along(y, h, c))
					for i := range y {
						y[i] += complex(h/6, 0) * (a[i] + 2*b[i] + 2*c[i] + d[i])
					}
				}
				return y
			}},
		{file: "det", def: "det", cost: 6.2, sizes: map[string]int64{"n": 7}, in: inputs{"a": made(1, 7, 7)},
			want: func(x inputs) vec { return scalar(laplace(x["a"].rows())) }},
		{file: "det", def: "cofactors", in: inputs{"a": made(1, 3, 3)},
			want: func(x inputs) vec { return scalar(laplace(x["a"].rows())) }},
		{file: "particle", def: "miss", in: inputs{"w": one(0.3)},
			want: func(x inputs) vec { return scalar(fall(x["w"].r[0])) }},
		{file: "saddle", def: "saddle", in: inputs{"c": given(0.5, -0.3), "start": given(1, 1)}, want: saddle},
		{file: "hmm", def: "forward", sizes: map[string]int64{"s": 3, "m": 4, "n": 6},
			in: inputs{"begin": made(1, 3), "trans": made(2, 3, 3), "emit": made(3, 3, 4), "seen": whole(0, 3, 1, 2, 2, 0)}, want: hmm},
		{file: "kalman", def: "likelihood", cost: 5.2, sizes: map[string]int64{"n": 8},
			in: inputs{"z": made(1, 8), "q": one(-1), "r": one(-0.5), "dt": one(0.7)}, want: kalman},
		{file: "heat", def: "miss", sizes: map[string]int64{"s": 40, "n": 12},
			in: inputs{"k": one(0.3), "u": made(1, 12), "seen": made(2, 12)}, want: heat},
		{file: "sinkhorn", def: "sinkhorn", sizes: map[string]int64{"s": 20, "n": 4, "m": 5, "d": 2},
			in: inputs{"x": made(1, 4, 2), "y": made(2, 5, 2), "a": given(0.1, 0.2, 0.3, 0.4), "b": given(0.2, 0.3, 0.1, 0.1, 0.3), "eps": one(0.8)}, want: sinkhorn},
		{file: "attention", def: "attention", sizes: map[string]int64{"n": 4, "m": 5, "d": 3, "e": 2},
			in:   inputs{"q": made(1, 4, 3), "k": made(2, 5, 3), "v": made(3, 5, 2)},
			want: func(x inputs) vec { return flat(attend(x["q"].rows(), x["k"].rows(), x["v"].rows(), false)) }},
		{file: "attention", def: "causal", sizes: map[string]int64{"n": 5, "d": 3, "e": 2},
			in:   inputs{"q": made(1, 5, 3), "k": made(2, 5, 3), "v": made(3, 5, 2)},
			want: func(x inputs) vec { return flat(attend(x["q"].rows(), x["k"].rows(), x["v"].rows(), true)) }},
		{file: "transformer", def: "loss", sizes: map[string]int64{"l": 4, "n": 5, "h": 2, "e": 2, "d": 4, "f": 3, "v": 6},
			in: inputs{"embed": made(1, 6, 4), "place": made(2, 5, 4), "wq": made(3, 4, 2, 2, 4), "wk": made(4, 4, 2, 2, 4), "wv": made(5, 4, 2, 2, 4),
				"wo": made(6, 4, 4, 4), "w1": made(7, 4, 3, 4), "w2": made(8, 4, 4, 3), "text": whole(2, 5, 0, 2, 1)}, want: transformer},
		{file: "conv_net", def: "loss", long: true, sizes: map[string]int64{"n": 2, "h": 13, "w": 15, "a": 2, "b": 3, "s": 3, "k": 3},
			in: inputs{"images": made(1, 2, 13, 15), "labels": whole(2, 0), "f": made(2, 2, 1, 3, 3), "fb": made(3, 2), "g": made(4, 3, 2, 3, 3), "gb": made(5, 3),
				"out": made(6, 3, 3*1*2)}, by: []string{"f", "fb", "g", "gb", "out"}, want: convNet},
		{file: "black_scholes", def: "portfolio", sizes: map[string]int64{"n": 4},
			in: inputs{"amount": made(1, 4), "spot": given(90, 100, 110, 120), "strike": given(100, 100, 100, 100), "rate": one(0.03),
				"sigma": given(0.2, 0.3, 0.25, 0.4), "time": given(1, 0.5, 2, 0.1)},
			want: func(x inputs) vec {
				s := complex128(0)
				for i, n := range x["amount"].r {
					p, _, _, _ := blackScholes(x["spot"].r[i], x["strike"].r[i], x["rate"].r[0], x["sigma"].r[i], x["time"].r[i])
					s += n * p
				}
				return scalar(s)
			}},
		{file: "black_scholes", def: "greeks", sizes: map[string]int64{"n": 3},
			in: inputs{"spot": given(90, 100, 120), "strike": given(100, 100, 100), "rate": one(0.03), "sigma": one(0.2), "time": given(1, 0.5, 0.1)},
			want: func(x inputs) vec {
				var d, v, g vec
				for i, s := range x["spot"].r {
					_, delta, vega, gamma := blackScholes(s, x["strike"].r[i], x["rate"].r[0], x["sigma"].r[0], x["time"].r[i])
					d, v, g = append(d, delta), append(v, vega), append(g, gamma)
				}
				return append(append(d, v...), g...)
			}},
		{file: "cox", def: "cox", sizes: map[string]int64{"n": 8, "p": 3},
			in: inputs{"beta": made(1, 3), "x": made(2, 8, 3), "time": given(3, 1, 4, 1, 5, 9, 2, 6), "died": {shape: []int{8}, n: []int64{1, 0, 1, 1, 0, 1, 1, 0}}},
			by: []string{"beta", "x"}, want: cox},
		{file: "spline", def: "fit", sizes: map[string]int64{"n": 5, "m": 7},
			in: inputs{"knots": given(0, 1, 1.5, 3, 4), "y": made(1, 5), "slope": made(2, 5), "x": given(0.2, 1.1, 1.5, 2.9, 3.3, 5, -1), "seen": made(3, 7)}, want: spline},
		{file: "sparse", def: "coo", sizes: map[string]int64{"k": 9, "m": 5, "n": 6},
			in: inputs{"row": whole(0, 0, 1, 2, 2, 2, 4, 4, 4), "col": whole(1, 3, 0, 1, 2, 5, 0, 4, 5), "value": made(1, 9), "x": made(2, 6)}, want: sparse},
		{file: "sparse", def: "csr", sizes: map[string]int64{"k": 9, "m": 5, "n": 6, "w": 3},
			in: inputs{"row": whole(0, 0, 1, 2, 2, 2, 4, 4, 4), "start": whole(0, 2, 3, 6, 6, 9), "col": whole(1, 3, 0, 1, 2, 5, 0, 4, 5), "value": made(1, 9), "x": made(2, 6)}, want: sparse},
		{file: "sparse", def: "rank", sizes: map[string]int64{"k": 9, "n": 5, "s": 12},
			in: inputs{"from": whole(0, 0, 1, 2, 2, 3, 4, 4, 4), "to": whole(1, 3, 0, 1, 4, 2, 0, 2, 3), "weight": given(1, 2, 1, 3, 1, 2, 1, 1, 5), "damp": one(0.8)}, want: rank},
		{file: "pinn", def: "residual", sizes: map[string]int64{"h": 4, "n": 5},
			in: inputs{"a": made(1, 4), "b": made(2, 4), "c": made(3, 4), "places": made(4, 5)}, want: oscillator},
		{file: "pinn", def: "burn", long: true, sizes: map[string]int64{"h": 4, "n": 5},
			in: inputs{"w": made(1, 4, 2), "b": made(2, 4), "c": made(3, 4), "k": one(0.5), "places": made(4, 5, 2)}, want: burn},
		{file: "ba", def: "cost", long: true, sizes: bundleSizes, in: bundleIn,
			want: func(x inputs) vec { e, w := bundle(x); return scalar(inner(e, e) + inner(w, w)) }},
		{file: "ba", def: "errors", long: true, sizes: bundleSizes, in: bundleIn,
			want: func(x inputs) vec { e, w := bundle(x); return append(e, w...) }},
		{file: "hand", def: "misses", sizes: map[string]int64{"v": 6, "n": 5}, in: handIn, by: []string{"theta"}, want: hand},
		{file: "hand", def: "within", sizes: map[string]int64{"v": 6, "n": 5, "t": 3}, in: handIn, by: []string{"theta", "u"}, want: handWithin},
		{file: "gp", def: "likelihood", sizes: processSizes, in: processIn, want: process},
		{file: "gp", def: "by_solve", sizes: processSizes, in: processIn, want: process},
		{file: "gp", def: "by_loops", long: true, sizes: processSizes, in: processIn, want: process},
	}
}
