package fun

import "egad/internal/slice"

// Program is a functional program: a term of the core with inputs.
type Program struct {
	// Names and Context are the inputs and their types; in Body the last one is the
	// variable 0.
	Names   []string
	Context []*Type
	Body    *Term
	Result  *Type
}

// Run evaluates a program on inputs.
func (p *Program) Run(m *Machine, inputs []Value) (Value, error) {
	return m.Eval(p.Body, inputs)
}

// Leaves lists the reals in a value of a first-order type, from the left.
func Leaves[S any](v Value, t *Type) (out []S) {
	MapLeaves(v, t, func(x S) Value {
		out = append(out, x)
		return nil
	})
	return out
}

// MapParts is a value of type t with what f makes of its parts: those of a pair, what is of a
// side, the elements of an array.
func MapParts(v Value, t *Type, f func(v Value, t *Type) Value) Value {
	switch t.Kind {
	case KProd:
		p := v.(*Pairing)
		l := f(p.L, t.Parts[0])
		return &Pairing{l, f(p.R, t.Parts[1])}
	case KSum:
		s := v.(*Side)
		return &Side{s.Right, f(s.X, t.Parts[Place(s.Right)])}
	case KArray:
		return &Elements{slice.Map(v.(*Elements).X, func(x Value) Value { return f(x, t.Parts[0]) })}
	}
	return v
}

// MapLeaves is a value with other reals: f is given those of v, from the left.
func MapLeaves[S any](v Value, t *Type, f func(S) Value) Value {
	if t.Kind == KReal {
		return f(v.(S))
	}
	return MapParts(v, t, func(v Value, t *Type) Value { return MapLeaves(v, t, f) })
}
