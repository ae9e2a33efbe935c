package improve

import (
	"cmp"
	"slices"

	"egad/internal/set"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
)

// onePass has a kernel and the next one go through rows of which data say where they are in one loop, if the next
// one needs of what the first stores no more than what is of the same row, and if an estimate says that it takes
// less time:
//
//	fold i < m                                     in order i < m
//	  fold e < z, only start[i] <= e < start[i + 1]  for e < z, only start[i] <= e < start[i + 1]
//	    v = sum (a[e] * x[col[e]])                     t[e] += s[i] * x[col[e]]
//	  s[i] := v
//
// So the gradient of the product of a sparse matrix finds a row in the first cache. What is stored for a row and
// needed for it alone is a scalar then.
func onePass(p *kernel.Program, w *cost.Weights) {
	for i := 0; i+1 < len(p.Kernels); {
		k := inOnePass(p.Kernels[i], p.Kernels[i+1])
		if k == nil || schedule.Cost(w, k.Body) >= schedule.Costs(w, p.Kernels[i:i+2]) {
			i++
			continue
		}
		p.Kernels = slices.Replace(p.Kernels, i, i+2, k)
		dropStores(p, k)
	}
}

// inOnePass is what two kernels do in one loop, or nil if they may not, or go through no rows of which data say
// where they are.
func inOnePass(a, b *kernel.Kernel) *kernel.Kernel {
	first, second := rowsByData(a), rowsByData(b)
	if first == nil || second == nil || first.N != second.N {
		return nil
	}
	stored, later := kernel.Stores(a.Body), kernel.Stores(b.Body)
	needed, apart := set.Of(b.Reads()...), true
	ofRow := func(x kernel.Access, v *kernel.Value) bool { return len(x.At) > 0 && x.At[0] == v && !x.Checked }
	kernel.Accesses(a.Body, func(x kernel.Access) {
		apart = apart && !later[x.Array] && (!stored[x.Array] || !needed[x.Array] || ofRow(x, first.Var))
	})
	kernel.Accesses(b.Body, func(x kernel.Access) { apart = apart && (!stored[x.Array] || ofRow(x, second.Var)) })
	if !apart {
		return nil
	}
	at := kernel.FirstLoop(b.Body)
	again := kernel.Freshen(b.Body)
	second = again[at].(*kernel.Loop)
	made := map[*kernel.Value]*kernel.Value{second.Var: first.Var}
	there := make(map[*kernel.Value]bool)
	for _, s := range first.Body {
		switch s := s.(type) {
		case *kernel.Let:
			there[s.Value] = true
			for _, l := range second.Body {
				if l, ok := l.(*kernel.Let); ok && sameElement(s.Value, l.Value, made) && !stored[s.Value.Array] {
					made[l.Value] = s.Value
				}
			}
		case *kernel.Store:
			if s.Add || len(s.At) != 1 {
				break
			}
			for l := range kernel.All[*kernel.Let](second.Body) {
				if v := l.Value; v.Kind == kernel.Load && v.Array == s.Array {
					made[v] = s.Value
				}
			}
		}
	}
	value, both := kernel.Substitute(made), *first
	both.Body = slices.Concat(first.Body, kernel.MapValues(second.Body, there, value))
	both.Folds = slices.Concat(first.Folds, second.MapFolds(value))
	both.Order = max(first.Order, second.Order)
	i := kernel.FirstLoop(a.Body)
	return &kernel.Kernel{Body: slices.Concat(a.Body[:i], again[:at], []kernel.Stmt{&both}, a.Body[i+1:], again[at+1:])}
}

// sameElement reports whether two loads are of one element, where other values stand for those of which the indices of
// the second are made.
func sameElement(v, w *kernel.Value, made map[*kernel.Value]*kernel.Value) bool {
	return v.Kind == kernel.Load && w.Kind == kernel.Load && v.Array == w.Array && v.Checked == w.Checked && slices.EqualFunc(v.At, w.At, func(x, y *kernel.Value) bool {
		return kernel.FormOf(x).Equal(kernel.FormOf(y), func(x, y *kernel.Value) bool { return cmp.Or(made[y], y) == x })
	})
}

// rowsByData is the loop of a kernel that is one over rows, in which are loops of whose runs data say which are
// done; else nil.
func rowsByData(k *kernel.Kernel) *kernel.Loop {
	at := kernel.FirstLoop(k.Body)
	another := func(*kernel.Loop) bool { return true }
	if k.Steps != nil || k.Calls() || at < 0 || kernel.Any(k.Body[at+1:], another) {
		return nil
	}
	l := k.Body[at].(*kernel.Loop)
	if l.Order.Whole() || l.Order == kernel.Carrying || l.If != nil || len(l.Only) > 0 {
		return nil
	}
	if !kernel.Any(l.Body, func(in *kernel.Loop) bool {
		return slices.ContainsFunc(in.Only, func(o kernel.Only) bool { return slices.ContainsFunc(o.Less.Args, sparsity.IsData) })
	}) {
		return nil
	}
	return l
}

// dropStores leaves out what a kernel stores and nobody needs.
func dropStores(p *kernel.Program, k *kernel.Kernel) {
	needed := p.UsedWhole()
	for _, k := range p.Kernels {
		set.Add(needed, k.Reads()...)
	}
	idle := func(a *kernel.Array) bool { return a.Role == kernel.Temp && !needed[a] }
	if unstored(k, func(s *kernel.Store) bool { return idle(s.Array) }) {
		k.Body = kernel.DropUnused(k.Body)
		p.Arrays = slices.DeleteFunc(p.Arrays, idle)
	}
}
