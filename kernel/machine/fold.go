package machine

import (
	"math"

	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// folder is a fold that is being compiled.
type folder struct {
	c *compiler
	kernel.Fold
	result *kernel.Value
	loop   *kernel.Loop
	acc    *reg
	index  *reg // of a position: where it was found is in the result, the best is here
}

// newFold emits the start of a fold. Its accumulators are one for each lane if
// the fold is inside the lane loop.
func (c *compiler) newFold(f kernel.Fold, l *kernel.Loop) *folder {
	d := &folder{c: c, Fold: f, result: f.Result, loop: l}
	n := 1
	if c.inLane {
		n = c.block
	}
	d.acc = newReg(f.Result.Elem, n)
	acc := d.acc
	switch from := f.Nothing(); {
	case f.From != nil:
		x := c.each(f.From)
		c.emit(func(int) {
			copy(acc.r, x.r)
			copy(acc.n, x.n)
		})
	case f.Positional():
		d.index = newReg(types.R, n)
		c.emit(func(n int) { clear(acc.n[:n]) })
	case f.Result.Elem == types.R:
		x := from.Num.Float64()
		c.emit(func(n int) { fill(acc.r[:n], x) })
	default:
		c.emit(func(n int) { fill(acc.n[:n], from.Int) })
	}
	return d
}

func fill[S any](to []S, x S) {
	for i := range to {
		to[i] = x
	}
}

// fold emits the folding of one run of the loop, or of a block of them.
func (d *folder) fold() {
	c, acc := d.c, d.acc
	if d.Positional() {
		d.position()
		return
	}
	across := d.loop == c.Lane
	x := c.each(d.Value)
	if d.Value.Elem != types.R {
		f := ops.IntBinary(d.Step())
		c.emit(func(n int) { foldInto(acc.n, x.n[:n], across, f) })
		return
	}
	switch {
	case d.Op == ops.SymSum && across:
		c.emit(func(n int) {
			s := acc.r[0]
			for _, v := range x.r[:n] {
				s += v
			}
			acc.r[0] = s
		})
	case d.Op == ops.SymSum:
		c.emit(func(n int) {
			to := acc.r[:n]
			for i, v := range x.r[:n] {
				to[i] += v
			}
		})
	default:
		f := ops.FloatBinary(d.Step())
		c.emit(func(n int) { foldInto(acc.r, x.r[:n], across, f) })
	}
}

// foldInto folds each element into the one at its place, or across, all into the first.
func foldInto[S any](to, x []S, across bool, f func(a, b S) S) {
	for i, v := range x {
		if across {
			i = 0
		}
		to[i] = f(to[i], v)
	}
}

func (d *folder) position() {
	c, acc, best := d.c, d.acc, d.index
	x, at := c.each(d.Value), c.each(d.loop.Var)
	across := d.loop == c.Lane
	sign := 1.0
	if d.Op == ops.SymArgmin {
		sign = -1
	}
	c.emit(func(n int) {
		for i, v := range x.r[:n] {
			k, to := at.n[i], i
			if across {
				to = 0
			}
			b := best.r[to]
			if k == 0 || !math.IsNaN(b) && (math.IsNaN(v) || sign*b < sign*v) {
				best.r[to], acc.n[to] = v, k
			}
		}
	})
}

// carry emits what is carried into the first run of a loop; next emits, at the end of a run, what
// is carried into the next one.
func (c *compiler) carry(l *kernel.Loop) (next func()) {
	n := 1
	if c.inLane {
		n = c.block
	}
	move := func(to, from *reg) {
		c.emit(func(n int) {
			copy(to.r[:min(n, len(to.r))], from.r)
			copy(to.n[:min(n, len(to.n))], from.n)
		})
	}
	for _, x := range l.Carries {
		r := newReg(x.Value.Elem, n)
		move(r, c.each(x.From))
		c.regs[x.Value] = r
	}
	return func() {
		var made []*reg // before any is changed
		for _, x := range l.Carries {
			r := newReg(x.Value.Elem, n)
			move(r, c.each(x.Next))
			made = append(made, r)
		}
		for i, x := range l.Carries {
			move(c.regs[x.Value], made[i])
		}
	}
}
