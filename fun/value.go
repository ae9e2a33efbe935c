package fun

import (
	"fmt"
	"strings"

	"egad/internal/slice"
)

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
	// with is what was captured: nothing, one value, a *Pairing of two or *Elements, the innermost
	// last, and a recursive function not itself; of a function of Go the native.
	with Value
}

type native func(m *Machine, x Value) Value

// pair is a pair.
func (m *Machine) pair(l, r Value) *Pairing {
	if !m.Keeps {
		return &Pairing{l, r}
	}
	p := m.pairs.New()
	p.L, p.R = l, r
	return p
}

// closure is the function that a term is, of what it captures.
func (m *Machine) closure(t *Term, env []Value) *Function {
	at := func(i int) Value { return env[len(env)-1-t.Caps[i]] }
	var with Value
	switch n := len(t.Caps); n {
	case 0:
		if t.constant != nil && t.constant.lam.Kids[0] == t.Kids[0] {
			return t.constant
		}
	case 1:
		with = at(0)
	case 2:
		with = m.pair(at(1), at(0))
	default:
		with = captures(slice.Make(n, func(i int) Value { return at(n - 1 - i) }))
	}
	if !m.Keeps {
		return &Function{t, with}
	}
	f := m.functions.New()
	f.lam, f.with = t, with
	return f
}

// captures is what a closure holds of captured values.
func captures(xs []Value) Value {
	switch len(xs) {
	case 0:
		return nil
	case 1:
		return xs[0]
	case 2:
		return &Pairing{xs[0], xs[1]}
	}
	return &Elements{xs}
}

// captured appends what the closure has captured.
func (f *Function) captured(env []Value) []Value {
	switch len(f.lam.Caps) {
	case 0:
		return env
	case 1:
		return append(env, f.with)
	case 2:
		p := f.with.(*Pairing)
		return append(env, p.L, p.R)
	}
	return append(env, f.with.(*Elements).X...)
}

// FunctionOf is a function of Go.
func FunctionOf(f func(m *Machine, x Value) Value) *Function {
	return &Function{with: native(f)}
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

// Untuple gives the components of a tuple of n.
func Untuple(x Value, n int) []Value {
	out := make([]Value, n)
	for k := n - 1; k > 0; k-- {
		p := x.(*Pairing)
		x, out[k] = p.L, p.R
	}
	if n > 0 {
		out[0] = x
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
		show := func(x Value) string { return Show(x, t.Parts[0], real) }
		return "[" + strings.Join(slice.Map(v.(*Elements).X, show), ", ") + "]"
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
