package krawiec

import (
	"egad/fun"
	"egad/internal/raise"
	"egad/term/numeric"
	"egad/term/ops"
)

var (
	one       = fun.Literal(numeric.Int(1), fun.Real)
	zeroReal  = fun.Literal(numeric.Int(0), fun.Real)
	zeroWhole = fun.Literal(numeric.Int(0), fun.Int)
	oneWhole  = fun.Literal(numeric.Int(1), fun.Int)
)

// dotted is the source of e s ⊙ dt (Fig. 15): dt, of type t, is the outermost variable, and e
// has the given number of others.
func dotted(e *fun.Term, t *fun.Type, variables int) *fun.Term {
	s := &scope{depth: variables + 1}
	return s.let("", e, func(r int) *fun.Term {
		return s.dot(t, func() *fun.Term { return s.at(r) }, func() *fun.Term { return s.at(0) })
	})
}

// dot is the sum of the products of the reals of x and y, which have one shape: ⊙ at a
// first-order type (Fig. 1).
func (s *scope) dot(t *fun.Type, x, y func() *fun.Term) *fun.Term {
	switch {
	case !t.HasReals():
		return zeroReal
	case t.Kind == fun.KReal:
		return fun.Operator(ops.Op{Sym: ops.SymMul}, x(), y())
	case t.Kind == fun.KProd:
		part := func(form *fun.Form, t *fun.Type) *fun.Term {
			return s.dot(t, func() *fun.Term { return form.Make(x()) }, func() *fun.Term { return form.Make(y()) })
		}
		l, r := t.Parts[0], t.Parts[1]
		switch {
		case !l.HasReals():
			return part(fun.Snd, r)
		case !r.HasReals():
			return part(fun.Fst, l)
		}
		return fun.Operator(ops.Op{Sym: ops.SymAdd}, part(fun.Fst, l), part(fun.Snd, r))
	case t.Kind == fun.KSum:
		side := func(k int) func(a int) *fun.Term {
			return func(a int) *fun.Term {
				branches := [2]func(int) *fun.Term{}
				branches[1-k] = func(int) *fun.Term { return zeroReal }
				branches[k] = func(b int) *fun.Term {
					return s.dot(t.Parts[k], func() *fun.Term { return s.at(a) }, func() *fun.Term { return s.at(b) })
				}
				return s.choose(y(), branches[0], branches[1])
			}
		}
		return s.choose(x(), side(0), side(1))
	}
	elem := t.Parts[0]
	empty := fun.Operator(ops.Op{Sym: ops.SymLt}, fun.Length.Make(x()), oneWhole)
	return s.choose(empty, func(int) *fun.Term { return zeroReal }, func(int) *fun.Term {
		products := fun.Build.Typed(fun.Real, fun.Length.Make(x()), s.under(func(i int) *fun.Term {
			at := func(a func() *fun.Term) func() *fun.Term {
				return func() *fun.Term { return fun.Index.Typed(elem, a(), s.at(i)) }
			}
			return s.dot(elem, at(x), at(y))
		}))
		sum := fun.Operator(ops.Op{Sym: ops.SymAdd}, fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0)))
		return fun.Reduce.Typed(fun.Real, sum, products)
	})
}

// wrapper is what the routes have in common: S, T, and the main expression.
type wrapper struct {
	*translator
	*Task
}

// scalar reports whether T is R; if it is not, the main expression is e s ⊙ dt.
func (w *wrapper) scalar() bool { return w.Program.Result.Kind == fun.KReal }

// main is D of the main expression, where s0 is of D{S}; dt0, of D{T}, is only for a T that is
// not R.
func (w *wrapper) main(s0 func() *fun.Term, dt0 int) *fun.Term {
	body, context := w.Program.Body, w.Program.Context
	if dt0 >= 0 {
		body = dotted(body, w.Program.Result, len(context))
		context = append([]*fun.Type{w.Program.Result}, context...)
		w.bind(dt0)
	}
	return w.unit(0, func() *fun.Term {
		return w.spread(s0, func() *fun.Term { return w.term(raise.Must(fun.Annotate(body, context))) })
	})
}

// unit binds the translations of definitions from the kth on.
func (w *wrapper) unit(k int, then func() *fun.Term) *fun.Term {
	if k == len(w.Units) {
		return then()
	}
	bind := w.let
	if w.monadic {
		bind = w.do
	}
	return bind(w.Program.Names[k], w.Units[k].Translated, func(level int) *fun.Term {
		w.bind(level)
		return w.unit(k+1, then)
	})
}

// spread binds the components of a tuple, the last one first, to the names of the inputs.
func (w *wrapper) spread(s0 func() *fun.Term, then func() *fun.Term) *fun.Term {
	names := w.Program.Names[len(w.Units):]
	levels := make([]int, len(names))
	var next func(k int, rest func() *fun.Term) *fun.Term
	next = func(k int, rest func() *fun.Term) *fun.Term {
		if k < 0 {
			w.bind(levels...)
			return then()
		}
		x := rest()
		if k > 0 {
			x = fun.Snd.Make(x)
		}
		return w.let(names[k], x, func(level int) *fun.Term {
			levels[k] = level
			others := func() *fun.Term { return fun.Fst.Make(rest()) }
			if k <= 1 {
				return next(k-1, others)
			}
			return w.let("", others(), func(r int) *fun.Term {
				return next(k-1, func() *fun.Term { return w.at(r) })
			})
		})
	}
	return next(len(names)-1, s0)
}

// function is \(sd: (S, second)) -> … of s and sd's second component.
func (w *wrapper) function(second *fun.Type, name string, body func(s, second int) *fun.Term) *fun.Term {
	arg := fun.Prod(w.inputs(), second)
	return fun.Closure(arg, w.under(func(sd int) *fun.Term {
		return w.let("s", fun.Fst.Make(w.at(sd)), func(s int) *fun.Term {
			return w.let(name, fun.Snd.Make(w.at(sd)), func(d int) *fun.Term { return body(s, d) })
		})
	})).Named("sd")
}

// forward is F{e}: (S, δS) -> δT (Figs. 4 and 15).
func (w *wrapper) forward() *fun.Term {
	s := w.inputs()
	return w.function(s, "ds", func(x, dx int) *fun.Term {
		zip := zipOp.at(w.representation, s, fun.Pair.Make(w.at(x), w.at(dx)))
		return w.let("s0", zip, func(s0 int) *fun.Term {
			return deltaOp.at(w.representation, w.Program.Result, w.main(func() *fun.Term { return w.at(s0) }, -1))
		})
	})
}

// cotangent gives dt and where T is not R also dt0: dt without a change, and the factor 1
// instead of dt.
func (w *wrapper) cotangent(dt int, then func(factor func() *fun.Term, dt0 int) *fun.Term) *fun.Term {
	if w.scalar() {
		return then(func() *fun.Term { return w.at(dt) }, -1)
	}
	zeros := initZerosOp.at(w.representation, w.Program.Result, fun.Pair.Make(w.at(dt), w.zero()))
	return w.let("dt0", zeros, func(dt0 int) *fun.Term {
		return then(func() *fun.Term { return one }, dt0)
	})
}

// vectors is R¹{e} (Fig. 6).
func (w *wrapper) vectors() *fun.Term {
	s := w.inputs()
	return w.function(w.Program.Result, "dt", func(x, dt int) *fun.Term {
		return w.let("zero", zerosOp.at(w.representation, s, w.at(x)), func(zero int) *fun.Term {
			w.zeroAt = zero
			return w.cotangent(dt, func(factor func() *fun.Term, dt0 int) *fun.Term {
				seeds := initSeedsOp.at(w.representation, s, fun.Pair.Make(w.at(x), factor()))
				return w.let("s0", seeds, func(s0 int) *fun.Term {
					return fun.Snd.Make(w.main(func() *fun.Term { return w.at(s0) }, dt0))
				})
			})
		})
	})
}

// reverse is R²{e} and R{e} (Figs. 8, 11 and 15): ids by an operation, the Delta of the main
// expression, its evaluation, and what the inputs' ids have come to.
func (w *wrapper) reverse(init, lookup *polytypic, delta func(last, main func() *fun.Term) *fun.Term, eval func(factor, u *fun.Term, last func() *fun.Term) *fun.Term) *fun.Term {
	s := w.inputs()
	return w.function(w.Program.Result, "dt", func(x, dt int) *fun.Term {
		return w.let("s0", init.at(w.representation, s, fun.Pair.Make(w.at(x), zeroWhole)), func(s0 int) *fun.Term {
			first := func() *fun.Term { return fun.Fst.Make(w.at(s0)) }
			last := func() *fun.Term { return fun.Snd.Make(w.at(s0)) }
			return w.cotangent(dt, func(factor func() *fun.Term, dt0 int) *fun.Term {
				return w.let("u", delta(last, func() *fun.Term { return w.main(first, dt0) }), func(u int) *fun.Term {
					return w.let("m", eval(factor(), w.at(u), last), func(m int) *fun.Term {
						return lookup.at(w.representation, s, fun.Pair.Make(w.at(m), first()))
					})
				})
			})
		})
	})
}

// next is the id after the last.
func next(last func() *fun.Term) *fun.Term {
	return fun.Operator(ops.Op{Sym: ops.SymAdd}, last(), oneWhole)
}

func (w *wrapper) delta() *fun.Term {
	return w.reverse(initOneHotsOp, lookupVectorOp,
		func(_, main func() *fun.Term) *fun.Term { return fun.Snd.Make(main()) },
		func(factor, u *fun.Term, last func() *fun.Term) *fun.Term {
			return eval2Form.Make(factor, u, fun.Build.Typed(fun.Real, last(), zeroReal))
		})
}

// bound is R{e} with bindings, which a form runs.
func (w *wrapper) bound(run *fun.Form, eval func(factor, u *fun.Term) *fun.Term) *fun.Term {
	return w.reverse(initVarsOp, lookupOp,
		func(last, main func() *fun.Term) *fun.Term { return run.Make(next(last), main()) },
		func(factor, u *fun.Term, _ func() *fun.Term) *fun.Term { return eval(factor, u) })
}

func (w *wrapper) bindings() *fun.Term {
	return w.bound(runDeltaForm, func(factor, u *fun.Term) *fun.Term { return evalForm.Make(factor, u, emptyMapForm.Make()) })
}

func (w *wrapper) array() *fun.Term {
	return w.bound(runDeltaArrayForm, func(factor, u *fun.Term) *fun.Term { return evalArrayForm.Make(factor, u) })
}
