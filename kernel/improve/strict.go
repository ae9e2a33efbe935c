package improve

import (
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
)

// What a loop has to spare with a condition, in values for each of its runs, as to find the first and the last
// run takes time; and what it takes to leave a product out of a sum.
const (
	conditionValues = 16
	leftOutValues   = 4
)

// strictly has sums leave out the runs in which a factor is 0, where so others need not make the
// other factors: in sum over j of (where (i < j) f 0)[i, j] * x[i, j] nobody needs x unless i < j, if the
// product is left out elsewhere, whatever there is in the place of x. What is not exact does so, where it
// spares more than it takes. b knows who needs what without.
func strictly(p *kernel.Program, b *sparsity.Bounder) {
	before := make(map[*kernel.Loop][]kernel.Only)
	any := false
	eachLoop(p, func(l *kernel.Loop, _ int64) {
		before[l] = l.Only
		any = any || slices.ContainsFunc(l.Only, func(o kernel.Only) bool { return sparsity.IsStrict(l, o) })
	})
	if !any {
		return
	}
	fewer := sparsity.Needs(p, b.Over, true)
	sparsity.Unbound(p)
	sparsity.Note(p, fewer)
	spared, taken := 0, 0
	strict := make(map[*kernel.Loop]bool)
	eachLoop(p, func(l *kernel.Loop, runs int64) {
		if len(l.Only) > len(before[l]) {
			spared += int(runs) * (l.N*schedule.Effort(l.Body)/2 - conditionValues)
		}
		strict[l] = slices.ContainsFunc(l.Only, func(o kernel.Only) bool { return sparsity.IsStrict(l, o) }) && readsOf(l, func(a *kernel.Array) bool { return len(fewer.Reads[a]) > len(b.Reads[a]) })
		if strict[l] {
			taken += int(runs) * l.N * leftOutValues / 2
		}
	})
	eachLoop(p, func(l *kernel.Loop, _ int64) {
		if spared <= taken {
			l.Only = before[l]
			return
		}
		for i, o := range l.Only {
			l.Only[i].Strict = strict[l] && sparsity.IsStrict(l, o)
		}
	})
}

// eachLoop calls f with the loops of a program, and how often each is run.
func eachLoop(p *kernel.Program, f func(l *kernel.Loop, runs int64)) {
	for _, k := range p.Kernels {
		kernel.WalkRuns(k.Body, 1, func(s kernel.Stmt, runs int64) {
			if l, ok := s.(*kernel.Loop); ok {
				f(l, runs)
			}
		})
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
