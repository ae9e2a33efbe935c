package schedule

import (
	"egad/kernel"
	"egad/kernel/strength"
)

// maxShort bounds the runs of a loop that is written out in a loop whose runs go in order.
const maxShort = 16

// reduced is a kernel with less to ask and to divide. Short loops in loops whose runs go in order are written out
// where an estimate says that it takes less time: a scatter that adds a few numbers at each place checks the place
// once then, and nothing is asked to add them.
func (x *Scheduler) reduced(k *kernel.Kernel) *kernel.Kernel {
	out := strength.Reduce(k, x.exact)
	body, found := shortWritten(k.Body)
	if !found {
		return out
	}
	if other := strength.Reduce(k.With(body), x.exact); Time(x.weights, other.Body, x.exact) < Time(x.weights, out.Body, x.exact) {
		return other
	}
	return out
}

// shortWritten writes out the short loops in loops whose runs go in order, and reports whether there are any.
func shortWritten(body []kernel.Stmt) (out []kernel.Stmt, found bool) {
	for _, s := range body {
		if l, ok := s.(*kernel.Loop); ok {
			inner, more := shortWritten(l.Body)
			if l.Order == kernel.InOrder && shortAll(l.Body) {
				inner, more = writtenOut(l.Body), true
			}
			if more {
				found, s = true, l.With(inner)
			}
		}
		out = append(out, s)
	}
	return out, found
}

// shortAll reports whether there are loops in a body, all of them short, and few statements when they are written
// out.
func shortAll(body []kernel.Stmt) bool {
	n, loops := 0, false
	for _, s := range body {
		l, ok := s.(*kernel.Loop)
		if !ok {
			n++
			continue
		}
		if l.Order != kernel.Parallel || !l.Innermost() || len(l.Only) > 0 || l.If != nil || l.N > maxShort {
			return false
		}
		n, loops = n+l.N*len(l.Body), true
	}
	return loops && n <= maxTwice
}

// writtenOut is a body in which the runs of loops come one after the other.
func writtenOut(body []kernel.Stmt) (out []kernel.Stmt) {
	b := kernel.NewBuilder(nil)
	for _, s := range body {
		l, ok := s.(*kernel.Loop)
		if !ok {
			out = append(out, s)
			continue
		}
		for i := range l.N {
			out = append(out, NewReplacer(l, b.Int(int64(i))).Loop(l).Body...)
		}
	}
	return out
}
