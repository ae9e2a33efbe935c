package chad

import (
	"egad/fun"
	"egad/term/ops"
)

// basic is the calculus of Fig. 2 of 002: backpropagators give environment vectors.
type basic struct{}

func (basic) typ(ctx *fun.Type) *fun.Type { return formEV.Of(ctx) }

func (basic) nothing(ctx *fun.Type) *fun.Term { return evZero.Typed(ctx) }

func (basic) one(ctx *fun.Type, n, key int, x *fun.Term) *fun.Term {
	return &fun.Term{Form: evOne, Type: ctx, N: n, Op: ops.Op{N: key}, Kids: []*fun.Term{x}}
}

func (basic) both(a, b *fun.Term) *fun.Term { return evPlus.Make(a, b) }

func (basic) inner(ctx, x *fun.Type, key int, side around) *fun.Term {
	split := &fun.Term{Form: evSplit, Type: formMore.Of(ctx, x), N: key, Kids: []*fun.Term{through(v(0))}}
	return fun.LetIn(split, evPlus.Make(fun.Fst.Make(v(0)), backward(v(3), side(fun.Snd.Make(v(0)), v(3)))))
}

// monadic is that of Fig. 7: backpropagators give computations.
type monadic struct{}

func (monadic) typ(ctx *fun.Type) *fun.Type { return formEVM.Of(ctx, fun.Unit) }

func (monadic) nothing(ctx *fun.Type) *fun.Term { return evmPure.Typed(ctx, fun.Star.Make()) }

func (monadic) one(ctx *fun.Type, n, _ int, x *fun.Term) *fun.Term {
	return &fun.Term{Form: evmAdd, Type: ctx, N: n, Kids: []*fun.Term{x}}
}

// both is let x = b in a >>= \_ -> x.
func (monadic) both(a, b *fun.Term) *fun.Term {
	return fun.LetIn(b, evmBind.Make(a.Shift(1, 0), fun.Capturing(fun.Unit, v(1), 0)))
}

func (monadic) inner(_, x *fun.Type, _ int, side around) *fun.Term {
	return evmBind.Make(evmScope.Make(zeroOf(x), through(v(0))),
		fun.Capturing(fun.Prod(x, fun.Unit), through(side(fun.Fst.Make(v(0)), v(1))), 2))
}
