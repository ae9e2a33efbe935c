package suites

import (
	"math"
	"math/cmplx"
	"math/rand"
)

type vec = []complex128

// made is an input of random numbers.
func made(seed int64, shape ...int) input {
	rng, n := rand.New(rand.NewSource(seed)), 1
	for _, k := range shape {
		n *= k
	}
	x := make(vec, n)
	for i := range x {
		x[i] = complex(rng.NormFloat64(), 0)
	}
	return input{shape: append([]int{}, shape...), r: x}
}

// given is an input of these numbers.
func given(x ...complex128) input { return input{shape: []int{len(x)}, r: x} }

// one is a real.
func one(x float64) input { return input{shape: []int{}, r: vec{complex(x, 0)}} }

// whole is a vector of integers.
func whole(n ...int64) input { return input{shape: []int{len(n)}, n: n} }

// rows are the rows of a matrix.
func (x input) rows() []vec {
	out := make([]vec, x.shape[0])
	k := len(x.r) / len(out)
	for i := range out {
		out[i] = x.r[i*k : (i+1)*k]
	}
	return out
}

// split cuts an input with several axes into matrices.
func (x input) split() []input {
	out := make([]input, x.shape[0])
	k := len(x.r) / len(out)
	for i := range out {
		out[i] = input{shape: x.shape[1:], r: x.r[i*k : (i+1)*k]}
	}
	return out
}

func scalar(z complex128) vec { return vec{z} }

func flat(x []vec) (out vec) {
	for _, r := range x {
		out = append(out, r...)
	}
	return out
}

func sum(x vec) (s complex128) {
	for _, z := range x {
		s += z
	}
	return s
}

func inner(a, b vec) (s complex128) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func apart(a, b vec) (s complex128) {
	for i := range a {
		s += (a[i] - b[i]) * (a[i] - b[i])
	}
	return s
}

func add(a, b vec) vec {
	out := make(vec, len(a))
	for i := range a {
		out[i] = a[i] + b[i]
	}
	return out
}

func scale(k complex128, a vec) vec {
	out := make(vec, len(a))
	for i := range a {
		out[i] = k * a[i]
	}
	return out
}

func cross(a, b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func matvec(a []vec, x vec) vec {
	out := make(vec, len(a))
	for i, r := range a {
		out[i] = inner(r, x)
	}
	return out
}

func transposed(a []vec) []vec {
	out := make([]vec, len(a[0]))
	for _, r := range a {
		for j, z := range r {
			out[j] = append(out[j], z)
		}
	}
	return out
}

func matmul(a, b []vec) []vec {
	out, t := make([]vec, len(a)), transposed(b)
	for i, r := range a {
		out[i] = matvec(t, r)
	}
	return out
}

func each(f func(vec) vec, x []vec) []vec {
	out := make([]vec, len(x))
	for i := range x {
		out[i] = f(x[i])
	}
	return out
}

func logsumexp(x vec) complex128 {
	top := math.Inf(-1)
	for _, z := range x {
		top = max(top, real(z))
	}
	s := complex128(0)
	for _, z := range x {
		s += cmplx.Exp(z - complex(top, 0))
	}
	return complex(top, 0) + cmplx.Log(s)
}

func softmax(x vec) vec {
	out, all := make(vec, len(x)), logsumexp(x)
	for i := range x {
		out[i] = cmplx.Exp(x[i] - all)
	}
	return out
}

func erf(z complex128) complex128 {
	x := real(z)
	return complex(math.Erf(x), 2/math.Sqrt(math.Pi)*math.Exp(-x*x)*imag(z))
}
