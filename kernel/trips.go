package kernel

import "slices"

// Limiting is a condition on runs of a loop that indices of loops around it tell: sign * the
// index + konst + the sum of coef[i] * args[i] is less than 0.
type Limiting struct {
	Form
	Sign int64 // 0: all runs are done, or none
}

// Limiting are the conditions of a loop, if around are indices that are known.
func (l *Loop) Limiting(exact bool, around func(v *Value) bool) []Limiting {
	var out []Limiting
	for _, o := range l.Only {
		rest := Limiting{Form: Form{Const: o.Less.Const.Int}}
		known := !exact || !o.Finite
		for i, x := range o.Less.Args {
			if x == l.Var {
				rest.Sign = o.Less.Coef[i]
				continue
			}
			rest.Coef, rest.Args = append(rest.Coef, o.Less.Coef[i]), append(rest.Args, x)
			known = known && around(x)
		}
		if known {
			out = append(out, rest)
		}
	}
	return out
}

// outside are the indices of loops of blocks around the nests of a body by which conditions tell which
// runs of loops need be done, and how many there are.
func outside(body []Stmt) map[*Value]int {
	inside, out := make(map[*Value]bool), make(map[*Value]int)
	Walk(body, func(s Stmt) {
		if l, ok := s.(*Loop); ok && !l.Order.Whole() {
			inside[l.Var] = true
		}
	})
	Walk(body, func(s Stmt) {
		if l, ok := s.(*Loop); ok {
			for _, o := range l.Only {
				for _, x := range o.Less.Args {
					if x.Kind == Var && !inside[x] {
						out[x] = int(x.Range.Hi) + 1
					}
				}
			}
		}
	})
	return out
}

// farthest is which integer of a condition moves it farthest.
func (x Limiting) farthest(values func(v *Value) int) *Value {
	most := int64(-1)
	var by *Value
	for i, v := range x.Args {
		if n := max(x.Coef[i], -x.Coef[i]) * int64(values(v)); n > most {
			most, by = n, v
		}
	}
	return by
}

// at is the condition where one integer is this, and others are in the middle of theirs.
func (x Limiting) at(by *Value, is int, values func(v *Value) int) float64 {
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

// trips is how many runs of a loop are done on average, for indices around it that are
// equally often any of theirs; at most so many more are done than an index tells, and than all do. Where
// several tell, as those of blocks and of rows in them do, loops around are left out where there is
// nothing to do.
func (l *Loop) trips(exact bool, around func(v *Value) int, more func(by *Value) int, also int) float64 {
	n := float64(l.N)
	all := l.Limiting(exact, func(v *Value) bool { return around(v) > 0 || v.Kind != Var && v.Range.Lo >= 0 && v.Near() })
	count := func(v *Value) int {
		if v.Kind != Var {
			return int(v.Range.Hi) + 1
		}
		return around(v)
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
		beyond := also
		for _, v := range first.Args {
			beyond += more(v)
		}
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
	return min(n, l.between(exact, func(v *Value) int { return also + more(v) }))
}

// between is how many runs are between two integers, where their difference is known, if they are not;
// at most so many more are done than one tells.
func (l *Loop) between(exact bool, more func(by *Value) int) float64 {
	n := float64(l.N)
	if len(l.Only) < 2 {
		return n
	}
	all := l.Limiting(exact, func(*Value) bool { return true })
	for i, x := range all {
		for _, y := range all[:i] {
			opposite := x.Sign == -y.Sign && x.Sign != 0 && len(x.Args) > 0 && slices.Equal(x.Args, y.Args) &&
				slices.EqualFunc(x.Coef, y.Coef, func(a, b int64) bool { return a == -b })
			if !opposite {
				continue
			}
			beyond := 0
			for _, v := range x.Args {
				beyond += more(v)
			}
			n = min(n, max(0, float64(-x.Const-y.Const-1))+float64(beyond)/2)
		}
	}
	return n
}
