package machine

import (
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/term/ops"
)

// span computes which runs of a loop are done, for so many lanes: those that are needed in one of them, if the
// loop does nothing else than to add up, and else all. It is called after what it emits.
func (c *compiler) span(l *kernel.Loop) func(n int) (from, to int) {
	type limit struct {
		schedule.Limiting
		args []*reg
	}
	var limits []limit
	if addsUp(l) {
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
				rest := x.Const
				for k, r := range x.args {
					rest += x.Coef[k] * min(max(r.n[min(lane, len(r.n)-1)], -maxBound), maxBound)
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

// addsUp reports whether what a loop does is nothing but to add to sums from 0 and to elements of arrays.
func addsUp(l *kernel.Loop) bool {
	return !l.Order.Whole() && len(l.Carries) == 0 && (len(l.Folds) > 0 || l.Order == kernel.InOrder || l.Order == kernel.Parallel) &&
		!slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Op != ops.SymSum || f.From != nil }) &&
		!kernel.Any(l.Body, func(s *kernel.Store) bool { return !s.Add }) && !kernel.Any(l.Body, func(*kernel.Call) bool { return true })
}
