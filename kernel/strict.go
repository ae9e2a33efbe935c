package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
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
func (p *Program) strictly(b *bounder) {
	before := make(map[*Loop][]Only)
	any := false
	p.eachLoop(func(l *Loop, _ int64) {
		before[l] = l.Only
		any = any || slices.ContainsFunc(l.Only, l.strict)
	})
	if !any {
		return
	}
	fewer := p.needs(b.over, true)
	p.unbound()
	p.note(fewer)
	spared, taken := 0, 0
	strict := make(map[*Loop]bool)
	p.eachLoop(func(l *Loop, runs int64) {
		if len(l.Only) > len(before[l]) {
			spared += int(runs) * (l.N*effort(l.Body)/2 - conditionValues)
		}
		strict[l] = slices.ContainsFunc(l.Only, l.strict) && readsOf(l, func(a *Array) bool { return len(fewer.reads[a]) > len(b.reads[a]) })
		if strict[l] {
			taken += int(runs) * l.N * leftOutValues / 2
		}
	})
	p.eachLoop(func(l *Loop, _ int64) {
		if spared <= taken {
			l.Only = before[l]
			return
		}
		for i, o := range l.Only {
			l.Only[i].Strict = strict[l] && l.strict(o)
		}
	})
}

// eachLoop calls f with the loops of a program, and how often each is run.
func (p *Program) eachLoop(f func(l *Loop, runs int64)) {
	for _, k := range p.Kernels {
		walkRuns(k.Body, 1, func(s Stmt, runs int64) {
			if l, ok := s.(*Loop); ok {
				f(l, runs)
			}
		})
	}
}

// strict reports whether a condition of a loop is one by which a sum can leave runs out: where indices of loops
// tell that a factor is 0.
func (l *Loop) strict(o Only) bool {
	return o.Finite && l.Order == Folding && slices.Contains(o.Less.Args, l.Var) &&
		!slices.ContainsFunc(o.Less.Args, func(v *Value) bool { return v.Kind != Var })
}

// leftOut are the conditions without which strict sums leave a run of a loop out.
func (b *bounder) leftOut(l *Loop) (out limits) {
	if l.Order != Folding {
		return nil
	}
	all := b.only(l)
	for i, o := range all.notes() {
		if l.strict(o) {
			out = append(out, all[i])
		}
	}
	return out
}

// readsOf reports whether a loop uses elements of some arrays.
func readsOf(l *Loop, some func(a *Array) bool) bool {
	for v := range neededBy([]Stmt{l}) {
		if v.Kind == Load && some(v.Array) {
			return true
		}
	}
	return false
}

// strict is a kernel whose sums leave out what they have to, or itself if there is none.
func (k *Kernel) strict(exact bool) *Kernel {
	isStrict := func(o Only) bool { return o.Strict }
	if exact || !some(k.Body, func(l *Loop) bool { return slices.ContainsFunc(l.Only, isStrict) }) {
		return k
	}
	out := *k
	out.Body = rewritten(k.Body, itself, func(s Stmt) []Stmt { return []Stmt{s} })
	for l := range allOf[*Loop](out.Body) {
		zero := NewBuilder(nil).Int(0)
		do := func(v *Value) *Value {
			l.Body = append(l.Body, &Let{v})
			return v
		}
		for _, o := range l.Only {
			if !o.Strict {
				continue
			}
			in := do(&Value{Kind: Compute, Elem: types.B, Op: ops.SymLt, Args: []*Value{o.Less, zero}, Range: ops.AnyInt})
			for i, f := range l.Folds {
				out := ops.ScalarZero(f.Value.Elem)
				l.Folds[i].Value = do(&Value{Kind: Compute, Elem: f.Value.Elem, Op: ops.SymWhere, Args: []*Value{in, f.Value, NewBuilder(nil).Lit(out)}, Range: f.Value.Range})
			}
		}
	}
	return &out
}
