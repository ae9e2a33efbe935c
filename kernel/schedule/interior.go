package schedule

import (
	"math"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// Bounds on nests of which the interior is done apart.
const (
	minInterior   = 8        // runs of a loop
	interiorShare = 0.5      // of its runs
	equalShare    = 0.75     // of its runs, where two indices differ in them: to compare them costs little
	maxInterior   = 300      // statements, as there are more of them then
	ApartShare    = 0.95     // of the time that the nest took, at most
	apartTime     = 1.0 / 50 // of the time of a loop that threads share: what takes less is left as it is
	apartRuns     = 10       // that count at most of those of loops around a nest, which is once in the code
)

// Interior takes nests of loops apart, as stencils are: one that does the runs in which all
// accesses are known to be in range along some axes, without a check, and others that do the
// runs at the edges. It is done where an estimate says that it takes less time. The body is run so often.
func Interior(w *cost.Weights, body []kernel.Stmt, exact bool, runs int) []kernel.Stmt {
	var out []kernel.Stmt
	for _, s := range body {
		l, ok := s.(*kernel.Loop)
		switch {
		case !ok:
			out = append(out, s)
		case l.Order.Whole():
			if inner := Interior(w, l.Body, exact, runsIn(runs, l.N)); !slices.Equal(inner, l.Body) {
				l = l.With(inner)
			}
			out = append(out, l)
		default:
			out = append(out, worthApart(w, rowwise(w, l, exact), exact, runs)...)
		}
	}
	return out
}

// runsIn is how many runs count of what is in a loop of n runs, which is itself run so often.
func runsIn(runs, n int) int { return min(runs*max(1, n), apartRuns) }

// worthApart is a nest taken apart, or as it is, whichever takes less time.
func worthApart(w *cost.Weights, l *kernel.Loop, exact bool, runs int) []kernel.Stmt {
	whole := []kernel.Stmt{l}
	ways := waysApart(l, exact)
	if len(ways) == 0 {
		return whole
	}
	time := Time(w, whole, exact)
	if time*float64(runs) < w.Of[cost.Share]*apartTime {
		return whole
	}
	best, least := whole, time*ApartShare
	for _, apart := range ways {
		if t := Time(w, apart, exact); t <= least {
			best, least = apart, t
		}
	}
	return best
}

// waysApart are the ways to take a nest of loops apart: by its loops that may go in any order, by
// those that fold in them too, and with nests of sums in other orders.
func waysApart(l *kernel.Loop, exact bool) (ways [][]kernel.Stmt) {
	apart := takenApart(l)
	if len(apart) > 1 {
		ways = append(ways, apart)
	}
	chain, lets, rest := NestOf(l)
	if len(chain) == 0 { // it folds, and so may loops in it
		inside, found := foldsApart(l.Body)
		if l.Order != kernel.Folding || !found {
			return ways
		}
		all, _ := foldsApart([]kernel.Stmt{l})
		return slice.Filter([][]kernel.Stmt{{l.With(inside)}, all}, func(way []kernel.Stmt) bool { return kernel.CountStatements(way) <= maxInterior })
	}
	bodies := [][]kernel.Stmt{rest}
	if !exact {
		bodies = orders(rest)
	}
	for _, body := range bodies {
		if inside, found := foldsApart(body); found && kernel.CountStatements(inside) <= maxInterior {
			ways = append(ways, takenApart(nestIn(chain, lets, inside, &variances{nest: l})[0]))
		}
	}
	return ways
}

// foldsApart takes the loops that fold apart that are in a body, and reports whether there are any
// to be taken apart.
func foldsApart(body []kernel.Stmt) (out []kernel.Stmt, found bool) {
	for _, s := range body {
		l, ok := s.(*kernel.Loop)
		if !ok || l.Order != kernel.Folding {
			out = append(out, s)
			continue
		}
		parts := takenApart(l)
		found = found || len(parts) > 1
		for _, p := range parts {
			p := p.(*kernel.Loop)
			inside, more := foldsApart(p.Body)
			out, found = append(out, p.With(inside)), found || more
		}
	}
	return out, found
}

// takenApart is a nest of loops as nests that do a part of its runs each.
func takenApart(l *kernel.Loop) []kernel.Stmt {
	switch {
	case kernel.CountStatements(l.Body) > maxInterior:
	case l.Order == kernel.Folding || l.Order == kernel.Carrying:
		if lo, hi := interiorOf(l, l); (lo > 0 || hi < l.N) && !slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Positional() }) {
			return goingOn(l, lo, hi)
		}
	default:
		var edges []kernel.Stmt
		chain, _, _ := NestOf(l)
		for i := range chain {
			c := chain[i]
			lo, hi := interiorOf(l, c)
			if lo > 0 {
				edges = append(edges, Box(l, c, 0, lo))
			}
			if hi < c.N {
				edges = append(edges, Box(l, c, hi, c.N-hi))
			}
			if lo > 0 || hi < c.N {
				l = Box(l, c, lo, hi-lo)
				chain, _, _ = NestOf(l)
			}
		}
		return append([]kernel.Stmt{l}, edges...)
	}
	return []kernel.Stmt{l}
}

// goingOn is a loop that folds or carries as loops of which each goes on from what the one before
// results in.
func goingOn(l *kernel.Loop, lo, hi int) []kernel.Stmt {
	var out []kernel.Stmt
	var before *kernel.Loop
	for _, part := range [][2]int{{0, lo}, {lo, hi}, {hi, l.N}} {
		if part[0] == part[1] {
			continue
		}
		next := Box(l, l, part[0], part[1]-part[0])
		for i := range next.Folds {
			if before != nil {
				next.Folds[i].From = before.Folds[i].Result
			}
			if part[1] == l.N {
				next.Folds[i].Result = l.Folds[i].Result
			}
		}
		for i := range next.Carries {
			if before != nil {
				next.Carries[i].From = before.Carries[i].Result
			}
			if part[1] == l.N {
				next.Carries[i].Result = l.Carries[i].Result
			}
		}
		out, before = append(out, next), next
	}
	return out
}

// interiorOf are the runs of a loop of a nest in which accesses are in range along the axes that
// its index moves along, indices modulo a size do not pass it, and comparisons and signs of indices are
// decided, whatever the indices of the other loops: from lo up to hi. What would not hold for half
// of the runs does not count.
func interiorOf(l, c *kernel.Loop) (lo, hi int) {
	lo, hi = 0, c.N
	within := func(f kernel.Form, n int64, share float64) bool {
		from, to, ok := within(f, c.Var, n)
		from, to = max(from, 0), min(to, int64(c.N))
		if ok = ok && enough(c, from, to, share); ok {
			lo, hi = max(lo, int(from)), min(hi, int(to))
		}
		return ok
	}
	kernel.Walk([]kernel.Stmt{l}, func(s kernel.Stmt) {
		let, ok := s.(*kernel.Let)
		if !ok {
			return
		}
		if _, x, d, ok := let.Value.Division(); ok && d > 0 {
			first, last := kernel.FloorDiv(x.Range.Lo, d), kernel.FloorDiv(x.Range.Hi, d)
			for often := first; often <= min(last, first+maxPassed); often++ {
				f := kernel.FormOf(x)
				f.Const -= often * d
				within(f, d, interiorShare)
			}
		}
		share := interiorShare
		if let.Value.Op == ops.SymEq {
			share = equalShare
		}
		if v := let.Value; v.Elem == types.I && v.Op == ops.SymAbs && !within(kernel.FormOf(v.Args[0]), maxDifference, share) {
			within(kernel.FormOf(kernel.LinearOf(0, []int64{-1}, v.Args)), maxDifference, share)
		}
		if f, g, ok := sparsity.Differences(let.Value); ok && !within(f, maxDifference, share) {
			within(g, maxDifference, share)
		}
	})
	kernel.Accesses([]kernel.Stmt{l}, func(a kernel.Access) {
		if !a.Checked {
			return
		}
		for i, x := range a.At {
			if kernel.FitsAxis(x, a.Array.Shape[i]) {
				continue
			}
			within(kernel.FormOf(x), int64(a.Array.Shape[i]), interiorShare)
		}
	})
	if !enough(c, int64(lo), int64(hi), interiorShare) {
		return 0, c.N
	}
	return lo, hi
}

// maxPassed is how many multiples of a size an index modulo it may pass, of those that are looked
// at: at both ends of an axis, one each.
const maxPassed = 2

// maxDifference is more than indices are apart that are compared.
const maxDifference = 1 << 30

// enough reports whether some runs of a loop are enough of it, a share, to be done apart.
func enough(l *kernel.Loop, from, to int64, share float64) bool {
	return to-from >= minInterior && float64(to-from) >= share*float64(l.N)
}

// within tells for which values of v, from one up to another, a form is at least 0 and less
// than n, whatever its other arguments are.
func within(f kernel.Form, v *kernel.Value, n int64) (from, to int64, ok bool) {
	step, rest := f.Without(v)
	r := rest.Range()
	if step == 0 || r.Lo < -math.MaxInt32 || r.Hi > math.MaxInt32 || step < -math.MaxInt32 || step > math.MaxInt32 {
		return 0, 0, false
	}
	least, most := -r.Lo, n-1-r.Hi // of step * v
	if step < 0 {
		least, most, step = -most, -least, -step
	}
	return -kernel.FloorDiv(-least, step), kernel.FloorDiv(most, step) + 1, true
}

// Box makes a nest in which one of the loops has n runs only, those from a number on.
func Box(l, c *kernel.Loop, from, n int) *kernel.Loop {
	all := slices.Collect(kernel.All[*kernel.Loop]([]kernel.Stmt{l}))
	r := &Replacer{Variance: kernel.NewVariance([]kernel.Stmt{l}, all...), done: make(map[*kernel.Value]*kernel.Value), loops: make(map[*kernel.Value]*kernel.Loop), there: make(map[*kernel.Value]bool)}
	for _, x := range all {
		v := *x.Var
		r.loops[x.Var], r.done[x.Var] = &kernel.Loop{Var: &v, N: x.N}, &v
		if x == c {
			v.Range = ops.Range{Hi: int64(max(n-1, 0))}
			r.loops[x.Var].N = n
			if from > 0 {
				r.done[x.Var] = kernel.LinearOf(int64(from), []int64{1}, []*kernel.Value{&v})
			}
		}
	}
	return kernel.DropUnused([]kernel.Stmt{r.Loop(l)})[0].(*kernel.Loop)
}

// pieces are a kernel, with its interior apart, or kernels that do the same one after the other:
// one for each of its loops if they depend on nothing but values before them, so that goroutines
// may share each.
func pieces(w *cost.Weights, k *kernel.Kernel, exact bool, runs int) []*kernel.Kernel {
	body := Interior(w, k.Body, exact, runs)
	n := kernel.FirstLoop(body)
	switch {
	case slices.Equal(body, k.Body):
		return []*kernel.Kernel{k}
	case n < 0 || len(body) == len(k.Body):
		return []*kernel.Kernel{{Body: body}}
	}
	var out []*kernel.Kernel
	for _, s := range body[n:] {
		if l, ok := s.(*kernel.Loop); !ok || l.Order != kernel.Parallel {
			return []*kernel.Kernel{{Body: body}}
		}
		out = append(out, &kernel.Kernel{Body: append(body[:n:n], s)})
	}
	return out
}
