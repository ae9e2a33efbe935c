package kernel

import (
	"slices"

	"egad/kernel/wasm"
	"egad/term"
)

// rare is a choice in an innermost loop that is hardly ever made, as two reals are hardly
// ever equal: where derivatives are those of 0, say. So it is with one that a real is not between
// a very small number and a very large one. Of the runs in lock step that do not make it nothing
// is computed that is for it alone.
type rare struct {
	choice *Value
	made   bool   // what the choice is where it is made
	first  []Stmt // what tells whether it is made
	rest   []Stmt
	never  []Stmt // the rest, where it is not made
	folds  []Fold // what is folded then
}

// A rare choice is worth a branch if it spares so many values, and such a part of all. No
// more than so many are tried.
const (
	rareValues = 16
	rarePart   = 8
	maxRare    = 16
)

// rare finds the rare choice of a loop that spares most, or nil.
func (z *zeroes) rare(l *Loop) *rare {
	if !innermost(l) || len(l.Carries) > 0 {
		return nil
	}
	stored := stores(l.Body)
	var best *rare
	tries := 0
	for _, s := range l.Body {
		let, ok := s.(*Let)
		if !ok {
			continue
		}
		made, ok := let.Value.hardlyEver()
		if !ok {
			continue
		}
		if tries++; tries > maxRare {
			break
		}
		if r := z.spared(l, let.Value, made, stored); r != nil && (best == nil || effort(r.never) < effort(best.never)) {
			best = r
		}
	}
	if best == nil || effort(best.rest)-effort(best.never) < max(rareValues, len(l.Body)/rarePart) {
		return nil
	}
	return best
}

// hardlyEver reports whether a truth value is hardly ever one of the two, and which.
func (v *Value) hardlyEver() (made, ok bool) {
	if v.Kind != Compute || v.Args[0].Elem == term.I {
		return false, false
	}
	if v.Op == term.SymEq && v.Args[0].Elem == term.R {
		return true, true
	}
	if v.Op != term.SymAnd || v.Args[0].Op != term.SymLt || v.Args[1].Op != term.SymLt {
		return false, false
	}
	least, most := v.Args[0].Args[0], v.Args[1].Args[1]
	return false, least.Kind == Lit && most.Kind == Lit && v.Args[0].Args[1] == v.Args[1].Args[0] && least.Elem == term.R &&
		least.Const.Num.Float64() < 1e-9 && most.Const.Num.Float64() > 1e9
}

// effort is how many values statements compute, those that take long four times.
func effort(body []Stmt) int {
	n := 0
	for _, s := range body {
		n++
		if let, ok := s.(*Let); ok && let.Value.long() {
			n += 3
		}
	}
	return n
}

// spared splits a loop by a choice, unless what tells whether it is made is stored there.
func (z *zeroes) spared(l *Loop, choice *Value, made bool, stored map[*Array]bool) *rare {
	needs := needed(choice)
	for v := range needs {
		if v.Kind == Load && stored[v.Array] {
			return nil
		}
	}
	r := &rare{choice: choice, made: made}
	there := make(map[*Value]bool)
	for _, s := range l.Body {
		if let, ok := s.(*Let); ok && needs[let.Value] {
			r.first, there[let.Value] = append(r.first, s), true
		} else {
			r.rest = append(r.rest, s)
		}
	}
	x := &knower{known: []truth{{choice, !made}}, made: make(map[*Value]*Value)}
	never := &Loop{Body: r.rest, Folds: slices.Clone(l.Folds)}
	z.unsigned(remade([]Stmt{never}, there, x.value), there)
	r.never, r.folds = never.Body, never.Folds
	return r
}

// not writes the negation of a truth value, or of those of all lanes.
func (e *emitter) not(wide bool) { e.either(wide, wasm.I32Eqz, wasm.V128Not) }

// once writes a run of a loop, or those in lock step.
func (e *emitter) once(l *Loop, folds []*accumulator) {
	write := func(body []Stmt) {
		e.body(body, l)
		for _, f := range folds {
			f.fold()
		}
		e.leave(l)
	}
	e.carriedIndices(l)
	if in := e.schedule.first[l]; in != nil {
		e.checked(l, in)
		return
	}
	r := e.schedule.rare[l]
	if r == nil || e.filling != nil {
		write(l.Body)
		return
	}
	e.body(r.first, l)
	for i, p := range e.places(r.choice) {
		if e.varying(r.choice) {
			e.pushVector(r.choice, p)
		} else {
			e.push(r.choice, p)
		}
		if !r.made {
			e.not(e.varying(r.choice))
		}
		if i > 0 {
			e.either(e.varying(r.choice), wasm.I32Or, wasm.V128Or)
		}
	}
	if e.varying(r.choice) {
		e.f.Op(wasm.V128AnyTrue)
	}
	branch := func(body []Stmt, of []Fold) func() {
		return func() {
			for i, f := range folds {
				f.Value = of[i].Value
			}
			e.merge(body, of, l)
			write(body)
			e.forget(body)
		}
	}
	e.f.IfElse(branch(r.rest, l.Folds), branch(r.never, r.folds))
	e.forget(r.first)
}
