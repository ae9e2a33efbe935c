package schedule

import (
	"slices"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// Rare is a choice in a loop that is hardly ever made, as two reals are hardly
// ever equal: where derivatives are those of 0, say. So it is with one that a real is not between
// a very small number and a very large one. Of the runs in lock step that do not make it nothing
// is computed that is for it alone.
type Rare struct {
	Choice *kernel.Value
	Made   bool          // what the choice is where it is made
	First  []kernel.Stmt // what tells whether it is made
	Rest   []kernel.Stmt
	Never  []kernel.Stmt // the rest, where it is not made
	Folds  []kernel.Fold // what is folded then
	// Loops are those inside. They are no part of a branch: where the choice is not made, none of their runs
	// is done, and the rest is. (Wazero 1.12 does not compile all loops in branches right.)
	Loops []*kernel.Loop
}

// A rare choice is worth a branch if it spares so many values, and such a part of all. No
// more than so many are tried.
const (
	rareValues = 16
	rarePart   = 8
	maxRare    = 16
)

// rare finds the rare choice of a loop that spares most, or nil.
func rare(z *sparsity.Zeroes, l *kernel.Loop) *Rare {
	if l.Order.Whole() || len(l.Carries) > 0 {
		return nil
	}
	stored := kernel.Stores(l.Body)
	var best *Rare
	tries := 0
	for _, let := range kernel.Among[*kernel.Let](l.Body) {
		for _, made := range SeldomIs(let.Value) {
			if tries++; tries > maxRare {
				return best
			}
			r := spared(z, l, let.Value, made, stored)
			if r != nil && Effort(r.Rest)-Effort(r.Never) >= max(rareValues, len(l.Body)/rarePart) && (best == nil || Effort(r.Never) < Effort(best.Never)) {
				best = r
			}
		}
	}
	return best
}

// SeldomIs tells which of the two a truth value hardly ever is, if that is known.
func SeldomIs(v *kernel.Value) []bool {
	if v.Kind != kernel.Compute || v.Args[0].Elem == types.I {
		return nil
	}
	if v.Op == ops.SymEq && v.Args[0].Elem == types.R {
		return []bool{true}
	}
	if v.Op != ops.SymAnd || v.Args[0].Op != ops.SymLt || v.Args[1].Op != ops.SymLt {
		return nil
	}
	for i, x := range v.Args {
		y := v.Args[1-i]
		least, most := x.Args[0], y.Args[1]
		if least.Kind == kernel.Lit && most.Kind == kernel.Lit && x.Args[1] == y.Args[0] && least.Elem == types.R &&
			least.Const.Num.Float64() < 1e-9 && most.Const.Num.Float64() > 1e9 {
			return []bool{false}
		}
	}
	return nil
}

// Effort counts the values that statements compute, those that take long four times.
func Effort(body []kernel.Stmt) int {
	n := 0
	for _, s := range body {
		n++
		switch s := s.(type) {
		case *kernel.Let:
			if s.Value.TakesLong() {
				n += 3
			}
		case *kernel.Loop:
			n += s.N * Effort(s.Body)
		}
	}
	return n
}

// spared splits a loop by a choice, unless what tells whether it is made is stored there, or found by a loop
// inside, or there are loops inside that have to be done in any case.
func spared(z *sparsity.Zeroes, l *kernel.Loop, choice *kernel.Value, made bool, stored map[*kernel.Array]bool) *Rare {
	needs := kernel.Needed(choice)
	r := &Rare{Choice: choice, Made: made}
	there := make(map[*kernel.Value]bool)
	never := &kernel.Loop{Folds: slices.Clone(l.Folds)}
	var found []*kernel.Value // by loops inside
	for _, s := range l.Body {
		switch s := s.(type) {
		case *kernel.Let:
			if v := s.Value; needs[v] {
				if v.Kind == kernel.Load && stored[v.Array] {
					return nil
				}
				r.First, there[v] = append(r.First, s), true
				continue
			}
			never.Body = append(never.Body, s)
		case *kernel.Loop:
			if len(s.Carries) > 0 || len(kernel.Stores(s.Body)) > 0 {
				return nil
			}
			for _, f := range s.Folds {
				found = append(found, f.Result)
			}
			r.Loops = append(r.Loops, s)
		default:
			never.Body = append(never.Body, s)
		}
		r.Rest = append(r.Rest, s)
	}
	if slices.ContainsFunc(found, func(v *kernel.Value) bool { return needs[v] }) {
		return nil
	}
	x := &sparsity.Knower{Known: []sparsity.Truth{{Of: choice, One: !made}}, Made: make(map[*kernel.Value]*kernel.Value)}
	z.Unsigned(kernel.MapValues([]kernel.Stmt{never}, there, x.Value), there)
	if needs = kernel.NeededBy([]kernel.Stmt{never}); slices.ContainsFunc(found, func(v *kernel.Value) bool { return needs[v] }) {
		return nil
	}
	r.Never, r.Folds = never.Body, never.Folds
	return r
}
