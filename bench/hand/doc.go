// Package hand has values and gradients that were written by hand: the best Go that
// was found for each workload, on one thread.
package hand

// Func is a program and its gradient. The gradient lies in memory of its own, which
// the next call writes again.
type Func struct {
	Value func() float64
	Grad  func() (value float64, gradient []float64)
}

// uniform is number i of a stream, in [0, 1).
func uniform(seed, i uint64) float64 {
	z := seed<<40 + (i+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return float64(z>>11) / (1 << 53)
}

// Fill makes n made-up numbers in [lo, hi), the same for the same seed.
func Fill(seed uint64, n int, lo, hi float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + (hi-lo)*uniform(seed, uint64(i))
	}
	return out
}

// Whole makes n made-up integers from 0 to below.
func Whole(seed uint64, n, below int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(float64(below) * uniform(seed, uint64(i)))
	}
	return out
}
