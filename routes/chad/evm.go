package chad

import (
	"fmt"
	"slices"

	"egad/fun"
)

// The monad EVM of computations that add to the cotangents of a context (002, Sections 4.2
// and 5).
var (
	evmPure = form("return", formEVM.Of(typOwn, typA), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) fun.Value {
		return stateOf(m).action(action{kind: aPure, x: x, weight: 1})
	}), typA)
	evmBind = &fun.Form{
		Name: ">>=", Arity: 2,
		Result: form(">>=", formEVM.Of(typCtx, typB), nil, formEVM.Of(typCtx, typA), fun.Fun(typA, formEVM.Of(typCtx, typB))).Result,
		Eval: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			x := m.Value(t.Kids[0], env)
			a := x.(*action)
			if second := then(t.Kids[1], env); second != nil {
				// The continuation is not made, but counted.
				m.Step(1 + int64(len(t.Kids[1].Caps)))
				return stateOf(m).action(action{kind: aThen, first: a, then: second, weight: a.weight + second.weight + 1})
			}
			return stateOf(m).action(action{kind: aBind, x: m.Value(t.Kids[1], env), first: a, weight: a.weight + 1})
		},
		Print: func(p *fun.Printer, t *fun.Term, prec int) {
			p.Paren(prec, fun.PrecExpr, func() {
				p.Term(t.Kids[0], fun.PrecExpr+1)
				p.Text(" >>= ")
				p.Term(t.Kids[1], fun.PrecExpr+1)
			})
		},
	}
	evmRun = &fun.Form{
		Name: "run", Arity: 2,
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
			if kids[0].Form != formEVM {
				return nil, fmt.Errorf("a %s is no computation", kids[0])
			}
			v := vector(kids[0].Parts[0])
			return fun.Prod(kids[0].Parts[1], v), must(kids[1], v, "what a computation is run on")
		},
		Eval: withOperands(func(m *fun.Machine, _ *fun.Term, a, v fun.Value) fun.Value {
			return stateOf(m).run(m, a.(*action), v)
		}),
	}
	evmAdd = atVariable(formEVM.Of(typOwn, fun.Unit), withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) fun.Value {
		return stateOf(m).action(action{kind: aAdd, x: x, n: int32(t.N), weight: 1})
	}))
	evmScope = form("scope", formEVM.Of(typCtx, fun.Prod(typA, typB)), withOperands(func(m *fun.Machine, _ *fun.Term, x, y fun.Value) fun.Value {
		a := y.(*action)
		return stateOf(m).action(action{kind: aScope, x: x, first: a, weight: a.weight + 1})
	}), typA, formEVM.Of(formMore.Of(typCtx, typA), typB))
)

// atVariable is a form for the variable N of a linear context, of what is of its type.
func atVariable(result *fun.Type, eval evaluation) *fun.Form {
	f := form("one", result, eval, typA)
	rule := f.Result
	f.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		x, err := at(t.Type, t.N)
		if err == nil {
			err = must(kids[0], x, "what stands at a variable")
		}
		if err != nil {
			return nil, err
		}
		return rule(t, kids)
	}
	f.Print = func(p *fun.Printer, t *fun.Term, prec int) {
		p.Apply(prec, fmt.Sprintf("%s %d", t.Form.Name, t.N), t.Kids...)
	}
	return f
}

// at is the type of the variable n of a linear context.
func at(ctx *fun.Type, n int) (*fun.Type, error) {
	for ; ctx.Form == formMore; n-- {
		if n == 0 {
			return ctx.Parts[1], nil
		}
		ctx = ctx.Parts[0]
	}
	return nil, fmt.Errorf("there is no variable %d", n)
}

// then is b of a >>= \_ -> b, where b is a computation that the continuation captures: such
// computations do not depend on each other.
func then(k *fun.Term, env []fun.Value) *action {
	if k.Form != fun.Lam || len(k.Caps) == 0 || k.Kids[0].Form != fun.Var || k.Kids[0].N == 0 {
		return nil
	}
	a, _ := env[len(env)-1-k.Caps[k.Kids[0].N-1]].(*action)
	return a
}

// actionKind tells computations apart.
type actionKind uint8

const (
	aPure actionKind = iota
	aAdd
	aScope
	aBind
	aThen   // the second computation does not depend on the first
	aAll    // the computations of an array, and the array of their results
	aUnTree // back through the tree of a reduce
)

// action is a computation of EVM: what is to be done, when it is run.
type action struct {
	kind   actionKind
	n      int32 // of aAdd which variable
	weight int64 // how much there is to do, as far as it is known
	// x is what is returned, added, put in the scope; the continuation of aBind; the *sequence
	// of aAll; the *descent of aUnTree.
	x     fun.Value
	first *action // of aScope, aBind and aThen
	then  *action // of aThen
}

// store is an implementation of the state of EVM (002, Sections 4.2 and 5, Table 2). Costs
// are in steps, without those of additions.
type store interface {
	// start begins with the cotangents of a context, the outermost first.
	start(xs []fun.Value)
	// push makes place for a variable.
	push(x fun.Value)
	// pop takes the innermost variable.
	pop() (fun.Value, int64)
	// add adds to the variable n.
	add(s *state, n int, x fun.Value) int64
	// depth is how many variables there are.
	depth() int
	// finish gives the cotangents at the end, the outermost first.
	finish() []fun.Value
}

// run runs a computation on a tuple of the cotangents of the context, the innermost first.
func (s *state) run(m *fun.Machine, a *action, tuple fun.Value) fun.Value {
	var xs []fun.Value
	for p, ok := tuple.(*fun.Pairing); ok; p, ok = p.R.(*fun.Pairing) {
		xs = append(xs, p.L)
	}
	slices.Reverse(xs)
	v, xs := s.runOn(m, a, xs)
	var out fun.Value = fun.Nothing{}
	for _, x := range xs {
		out = &fun.Pairing{L: x, R: out}
	}
	return &fun.Pairing{L: v, R: out}
}

// runOn runs a computation on the cotangents of the context, the outermost first, and gives
// what they are then.
func (s *state) runOn(m *fun.Machine, a *action, before []fun.Value) (v fun.Value, after []fun.Value) {
	m.Step(1 + int64(len(before)))
	s.cells.start(before)
	v = s.do(m, a)
	return v, s.cells.finish()
}

// do does what a computation says.
func (s *state) do(m *fun.Machine, a *action) fun.Value {
	for {
		m.Step(1)
		switch a.kind {
		case aPure:
			return a.x
		case aAdd:
			s.contribute(m, int(a.n), a.x)
			return fun.Nothing{}
		case aScope:
			s.cells.push(a.x)
			v := s.do(m, a.first)
			x, c := s.cells.pop()
			m.Step(c)
			return &fun.Pairing{L: x, R: v}
		case aThen:
			if m.PartsOf(min(a.first.weight, a.then.weight)*2, int64(s.cells.depth())) > 1 {
				return s.both(m, a)
			}
			s.do(m, a.first)
			m.Step(1) // of the continuation, a variable
			a = a.then
		case aBind:
			a = m.Apply(a.x, s.do(m, a.first)).(*action)
		case aAll:
			return s.doAll(m, a.x.(*sequence))
		default:
			d := a.x.(*descent)
			out := make([]fun.Value, d.tree.leaves)
			s.unTree(m, d.g, d.d, d.tree, out)
			return &fun.Elements{X: out}
		}
	}
}

// contribute adds to the cotangent of the variable n.
func (s *state) contribute(m *fun.Machine, n int, x fun.Value) { m.Step(s.cells.add(s, n, x)) }

// array is the state of Section 5 of 002: an array that is written in place, of which every
// operation takes a constant number of steps.
type array struct{ xs []fun.Value }

func (a *array) start(xs []fun.Value) { a.xs = append(a.xs[:0], xs...) }

func (a *array) push(x fun.Value) { a.xs = append(a.xs, x) }

func (a *array) pop() (fun.Value, int64) {
	n := len(a.xs) - 1
	x := a.xs[n]
	a.xs[n] = nil
	a.xs = a.xs[:n]
	return x, 0
}

func (a *array) add(s *state, n int, x fun.Value) (c int64) {
	at := &a.xs[len(a.xs)-1-n]
	*at, c = s.plus(x, *at)
	return c
}

func (a *array) depth() int { return len(a.xs) }

func (a *array) finish() []fun.Value { return append([]fun.Value{}, a.xs...) }
