package improve

import (
	"cmp"
	"maps"
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/fuse"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
)

// arrange chooses the order of the axes of arrays that kernels use among themselves: all
// axes of one size are last in their arrays where an estimate says that this takes less
// time, as elements are neighbours then that are needed for neighbouring runs of a loop.
//
// Estimates know which runs of loops need not be done, of results that lie over others too.
func arrange(p *kernel.Program, in fuse.Sizes, over map[*kernel.Array]*kernel.Array) {
	if in.Apart {
		return
	}
	own := own(p)
	maps.DeleteFunc(own, func(a *kernel.Array, _ bool) bool { return in.Alone[a] }) // what lies in the place of a state is as that is
	tries := sizes(own)
	if len(tries) > 0 {
		bound(p, over)
		defer sparsity.Unbound(p)
	}
	for again := false; len(tries) > 0; again = true {
		best, saved := -1, in.Least()
		for i, n := range tries {
			near, moves := last(p, own, n)
			if len(near) == 0 {
				continue
			}
			before := schedule.Costs(in.Weights, near)
			move(near, moves, false)
			now, little := before-schedule.Costs(in.Weights, near), before*fuse.Smaller
			switch {
			case now <= in.Least() || again && !in.Eager && now <= little:
			case best < 0 || now > saved-little: // the longer rows, of about as good ones
				best, saved = i, max(saved, now)
			}
			move(near, moves, true)
		}
		if best < 0 {
			return
		}
		near, moves := last(p, own, tries[best])
		move(near, moves, false)
		tries = slices.Delete(tries, best, best+1)
	}
}

// maxSizes bounds the sizes that are tried, and maxStatements what is in the kernels that are estimated then.
const (
	maxSizes      = 8
	maxStatements = 20_000
)

// sizes are those of axes that are not the last ones of arrays: if there are many, those of which arrays have most elements.
func sizes(own map[*kernel.Array]bool) []int {
	elements := make(map[int]int)
	for a := range own {
		for n := range set.Of(a.Shape[:len(a.Shape)-1]...) {
			elements[n] += a.Len()
		}
	}
	out := slices.SortedFunc(maps.Keys(elements), func(m, n int) int { return cmp.Or(elements[n]-elements[m], m-n) })
	out = out[:min(len(out), maxSizes)]
	slices.Sort(out)
	return out
}

// last is which axis of each array is the last of those of size n, where that is not the last of all,
// and the kernels that use those arrays.
func last(p *kernel.Program, own map[*kernel.Array]bool, n int) (near []*kernel.Kernel, axes map[*kernel.Array]int) {
	axes = make(map[*kernel.Array]int)
	for a := range own {
		for i, of := range a.Shape {
			if of == n && !slices.Contains(a.Shape[i+1:], n) && i < len(a.Shape)-1 {
				axes[a] = i
			}
		}
	}
	size := 0
	for _, k := range p.Kernels {
		if slices.ContainsFunc(append(k.Reads(), k.Writes()...), func(a *kernel.Array) bool { _, ok := axes[a]; return ok }) {
			near = append(near, k)
			size += kernel.CountStatements(k.Body)
		}
	}
	if size > maxStatements {
		return nil, nil
	}
	return near, axes
}

// own are the arrays that are neither given nor results, and of which kernels use single
// elements only.
func own(p *kernel.Program) map[*kernel.Array]bool {
	whole := p.UsedWhole()
	return set.Of(slice.Filter(p.Arrays, func(a *kernel.Array) bool { return a.Role == kernel.Temp && len(a.Shape) > 1 && !whole[a] })...)
}

// move makes an axis of each array its last one, or the last one that axis again.
func move(kernels []*kernel.Kernel, axes map[*kernel.Array]int, back bool) {
	for a, axis := range axes {
		a.Shape = moved(a.Shape, axis, back)
	}
	done := make(map[*kernel.Value]bool)
	access := func(a *kernel.Access) {
		if axis, ok := axes[a.Array]; ok {
			a.At = moved(a.At, axis, back)
		}
	}
	for _, k := range kernels {
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.Let:
				if !done[s.Value] {
					done[s.Value] = true
					access(&s.Value.Access)
				}
			case *kernel.Store:
				access(&s.Access)
			}
		})
	}
}

// moved is a list with element number i at its end, or with its last one as number i.
func moved[T any](list []T, i int, back bool) []T {
	last := len(list) - 1
	if back {
		return slices.Insert(slices.Clone(list[:last]), i, list[last])
	}
	return append(slices.Delete(slices.Clone(list), i, i+1), list[i])
}
