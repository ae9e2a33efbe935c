package native

import (
	"egad/kernel"
	"egad/kernel/wasm"
)

// not writes the negation of a truth value, or of those of all lanes.
func (e *emitter) not(wide bool) { e.either(wide, wasm.I32Eqz, wasm.V128Not) }

// once writes a run of a loop, or those in lock step.
func (e *emitter) once(l *kernel.Loop, folds []*accumulator) {
	write := func(body []kernel.Stmt) {
		e.body(body, l)
		for _, f := range folds {
			f.fold()
		}
		e.leave(l)
	}
	e.carriedIndices(l)
	if in := e.Schedule.First[l]; in != nil {
		e.checked(l, in, folds)
		return
	}
	r := e.Schedule.Rare[l]
	if r == nil || e.filling != nil {
		write(l.Body)
		return
	}
	e.body(r.First, l)
	for i, p := range e.places(r.Choice) {
		e.pushAs(r.Choice, r.Choice, p)
		if !r.Made {
			e.not(e.varying(r.Choice))
		}
		if i > 0 {
			e.either(e.varying(r.Choice), wasm.I32Or, wasm.V128Or)
		}
	}
	if e.varying(r.Choice) {
		e.f.Op(wasm.V128AnyTrue)
	}
	if len(r.Loops) > 0 {
		made := e.f.Local(wasm.I32)
		e.f.Set(made)
		for _, x := range r.Loops {
			e.made[x] = made
		}
		write(r.Rest)
		return
	}
	branch := func(body []kernel.Stmt, of []kernel.Fold) func() {
		return func() {
			for i, f := range folds {
				f.Value = of[i].Value
			}
			e.merge(body, of, l.Carries, l)
			write(body)
			e.forget(body)
		}
	}
	e.f.IfElse(branch(r.Rest, l.Folds), branch(r.Never, r.Folds))
	e.forget(r.First)
}
