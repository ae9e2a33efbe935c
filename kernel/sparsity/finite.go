package sparsity

import (
	"slices"

	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// finite reports whether a number is finite if all numbers are that no mask has made infinite.
func (b *Bounder) finite(v *kernel.Value) bool { return b.surely(v, notInf).always() }

// Finite reports whether all elements of an array are finite if all numbers are that no mask has made infinite.
func (b *Bounder) Finite(a *kernel.Array) bool {
	return a.Finite || b.throughout(a, notInf)
}

// NoteFinite notes of what the step of a loop takes from outside, and of the first states, whether it is finite.
func (b *Bounder) NoteFinite(s *kernel.Steps) {
	for _, in := range s.Inputs {
		if in.Array != nil {
			in.Array.Finite = b.Finite(in.Array)
		}
	}
	for _, a := range s.States { // which the loop fills, but for the first ones
		a.Finite = !slices.ContainsFunc(b.Stores[a], func(s *kernel.Store) bool { return !b.finite(s.Value) })
	}
}

// FiniteStates notes of the inputs of the program of a step whether they are finite: states are if the first ones are, and
// those that a step makes of finite ones.
func FiniteStates(of *kernel.Steps, step *kernel.Program) {
	inputs := step.Inputs()
	for i, in := range of.Inputs {
		inputs[i].Finite = in.Array != nil && in.Array.Finite || in.State > 0 && of.States[in.State-1].Finite
	}
	for next := step.Result.Arrays(); ; {
		b, same := BounderOf(step), true
		for k, a := range of.States {
			if a.Finite && !b.Finite(next[k]) {
				a.Finite, same = false, false
			}
		}
		if same {
			return
		}
		for i, in := range of.Inputs {
			if in.State > 0 {
				inputs[i].Finite = of.States[in.State-1].Finite
			}
		}
	}
}

// filled has what is sure of what fills an array as what is sure of an element of it.
func (b *Bounder) filled(a kernel.Access, of func(v *kernel.Value) sure) sure {
	s := b.filler(a)
	if s == nil {
		return sure{}
	}
	in := of(s.Value)
	out := b.at(b.Of(in.Limits, s.Access), a)
	return sure{out, in.ok && len(out) == len(in.Limits)}
}

// exactly are conditions under which a truth value is one.
func exactly(t Truth) sure {
	out := sure{ok: true}
	for _, c := range t.Conjuncts() {
		v := c.Of
		if x, ok := c.Limit(); ok {
			out = out.and(sure{Limits{x}, true})
		} else if v.Kind == kernel.Compute && v.Op == ops.SymEq && c.One && v.Args[0].Elem == types.I {
			out = out.and(equal(v.Args[0], v.Args[1]))
		} else {
			return sure{}
		}
	}
	return out
}

// somewhere reports whether conditions hold in a run of a loop, whatever indices around it are: there is an index that
// is as large and as small as they ask.
func (b *Bounder) somewhere(x sure, l *kernel.Loop) bool {
	if !x.ok || l.N == 0 || l.If != nil {
		return false
	}
	least, most := []kernel.Form{{}}, []kernel.Form{{Const: int64(l.N) - 1}}
	for _, x := range x.Limits {
		if slices.ContainsFunc(x.Args, func(v *kernel.Value) bool { return v.Kind != kernel.Var }) {
			return false
		}
		switch sign, rest := x.Without(l.Var); sign {
		case 1: // at most -rest - 1
			most = append(most, Limit{Form: rest}.Not().Form)
		case -1: // at least rest + 1
			rest.Const++
			least = append(least, rest)
		default:
			return false
		}
	}
	for _, f := range least {
		for _, g := range most {
			more := Limit{Form: g}.Not() // than g
			d := kernel.NewBuilder(nil).Linear(f.Const+more.Const, slices.Concat(f.Coef, more.Coef), slices.Concat(f.Args, more.Args))
			if d.Range.Hi >= 0 {
				return false
			}
		}
	}
	return true
}
