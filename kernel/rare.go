package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// Rare is a choice in a loop that is hardly ever made, as two reals are hardly
// ever equal: where derivatives are those of 0, say. So it is with one that a real is not between
// a very small number and a very large one. Of the runs in lock step that do not make it nothing
// is computed that is for it alone.
type Rare struct {
	Choice *Value
	Made   bool   // what the choice is where it is made
	First  []Stmt // what tells whether it is made
	Rest   []Stmt
	Never  []Stmt // the rest, where it is not made
	Folds  []Fold // what is folded then
	// Loops are those inside. They are no part of a branch: where the choice is not made, none of their runs
	// is done, and the rest is. (Wazero 1.12 does not compile all loops in branches right.)
	Loops []*Loop
}

// A rare choice is worth a branch if it spares so many values, and such a part of all. No
// more than so many are tried.
const (
	rareValues = 16
	rarePart   = 8
	maxRare    = 16
)

// rare finds the rare choice of a loop that spares most, or nil.
func (z *zeroes) rare(l *Loop) *Rare {
	if l.Order.Whole() || len(l.Carries) > 0 {
		return nil
	}
	stored := Stores(l.Body)
	var best *Rare
	tries := 0
	for _, s := range l.Body {
		let, ok := s.(*Let)
		if !ok {
			continue
		}
		for _, made := range let.Value.seldom() {
			if tries++; tries > maxRare {
				return best
			}
			r := z.spared(l, let.Value, made, stored)
			if r != nil && effort(r.Rest)-effort(r.Never) >= max(rareValues, len(l.Body)/rarePart) && (best == nil || effort(r.Never) < effort(best.Never)) {
				best = r
			}
		}
	}
	return best
}

// seldom tells which of the two a truth value hardly ever is, if that is known.
func (v *Value) seldom() []bool {
	if v.Kind != Compute || v.Args[0].Elem == types.I {
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
		if least.Kind == Lit && most.Kind == Lit && x.Args[1] == y.Args[0] && least.Elem == types.R &&
			least.Const.Num.Float64() < 1e-9 && most.Const.Num.Float64() > 1e9 {
			return []bool{false}
		}
	}
	return nil
}

// effort counts the values that statements compute, those that take long four times.
func effort(body []Stmt) int {
	n := 0
	for _, s := range body {
		n++
		switch s := s.(type) {
		case *Let:
			if s.Value.long() {
				n += 3
			}
		case *Loop:
			n += s.N * effort(s.Body)
		}
	}
	return n
}

// spared splits a loop by a choice, unless what tells whether it is made is stored there, or found by a loop
// inside, or there are loops inside that have to be done in any case.
func (z *zeroes) spared(l *Loop, choice *Value, made bool, stored map[*Array]bool) *Rare {
	needs := needed(choice)
	r := &Rare{Choice: choice, Made: made}
	there := make(map[*Value]bool)
	never := &Loop{Folds: slices.Clone(l.Folds)}
	var found []*Value // by loops inside
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Let:
			if v := s.Value; needs[v] {
				if v.Kind == Load && stored[v.Array] {
					return nil
				}
				r.First, there[v] = append(r.First, s), true
				continue
			}
			never.Body = append(never.Body, s)
		case *Loop:
			if len(s.Carries) > 0 || len(Stores(s.Body)) > 0 {
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
	if slices.ContainsFunc(found, func(v *Value) bool { return needs[v] }) {
		return nil
	}
	x := &knower{known: []truth{{choice, !made}}, made: make(map[*Value]*Value)}
	z.unsigned(remade([]Stmt{never}, there, x.value), there)
	if needs = neededBy([]Stmt{never}); slices.ContainsFunc(found, func(v *Value) bool { return needs[v] }) {
		return nil
	}
	r.Never, r.Folds = never.Body, never.Folds
	return r
}
