package schedule

import (
	"slices"

	"egad/kernel"
)

// limitValues is what a condition takes, in values that a run computes: to find the first and the last run, once
// for all that goes in lock step.
const limitValues = 4

// checkValues is what it takes to check an access, in such values: a run that is left out checks none.
const checkValues = 2

// DropIdleLimits takes from loops their conditions where these leave out so few runs that it takes longer to find
// them than to do them, as the three by three runs of a filter of which those at the edge of an image read zeros.
// Conditions that have to hold, that data tell, that tell of all runs at once, or that need no other index to
// leave out a run stay.
func DropIdleLimits(body []kernel.Stmt) {
	dropIdleLimits(body, func(*kernel.Loop) bool { return true }, make(map[*kernel.Value]int))
}

// dropIdleLimits is [DropIdleLimits] for some loops; around are how many runs those around have, by their indices.
func dropIdleLimits(body []kernel.Stmt, of func(*kernel.Loop) bool, around map[*kernel.Value]int) {
	for _, l := range kernel.Among[*kernel.Loop](body) {
		if len(l.Only) > 0 && of(l) && !slices.ContainsFunc(l.Only, func(o kernel.Only) bool { return stays(l, o) }) {
			runs := Trips(l, false, func(v *kernel.Value) int { return around[v] })
			each := Effort(l.Body)
			for _, let := range kernel.Among[*kernel.Let](l.Body) {
				if let.Value.Checked {
					each += checkValues
				}
			}
			if (float64(l.N)-runs)*float64(each) < limitValues {
				l.Only = nil
			}
		}
		around[l.Var] = l.N
		dropIdleLimits(l.Body, of, around)
		delete(around, l.Var)
	}
}

// stays reports whether a condition stays in any case.
func stays(l *kernel.Loop, o kernel.Only) bool {
	f := kernel.FormOf(o.Less)
	switch {
	case o.Strict || o.Sure || !slices.Contains(f.Args, l.Var):
		return true
	case len(f.Args) == 1: // it is known where the loop begins and ends
		return max(f.Const, f.Const+f.Coef[0]*int64(l.N-1)) >= 0
	}
	return slices.ContainsFunc(f.Args, func(v *kernel.Value) bool { return v.Kind != kernel.Var })
}
