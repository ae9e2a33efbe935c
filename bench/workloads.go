package main

import (
	"fmt"

	"egad"
	"egad/bench/hand"
	"egad/term/types"
)

// workload is a program in the language, and by hand.
type workload struct {
	name      string
	file, def string
	wrt       []string
	sizes     map[string]int64
	inputs    egad.Env
	// jacobian says that the derivative is the blocks of the Jacobian.
	jacobian bool
	// byHand are ways to write it by hand. The fastest one counts.
	byHand []hand.Func
	others figures
}

// figures are milliseconds of the value, and of value and gradient, by tool.
type figures map[string][2]float64

// tools are those of the figures, which were measured on one thread of an AMD Zen 4:
// PyTorch 1.13 with OpenBLAS, gcc with 512-bit or with 128-bit vectors, and WebAssembly
// that was written by hand and compiled by wazero.
var tools = []string{torch, avx, sse, wasm}

const (
	torch = "PyTorch"
	avx   = "C AVX-512"
	sse   = "C SSE"
	wasm  = "Wasm"
)

// workloads are all workloads, or the same at tiny sizes.
func workloads(tiny bool) []workload {
	size := func(full, small int) int {
		if tiny {
			return small
		}
		return full
	}
	mixtures := []struct {
		d, k   int
		others figures
	}{
		{2, 5, figures{torch: {0.133, 0.399}, avx: {0.032, 0.042}, wasm: {0.034, 0.048}}},
		{10, 25, figures{torch: {0.55, 1.50}, avx: {0.153, 0.416}, wasm: {0.28, 0.66}}},
		{20, 50, figures{torch: {2.85, 8.56}, avx: {0.71, 1.97}, wasm: {1.40, 3.71}}},
		{32, 5, figures{torch: {0.45, 1.43}, avx: {0.19, 0.47}, wasm: {0.55, 1.20}}},
	}
	var out []workload
	for _, m := range mixtures {
		out = append(out, mixture(m.d, size(m.k, 3), size(1000, 10), m.others))
	}
	out = append(out,
		logSumExp(size(1_000_000, 3000)),
		elementwise("1e5", size(100_000, 1001), figures{torch: {0.112, 0.280}, avx: {0.016, 0.033}, wasm: {0.030, 0.047}}),
		elementwise("4e6", size(4_000_000, 4003), figures{torch: {12, 25.8}, avx: {1.5, 4.5}, wasm: {2.1, 4.5}}),
		matMul(size(512, 19)),
		logistic(size(100_000, 1100), size(20, 7)),
		mlp(size(256, 9), size(784, 11), size(128, 7), 10),
		lstm(2, size(1024, 12), size(14, 5)),
		kMeans(size(10_000, 101), 10),
		sparse(size(2000, 20), size(10, 3), size(16, 3)),
		bundle(size(49, 4), size(200, 5), size(1000, 13)))
	if tiny {
		for i := range out {
			out[i].others = nil // they are of the sizes of the table
		}
	}
	return out
}

// exps are a program with Go's exponential, and with one by a table.
func exps(f func(table bool) hand.Func) []hand.Func { return []hand.Func{f(false), f(true)} }

func scalar(x float64) *egad.Value { return egad.Array([]float64{x}) }

func whole(n []int64, shape ...int) *egad.Value {
	return &egad.Value{Elem: types.I, Shape: shape, N: n}
}

func mixture(d, k, n int, others figures) workload {
	l := d + d*(d-1)/2
	alpha, mu, icf, x := hand.Fill(21, k, -1, 1), hand.Fill(22, k*d, 0, 1), hand.Fill(23, k*l, -1, 1), hand.Fill(24, n*d, 0, 1)
	return workload{
		name: fmt.Sprintf("gmm d%d K%d", d, k), file: "../examples/gmm/gmm.egad", def: "gmm", wrt: []string{"alpha", "mu", "icf"},
		sizes: map[string]int64{"K": int64(k), "D": int64(d), "N": int64(n), "L": int64(l)},
		inputs: egad.Env{"alpha": egad.Array(alpha, k), "mu": egad.Array(mu, k, d), "icf": egad.Array(icf, k, l),
			"x": egad.Array(x, n, d), "gamma": scalar(1), "m": whole([]int64{0})},
		byHand: exps(func(table bool) hand.Func { return hand.GMM(table, alpha, mu, icf, x, 1, 0) }),
		others: others,
	}
}

func logSumExp(n int) workload {
	x := hand.Fill(1, n, -5, 5)
	return workload{
		name: "log-sum-exp", file: "../examples/suites/lse.egad", def: "lse", wrt: []string{"x"},
		sizes: map[string]int64{"n": int64(n)}, inputs: egad.Env{"x": egad.Array(x, n)},
		byHand: exps(func(table bool) hand.Func { return hand.LogSumExp(table, x) }),
		others: figures{torch: {1.85, 4.40}, avx: {0.87, 1.16}, wasm: {2.28, 2.51}},
	}
}

func elementwise(name string, n int, others figures) workload {
	const a, c = 1.5, 0.25
	x, y := hand.Fill(2, n, -1, 1), hand.Fill(3, n, -1, 1)
	return workload{
		name: "elementwise " + name, file: "programs/simple.egad", def: "elementwise", wrt: []string{"x", "y"},
		sizes:  map[string]int64{"n": int64(n)},
		inputs: egad.Env{"a": scalar(a), "c": scalar(c), "x": egad.Array(x, n), "y": egad.Array(y, n)},
		byHand: []hand.Func{hand.Elementwise(a, c, x, y)},
		others: others,
	}
}

func matMul(n int) workload {
	a, b := hand.Fill(4, n*n, -0.5, 0.5), hand.Fill(5, n*n, -0.5, 0.5)
	return workload{
		name: "matmul", file: "programs/simple.egad", def: "squares", wrt: []string{"a", "b"},
		sizes: map[string]int64{"n": int64(n)}, inputs: egad.Env{"a": egad.Array(a, n, n), "b": egad.Array(b, n, n)},
		byHand: []hand.Func{hand.MatMul(n, a, b)},
		others: figures{torch: {5.2, 17.1}, avx: {5.1, 15.6}, wasm: {14.6, 44.5}},
	}
}

func logistic(n, d int) workload {
	x, w, y := hand.Fill(6, n*d, -1, 1), hand.Fill(8, d, -0.5, 0.5), make([]float64, n)
	for i, k := range hand.Whole(7, n, 2) {
		y[i] = float64(k)
	}
	return workload{
		name: "logistic", file: "programs/simple.egad", def: "logistic", wrt: []string{"w"},
		sizes:  map[string]int64{"n": int64(n), "d": int64(d)},
		inputs: egad.Env{"w": egad.Array(w, d), "x": egad.Array(x, n, d), "y": egad.Array(y, n)},
		byHand: exps(func(table bool) hand.Func { return hand.Logistic(table, x, y, w) }),
		others: figures{torch: {1.22, 2.35}, avx: {0.29, 0.53}, sse: {0.51, 0.82}},
	}
}

func mlp(n, i, h, o int) workload {
	x, label := hand.Fill(11, n*i, 0, 1), hand.Whole(16, n, o)
	w1, b1 := hand.Fill(12, i*h, -0.05, 0.05), hand.Fill(13, h, -0.05, 0.05)
	w2, b2 := hand.Fill(14, h*o, -0.2, 0.2), hand.Fill(15, o, -0.05, 0.05)
	return workload{
		name: "mlp", file: "programs/simple.egad", def: "mlp", wrt: []string{"w1", "b1", "w2", "b2"},
		sizes: map[string]int64{"n": int64(n), "i": int64(i), "h": int64(h), "o": int64(o)},
		inputs: egad.Env{"w1": egad.Array(w1, i, h), "b1": egad.Array(b1, h), "w2": egad.Array(w2, h, o), "b2": egad.Array(b2, o),
			"x": egad.Array(x, n, i), "label": whole(label, n)},
		byHand: []hand.Func{hand.MLP(x, label, w1, b1, w2, b2)},
	}
}

func lstm(l, n, b int) workload {
	main, extra, state, seq := hand.Fill(31, l*2*4*b, -1, 1), hand.Fill(32, 3*b, -1, 1), hand.Fill(33, l*2*b, -1, 1), hand.Fill(34, n*b, 0, 1)
	return workload{
		name: "lstm", file: "programs/lstm.egad", def: "lstm", wrt: []string{"main", "extra"},
		sizes: map[string]int64{"l": int64(l), "n": int64(n), "b": int64(b)},
		inputs: egad.Env{"main": egad.Array(main, l, 2, 4, b), "extra": egad.Array(extra, 3, b),
			"state": egad.Array(state, l, 2, b), "seq": egad.Array(seq, n, b)},
		byHand: exps(func(table bool) hand.Func { return hand.LSTM(table, l, n, b, main, extra, state, seq) }),
		others: figures{torch: {38, 297}, avx: {0.27, 0.33}, sse: {0.50, 0.62}},
	}
}

func kMeans(n, k int) workload {
	const d = 8
	p, c := hand.Fill(9, n*d, 0, 1), hand.Fill(10, k*d, 0, 1)
	return workload{
		name: "k-means", file: "../examples/suites/kmeans.egad", def: "cost", wrt: []string{"centers"},
		sizes:  map[string]int64{"n": int64(n), "k": int64(k), "d": d},
		inputs: egad.Env{"points": egad.Array(p, n, d), "centers": egad.Array(c, k, d)},
		byHand: []hand.Func{hand.KMeans(k, p, c)},
		others: figures{torch: {0.26, 0.51}, avx: {0.049, 0.075}, sse: {0.40, 0.51}},
	}
}

// sparse is a matrix of n rows with so many elements each.
func sparse(n, each, d int) workload {
	ptr := make([]int64, n+1)
	for i := range ptr {
		ptr[i] = int64(i * each)
	}
	val, col, x := hand.Fill(51, n*each, -1, 1), hand.Whole(52, n*each, n), hand.Fill(53, n*d, -1, 1)
	return workload{
		name: "sparse matrix", file: "programs/simple.egad", def: "sparse", wrt: []string{"val", "x"},
		sizes:  map[string]int64{"n": int64(n), "m": int64(n), "z": int64(n * each), "d": int64(d)},
		inputs: egad.Env{"val": egad.Array(val, n*each), "ptr": whole(ptr, n+1), "col": whole(col, n*each), "x": egad.Array(x, n, d)},
		byHand: []hand.Func{hand.Sparse(d, val, ptr, col, x)},
	}
}

func bundle(n, m, p int) workload {
	cams := make([]float64, 0, n*11)
	for i := range uint64(n) { // rotation, center, focal length, principal point, distortion
		cams = append(cams, hand.Fill(40+7*i, 3, -0.5, 0.5)...)
		cams = append(cams, hand.Fill(41+7*i, 2, -1, 1)...)
		cams = append(cams, hand.Fill(42+7*i, 1, -6, -5)...)
		cams = append(cams, hand.Fill(43+7*i, 1, 400, 600)...)
		cams = append(cams, hand.Fill(44+7*i, 2, -5, 5)...)
		cams = append(cams, hand.Fill(45+7*i, 2, -0.1, 0.1)...)
	}
	points, weights, seen := hand.Fill(36, m*3, -1, 1), hand.Fill(37, p, 0.5, 1), hand.Fill(38, p*2, -100, 100)
	obs := make([]int64, 0, 2*p)
	for i := range p {
		obs = append(obs, int64(i%n), int64(i%m))
	}
	return workload{
		name: "bundle adjustment", file: "../examples/suites/ba.egad", def: "errors", wrt: []string{"cams", "points", "w"}, jacobian: true,
		sizes: map[string]int64{"n": int64(n), "m": int64(m), "p": int64(p)},
		inputs: egad.Env{"cams": egad.Array(cams, n, 11), "points": egad.Array(points, m, 3), "w": egad.Array(weights, p),
			"obs": whole(obs, p, 2), "seen": egad.Array(seen, p, 2)},
		byHand: []hand.Func{hand.Bundle(cams, points, weights, seen, obs)},
		others: figures{torch: {0.27, 1.39}, avx: {0.007, 0.025}, sse: {0.010, 0.037}},
	}
}
