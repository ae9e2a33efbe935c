package fuse

import (
	"fmt"
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
)

// CheckCycles compares cyclic with a search of all that kernels need, for a set of passes of a
// program that choose chooses, after it has chosen passes for groups.
func CheckCycles(p *kernel.Program, choose func(n int) []int) error {
	f := newFuser(p)
	f.Sizes = Sizes{Rows: 1, Axis: 2, Eager: true, Weights: cost.Default()}
	for i := range p.Kernels {
		f.place(i)
	}
	some := func() (ps []*pass) {
		for _, i := range choose(len(f.passes)) {
			ps = append(ps, f.passes[i])
		}
		return ps
	}
	for range 2 {
		ps := some()
		if !slices.ContainsFunc(ps, func(p *pass) bool { return f.in[p.members[0].number] != nil }) && !f.cyclic(ps) {
			f.group(&group{passes: ps})
		}
	}
	in, own := make([]bool, len(p.Kernels)), make(map[*group]bool) // kernels of the set, and their groups
	ps := some()
	for _, p := range ps {
		for _, i := range p.numbers() {
			in[i], own[f.in[i]] = true, true
		}
	}
	// needs[i] is 1 if kernel i is run after one of the set, and 2 if it is so by a kernel
	// that is not in the set.
	needs := make([]int, len(p.Kernels))
	for again := true; again; {
		again = false
		note := func(i, n int) {
			if n > needs[i] {
				needs[i], again = n, true
			}
		}
		for i := range p.Kernels {
			for d := range i {
				after := slices.ContainsFunc(f.writes[d], func(a *kernel.Array) bool {
					return slices.Contains(f.reads[i], a) || slices.Contains(f.writes[i], a)
				}) || slices.ContainsFunc(f.reads[d], func(a *kernel.Array) bool { return slices.Contains(f.writes[i], a) })
				switch {
				case !after:
				case in[d]:
					note(i, 1)
				default:
					note(i, 2*min(1, needs[d]))
				}
			}
			if !in[i] { // what is run with it is run after that too
				for _, j := range f.together(i, !own[f.in[i]]) {
					note(i, needs[j])
				}
			}
		}
	}
	want := false
	for i, n := range needs {
		want = want || in[i] && n == 2
	}
	if got := f.cyclic(ps); got != want {
		return fmt.Errorf("cyclic is %t for the passes of kernels %v\n%s", got, in, p)
	}
	return nil
}
