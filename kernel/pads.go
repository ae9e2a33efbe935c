package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
)

// Bounds on copies of arrays with zeros around them.
const (
	minReads  = 4 // of an element of a copy, on average
	maxPadded = 2 // times as many elements as the array has
	// checkShare is which part of the time of kernels checks are to take, about: only then it is
	// worth a closer look.
	checkShare = 0.4
)

// padded is a copy of an array, or of a part of it, with zeros around it: an index that is out of range by a few
// elements, as those of a stencil are at the edges, needs no check there.
type padded struct {
	Padded
	copy    *Array
	from    int // the kernel before which the copy is made
	loads   []*Value
	reads   float64 // how often elements are loaded that may be out of range
	readers []*Kernel
}

// pad has kernels read arrays from copies with zeros around them, where an estimate says that
// this takes less time than to check indices: a small filter reads each element of an image
// again and again.
func (p *Program) pad(in Sizes, by Names) {
	if in.apart {
		return
	}
	z := newZeroes(p)
	unmasked := func(kernels []*Kernel) []*Kernel {
		return slice.Map(kernels, func(k *Kernel) *Kernel {
			body, _ := z.unmask(k.Body)
			return &Kernel{Body: body}
		})
	}
	checked := make(map[*Array]bool)
	for _, k := range p.Kernels {
		Accesses(k.Body, func(a Access) { checked[a.Array] = checked[a.Array] || a.Checked })
	}
	for _, a := range slices.Clone(p.Arrays) {
		if !checked[a] {
			continue
		}
		for _, part := range p.parts(a) {
			if x := p.padding(a, part); x != nil {
				p.padWith(x, in, by, unmasked)
			}
		}
	}
}

// padWith has kernels read a copy with zeros, if that takes less time.
func (p *Program) padWith(x *padded, in Sizes, by Names, unmasked func([]*Kernel) []*Kernel) {
	if x.reads*in.weights.of[costCheck] < checkShare*in.weights.costs(unmasked(x.readers)) {
		return
	}
	k, loops := x.fill()
	before := in.weights.taken(unmasked(x.readers))
	old := make([]Access, len(x.loads))
	for i, v := range x.loads {
		old[i], v.Access = v.Access, x.access(v.Access)
	}
	if in.weights.taken(append(unmasked(x.readers), k))+in.least() < before {
		x.copy.Name = by.Like(x.Of.Name)
		by.Loops(loops)
		p.Arrays = append(p.Arrays, x.copy)
		p.Kernels = slices.Insert(p.Kernels, x.from, k)
		return
	}
	for i, v := range x.loads {
		v.Access = old[i]
	}
}

// taken is the time that kernels take, with the interiors of their nests apart.
func (w *Weights) taken(kernels []*Kernel) float64 {
	return slice.Sum(kernels, func(k *Kernel) float64 { return w.cost(w.interior(k.Body, false, 1)) })
}

// parts are the indices along the first axes of an array at which elements may be out of range by a few
// places: those that are the same in all runs of the loops of a kernel, for as many axes as all such
// accesses have them. Where there are none, the array is one part.
func (p *Program) parts(a *Array) [][]*Value {
	axes := len(a.Shape) - 1
	var at [][]*Value
	for _, k := range p.Kernels {
		k.loads(a, func(v *Value, _ float64) {
			if fixed := v.leading(); v.Checked && v.nearby(fixed) {
				axes = min(axes, fixed)
				at = append(at, v.At)
			}
		})
	}
	var out [][]*Value
	for _, ix := range at {
		if part := ix[:axes]; !slices.ContainsFunc(out, func(other []*Value) bool { return samePart(part, other) }) {
			out = append(out, part)
		}
	}
	return out
}

// fixed reports whether an integer is made of literals and of scalars in memory.
func (v *Value) fixed() bool {
	return !slices.ContainsFunc(FormOf(v).Args, func(x *Value) bool { return x.Kind != Load || len(x.At) > 0 })
}

// leading counts the first axes along which an access has fixed indices.
func (a Access) leading() int {
	for i, x := range a.At {
		if !x.fixed() {
			return i
		}
	}
	return len(a.At)
}

// samePart reports whether fixed indices are the same.
func samePart(at, other []*Value) bool {
	return slices.EqualFunc(at, other, func(x, y *Value) bool {
		f, g := FormOf(x), FormOf(y)
		return f.Const == g.Const && slices.Equal(f.Coef, g.Coef) &&
			slices.EqualFunc(f.Args, g.Args, func(x, y *Value) bool { return x == y || x.fixed() && y.fixed() && x.Array == y.Array })
	})
}

// padding is a copy of a part of an array for the kernels that read it when it is whole, or nil if they
// do not read it out of range, or too seldom.
func (p *Program) padding(a *Array, part []*Value) *padded {
	shape := a.Shape[len(part):]
	n, whole := len(shape), 0
	written := func(v *Array) bool {
		return v == a || slices.ContainsFunc(part, func(x *Value) bool {
			return slices.ContainsFunc(FormOf(x).Args, func(y *Value) bool { return y.Array == v })
		})
	}
	for i, k := range p.Kernels {
		if slices.ContainsFunc(k.Writes(), written) {
			whole = i + 1
		}
	}
	x := &padded{Padded: Padded{Of: a, Part: part, Before: make([]int, n)}, copy: &Array{Elem: a.Elem, Role: Temp, Range: a.Range.Join(ops.Range{})}}
	after := make([]int, n)
	var loads []*Value
	for i, k := range p.Kernels[whole:] {
		var all []*Value
		passes := false
		k.loads(a, func(v *Value, runs float64) {
			if !samePart(part, v.At[:len(part)]) {
				return
			}
			all = append(all, v)
			if !v.Checked || !v.nearby(len(part)) {
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
	x.copy.padded = &x.Padded
	size := 1
	for i, n := range shape {
		size *= n
		x.copy.Shape = append(x.copy.Shape, x.Before[i]+n+after[i])
	}
	if elements := x.copy.Len(); x.reads == 0 || x.reads < minReads*float64(elements) || elements > maxPadded*size {
		return nil
	}
	for _, v := range loads {
		if Fits(x.access(v.Access)) {
			x.loads = append(x.loads, v)
		}
	}
	return x
}

// nearby reports whether the indices of an access along other axes than some first ones pass the ends of
// its array by less than its length.
func (a Access) nearby(first int) bool {
	for i, x := range a.At[first:] {
		if n := int64(a.Array.Shape[first+i]); x.Range.Lo <= -n || x.Range.Hi >= 2*n {
			return false
		}
	}
	return true
}

// loads calls f with each value of a kernel that is an element of an array, and how often it is
// loaded.
func (k *Kernel) loads(a *Array, f func(v *Value, runs float64)) {
	walkRuns(k.Body, 1, func(s Stmt, runs int64) {
		if l, ok := s.(*Let); ok && l.Value.Kind == Load && l.Value.Array == a {
			f(l.Value, float64(runs))
		}
	})
}

// access is the place in the copy of an element of the array.
func (x *padded) access(a Access) Access {
	at := make([]*Value, len(x.Before))
	for i, v := range a.At[len(x.Part):] {
		f := FormOf(v)
		at[i] = NewBuilder(nil).linear(f.Const+int64(x.Before[i]), f.Coef, f.Args)
	}
	return Access{Array: x.copy, At: at}
}

// fill is the kernel that makes the copy, and its loops.
func (x *padded) fill() (*Kernel, []*Loop) {
	b := NewBuilder(nil)
	var lets []Stmt
	var at []*Value
	for _, v := range x.Part {
		f := FormOf(v)
		args := slice.Map(f.Args, func(y *Value) *Value {
			load := b.Load(Access{Array: y.Array})
			lets = append(lets, &Let{load})
			return load
		})
		at = append(at, b.linear(f.Const, f.Coef, args))
	}
	var loops []*Loop
	for i, n := range x.Of.Shape[len(x.Part):] {
		v := b.Variable(n, i+1)
		loops, at = append(loops, &Loop{Var: v, N: n}), append(at, v)
	}
	from := b.Load(Access{Array: x.Of, At: at})
	body := []Stmt{&Let{from}, &Store{Access: x.access(from.Access), Value: from}}
	for _, l := range slices.Backward(loops) {
		l.Body = body
		body = []Stmt{l}
	}
	return &Kernel{Body: append(lets, body...)}, loops
}
