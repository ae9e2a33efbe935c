package improve

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/fuse"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
	"egad/term/ops"
)

// Bounds on copies of arrays with zeros around them.
const (
	minReads = 4 // of an element of a copy, on average
	// checkShare is which part of the time of kernels checks are to take, about: only then it is
	// worth a closer look.
	checkShare = 0.4
)

// padded is a copy of an array, or of a part of it, with zeros around it: an index that is out of range by a few
// elements, as those of a stencil are at the edges, needs no check there.
type padded struct {
	kernel.Padded
	copy    *kernel.Array
	from    int // the kernel before which the copy is made
	loads   []*kernel.Value
	reads   float64 // how often elements are loaded that may be out of range
	readers []*kernel.Kernel
}

// pad has kernels read arrays from copies with zeros around them, where an estimate says that
// this takes less time than to check indices: a small filter reads each element of an image
// again and again.
func pad(p *kernel.Program, in fuse.Sizes, by kernel.Names) {
	if in.Apart {
		return
	}
	z := sparsity.NewZeroes(p)
	unmasked := func(kernels []*kernel.Kernel) []*kernel.Kernel {
		return slice.Map(kernels, func(k *kernel.Kernel) *kernel.Kernel {
			body, _ := z.Unmask(k.Body)
			return &kernel.Kernel{Body: body}
		})
	}
	checked := make(map[*kernel.Array]bool)
	for _, k := range p.Kernels {
		kernel.Accesses(k.Body, func(a kernel.Access) { checked[a.Array] = checked[a.Array] || a.Checked })
	}
	for _, a := range slices.Clone(p.Arrays) {
		if !checked[a] {
			continue
		}
		for _, part := range parts(p, a) {
			if x := padding(p, a, part); x != nil {
				padWith(p, x, in, by, unmasked)
			}
		}
	}
}

// padWith has kernels read a copy with zeros, if that takes less time.
func padWith(p *kernel.Program, x *padded, in fuse.Sizes, by kernel.Names, unmasked func([]*kernel.Kernel) []*kernel.Kernel) {
	if x.reads*in.Weights.Of[cost.Check] < checkShare*schedule.Costs(in.Weights, unmasked(x.readers)) {
		return
	}
	k := x.fill()
	before := taken(in.Weights, unmasked(x.readers))
	old := make([]kernel.Access, len(x.loads))
	for i, v := range x.loads {
		old[i], v.Access = v.Access, x.access(v.Access)
	}
	if taken(in.Weights, append(unmasked(x.readers), k))+in.Least() < before {
		x.copy.Name = by.Like(x.Of.Name)
		by.Loops(slices.Collect(kernel.All[*kernel.Loop](k.Body)))
		p.Arrays = append(p.Arrays, x.copy)
		p.Kernels = slices.Insert(p.Kernels, x.from, k)
		return
	}
	for i, v := range x.loads {
		v.Access = old[i]
	}
}

// taken is the time that kernels take, with the interiors of their nests apart.
func taken(w *cost.Weights, kernels []*kernel.Kernel) float64 {
	return slice.Sum(kernels, func(k *kernel.Kernel) float64 { return schedule.Cost(w, schedule.Interior(w, k.Body, false, 1)) })
}

// parts are the indices along the first axes of an array at which elements may be out of range by a few
// places: those that are the same in all runs of the loops of a kernel, for as many axes as all such
// accesses have them. Where there are none, the array is one part.
func parts(p *kernel.Program, a *kernel.Array) [][]*kernel.Value {
	axes := len(a.Shape) - 1
	var at [][]*kernel.Value
	for _, k := range p.Kernels {
		loadsOf(k, a, func(v *kernel.Value, _ float64) {
			if fixed := leading(v.Access); v.Checked && nearby(v.Access, fixed) {
				axes = min(axes, fixed)
				at = append(at, v.At)
			}
		})
	}
	var out [][]*kernel.Value
	for _, ix := range at {
		if part := ix[:axes]; !slices.ContainsFunc(out, func(other []*kernel.Value) bool { return samePart(part, other) }) {
			out = append(out, part)
		}
	}
	return out
}

// fixed reports whether an integer is made of literals and of scalars in memory.
func fixed(v *kernel.Value) bool {
	return !slices.ContainsFunc(kernel.FormOf(v).Args, func(x *kernel.Value) bool { return x.Kind != kernel.Load || len(x.At) > 0 })
}

// leading counts the first axes along which an access has fixed indices.
func leading(a kernel.Access) int {
	for i, x := range a.At {
		if !fixed(x) {
			return i
		}
	}
	return len(a.At)
}

// samePart reports whether fixed indices are the same.
func samePart(at, other []*kernel.Value) bool {
	return slices.EqualFunc(at, other, func(x, y *kernel.Value) bool {
		return kernel.FormOf(x).Equal(kernel.FormOf(y), func(x, y *kernel.Value) bool { return x == y || fixed(x) && fixed(y) && x.Array == y.Array })
	})
}

// padding is a copy of a part of an array for the kernels that read it when it is whole, or nil if they
// do not read it out of range, or too seldom.
func padding(p *kernel.Program, a *kernel.Array, part []*kernel.Value) *padded {
	shape := a.Shape[len(part):]
	n, whole := len(shape), 0
	written := func(v *kernel.Array) bool {
		return v == a || slices.ContainsFunc(part, func(x *kernel.Value) bool {
			return slices.ContainsFunc(kernel.FormOf(x).Args, func(y *kernel.Value) bool { return y.Array == v })
		})
	}
	for i, k := range p.Kernels {
		if slices.ContainsFunc(k.Writes(), written) {
			whole = i + 1
		}
	}
	x := &padded{Padded: kernel.Padded{Of: a, Part: part, Before: make([]int, n)}, copy: &kernel.Array{Elem: a.Elem, Role: kernel.Temp, Range: a.Range.Join(ops.Range{})}}
	after := make([]int, n)
	var loads []*kernel.Value
	for i, k := range p.Kernels[whole:] {
		var all []*kernel.Value
		passes := false
		loadsOf(k, a, func(v *kernel.Value, runs float64) {
			if !samePart(part, v.At[:len(part)]) {
				return
			}
			all = append(all, v)
			if !v.Checked || !nearby(v.Access, len(part)) {
				return
			}
			passes = true
			x.reads += runs
			for i, at := range v.At[len(part):] {
				x.Before[i] = max(x.Before[i], int(-at.Range.Lo))
				after[i] = max(after[i], int(at.Range.Hi)+1-shape[i])
			}
		})
		if passes {
			if x.readers == nil {
				x.from = whole + i
			}
			x.readers, loads = append(x.readers, k), append(loads, all...)
		}
	}
	x.copy.Padded = &x.Padded
	size := 1
	for i, n := range shape {
		size *= n
		x.copy.Shape = append(x.copy.Shape, x.Before[i]+n+after[i])
	}
	if elements := x.copy.Len(); x.reads == 0 || x.reads < minReads*float64(elements) || elements > sparsity.MaxPadded*size {
		return nil
	}
	for _, v := range loads {
		if kernel.Fits(x.access(v.Access)) {
			x.loads = append(x.loads, v)
		}
	}
	return x
}

// nearby reports whether the indices of an access along other axes than some first ones pass the ends of
// its array by less than its length.
func nearby(a kernel.Access, first int) bool {
	for i, x := range a.At[first:] {
		if n := int64(a.Array.Shape[first+i]); x.Range.Lo <= -n || x.Range.Hi >= 2*n {
			return false
		}
	}
	return true
}

// loadsOf calls f with each value of a kernel that is an element of an array, and how often it is
// loaded.
func loadsOf(k *kernel.Kernel, a *kernel.Array, f func(v *kernel.Value, runs float64)) {
	kernel.WalkRuns(k.Body, 1, func(s kernel.Stmt, runs int64) {
		if l, ok := s.(*kernel.Let); ok && l.Value.Kind == kernel.Load && l.Value.Array == a {
			f(l.Value, float64(runs))
		}
	})
}

// access is the place in the copy of an element of the array.
func (x *padded) access(a kernel.Access) kernel.Access {
	at := make([]*kernel.Value, len(x.Before))
	for i, v := range a.At[len(x.Part):] {
		f := kernel.FormOf(v)
		at[i] = kernel.NewBuilder(nil).Linear(f.Const+int64(x.Before[i]), f.Coef, f.Args)
	}
	return kernel.Access{Array: x.copy, At: at}
}

// fill is the kernel that makes the copy.
func (x *padded) fill() *kernel.Kernel {
	b := kernel.NewBuilder(nil)
	var lets []kernel.Stmt
	var at []*kernel.Value
	for _, v := range x.Part {
		f := kernel.FormOf(v)
		args := slice.Map(f.Args, func(y *kernel.Value) *kernel.Value {
			load := b.Load(kernel.Access{Array: y.Array})
			lets = append(lets, &kernel.Let{Value: load})
			return load
		})
		at = append(at, b.Linear(f.Const, f.Coef, args))
	}
	var loops []*kernel.Loop
	for i, n := range x.Of.Shape[len(x.Part):] {
		v := b.Variable(n, i+1)
		loops, at = append(loops, &kernel.Loop{Var: v, N: n}), append(at, v)
	}
	from := b.Load(kernel.Access{Array: x.Of, At: at})
	body := []kernel.Stmt{&kernel.Let{Value: from}, &kernel.Store{Access: x.access(from.Access), Value: from}}
	return &kernel.Kernel{Body: append(lets, kernel.Around(loops, body)...)}
}
