//go:build rivals

package main

import "strings"

// tape is how a library writes a program of matrices, vectors and numbers.
type tape[N any] interface {
	add(a, b N) N // of equal shapes, or one is a number
	sub(a, b N) N
	mul(a, b N) N
	exp(a N) N
	log(a N) N
	relu(a N) N
	softplus(a N) N
	matmul(a, b N) N // or by a vector
	sum(a N) N       // of all
	max(a N) N
	sumRows(a N) N // a number for each row
	maxRows(a N) N
	minRows(a N) N
	eachRow(a, row N) N // row is added to each row of a
	eachColumn(a, col N) N
	transpose(a N) N
	neg(a N) N
}

// program is a workload on a tape, and the names of its inputs. The first wrt of them are
// differentiated.
type program[N any] struct {
	inputs []string
	wrt    int
	run    func(t tape[N], in []N) N
}

func programOf[N any](workload string) (p program[N], ok bool) {
	name, _, _ := strings.Cut(workload, " ")
	p, ok = map[string]program[N]{
		"elementwise": {[]string{"x", "y", "a", "c"}, 2, func(t tape[N], in []N) N {
			x, y, a, c := in[0], in[1], in[2], in[3]
			return t.sum(t.add(t.mul(t.add(t.mul(x, a), y), t.sub(x, y)), c))
		}},
		"log-sum-exp": {[]string{"x"}, 1, func(t tape[N], in []N) N {
			top := t.max(in[0])
			return t.add(top, t.log(t.sum(t.exp(t.sub(in[0], top)))))
		}},
		"matmul": {[]string{"a", "b"}, 2, func(t tape[N], in []N) N {
			m := t.matmul(in[0], in[1])
			return t.sum(t.mul(m, m))
		}},
		"logistic": {[]string{"w", "x", "y", "n"}, 1, func(t tape[N], in []N) N {
			z := t.matmul(in[1], in[0])
			return t.mul(t.sum(t.sub(t.softplus(z), t.mul(in[2], z))), in[3])
		}},
		"mlp": {[]string{"w1", "b1", "w2", "b2", "x", "onehot", "n"}, 4, func(t tape[N], in []N) N {
			z := t.eachRow(t.matmul(t.relu(t.eachRow(t.matmul(in[4], in[0]), in[1])), in[2]), in[3])
			top := t.maxRows(z)
			sums := t.sumRows(t.exp(t.eachColumn(z, t.neg(top))))
			return t.mul(t.sub(t.sum(t.add(t.log(sums), top)), t.sum(t.mul(z, in[5]))), in[6])
		}},
		"k-means": {[]string{"centers", "points"}, 1, func(t tape[N], in []N) N {
			c, p := in[0], in[1]
			d := t.matmul(p, t.transpose(c))
			d = t.eachRow(t.neg(t.add(d, d)), t.sumRows(t.mul(c, c)))
			return t.sum(t.minRows(t.eachColumn(d, t.sumRows(t.mul(p, p)))))
		}},
	}[name]
	return p, ok
}
