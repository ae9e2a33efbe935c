package machine

import (
	"egad/kernel"
	"egad/term/types"
)

// load emits the loading of an element for each lane. A run of neighbours is
// not copied: the register is that part of the array.
func (c *compiler) load(v *kernel.Value) *reg {
	ad, mem := c.address(v.Access), c.memory[v.Array]
	out := newReg(v.Elem, c.width(v))
	if v.Elem == types.R {
		c.emitFor(v, loader(ad, &out.r, out.r, func() []float64 { return mem.R }))
	} else {
		c.emitFor(v, loader(ad, &out.n, out.n, func() []int64 { return mem.N }))
	}
	return out
}

func loader[S any](ad *address, out *[]S, room []S, array func() []S) step {
	if !ad.regular {
		return func(n int) {
			from := array()
			var zero S
			ad.each(n, func(lane int, pos int64) {
				if pos < 0 {
					room[lane] = zero
				} else {
					room[lane] = from[pos]
				}
			})
		}
	}
	step := ad.step
	return func(n int) {
		from := array()
		lo, hi, pos := ad.span(n)
		if step == 1 && lo == 0 && hi == n {
			*out = from[pos : pos+int64(n)]
			return
		}
		*out = room
		to := room[:n]
		if lo == hi {
			clear(to)
			return
		}
		clear(to[:lo])
		clear(to[hi:])
		if step == 1 {
			copy(to[lo:hi], from[pos+int64(lo):])
			return
		}
		for i := lo; i < hi; i++ {
			to[i] = from[pos+step*int64(i)]
		}
	}
}

// store emits a store of an element for each lane. Lanes add in their order.
func (c *compiler) store(s *kernel.Store) {
	ad, mem := c.address(s.Access), c.memory[s.Array]
	v := c.each(s.Value)
	if s.Array.Elem == types.R {
		c.emit(storer(ad, s.Add, &v.r, func() []float64 { return mem.R }))
	} else {
		c.emit(storer(ad, s.Add, &v.n, func() []int64 { return mem.N }))
	}
}

func storer[S int64 | float64](ad *address, add bool, value *[]S, array func() []S) step {
	if !ad.regular {
		return func(n int) {
			to, from := array(), *value
			ad.each(n, func(lane int, pos int64) {
				switch {
				case pos < 0:
				case add:
					to[pos] += from[lane]
				default:
					to[pos] = from[lane]
				}
			})
		}
	}
	step := ad.step
	return func(n int) {
		to, from := array(), *value
		lo, hi, pos := ad.span(n)
		switch {
		case lo == hi:
		case add:
			for i := lo; i < hi; i++ {
				to[pos+step*int64(i)] += from[i]
			}
		case step == 1:
			copy(to[pos+int64(lo):], from[lo:hi])
		default:
			for i := lo; i < hi; i++ {
				to[pos+step*int64(i)] = from[i]
			}
		}
	}
}
