package improve

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
)

// mostStrict is how much of the time a program with sums that leave runs out may take.
const mostStrict = 0.8

// strictly has sums leave out the runs in which a factor is 0, where so others need not make the
// other factors: in sum over j of (where (i < j) f 0)[i, j] * x[i, j] nobody needs x unless i < j, if the
// product is left out elsewhere, whatever there is in the place of x. What is not exact does so, where it
// takes much less time by estimate: products of matrices leave nothing out. b knows who needs what without.
func strictly(p *kernel.Program, b *sparsity.Bounder) {
	before, after := make(map[*kernel.Loop][]kernel.Only), make(map[*kernel.Loop][]kernel.Only)
	any := false
	eachLoop(p, func(l *kernel.Loop) {
		before[l] = l.Only
		any = any || slices.ContainsFunc(l.Only, func(o kernel.Only) bool { return sparsity.IsStrict(l, o) })
	})
	if !any {
		return
	}
	fewer := sparsity.Needs(p, b.Over, true)
	sparsity.Unbound(p)
	sparsity.Note(p, fewer)
	eachLoop(p, func(l *kernel.Loop) {
		strict := readsOf(l, func(a *kernel.Array) bool { return len(fewer.Reads[a]) > len(b.Reads[a]) })
		for i, o := range l.Only {
			l.Only[i].Strict = strict && sparsity.IsStrict(l, o)
		}
		after[l] = l.Only
	})
	set := func(only map[*kernel.Loop][]kernel.Only) { eachLoop(p, func(l *kernel.Loop) { l.Only = only[l] }) }
	changed := slice.Filter(slices.Clone(p.Kernels), func(k *kernel.Kernel) bool {
		return kernel.Any(k.Body, func(l *kernel.Loop) bool {
			return len(after[l]) != len(before[l]) || slices.ContainsFunc(after[l], func(o kernel.Only) bool { return o.Strict })
		})
	})
	spared, of := 0, 0 // at most
	for _, k := range changed {
		of += schedule.Effort(k.Body)
		kernel.WalkRuns(k.Body, 1, func(s kernel.Stmt, runs int64) {
			if l, ok := s.(*kernel.Loop); ok && len(after[l]) > len(before[l]) {
				spared += int(runs) * l.N * schedule.Effort(l.Body)
			}
		})
	}
	estimated := func() float64 {
		return slice.Sum(changed, func(k *kernel.Kernel) float64 { return schedule.CostContracted(p, k) })
	}
	if float64(spared) < (1-mostStrict)*float64(of) {
		set(before)
		return
	}
	strict := estimated()
	if set(before); strict <= mostStrict*estimated() {
		set(after)
	}
}

// eachLoop calls f with the loops of a program.
func eachLoop(p *kernel.Program, f func(l *kernel.Loop)) {
	for _, k := range p.Kernels {
		for l := range kernel.All[*kernel.Loop](k.Body) {
			f(l)
		}
	}
}

// readsOf reports whether a loop uses elements of some arrays.
func readsOf(l *kernel.Loop, some func(a *kernel.Array) bool) bool {
	for v := range kernel.NeededBy([]kernel.Stmt{l}) {
		if v.Kind == kernel.Load && some(v.Array) {
			return true
		}
	}
	return false
}
