package schedule

import (
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/types"
)

// lifetimes say how long the values of a body are needed there, however it is run.
type lifetimes struct {
	loops bool            // it has a loop, which begins with all registers
	last  []int           // of a statement that computes a value: the last one that uses it
	into  []*kernel.Value // and what it is computed together with, if nothing else uses it
	packs []*kernel.Value // functions that are computed at once with others, if they are of single numbers
	twins []*kernel.Value // functions that share most of what they compute with one before, if they are of vectors
	outer []*kernel.Value // reals that are computed before, and needed in each run
	first *int            // how many checks are spared if all indices are checked first, once it is known
}

// bodyKey tells the bodies of the loops of one nest apart.
type bodyKey struct {
	first *kernel.Stmt
	len   int
}

// lifetimes are those of a body, which is looked at once.
func (e *estimator) lifetimes(body []kernel.Stmt) *lifetimes {
	if len(body) == 0 {
		return &lifetimes{}
	}
	return memo.Of(e.lives, bodyKey{&body[0], len(body)}, func() *lifetimes { return newLifetimes(body) })
}

func newLifetimes(body []kernel.Stmt) *lifetimes {
	if slices.ContainsFunc(body, func(s kernel.Stmt) bool { _, ok := s.(*kernel.Loop); return ok }) {
		return &lifetimes{loops: true}
	}
	l := &lifetimes{last: make([]int, len(body)), into: make([]*kernel.Value, len(body))}
	lets := slices.DeleteFunc(slices.Clone(body), func(s kernel.Stmt) bool { return !kernel.IsLet(s) })
	all := func(*kernel.Value) bool { return true }
	packs, twins := PacksOf(lets, all), TwinsOf(lets, all)
	for _, s := range lets {
		v := s.(*kernel.Let).Value
		if packs[v] != nil && packs[v].Members[0] != v {
			l.packs = append(l.packs, v)
		}
		if twins[v] != nil && twins[v].Members[0] != v {
			l.twins = append(l.twins, v)
		}
	}
	written := kernel.Stores(body)
	stored := func(a *kernel.Array) bool { return written[a] }
	made, uses := make(map[*kernel.Value]int, len(body)), make([]int, len(body))
	for i, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			for _, a := range s.Value.Args {
				k, ok := made[a]
				if !ok {
					if a.Elem == types.R && a.Kind != kernel.Lit && !slices.Contains(l.outer, a) {
						l.outer = append(l.outer, a)
					}
					continue
				}
				l.last[k], l.into[k] = i, nil
				if uses[k]++; uses[k] == 1 && s.Value.Merges() && a.Mergeable(stored) {
					l.into[k] = s.Value
				}
			}
			made[s.Value] = i
		case *kernel.Store:
			if k, ok := made[s.Value]; ok {
				l.last[k] = i
			}
		}
	}
	return l
}

// packs is what is spared as functions are computed at once: those of single numbers, and twins.
func (e *estimator) packs(body []kernel.Stmt) float64 {
	t := 0.0
	switch {
	case e.exact || e.filling != nil:
	case e.vectors > 0:
		for _, v := range e.lifetimes(body).twins {
			if e.varying(v) {
				t += e.places(v) * e.Function(v.Op) * sharedByTwins
			}
		}
	case e.lines == 1:
		for _, v := range e.lifetimes(body).packs {
			t += e.Function(v.Op) * (e.Of[cost.TimesAlone] - 1)
		}
	}
	return t
}

// sharedByTwins is which part of a function need not be computed where another one of its family is computed of
// the same number, or of its negative.
const sharedByTwins = 0.6

// hiddenRun is how much of what it takes to begin a run of a loop is hidden behind others, if a run waits for none
// of them and asks but once for what is rarely so.
const hiddenRun = 0.75

// checkedOnce is what a run of a loop spares whose indices are all checked first: see [CheckedFirst].
func (e *estimator) checkedOnce(l *kernel.Loop) float64 {
	lanes := slices.Contains(e.tile.lanes, l)
	if l.Order != kernel.InOrder || e.vectors > 0 && !lanes || e.lines > 1 {
		return 0
	}
	of := e.lifetimes(l.Body)
	if of.first == nil {
		of.first = new(int)
		if in := checkedFirst(l, false); in != nil {
			*of.first = in.checks
		}
	}
	if *of.first == 0 {
		return 0
	}
	spared := hiddenRun * e.Of[cost.Run]
	if lanes {
		spared += float64(2*e.vectors*(*of.first)) * e.Of[cost.Check]
	}
	return spared
}

// spills is what it takes that there are more sums, or values between where they are
// computed and where they are last used, than registers. What is computed before is loaded again
// then.
func (e *estimator) spills(body []kernel.Stmt, sums float64) float64 {
	t := e.Of[cost.Spill] * max(0, sums-e.Of[cost.SumRegisters])
	l := e.lifetimes(body)
	if l.loops {
		return t
	}
	ends := make([]float64, len(body))
	live := min(sums, e.Of[cost.SumRegisters])
	outer := live + 1 // a value in between
	for _, v := range l.outer {
		outer += e.places(v)
	}
	t += e.Of[cost.Spill] * max(0, outer-e.Of[cost.Registers])
	for i, s := range body {
		live -= ends[i]
		s, ok := s.(*kernel.Let)
		if !ok || l.last[i] <= i || e.filling == nil && e.tile.dead[s.Value] {
			continue
		}
		n := e.places(s.Value)
		if into := l.into[i]; into != nil && e.places(into) == n {
			continue
		}
		live += n
		ends[l.last[i]] += n
		t += e.Of[cost.Spill] * min(n, max(0, live-e.Of[cost.Registers]))
	}
	return t
}
