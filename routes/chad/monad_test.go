package chad

import (
	"math/rand"
	"reflect"
	"testing"

	"egad/fun"
	"egad/internal/testflag"
)

// kinds are the linear types of the variables of a random computation, the innermost last.
var kinds = []*fun.Type{lreal, formProd.Of(lreal, lreal), formSum.Of(lreal, lunit), formBag.Of(lreal)}

func randomLinear(rng *rand.Rand, t *fun.Type) fun.Value {
	if t != lreal && rng.Intn(3) == 0 {
		return nil
	}
	switch t.Form {
	case formReal:
		return float64(rng.Intn(7) - 3)
	case formProd:
		return &lpair{l: randomLinear(rng, t.Parts[0]), r: randomLinear(rng, t.Parts[1])}
	case formSum:
		return &lside{x: randomLinear(rng, t.Parts[0])}
	}
	return &bag{i: int64(rng.Intn(3)), x: randomLinear(rng, t.Parts[0])}
}

// randomAction is a computation with numbers for results, in a context.
func randomAction(rng *rand.Rand, ctx []*fun.Type, size int) *action {
	first := func(ctx []*fun.Type) *action { return randomAction(rng, ctx, size/2) }
	switch {
	case size > 1 && rng.Intn(2) == 0:
		return &action{kind: aBind, first: first(ctx), x: continuation(randomAction(rng, ctx, size/2), int64(rng.Intn(3)))}
	case size > 1:
		inner := append(ctx[:len(ctx):len(ctx)], kinds[rng.Intn(len(kinds))])
		return &action{kind: aScope, x: randomLinear(rng, inner[len(ctx)]), first: first(inner)}
	case rng.Intn(3) == 0:
		return &action{kind: aPure, x: float64(rng.Intn(5))}
	}
	n := rng.Intn(len(ctx))
	return &action{kind: aAdd, n: int32(n), x: randomLinear(rng, ctx[len(ctx)-1-n])}
}

// continuation takes steps, and goes on with a computation.
func continuation(a *action, steps int64) *fun.Function {
	return fun.FunctionOf(func(m *fun.Machine, _ fun.Value) fun.Value {
		m.Step(steps)
		return a
	})
}

// running is what a computation comes to on cotangents, the innermost first.
type running struct {
	result, env fun.Value
	steps       int64
}

func runAction(t *testing.T, cells store, a *action, env fun.Value) running {
	t.Helper()
	s := &state{linear: sparse{}, cells: cells}
	m := &fun.Machine{Domain: fun.Floats(), State: s}
	p := s.run(m, a, env).(*fun.Pairing)
	return running{p.L, p.R, m.Steps}
}

// TestC6: the laws of the monad, and what runs cost (002, Section 6 and Appendix B), of both
// implementations; of the persistent map without the steps in the map.
func TestC6(t *testing.T) {
	rng := rand.New(rand.NewSource(testflag.Seed))
	ctx := kinds
	size := int64(len(ctx))
	for range testflag.Count(500, 20_000) {
		var env fun.Value = fun.Nothing{}
		for _, k := range ctx {
			env = &fun.Pairing{L: randomLinear(rng, k), R: env}
		}
		mutable, persistent := func() store { return &array{} }, func() store { return &mapped{} }
		for name, cells := range map[string]func() store{"array": mutable, "map": persistent} {
			run := func(a *action, env fun.Value) running { return runAction(t, cells(), a, env) }
			costs := func(law string, got, want int64) {
				if name == "array" && got != want {
					t.Errorf("%s: %d steps, want %d", law, got, want)
				}
			}
			equal := func(law string, x, y running) {
				if !reflect.DeepEqual(x.result, y.result) || !reflect.DeepEqual(x.env, y.env) {
					t.Errorf("%s of %s: %v and %v, and environments %v and %v", law, name, x.result, y.result, x.env, y.env)
				}
			}
			a, b, c := randomAction(rng, ctx, 8), randomAction(rng, ctx, 8), randomAction(rng, ctx, 8)
			call := int64(rng.Intn(3))
			k := continuation(b, call)
			then := func(a *action, k fun.Value) *action { return &action{kind: aBind, first: a, x: k} }
			pure := func(x fun.Value) *action { return &action{kind: aPure, x: x} }

			one := run(pure(5.0), env)
			equal("run (return x)", one, running{result: 5.0, env: env})
			costs("run (return x)", one.steps, 1+size+1)

			first, both := run(a, env), run(then(a, k), env)
			second := run(b, first.env)
			equal("run (m >>= k)", both, second)
			costs("run (m >>= k)", both.steps, first.steps+call+second.steps-size)

			n := rng.Intn(len(ctx))
			x := randomLinear(rng, ctx[len(ctx)-1-n])
			added := run(&action{kind: aAdd, n: int32(n), x: x}, env)
			want, old := env, []fun.Value(nil)
			for range n {
				old, want = append(old, want.(*fun.Pairing).L), want.(*fun.Pairing).R
			}
			s := &state{linear: sparse{}}
			sum, plus := s.plus(x, want.(*fun.Pairing).L)
			want = &fun.Pairing{L: sum, R: want.(*fun.Pairing).R}
			for i := n - 1; i >= 0; i-- {
				want = &fun.Pairing{L: old[i], R: want}
			}
			equal("run (one n x)", added, running{result: fun.Nothing{}, env: want})
			costs("run (one n x)", added.steps, 2+plus+size)

			inner := append(ctx[:len(ctx):len(ctx)], lreal)
			m := randomAction(rng, inner, 8)
			scoped, plain := run(&action{kind: aScope, x: 2.0, first: m}, env), run(m, &fun.Pairing{L: 2.0, R: env})
			popped := plain.env.(*fun.Pairing)
			equal("run (scope x m)", scoped, running{result: &fun.Pairing{L: popped.L, R: plain.result}, env: popped.R})
			costs("run (scope x m)", scoped.steps, plain.steps)

			returning := fun.FunctionOf(func(_ *fun.Machine, x fun.Value) fun.Value { return pure(x) })
			equal("m >>= return", run(then(a, returning), env), first)
			equal("return x >>= k", run(then(pure(1.0), k), env), run(b, env))
			l := continuation(c, 0)
			inside := fun.FunctionOf(func(m *fun.Machine, x fun.Value) fun.Value {
				return then(m.Apply(k, x).(*action), l)
			})
			equal("(m >>= k) >>= l", run(then(then(a, k), l), env), run(then(a, inside), env))
		}
	}
}
