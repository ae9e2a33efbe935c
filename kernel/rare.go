package kernel

import (
	"slices"

	"egad/kernel/wasm"
	"egad/term"
)

// rare is a choice in an innermost loop that is hardly ever made, as two reals are hardly
// ever equal: where derivatives are those of 0, say. Of the runs in lock step that do not
// make it nothing is computed that is for it alone.
type rare struct {
	choice *Value
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
		if !ok || let.Value.Op != term.SymEq || let.Value.Kind != Compute || let.Value.Args[0].Elem != term.R {
			continue
		}
		if tries++; tries > maxRare {
			break
		}
		if r := z.spared(l, let.Value, stored); r != nil && (best == nil || len(r.never) < len(best.never)) {
			best = r
		}
	}
	if best == nil || len(best.rest)-len(best.never) < max(rareValues, len(l.Body)/rarePart) {
		return nil
	}
	return best
}

// spared splits a loop by a choice, unless what tells whether it is made is stored there.
func (z *zeroes) spared(l *Loop, choice *Value, stored map[*Array]bool) *rare {
	needs := needed(choice)
	for v := range needs {
		if v.Kind == Load && stored[v.Array] {
			return nil
		}
	}
	r := &rare{choice: choice}
	there := make(map[*Value]bool)
	for _, s := range l.Body {
		if let, ok := s.(*Let); ok && needs[let.Value] {
			r.first, there[let.Value] = append(r.first, s), true
		} else {
			r.rest = append(r.rest, s)
		}
	}
	x := &knower{known: []truth{{choice, false}}, made: make(map[*Value]*Value)}
	never := &Loop{Body: r.rest, Folds: slices.Clone(l.Folds)}
	z.unsigned(remade([]Stmt{never}, there, x.value), there)
	r.never, r.folds = never.Body, never.Folds
	return r
}

// once writes a run of a loop, or those in lock step.
func (e *emitter) once(l *Loop, folds []*accumulator) {
	write := func(body []Stmt) {
		e.body(body, l)
		for _, f := range folds {
			f.fold()
		}
		e.leave(l)
	}
	e.carried(l)
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
