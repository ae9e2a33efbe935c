package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term"
)

// Bounds on copies of arrays with zeros around them.
const (
	minReads  = 4 // of an element of a copy, on average
	maxPadded = 2 // times as many elements as the array has
	// checkShare is which part of the time of kernels checks are to take, about: only then it is
	// worth a closer look.
	checkShare = 0.4
)

// padded is a copy of an array with zeros around it: an index that is out of range by a few
// elements, as those of a stencil are at the edges, needs no check there.
type padded struct {
	of, copy *Array
	before   []int // how many zeros there are before the array, along each axis
	from     int   // the kernel before which the copy is made
	loads    []*Value
	reads    float64 // how often elements are loaded that may be out of range
	readers  []*Kernel
}

// pad has kernels read arrays from copies with zeros around them, where an estimate says that
// this takes less time than to check indices: a small filter reads each element of an image
// again and again.
func (r *reading) pad(in sizes) {
	if in.apart {
		return
	}
	p := r.out
	z := newZeroes(p)
	unmasked := func(kernels []*Kernel) []*Kernel {
		return slice.Map(kernels, func(k *Kernel) *Kernel {
			body, _ := z.unmask(k.Body)
			return &Kernel{Body: body}
		})
	}
	checked := make(map[*Array]bool)
	for _, k := range p.Kernels {
		accesses(k.Body, func(a Access) { checked[a.Array] = checked[a.Array] || a.Checked })
	}
	for _, a := range slices.Clone(p.Arrays) {
		if !checked[a] {
			continue
		}
		x := p.padding(a)
		if x == nil || x.reads*in.weights.of[costCheck] < checkShare*in.weights.costs(unmasked(x.readers)) {
			continue
		}
		k, loops := x.fill()
		before := in.weights.taken(unmasked(x.readers))
		old := make([]Access, len(x.loads))
		for i, v := range x.loads {
			old[i], v.Access = v.Access, x.access(v.Access)
		}
		if in.weights.taken(append(unmasked(x.readers), k))+in.least() < before {
			x.copy.Name = r.namer.used.Like(a.Name)
			r.namer.loops(loops)
			p.Arrays = append(p.Arrays, x.copy)
			p.Kernels = slices.Insert(p.Kernels, x.from, k)
			continue
		}
		for i, v := range x.loads {
			v.Access = old[i]
		}
	}
}

// taken is the time that kernels take, with the interiors of their nests apart.
func (w *Weights) taken(kernels []*Kernel) float64 {
	t := 0.0
	for _, k := range kernels {
		t += w.cost(w.interior(k.Body, false))
	}
	return t
}

// padding is a copy of an array for the kernels that read it when it is whole, or nil if they
// do not read it out of range, or too seldom.
func (p *Program) padding(a *Array) *padded {
	n, whole := len(a.Shape), 0
	for i, k := range p.Kernels {
		if slices.Contains(k.Writes(), a) {
			whole = i + 1
		}
	}
	x := &padded{of: a, copy: &Array{Elem: a.Elem, Role: Temp, Range: a.Range.Join(term.Range{})}, before: make([]int, n)}
	after := make([]int, n)
	var loads []*Value
	for i, k := range p.Kernels[whole:] {
		var all []*Value
		passes := false
		k.loads(a, func(v *Value, runs float64) {
			all = append(all, v)
			if !v.Checked || !v.nearby() {
				return
			}
			passes = true
			x.reads += runs
			for i, at := range v.At {
				x.before[i] = max(x.before[i], int(-at.Range.Lo))
				after[i] = max(after[i], int(at.Range.Hi)+1-a.Shape[i])
			}
		})
		if passes {
			if x.readers == nil {
				x.from = whole + i
			}
			x.readers, loads = append(x.readers, k), append(loads, all...)
		}
	}
	x.copy.padded = x
	for i, n := range a.Shape {
		x.copy.Shape = append(x.copy.Shape, x.before[i]+n+after[i])
	}
	if elements := x.copy.Len(); x.reads == 0 || x.reads < minReads*float64(elements) || elements > maxPadded*a.Len() {
		return nil
	}
	for _, v := range loads {
		if fits(x.access(v.Access)) {
			x.loads = append(x.loads, v)
		}
	}
	return x
}

// nearby reports whether the indices of an access pass the ends of its array by less than its
// length.
func (a Access) nearby() bool {
	for i, x := range a.At {
		if n := int64(a.Array.Shape[i]); x.Range.Lo <= -n || x.Range.Hi >= 2*n {
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
	at := make([]*Value, len(a.At))
	for i, v := range a.At {
		f := formOf(v)
		at[i] = newBuilder(nil).linear(f.konst+int64(x.before[i]), f.coef, f.args)
	}
	return Access{Array: x.copy, At: at}
}

// fill is the kernel that makes the copy, and its loops.
func (x *padded) fill() (*Kernel, []*Loop) {
	b := newBuilder(nil)
	var loops []*Loop
	var at []*Value
	for i, n := range x.of.Shape {
		v := b.variable(n, i+1)
		loops, at = append(loops, &Loop{Var: v, N: n}), append(at, v)
	}
	from := b.load(Access{Array: x.of, At: at})
	body := []Stmt{&Let{from}, &Store{Access: x.access(from.Access), Value: from}}
	for _, l := range slices.Backward(loops) {
		l.Body = body
		body = []Stmt{l}
	}
	return &Kernel{Body: body}, loops
}
