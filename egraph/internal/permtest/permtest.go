// Package permtest has slow, obvious counterparts of package perm for tests.
package permtest

import (
	"fmt"
	"math/rand"

	"egad/egraph/perm"
)

// Elements lists the elements of the group that permutations of n slots generate:
// the slow, obvious counterpart of a chain.
func Elements(n int, gens [][]perm.Pos) [][]perm.Pos {
	id := make([]perm.Pos, n)
	for i := range id {
		id[i] = perm.Pos(i)
	}
	list := [][]perm.Pos{id}
	seen := map[string]bool{fmt.Sprint(id): true}
	for i := 0; i < len(list); i++ {
		for _, q := range gens {
			p := Arranged(list[i], q)
			if key := fmt.Sprint(p); !seen[key] {
				seen[key] = true
				list = append(list, p)
			}
		}
	}
	return list
}

// Arranged is args∘p.
func Arranged(args, p []perm.Pos) []perm.Pos {
	out := make([]perm.Pos, len(p))
	for k, i := range p {
		out[k] = args[i]
	}
	return out
}

// Random is a permutation of n slots: any, a swap, or one that turns some.
func Random(r *rand.Rand, n int) []perm.Pos {
	out := make([]perm.Pos, n)
	for i := range out {
		out[i] = perm.Pos(i)
	}
	switch r.Intn(3) {
	case 0:
		r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	case 1:
		i, j := r.Intn(n), r.Intn(n)
		out[i], out[j] = out[j], out[i]
	default:
		some := r.Perm(n)[:r.Intn(n)+1]
		for k, i := range some {
			out[i] = perm.Pos(some[(k+1)%len(some)])
		}
	}
	return out
}

// Swaps lists swaps of neighbours, which generate all permutations.
func Swaps(n int) [][]perm.Pos {
	var out [][]perm.Pos
	for i := 1; i < n; i++ {
		p := make([]perm.Pos, n)
		for k := range p {
			p[k] = perm.Pos(k)
		}
		p[i-1], p[i] = p[i], p[i-1]
		out = append(out, p)
	}
	return out
}
