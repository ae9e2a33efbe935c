package kernel

import "egad/kernel/wasm"

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
		e.pushAs(r.choice, r.choice, p)
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
	if len(r.loops) > 0 {
		made := e.f.Local(wasm.I32)
		e.f.Set(made)
		for _, x := range r.loops {
			e.made[x] = made
		}
		write(r.rest)
		return
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
