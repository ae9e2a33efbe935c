package krawiec

import (
	"errors"
	"fmt"

	"egad/fun"
	"egad/internal/raise"
)

// The polytypic operations (Figs. 1 and 15): families of functions, by a first-order type.
// Term.Type is that type A; the types of the real parts of D{A} are of the representation.
type polytypic struct {
	name string
	// from and to are the types of the operand and the result at A.
	from, to func(r *representation, a *fun.Type) *fun.Type
	apply    func(m *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value
}

// at is the operation at a type, applied.
func (p *polytypic) at(r *representation, a *fun.Type, operand *fun.Term) *fun.Term {
	f := &fun.Form{
		Name: p.name, Arity: 1,
		Result: func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			return p.to(r, a), operands(p.name, kids, p.from(r, a))
		},
		Eval: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			return p.apply(m, r, a, m.Value(t.Kids[0], env))
		},
		Print: func(pr *fun.Printer, t *fun.Term, prec int) {
			pr.Apply(prec, p.name+" @("+a.String()+")", t.Kids...)
		},
	}
	return f.Make(operand)
}

func itself(_ *representation, a *fun.Type) *fun.Type { return a }
func dual(r *representation, a *fun.Type) *fun.Type   { return r.dual(a) }

func with(of func(r *representation, a *fun.Type) *fun.Type, l, right *fun.Type) func(r *representation, a *fun.Type) *fun.Type {
	return func(r *representation, a *fun.Type) *fun.Type {
		b := of(r, a)
		switch {
		case l != nil:
			return fun.Prod(l, b)
		case right != nil:
			return fun.Prod(b, right)
		}
		return fun.Prod(b, b)
	}
}

// merged is the structure x with other reals: f is given those of x and y, which must have
// the same shape.
func merged(a *fun.Type, x, y fun.Value, f func(x, y float64) fun.Value) fun.Value {
	ys := fun.Leaves[float64](y, a)
	n := 0
	out := fun.MapLeaves(x, a, func(x float64) fun.Value {
		if n == len(ys) {
			raise.Error(errShape)
		}
		n++
		return f(x, ys[n-1])
	})
	if n != len(ys) {
		raise.Error(errShape)
	}
	return out
}

var errShape = errors.New("two values of different shapes are joined")

var (
	// scaleOp multiplies each real (Fig. 1: ⊗).
	scaleOp = &polytypic{"scale", with(itself, fun.Real, nil), itself,
		func(m *fun.Machine, _ *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			k := p.L.(float64)
			return fun.MapLeaves(p.R, a, func(x float64) fun.Value {
				stateOf(m).operations++
				return float64(k * x)
			})
		}}
	// addOp adds reals that stand at one place (Fig. 1: ⊕).
	addOp = &polytypic{"add", with(itself, nil, nil), itself,
		func(m *fun.Machine, _ *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			return merged(a, p.L, p.R, func(x, y float64) fun.Value {
				stateOf(m).operations++
				return x + y
			})
		}}
	// zerosOp is a value of the same shape with zeros.
	zerosOp = &polytypic{"zeros", itself, itself,
		func(_ *fun.Machine, _ *representation, a *fun.Type, x fun.Value) fun.Value {
			return fun.MapLeaves(x, a, func(float64) fun.Value { return 0.0 })
		}}
	// deltaOp selects what stands beside them (Fig. 15), where that is a real.
	deltaOp = &polytypic{"delta", dual, itself,
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			return fun.MapLeaves(r.apart(x, a), a, func(p *fun.Pairing) fun.Value { return p.R })
		}}
	// zipOp joins values and changes (Fig. 15).
	zipOp = &polytypic{"zip", with(itself, nil, nil), dual,
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			return r.together(merged(a, p.L, p.R, func(x, dx float64) fun.Value { return &fun.Pairing{L: x, R: dx} }), a)
		}}
	// initVarsOp gives each real a new id, from the left, and the last id (Fig. 15).
	initVarsOp = initOp("initVars", Var)
	// initOneHotsOp is the same with OneHot (Fig. 8).
	initOneHotsOp = initOp("initOneHots", OneHot)
	// initZerosOp gives each real a change, which is zero (Fig. 15).
	initZerosOp = &polytypic{"initZeros",
		func(r *representation, a *fun.Type) *fun.Type { return fun.Prod(a, r.change) }, dual,
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			return r.together(fun.MapLeaves(p.L, a, func(x float64) fun.Value { return &fun.Pairing{L: x, R: p.R} }), a)
		}}
	// initSeedsOp gives each real the one-hot vector of its place, times a factor (Fig. 6).
	initSeedsOp = &polytypic{"initSeeds", with(itself, nil, fun.Real), dual,
		func(m *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			n := 0
			v := fun.MapLeaves(p.L, a, func(x float64) fun.Value {
				n++
				k := 0
				seed := fun.MapLeaves(p.L, a, func(float64) fun.Value {
					stateOf(m).operations++
					if k++; k == n {
						return p.R
					}
					return 0.0
				})
				return &fun.Pairing{L: x, R: seed}
			})
			return r.together(v, a)
		}}
	// lookupOp reads what the ids of reals contribute, or zero (Fig. 15).
	lookupOp = lookup(mapType)
	// lookupVectorOp reads a vector by place (Fig. 8).
	lookupVectorOp = lookup(vector)
)

func initOp(name string, kind DeltaKind) *polytypic {
	return &polytypic{name, with(itself, nil, fun.Int), with(dual, nil, fun.Int),
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			n := p.R.(int64)
			v := fun.MapLeaves(p.L, a, func(x float64) fun.Value {
				n++
				return &fun.Pairing{L: x, R: &Delta{Kind: kind, ID: int(n)}}
			})
			return &fun.Pairing{L: r.together(v, a), R: n}
		}}
}

func lookup(from *fun.Type) *polytypic {
	return &polytypic{"lookup", with(dual, from, nil), itself,
		func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
			p := x.(*fun.Pairing)
			return fun.MapLeaves(r.apart(p.R, a), a, func(d *fun.Pairing) fun.Value {
				id := d.R.(*Delta).ID
				switch m := p.L.(type) {
				case Map:
					return m[id]
				case *Array:
					x, _ := m.at(id)
					return x
				case *fun.Elements:
					return m.X[id-1]
				}
				raise.Error(fmt.Errorf("%T is no map", p.L))
				return nil
			})
		}}
}
