package fun

import "fmt"

// Value is a value: of a real what the [Domain] has, of an integer an int64 (or what the
// domain has), and otherwise [Nothing], *[Pairing], *[Side], *[Elements], [Function] or what
// a form of a target language makes.
type Value any

// Nothing is the value ().
type Nothing struct{}

// Pairing is a pair.
type Pairing struct{ L, R Value }

// Side is a value of a sum.
type Side struct {
	Right bool
	X     Value
}

// Elements is an array.
type Elements struct{ X []Value }

// Function is a function: a closure with what it has captured, or one of Go.
type Function struct {
	lam *Term // that was evaluated; nil of a function of Go
	// caps are the innermost last, of a recursive function without itself; of a function of Go
	// the native.
	caps []Value
}

type native func(m *Machine, x Value) (Value, error)

// closure is the function that a term is, of what it captures.
func closure(t *Term, env []Value) *Function {
	var f *Function
	// What is captured lies in one object with the function, if it is little.
	switch n := len(t.Caps); n {
	case 0:
		if t.constant != nil && t.constant.lam.Kids[0] == t.Kids[0] {
			return t.constant
		}
		return &Function{lam: t}
	case 1:
		with := &struct {
			Function
			caps [1]Value
		}{}
		f, with.Function.caps = &with.Function, with.caps[:]
	case 2:
		with := &struct {
			Function
			caps [2]Value
		}{}
		f, with.Function.caps = &with.Function, with.caps[:]
	default:
		f = &Function{caps: make([]Value, n)}
	}
	f.lam = t
	for i, v := range t.Caps {
		f.caps[len(t.Caps)-1-i] = env[len(env)-1-v]
	}
	return f
}

// FunctionOf is a function of Go.
func FunctionOf(f func(m *Machine, x Value) (Value, error)) *Function {
	return &Function{caps: []Value{native(f)}}
}

// The truth values.
var (
	True  = &Side{false, Nothing{}}
	False = &Side{true, Nothing{}}
)

// Truth is a truth value.
func Truth(b bool) Value {
	if b {
		return True
	}
	return False
}

// TupleValue is a tuple, which is pairs nested to the left.
func TupleValue(xs ...Value) Value {
	if len(xs) == 0 {
		return Nothing{}
	}
	out := xs[0]
	for _, x := range xs[1:] {
		out = &Pairing{out, x}
	}
	return out
}

// Show writes a value of type t; real writes reals.
func Show(v Value, t *Type, real func(Value) string) string {
	switch t.Kind {
	case KReal:
		return real(v)
	case KUnit:
		return "()"
	case KProd:
		p := v.(*Pairing)
		return "(" + Show(p.L, t.Parts[0], real) + ", " + Show(p.R, t.Parts[1], real) + ")"
	case KSum:
		s := v.(*Side)
		if t.Equal(Bool) {
			return fmt.Sprint(!s.Right)
		}
		if s.Right {
			return "inr " + shown(s.X, t.Parts[1], real)
		}
		return "inl " + shown(s.X, t.Parts[0], real)
	case KFun:
		return "<function>"
	case KArray:
		out := "["
		for i, x := range v.(*Elements).X {
			if i > 0 {
				out += ", "
			}
			out += Show(x, t.Parts[0], real)
		}
		return out + "]"
	}
	return fmt.Sprint(v)
}

// shown writes an operand.
func shown(v Value, t *Type, real func(Value) string) string {
	s := Show(v, t, real)
	if t.Kind == KSum && !t.Equal(Bool) || s[0] == '-' {
		return "(" + s + ")"
	}
	return s
}
