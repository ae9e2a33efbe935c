package krawiec

import (
	"testing"

	"egad/fun"
	"egad/term/ops"
)

// TestK12: on each family of programs the steps, bindings, constructors and visits of the routes
// that keep sharing have constant first differences.
func TestK12(t *testing.T) {
	sum := fun.Sum(fun.Real, fun.Real)
	nested := func(n int, next func(x *fun.Term) *fun.Term) *fun.Term {
		x := fun.V(0)
		for range n {
			x = next(x)
		}
		return x
	}
	for name, family := range map[string]func(n int) *fun.Program{
		"doubling": doubling,
		"products": func(n int) *fun.Program {
			return program(nested(n, func(x *fun.Term) *fun.Term { return times(x, fun.V(0)) }), "x")
		},
		"sines": func(n int) *fun.Program {
			return program(nested(n, func(x *fun.Term) *fun.Term { return op(ops.SymSin, x) }), "x")
		},
		"pairs": func(n int) *fun.Program {
			return program(nested(n, func(x *fun.Term) *fun.Term { return fun.Fst.Make(fun.Pair.Make(x, fun.V(0))) }), "x")
		},
		"sides": func(n int) *fun.Program {
			return program(nested(n, func(x *fun.Term) *fun.Term {
				return fun.Case.Make(fun.Inl.Typed(sum, x), times(fun.V(0), fun.V(0)), fun.V(0))
			}), "x")
		},
		"calls of a closure": func(n int) *fun.Program {
			body := fun.V(1)
			for range n {
				body = fun.App.Make(fun.V(0), body)
			}
			return program(fun.LetIn(fun.Closure(fun.Real, times(fun.V(0), fun.V(1))), body), "x")
		},
		"a loop": func(n int) *fun.Program { return chained(int64(10 * n)) },
		"an array": func(n int) *fun.Program {
			each := fun.Build.Typed(fun.Real, whole(int64(n)), times(fun.V(1), fun.V(1)))
			return program(fun.Reduce.Typed(fun.Real, plus(fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0))), each), "x")
		},
	} {
		for _, route := range []string{"monadic", "monadic-array", "overloaded"} {
			at := func(n int) Counts { return gradient(t, route, family(n), nil, 0.5).Counts }
			for n := 5; n < 40; n += 7 {
				a, b, c := at(n), at(n+1), at(n+2)
				for what, of := range map[string]func(Counts) int64{
					"steps": func(c Counts) int64 { return c.Steps }, "bindings": func(c Counts) int64 { return c.Bindings },
					"constructors": func(c Counts) int64 { return c.Made }, "visits": func(c Counts) int64 { return c.Visits },
				} {
					if of(c)-of(b) != of(b)-of(a) {
						t.Errorf("%s by %s at %d: %d, %d, %d %s", name, route, n, of(a), of(b), of(c), what)
					}
				}
			}
		}
	}
}
