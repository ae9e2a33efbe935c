package kernel

import (
	"math"
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// Bounds on nests of which the interior is done apart.
const (
	minInterior   = 8        // runs of a loop
	interiorShare = 0.5      // of its runs
	equalShare    = 0.75     // of its runs, where two indices differ in them: to compare them costs little
	maxInterior   = 300      // statements, as there are more of them then
	apartShare    = 0.95     // of the time that the nest took, at most
	apartTime     = 1.0 / 50 // of the time of a loop that threads share: what takes less is left as it is
	apartRuns     = 10       // that count at most of those of loops around a nest, which is once in the code
)

// interior takes nests of loops apart, as stencils are: one that does the runs in which all
// accesses are known to be in range along some axes, without a check, and others that do the
// runs at the edges. It is done where an estimate says that it takes less time. The body is run so often.
func (w *Weights) interior(body []Stmt, exact bool, runs int) []Stmt {
	var out []Stmt
	for _, s := range body {
		l, ok := s.(*Loop)
		switch {
		case !ok:
			out = append(out, s)
		case l.Order.Whole():
			if inner := w.interior(l.Body, exact, runsIn(runs, l.N)); !slices.Equal(inner, l.Body) {
				copied := *l
				copied.Body, l = inner, &copied
			}
			out = append(out, l)
		default:
			out = append(out, w.worthApart(w.rowwise(l, exact), exact, runs)...)
		}
	}
	return out
}

// runsIn is how many runs count of what is in a loop of n runs, which is itself run so often.
func runsIn(runs, n int) int { return min(runs*max(1, n), apartRuns) }

// worthApart is a nest taken apart, or as it is, whichever takes less time.
func (w *Weights) worthApart(l *Loop, exact bool, runs int) []Stmt {
	whole := []Stmt{l}
	ways := l.waysApart(exact)
	if len(ways) == 0 {
		return whole
	}
	time := w.best(whole, exact)
	if time*float64(runs) < w.of[costShare]*apartTime {
		return whole
	}
	best, least := whole, time*apartShare
	for _, apart := range ways {
		if t := w.best(apart, exact); t <= least {
			best, least = apart, t
		}
	}
	return best
}

// waysApart are the ways to take a nest of loops apart: by its loops that may go in any order, by
// those that fold in them too, and with nests of sums in other orders.
func (l *Loop) waysApart(exact bool) (ways [][]Stmt) {
	apart := l.apart()
	if len(apart) > 1 {
		ways = append(ways, apart)
	}
	chain, lets, rest := nestOf(l)
	if len(chain) == 0 { // it folds, and so may loops in it
		inside, found := foldsApart(l.Body)
		if l.Order != Folding || !found {
			return ways
		}
		inner := *l
		inner.Body = inside
		all, _ := foldsApart([]Stmt{l})
		return slice.Filter([][]Stmt{{&inner}, all}, func(way []Stmt) bool { return statements(way) <= maxInterior })
	}
	bodies := [][]Stmt{rest}
	if !exact {
		bodies = orders(rest)
	}
	for _, body := range bodies {
		if inside, found := foldsApart(body); found && statements(inside) <= maxInterior {
			ways = append(ways, nestIn(chain, lets, inside, &variances{nest: l})[0].apart())
		}
	}
	return ways
}

// foldsApart takes the loops that fold apart that are in a body, and reports whether there are any
// to be taken apart.
func foldsApart(body []Stmt) (out []Stmt, found bool) {
	for _, s := range body {
		l, ok := s.(*Loop)
		if !ok || l.Order != Folding {
			out = append(out, s)
			continue
		}
		parts := l.apart()
		found = found || len(parts) > 1
		for _, p := range parts {
			p := *p.(*Loop)
			inside, more := foldsApart(p.Body)
			p.Body, found = inside, found || more
			out = append(out, &p)
		}
	}
	return out, found
}

// apart is a nest of loops as nests that do a part of its runs each.
func (l *Loop) apart() []Stmt {
	switch {
	case statements(l.Body) > maxInterior:
	case l.Order == Folding || l.Order == Carrying:
		if lo, hi := l.interior(l); (lo > 0 || hi < l.N) && !slices.ContainsFunc(l.Folds, func(f Fold) bool { return f.Positional() }) {
			return l.goingOn(lo, hi)
		}
	default:
		var edges []Stmt
		chain, _, _ := nestOf(l)
		for i := range chain {
			c := chain[i]
			lo, hi := l.interior(c)
			if lo > 0 {
				edges = append(edges, l.box(c, 0, lo))
			}
			if hi < c.N {
				edges = append(edges, l.box(c, hi, c.N-hi))
			}
			if lo > 0 || hi < c.N {
				l = l.box(c, lo, hi-lo)
				chain, _, _ = nestOf(l)
			}
		}
		return append([]Stmt{l}, edges...)
	}
	return []Stmt{l}
}

// goingOn is a loop that folds or carries as loops of which each goes on from what the one before
// results in.
func (l *Loop) goingOn(lo, hi int) []Stmt {
	var out []Stmt
	var before *Loop
	for _, part := range [][2]int{{0, lo}, {lo, hi}, {hi, l.N}} {
		if part[0] == part[1] {
			continue
		}
		next := l.box(l, part[0], part[1]-part[0])
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

// interior are the runs of a loop of a nest in which accesses are in range along the axes that
// its index moves along, indices modulo a size do not pass it, and comparisons of indices are
// decided, whatever the indices of the other loops: from lo up to hi. What would not hold for half
// of the runs does not count.
func (l *Loop) interior(c *Loop) (lo, hi int) {
	lo, hi = 0, c.N
	within := func(f Form, n int64, share float64) bool {
		from, to, ok := f.within(c.Var, n)
		from, to = max(from, 0), min(to, int64(c.N))
		if ok = ok && c.mostly(from, to, share); ok {
			lo, hi = max(lo, int(from)), min(hi, int(to))
		}
		return ok
	}
	Walk([]Stmt{l}, func(s Stmt) {
		let, ok := s.(*Let)
		if !ok {
			return
		}
		if _, x, d, ok := let.Value.division(); ok && d > 0 {
			first, last := floorDiv(x.Range.Lo, d), floorDiv(x.Range.Hi, d)
			for often := first; often <= min(last, first+maxPassed); often++ {
				f := FormOf(x)
				f.Const -= often * d
				within(f, d, interiorShare)
			}
		}
		share := interiorShare
		if let.Value.Op == ops.SymEq {
			share = equalShare
		}
		if f, g, ok := let.Value.differences(); ok && !within(f, maxDifference, share) {
			within(g, maxDifference, share)
		}
	})
	Accesses([]Stmt{l}, func(a Access) {
		if !a.Checked {
			return
		}
		for i, x := range a.At {
			if FitsAxis(x, a.Array.Shape[i]) {
				continue
			}
			within(FormOf(x), int64(a.Array.Shape[i]), interiorShare)
		}
	})
	if !c.mostly(int64(lo), int64(hi), interiorShare) {
		return 0, c.N
	}
	return lo, hi
}

// maxPassed is how many multiples of a size an index modulo it may pass, of those that are looked
// at: at both ends of an axis, one each.
const maxPassed = 2

// maxDifference is more than indices are apart that are compared.
const maxDifference = 1 << 30

// differences are two forms of which one is not negative where a comparison of integers x and y is
// decided: y - x and x - y, less 1 where they have to differ.
func (v *Value) differences() (f, g Form, ok bool) {
	if v.Kind != Compute {
		return f, g, false
	}
	var less [2]int64
	switch v.Op {
	case ops.SymLt:
		less = [2]int64{1, 0}
	case ops.SymLe:
		less = [2]int64{0, 1}
	case ops.SymEq:
		less = [2]int64{1, 1}
	default:
		return f, g, false
	}
	x, y := v.Args[0], v.Args[1]
	of := func(i int, x, y *Value) Form {
		return FormOf(NewBuilder(nil).linear(-less[i], []int64{-1, 1}, []*Value{x, y}))
	}
	return of(0, x, y), of(1, y, x), x.Elem == types.I
}

// mostly reports whether some runs of a loop are enough of it, a share, to be done apart.
func (l *Loop) mostly(from, to int64, share float64) bool {
	return to-from >= minInterior && float64(to-from) >= share*float64(l.N)
}

// within tells for which values of v, from one up to another, a form is at least 0 and less
// than n, whatever its other arguments are.
func (f Form) within(v *Value, n int64) (from, to int64, ok bool) {
	rest := Form{Const: f.Const}
	step := int64(0)
	for i, a := range f.Args {
		if a == v {
			step = f.Coef[i]
			continue
		}
		rest.Coef, rest.Args = append(rest.Coef, f.Coef[i]), append(rest.Args, a)
	}
	r := linearRange(rest.Const, rest.Coef, rest.Args)
	if step == 0 || r.Lo < -math.MaxInt32 || r.Hi > math.MaxInt32 || step < -math.MaxInt32 || step > math.MaxInt32 {
		return 0, 0, false
	}
	least, most := -r.Lo, n-1-r.Hi // of step * v
	if step < 0 {
		least, most, step = -most, -least, -step
	}
	return -floorDiv(-least, step), floorDiv(most, step) + 1, true
}

// box makes a nest in which one of the loops has n runs only, those from a number on.
func (l *Loop) box(c *Loop, from, n int) *Loop {
	all := slices.Collect(allOf[*Loop]([]Stmt{l}))
	r := &replacer{Variance: NewVariance([]Stmt{l}, all...), done: make(map[*Value]*Value), loops: make(map[*Value]*Loop), there: make(map[*Value]bool)}
	for _, x := range all {
		v := *x.Var
		r.loops[x.Var], r.done[x.Var] = &Loop{Var: &v, N: x.N}, &v
		if x == c {
			v.Range = ops.Range{Hi: int64(max(n-1, 0))}
			r.loops[x.Var].N = n
			if from > 0 {
				r.done[x.Var] = linearOf(int64(from), []int64{1}, []*Value{&v})
			}
		}
	}
	return live([]Stmt{r.loop(l)})[0].(*Loop)
}

// pieces are a kernel, with its interior apart, or kernels that do the same one after the other:
// one for each of its loops if they depend on nothing but values before them, so that goroutines
// may share each.
func (w *Weights) pieces(k *Kernel, exact bool, runs int) []*Kernel {
	body := w.interior(k.Body, exact, runs)
	n := FirstLoop(body)
	switch {
	case slices.Equal(body, k.Body):
		return []*Kernel{k}
	case n < 0 || len(body) == len(k.Body):
		return []*Kernel{{Body: body}}
	}
	var out []*Kernel
	for _, s := range body[n:] {
		if l, ok := s.(*Loop); !ok || l.Order != Parallel {
			return []*Kernel{{Body: body}}
		}
		out = append(out, &Kernel{Body: append(body[:n:n], s)})
	}
	return out
}
