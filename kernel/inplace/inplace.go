package inplace

import (
	"slices"

	"egad/kernel"
	"egad/kernel/plan"
	"egad/kernel/sparsity"
)

// Changed finds the results of a step that are the state before, of which the last only is kept,
// but for few elements, and the arrays of sums that are added to these: as long as the kernels that
// make one do nothing else, they do but their runs, or add where the state lies.
func Changed(s *kernel.Steps) map[*kernel.Array]bool {
	out := make(map[*kernel.Array]bool)
	for in, result := range plan.LastOnly(s) {
		b := sparsity.NewBounder()
		for i, k := range s.Step.Kernels {
			makes := func(t *kernel.Store) bool { return t.Array == result && !t.Add }
			if !kernel.Any(k.Body, makes) {
				continue
			}
			sums := fewSums(s.Step, i, in)
			for t := range kernel.All[*kernel.Store](k.Body) {
				if makes(t) && (len(sums) > 0 || len(b.Changed(t, in)) > 0) {
					out[result] = true
					for _, x := range sums {
						out[x.Array] = true
					}
				}
			}
		}
	}
	for n, result := range s.Step.Result.Arrays() {
		if s.All[n] && copies(s.Step, result) {
			out[result] = true
		}
	}
	return out
}

// fewSums are the sums that kernel i adds to an array, if others make but few of them.
func fewSums(p *kernel.Program, i int, in *kernel.Array) []signed {
	sums, _ := adds(p, i, in)
	for _, x := range sums {
		few := int64(0)
		for _, k := range p.Kernels {
			kernel.WalkRuns(k.Body, 1, func(t kernel.Stmt, runs int64) {
				if t, ok := t.(*kernel.Store); ok && t.Array == x.Array {
					few += runs
				}
			})
		}
		if 2*few >= int64(x.Array.Len()) {
			return nil
		}
	}
	return sums
}

// ReadFirst has kernels of a step that read a part of the state, of which the last only is kept,
// before those that make the next one, if they can be, so that this may lie there.
func ReadFirst(s *kernel.Steps) {
	p := s.Step
	for in, result := range plan.LastOnly(s) {
		i := kernel.Writer(p.Kernels, result)
		for j := i + 1; i >= 0 && j < len(p.Kernels); j++ {
			if slices.Contains(p.Kernels[j].Reads(), in) {
				p.Kernels = before(p.Kernels, i, j) // those up to j are the same ones
				i = kernel.Writer(p.Kernels, result)
			}
		}
	}
}

// before are kernels with number j before number i, after what it needs of those between, or
// as they are if it needs that one.
func before(ks []*kernel.Kernel, i, j int) []*kernel.Kernel {
	moved := []*kernel.Kernel{ks[j]}
	var stay []*kernel.Kernel
	for at := j - 1; at >= i; at-- {
		if !slices.ContainsFunc(moved, func(k *kernel.Kernel) bool { return after(k, ks[at]) }) {
			stay = append(stay, ks[at])
		} else if moved = append(moved, ks[at]); at == i {
			return ks
		}
	}
	slices.Reverse(moved)
	slices.Reverse(stay)
	return slices.Concat(ks[:i], moved, stay, ks[j+1:])
}

// after reports whether a kernel has to come after one that is before it: it reads, or writes
// to, an array that the other writes to, or writes to one that the other reads.
func after(k, x *kernel.Kernel) bool {
	writes := k.Writes()
	return slices.ContainsFunc(x.Writes(), func(a *kernel.Array) bool { return slices.Contains(writes, a) || slices.Contains(k.Reads(), a) }) ||
		slices.ContainsFunc(x.Reads(), func(a *kernel.Array) bool { return slices.Contains(writes, a) })
}
