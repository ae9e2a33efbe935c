package schedule

import (
	"math"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
)

// Limiting is a condition on runs of a loop that indices of loops around it tell: sign * the
// index + konst + the sum of coef[i] * args[i] is less than 0.
type Limiting struct {
	kernel.Form
	Sign int64 // 0: all runs are done, or none
	Sure bool  // no other runs are done
}

// LimitingOf finds the conditions of a loop, if around are indices that are known.
func LimitingOf(l *kernel.Loop, exact bool, around func(v *kernel.Value) bool) []Limiting {
	var out []Limiting
	for _, o := range l.Only {
		sign, rest := kernel.FormOf(o.Less).Without(l.Var)
		if !(exact && o.Finite) && !slices.ContainsFunc(rest.Args, func(x *kernel.Value) bool { return !around(x) }) {
			out = append(out, Limiting{rest, sign, o.Sure})
		}
	}
	return out
}

// Span is which of n runs of a loop need be done by some conditions, from one up to another, if at gives the least and the
// most that an integer may be: all, where one that tells is not known.
func Span(n int, by []Limiting, at func(v *kernel.Value) (least, most int64, ok bool)) (from, to int) {
	first, last := int64(0), int64(n)
	for _, c := range by {
		rest := c.Const // the least that it may be
		for k, v := range c.Args {
			least, most, ok := at(v)
			switch {
			case !ok:
				return 0, n
			case c.Coef[k] < 0:
				rest += c.Coef[k] * most
			default:
				rest += c.Coef[k] * least
			}
		}
		switch {
		case c.Sign > 0:
			last = min(last, -kernel.FloorDiv(rest, c.Sign))
		case c.Sign < 0:
			first = max(first, kernel.FloorDiv(rest, -c.Sign)+1)
		case rest >= 0:
			last = 0
		}
	}
	first = min(first, int64(n))
	return int(first), int(max(first, last))
}

// All are the conditions of a loop, whatever they are of.
func All(l *kernel.Loop, exact bool) []Limiting {
	return LimitingOf(l, exact, func(*kernel.Value) bool { return true })
}

// outside are the indices of loops of blocks around the nests of a body by which conditions tell which
// runs of loops need be done, and how many there are.
func outside(body []kernel.Stmt) map[*kernel.Value]int {
	inside, out := make(map[*kernel.Value]bool), make(map[*kernel.Value]int)
	for l := range kernel.All[*kernel.Loop](body) {
		if !l.Order.Whole() {
			inside[l.Var] = true
		}
	}
	for l := range kernel.All[*kernel.Loop](body) {
		for _, o := range l.Only {
			for _, x := range o.Less.Args {
				if x.Kind == kernel.Var && !inside[x] {
					out[x] = int(x.Range.Hi) + 1
				}
			}
		}
	}
	return out
}

// farthest is which integer of a condition moves it farthest.
func (x Limiting) farthest(values func(v *kernel.Value) int) *kernel.Value {
	most := int64(-1)
	var by *kernel.Value
	for i, v := range x.Args {
		if n := max(x.Coef[i], -x.Coef[i]) * int64(values(v)); n > most {
			most, by = n, v
		}
	}
	return by
}

// at is the condition where one integer is this, and others are in the middle of theirs.
func (x Limiting) at(by *kernel.Value, is int, values func(v *kernel.Value) int) float64 {
	t := float64(x.Const)
	for i, v := range x.Args {
		if v == by {
			t += float64(x.Coef[i]) * float64(is)
		} else {
			t += float64(x.Coef[i]) * float64(values(v)-1) / 2
		}
	}
	return t
}

// tripsTogether is [Trips] where runs are done in lock step: at most so many more are done than an index tells, and
// than all do.
func tripsTogether(l *kernel.Loop, exact bool, around func(v *kernel.Value) int, more func(by *kernel.Value) int, also int) float64 {
	n := float64(l.N)
	all := LimitingOf(l, exact, func(v *kernel.Value) bool { return around(v) > 0 })
	count := func(v *kernel.Value) int {
		switch {
		case v.Kind == kernel.Var:
			return around(v)
		case v.Range.Lo >= 0 && v.Near():
			return int(v.Range.Hi) + 1
		}
		return l.N + 1 // as what a loop is up to
	}
	for i, first := range all {
		by := first.farthest(count)
		if by == nil {
			continue
		}
		same := func(x Limiting) bool { return len(x.Args) == 1 && x.Args[0] == by }
		if one := len(first.Args) == 1; one && slices.IndexFunc(all, same) < i {
			continue
		} else if !one {
			same = func(x Limiting) bool { return slices.Equal(x.Args, first.Args) && slices.Equal(x.Coef, first.Coef) }
		}
		beyond := also + slice.Sum(first.Args, more)
		values := count(by)
		tries, some, sum := min(values, 16), 0, 0.0
		for k := range tries {
			from, to := 0.0, float64(l.N)
			for _, x := range all {
				if !same(x) {
					continue
				}
				switch at := -x.at(by, (2*k+1)*values/(2*tries), count); {
				case x.Sign < 0:
					from = max(from, 1-at)
				case x.Sign > 0:
					to = min(to, at)
				case at <= 0:
					to = 0
				}
			}
			if runs := min(float64(l.N), max(0, to-from+float64(beyond)/2)); runs > 0 {
				some, sum = some+1, sum+runs
			}
		}
		if len(first.Args) == 1 {
			some = tries
		}
		if some > 0 {
			n = min(n, sum/float64(some))
		}
	}
	return min(n, between(l, all, func(v *kernel.Value) int { return also + more(v) }))
}

// Trips estimates how many runs of a loop are done on average, for indices around it that are
// equally often any of theirs. Where several tell, as those of blocks and of rows in them do, loops around are left
// out where there is nothing to do. Of an integer that data say, around is 0 if it is not known before the loop.
func Trips(l *kernel.Loop, exact bool, around func(v *kernel.Value) int) float64 {
	return tripsTogether(l, exact, around, func(*kernel.Value) int { return 0 }, 0)
}

// between is how many runs are between two conditions of a loop, where their difference is known, if they
// are not, or they are neighbours in an array, which are taken for the ends of parts of what the loop is
// over; at most so many more are done than one tells.
func between(l *kernel.Loop, all []Limiting, more func(by *kernel.Value) int) float64 {
	n := float64(l.N)
	for i, x := range all {
		for _, y := range all[:i] {
			if x.Sign != -y.Sign || x.Sign == 0 {
				continue
			}
			most, beyond := math.Inf(1), 0
			if len(x.Args) > 0 && slices.Equal(x.Args, y.Args) && slices.EqualFunc(x.Coef, y.Coef, func(a, b int64) bool { return a == -b }) {
				most = max(0, float64(-x.Const-y.Const-1))
			} else if parts := x.neighbours(y); parts > 0 {
				most = float64(l.N) / float64(parts)
			}
			beyond += slice.Sum(x.Args, more)
			n = min(n, most+float64(beyond)/2)
		}
	}
	return n
}

// neighbours is how many parts a loop has whose ends are neighbours in an array, as these two
// conditions say, or 0.
func (x Limiting) neighbours(y Limiting) int {
	if len(x.Args) != 1 || len(y.Args) != 1 || x.Coef[0] != -y.Coef[0] || x.Args[0].Kind != kernel.Load || y.Args[0].Kind != kernel.Load {
		return 0
	}
	a, b := x.Args[0].Access, y.Args[0].Access
	if a.Array != b.Array || len(a.At) != 1 {
		return 0
	}
	f, g := kernel.FormOf(a.At[0]), kernel.FormOf(b.At[0])
	if !slices.Equal(f.Args, g.Args) || !slices.Equal(f.Coef, g.Coef) || !kernel.IsUnit(f.Const-g.Const) {
		return 0
	}
	return a.Array.Len() - 1
}
