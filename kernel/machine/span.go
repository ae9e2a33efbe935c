package machine

import (
	"math"

	"egad/kernel"
	"egad/kernel/schedule"
)

// span computes which runs of a loop are done, for so many lanes: those that are needed in one of them, if the
// loop does nothing else than to add up, and else all. It is called after what it emits.
func (c *compiler) span(l *kernel.Loop) func(n int) (from, to int) {
	type limit struct {
		schedule.Limiting
		args []*reg
	}
	var limits []limit
	if schedule.AddsUp(l) {
		known := func(v *kernel.Value) bool {
			_, ok := c.regs[v]
			return ok || c.Lane != nil && c.inLane && v == c.Lane.Var
		}
		for _, x := range schedule.LimitingOf(l, true, known) {
			if !kernel.IsUnit(x.Sign) {
				continue
			}
			at := limit{Limiting: x}
			for _, v := range x.Args {
				at.args = append(at.args, c.reg(v))
			}
			limits = append(limits, at)
		}
	}
	return func(n int) (from, to int) {
		if len(limits) == 0 {
			return 0, l.N
		}
		first, last := int64(l.N), int64(0)
		for lane := range n {
			begin, end := int64(0), int64(l.N)
			for _, x := range limits {
				rest, wraps := x.Const, false
				for k, r := range x.args {
					v := r.n[min(lane, len(r.n)-1)]
					wraps = wraps || v <= math.MinInt64/2 || v >= math.MaxInt64/2 // what is added to it where it is compared
					rest += x.Coef[k] * min(max(v, -maxBound), maxBound)
				}
				if wraps {
					continue
				}
				if x.Sign < 0 {
					begin = max(begin, rest+1)
				} else {
					end = min(end, -rest)
				}
			}
			if begin < end {
				first, last = min(first, begin), max(last, end)
			}
		}
		return int(min(first, last)), int(last)
	}
}

// maxBound is larger than all indices, and than what conditions add to an integer that may be larger.
const maxBound = 1 << 40
