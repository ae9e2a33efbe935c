package kernel

import (
	"egad/term/ops"
	"egad/term/types"
)

// Counting reports whether kernels add up integers and compare the sums with 0, as masks do that
// say where anything arrives.
func (p *Program) Counting() bool {
	if p == nil {
		return false
	}
	sums := make(map[*Array]bool)
	counts := false
	for _, k := range p.Kernels {
		counts = counts || k.Steps != nil && k.Steps.Step.Counting()
		for s := range All[*Store](k.Body) {
			if s.Array.Elem == types.I {
				sums[s.Array] = sums[s.Array] || s.Add || s.Value.Kind == Folded
			}
		}
	}
	for _, k := range p.Kernels {
		counts = counts || Any(k.Body, func(l *Let) bool {
			if l.Value.Kind != Compute || l.Value.Op != ops.SymLt || l.Value.Args[0].Kind != Lit || l.Value.Args[0].Const.Int != 0 {
				return false
			}
			of := l.Value.Args[1]
			return of.Elem == types.I && (of.Kind == Folded || of.Kind == Load && sums[of.Array])
		})
	}
	return counts
}
