package kernel

import (
	"maps"
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
)

// arrange chooses the order of the axes of arrays that kernels use among themselves: all
// axes of one size are last in their arrays where an estimate says that this takes less
// time, as elements are neighbours then that are needed for neighbouring runs of a loop.
//
// Estimates know which runs of loops need not be done, of results that lie over others too.
func (p *Program) arrange(in Sizes, over map[*Array]*Array) {
	if in.apart {
		return
	}
	own := p.own()
	maps.DeleteFunc(own, func(a *Array, _ bool) bool { return in.alone[a] }) // what lies in the place of a state is as that is
	axes := make(map[int]bool)
	for a := range own {
		set.Add(axes, a.Shape...)
	}
	tries := slices.Sorted(maps.Keys(axes))
	if len(tries) > 0 {
		p.bound(over)
		defer p.unbound()
	}
	for again := false; len(tries) > 0 && len(tries) <= maxSizes; again = true {
		best, saved := -1, in.least()
		for i, n := range tries {
			near, moves := p.last(own, n)
			if len(near) == 0 {
				continue
			}
			before := in.weights.costs(near)
			move(near, moves, false)
			now, little := before-in.weights.costs(near), before*smaller
			switch {
			case now <= in.least() || again && !in.eager && now <= little:
			case best < 0 || now > saved-little: // the longer rows, of about as good ones
				best, saved = i, max(saved, now)
			}
			move(near, moves, true)
		}
		if best < 0 {
			return
		}
		near, moves := p.last(own, tries[best])
		move(near, moves, false)
		tries = slices.Delete(tries, best, best+1)
	}
}

// maxSizes bounds the sizes that are tried.
const maxSizes = 8

// last is which axis of each array is the last of those of size n, where that is not the last of all,
// and the kernels that use those arrays.
func (p *Program) last(own map[*Array]bool, n int) (near []*Kernel, axes map[*Array]int) {
	axes = make(map[*Array]int)
	for a := range own {
		for i, of := range a.Shape {
			if of == n && !slices.Contains(a.Shape[i+1:], n) && i < len(a.Shape)-1 {
				axes[a] = i
			}
		}
	}
	size := 0
	for _, k := range p.Kernels {
		if slices.ContainsFunc(append(k.Reads(), k.Writes()...), func(a *Array) bool { _, ok := axes[a]; return ok }) {
			near = append(near, k)
			size += statements(k.Body)
		}
	}
	if size > maxNest {
		return nil, nil
	}
	return near, axes
}

// own are the arrays that are neither given nor results, and of which kernels use single
// elements only.
func (p *Program) own() map[*Array]bool {
	whole := p.usedWhole()
	return set.Of(slice.Filter(p.Arrays, func(a *Array) bool { return a.Role == Temp && len(a.Shape) > 1 && !whole[a] })...)
}

// usedWhole are the arrays that are used in another way than by single elements: results, and what operators
// on whole arrays and the steps of loops read and write.
func (p *Program) usedWhole() map[*Array]bool {
	whole := set.Of(p.Result.Arrays()...)
	for _, k := range p.Kernels {
		if k.Steps != nil || k.Calls() {
			set.Add(whole, append(k.Reads(), k.Writes()...)...)
		}
	}
	return whole
}

// costs estimates the time of kernels, as [Weights.cost] does.
func (w *Weights) costs(kernels []*Kernel) float64 {
	return slice.Sum(kernels, func(k *Kernel) float64 { return w.cost(k.Body) })
}

// move makes an axis of each array its last one, or the last one that axis again.
func move(kernels []*Kernel, axes map[*Array]int, back bool) {
	for a, axis := range axes {
		a.Shape = moved(a.Shape, axis, back)
	}
	done := make(map[*Value]bool)
	access := func(a *Access) {
		if axis, ok := axes[a.Array]; ok {
			a.At = moved(a.At, axis, back)
		}
	}
	for _, k := range kernels {
		Walk(k.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Let:
				if !done[s.Value] {
					done[s.Value] = true
					access(&s.Value.Access)
				}
			case *Store:
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
