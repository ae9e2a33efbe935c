package fuse

import (
	"slices"

	"egad/kernel"
)

// maxPlaces bounds the elements of an array whose places are told apart.
const maxPlaces = 64

// stored returns the kernels so far for which one has to wait that stores to an array at some places, or that loads
// from it if there are none: those that store at one of these places, or nobody knows where, back to the last one of
// which nobody knows, which is all, or -1. So kernels that make an element each of an array literal wait
// for none of each other.
func (f *fuser) stored(a *kernel.Array, at [][]int64) (before []int, all int) {
	for _, w := range slices.Backward(f.writers[a]) {
		other := placesOf(f.prog.Kernels[w], a)
		if !apart(at, other) {
			before = append(before, w)
		}
		if other == nil {
			return before, w
		}
	}
	return before, -1
}

// apart reports whether places are known, and no others are among them.
func apart(at, others [][]int64) bool {
	return at != nil && others != nil && !slices.ContainsFunc(at, func(x []int64) bool {
		return slices.ContainsFunc(others, func(y []int64) bool { return slices.Equal(x, y) })
	})
}

// placesOf are the places of an array at which a kernel stores, nil if it adds there, they are not known, or there
// are many.
func placesOf(k *kernel.Kernel, a *kernel.Array) (out [][]int64) {
	if k.Steps != nil || a.Len() > maxPlaces {
		return nil
	}
	for s := range kernel.All[*kernel.Store](k.Body) {
		if s.Array != a {
			continue
		}
		at := make([]int64, 0, len(s.At))
		for _, x := range s.At {
			f := kernel.FormOf(x)
			if s.Add || s.Checked || len(f.Args) > 0 {
				return nil
			}
			at = append(at, f.Const)
		}
		if len(at) == 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}
