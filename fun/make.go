package fun

import (
	"slices"

	"egad/term/numeric"
	"egad/term/ops"
)

// Make makes a term of operands.
func (f *Form) Make(kids ...*Term) *Term { return &Term{Form: f, Kids: kids} }

// Typed makes a term of operands of which the form needs a type.
func (f *Form) Typed(t *Type, kids ...*Term) *Term { return &Term{Form: f, Kids: kids, Type: t} }

// V is the variable n, from the innermost.
func V(n int) *Term { return &Term{Form: Var, N: n} }

// LetIn binds a in body.
func LetIn(a, body *Term) *Term { return Let.Make(a, body) }

// Named gives what a term binds names.
func (t *Term) Named(names ...string) *Term {
	out := *t
	out.Name = names
	return &out
}

// Closure is \x -> body, of a body whose variables are the argument and those outside:
// what it captures is found, and given places of its own.
func Closure(arg *Type, body *Term) *Term {
	inner, caps := capture(body, 1)
	return Capturing(arg, inner, caps...)
}

// Recursive is a function that may call itself, of type t: in its body its argument is the
// variable 0, and itself 1.
func Recursive(t *Type, body *Term) *Term {
	inner, caps := capture(body, 2)
	return &Term{Form: Rec, Kids: []*Term{inner}, Caps: caps, Type: t}
}

// Capturing is a closure with a given list of captured variables, and a body in which they
// come after the argument (002, App. B: lamwith).
func Capturing(arg *Type, body *Term, caps ...int) *Term {
	t := &Term{Form: Lam, Kids: []*Term{body}, Caps: caps, Type: arg}
	if len(caps) == 0 {
		t.constant = &Function{lam: t}
	}
	return t
}

// capture gives a body, the first own variables of which are bound by a closure, places for
// what it captures, which is listed as numbered outside.
func capture(body *Term, own int) (*Term, []int) {
	var caps []int
	for _, v := range body.Free() {
		if v >= own {
			caps = append(caps, v-own)
		}
	}
	return body.Rename(func(v int) int {
		if v < own {
			return v
		}
		return own + slices.Index(caps, v-own)
	}), caps
}

// TupleOf is a tuple, which is pairs nested to the left; of nothing it is ().
func TupleOf(ts ...*Term) *Term {
	if len(ts) == 0 {
		return Star.Make()
	}
	out := ts[0]
	for _, t := range ts[1:] {
		out = Pair.Make(out, t)
	}
	return out
}

// Component is the component k of a tuple of n.
func Component(t *Term, k, n int) *Term {
	for i := n - 1; i > k; i-- {
		t = Fst.Make(t)
	}
	if k > 0 {
		t = Snd.Make(t)
	}
	return t
}

// Operator is an operator on scalars.
func Operator(op ops.Op, operands ...*Term) *Term {
	return &Term{Form: Prim, Op: op, Kids: []*Term{TupleOf(operands...)}}
}

// Operands are those of an operator of which they are a tuple that is written, which all are
// that [Operator] makes.
func (t *Term) Operands() []*Term {
	out := make([]*Term, ops.Builtin(t.Op.Sym).Arity)
	rest := t.Kids[0]
	for k := len(out) - 1; k > 0; k-- {
		if rest.Form != Pair {
			return nil
		}
		rest, out[k] = rest.Kids[0], rest.Kids[1]
	}
	out[0] = rest
	return out
}

// OnVariables is the form of t on variables in the place of its operands, of which the last one
// is the innermost.
func (t *Term) OnVariables() *Term {
	out := *t
	out.mapKids(func(k int, _ *Term) *Term { return V(len(t.Kids) - 1 - k) })
	return &out
}

// Literal is a number of type [Real] or [Int].
func Literal(n numeric.Num, t *Type) *Term {
	return &Term{Form: Lit, Num: n, Type: t, Kids: []*Term{Star.Make()}}
}

// TruthOf is a truth value as a term.
func TruthOf(b bool) *Term {
	if b {
		return Inl.Typed(Bool, Star.Make())
	}
	return Inr.Typed(Bool, Star.Make())
}
