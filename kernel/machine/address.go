package machine

import (
	"egad/kernel"
	"egad/term/ops"
)

// affine is an integer from + step * lane + the rest, which varies with the lane
// in some other way and is nil if there is none.
type affine struct {
	konst int64
	coefs []int64 // of terms, which do not vary
	terms []*reg
	step  int64
	rest  []term1
}

// term1 is a part of the rest of an [affine] integer.
type term1 struct {
	coef int64
	reg  *reg
}

// affine takes an integer apart.
func (c *compiler) affine(v *kernel.Value) affine {
	f := kernel.FormOf(v)
	a := affine{konst: f.Const}
	for i, x := range f.Args {
		switch {
		case c.Lane != nil && x == c.Lane.Var:
			a.step = f.Coef[i]
		case c.Varies(x):
			a.rest = append(a.rest, term1{f.Coef[i], c.reg(x)})
		default:
			a.coefs = append(a.coefs, f.Coef[i])
			a.terms = append(a.terms, c.reg(x))
		}
	}
	if a.step != 0 {
		// The block begins at the lane loop's first index.
		a.coefs = append(a.coefs, a.step)
		a.terms = append(a.terms, c.base)
	}
	return a
}

// first is the value for lane 0, without the rest.
func (a *affine) first() int64 {
	x := a.konst
	for i, t := range a.terms {
		x += a.coefs[i] * t.n[0]
	}
	return x
}

// at is the value for a lane, if first is that of lane 0.
func (a *affine) at(first int64, lane int) int64 {
	x := first + a.step*int64(lane)
	for _, t := range a.rest {
		x += t.coef * t.reg.n[lane]
	}
	return x
}

// linear emits the computation of a linear value.
func (c *compiler) linear(v *kernel.Value, out *reg) {
	a := c.affine(v)
	if !c.Varies(v) {
		c.emit(func(int) { out.n[0] = a.first() })
		return
	}
	c.emit(func(n int) {
		first := a.first()
		for i := range out.n[:n] {
			out.n[i] = a.at(first, i)
		}
	})
}

// address is where an access is in memory.
type address struct {
	flat    affine   // the row-major position, of an access that is in range
	axes    []affine // if it must be checked
	shape   []int
	strides []int64
	regular bool // no rest: equal steps from lane to lane
	step    int64
}

func (c *compiler) address(a kernel.Access) *address {
	ad := &address{shape: a.Array.Shape, regular: true, strides: make([]int64, len(a.At))}
	stride := int64(1)
	for i := len(a.At) - 1; i >= 0; i-- {
		ad.strides[i] = stride
		stride *= int64(a.Array.Shape[i])
	}
	for i, v := range a.At {
		x := c.affine(v)
		ad.regular = ad.regular && len(x.rest) == 0 && -maxStep < x.step && x.step < maxStep
		ad.step += ad.strides[i] * x.step
		ad.axes = append(ad.axes, x)
	}
	if !a.Checked {
		ad.flat = c.affine(a.Position(a.Array.Shape))
		ad.axes = nil
		ad.regular, ad.step = len(ad.flat.rest) == 0, ad.flat.step
	}
	return ad
}

// span is the lanes lo … hi-1 of n that are in range, and the position of lane 0
// (in memory only if lane 0 is in range), for a regular address.
func (ad *address) span(n int) (lo, hi int, pos int64) {
	if ad.axes == nil {
		return 0, n, ad.flat.first()
	}
	hi = n
	div := ops.IntBinary(ops.SymIdiv)
	for i := range ad.axes {
		// An index that is too far out is so for all lanes.
		x, size := max(-far, min(ad.axes[i].first(), far)), int64(ad.shape[i])
		pos += ad.strides[i] * x
		switch s := ad.axes[i].step; {
		case s == 0:
			if x < 0 || x >= size {
				hi = 0
			}
		case s > 0: // 0 <= x + s * lane < size
			lo = max(lo, clamp(-div(x, s), n))
			hi = min(hi, clamp(-div(x-size, s), n))
		default:
			lo = max(lo, clamp(div(x-size, -s)+1, n))
			hi = min(hi, clamp(div(x, -s)+1, n))
		}
	}
	return lo, max(lo, hi), pos
}

// far is beyond all arrays, and so are the neighbours of lanes from there.
const (
	far     = 1 << 50
	maxStep = 1 << 31
)

func clamp(x int64, n int) int { return int(max(0, min(x, int64(n)))) }

// each calls f with the position of every lane, or -1 if it is out of range.
func (ad *address) each(n int, f func(lane int, pos int64)) {
	if ad.axes == nil {
		first := ad.flat.first()
		for i := range n {
			f(i, ad.flat.at(first, i))
		}
		return
	}
	var buf [8]int64
	firsts := buf[:0]
	for i := range ad.axes {
		firsts = append(firsts, ad.axes[i].first())
	}
	for l := range n {
		pos := int64(0)
		for i := range ad.axes {
			x := ad.axes[i].at(firsts[i], l)
			if x < 0 || x >= int64(ad.shape[i]) {
				pos = -1
				break
			}
			pos += ad.strides[i] * x
		}
		f(l, pos)
	}
}
