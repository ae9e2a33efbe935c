package krawiec

import (
	"fmt"
	"slices"

	"egad/fun"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term/ops"
)

// scope makes terms with variables by levels, the outermost of which is 0.
type scope struct{ depth int }

// at is the variable of a level.
func (s *scope) at(level int) *fun.Term { return fun.V(s.depth - 1 - level) }

// under makes a term where one more variable is bound.
func (s *scope) under(body func(level int) *fun.Term) *fun.Term {
	s.depth++
	t := body(s.depth - 1)
	s.depth--
	return t
}

// let binds a in the body.
func (s *scope) let(name string, a *fun.Term, body func(level int) *fun.Term) *fun.Term {
	return fun.LetIn(a, s.under(body)).Named(name)
}

// do runs a before the body, with its result.
func (s *scope) do(name string, a *fun.Term, body func(level int) *fun.Term) *fun.Term {
	return fun.Do.Make(a, s.under(body)).Named(name)
}

// choose is inl or inr of what x is a side of.
func (s *scope) choose(x *fun.Term, left, right func(level int) *fun.Term) *fun.Term {
	return fun.Case.Make(x, s.under(left), s.under(right))
}

// translator is D on terms (Figs. 3, 5, 7 and 9): that of a representation, in direct style or
// monadic.
type translator struct {
	scope
	*representation
	maps *slope.Table
	// monadic says that what is made now is of type M D{A}.
	monadic bool
	// reduced says that by the laws of the monad and of let what has no effect is not made a
	// computation.
	reduced bool
	effects map[*fun.Term]bool

	levels []int // of the source's variables, the outermost first
	share  bool  // changes get ids
	zeroAt int   // the level of the change of what does not change, if that is a variable
}

// zero is the change of what does not change.
func (t *translator) zero() *fun.Term {
	if t.none == nil {
		return t.at(t.zeroAt)
	}
	return t.none
}

// translate is D{e} of a term in a context, which is of type D{result}, or M D{result}.
func (t *translator) translate(e *fun.Term, context ...*fun.Type) (_ *fun.Term, err error) {
	defer raise.Caught(&err)
	return t.term(raise.Must(fun.Annotate(e, context))), nil
}

// bind takes variables of the source into scope, of these levels in the target.
func (t *translator) bind(levels ...int) { t.levels = append(t.levels, levels...) }

func (t *translator) leave(n int) { t.levels = t.levels[:len(t.levels)-n] }

// variable is the level of a variable of the source.
func (t *translator) variable(v int) int { return t.levels[len(t.levels)-1-v] }

// binds makes a term where a variable of the source is bound.
func (t *translator) binds(body *fun.Typed) *fun.Term {
	return t.under(func(level int) *fun.Term {
		t.bind(level)
		defer t.leave(1)
		return t.term(body)
	})
}

// pure is a value as what is made now.
func (t *translator) pure(v *fun.Term) *fun.Term {
	if t.monadic {
		return fun.Pure.Make(v)
	}
	return v
}

// plainly is D{e} in direct style, which is right for terms without effects.
func (t *translator) plainly(e *fun.Typed) *fun.Term {
	was := t.monadic
	t.monadic = false
	out := t.term(e)
	t.monadic = was
	return out
}

// effectful reports whether a term runs real primitives or calls functions, when it is
// evaluated.
func (t *translator) effectful(e *fun.Term) bool {
	if !t.reduced {
		return true
	}
	return memo.Of(t.effects, e, func() bool {
		switch e.Form {
		case fun.Lam, fun.Rec:
			return false
		case fun.App, fun.Prim, fun.Whole, fun.Case, fun.Build, fun.Reduce, fun.Let:
			return true
		}
		return slices.ContainsFunc(e.Kids, t.effectful)
	})
}

// operands makes those of a form, and then what is made of them. In monadic style they are
// bound before it, from the left.
func (t *translator) operands(kids []*fun.Typed, then func(xs []*fun.Term) *fun.Term) *fun.Term {
	var before []bound
	outside := t.depth
	effect := func(k *fun.Typed) bool { return t.monadic && t.effectful(k.Term) }
	for _, k := range kids {
		if effect(k) {
			before = append(before, t.boundTo(k))
			t.depth++
		}
	}
	xs := make([]*fun.Term, len(kids))
	for i, k := range kids {
		if effect(k) {
			xs[i] = t.at(outside)
			outside++
		} else {
			xs[i] = t.plainly(k)
		}
	}
	return t.within(before, then(xs))
}

// term is D{e}.
func (t *translator) term(e *fun.Typed) *fun.Term {
	switch e.Form {
	case fun.Let:
		return t.lets(e)
	case fun.Lam, fun.Rec:
		return t.closure(e)
	}
	if t.monadic && t.reduced && !t.effectful(e.Term) {
		return fun.Pure.Make(t.plainly(e))
	}
	switch e.Form {
	case fun.Var:
		return t.pure(t.at(t.variable(e.N)))
	case fun.Lit:
		if e.Of.Kind == fun.KReal {
			return t.pure(fun.Pair.Make(e.Term, t.zero()))
		}
		return t.pure(e.Term)
	case fun.Prim:
		return t.primitive(e)
	case fun.Case:
		return t.operands(e.Parts[:1], func(xs []*fun.Term) *fun.Term {
			return fun.Case.Make(xs[0], t.binds(e.Parts[1]), t.binds(e.Parts[2])).Named(e.Name...)
		})
	case fun.Build:
		return t.operands(e.Parts[:1], func(xs []*fun.Term) *fun.Term {
			elem, of := t.binds(e.Parts[1]), t.dual(e.Type)
			if !t.monadic {
				return t.array(fun.Build.Typed(of, xs[0], elem).Named(e.Name...), e.Type)
			}
			all := fun.Sequence.Make(fun.Build.Typed(fun.M(of), xs[0], elem).Named(e.Name...))
			if !t.apartArrays || !e.Type.HasReals() {
				return all
			}
			return t.do("", all, func(level int) *fun.Term { return t.pure(t.array(t.at(level), e.Type)) })
		})
	case fun.Reduce:
		return t.operands(e.Parts[1:], func(xs []*fun.Term) *fun.Term {
			form := fun.Reduce
			if t.monadic {
				form = fun.ReduceM
			}
			return form.Typed(t.dual(e.Type), t.binds(e.Parts[0]), t.elements(xs[0], e.Type)).Named(e.Name...)
		})
	case fun.App, fun.Star, fun.Pair, fun.Fst, fun.Snd, fun.Inl, fun.Inr, fun.Sign, fun.Index, fun.Length, fun.List, fun.Whole:
		return t.operands(e.Parts, func(xs []*fun.Term) *fun.Term { return t.strict(e, xs) })
	}
	raise.Error(e.Locate(fmt.Errorf("the transformations of Krawiec et al. do not take %s", e.Called())))
	return nil
}

// strict is D of a form that binds nothing, by D of its operands.
func (t *translator) strict(e *fun.Typed, xs []*fun.Term) *fun.Term {
	switch e.Form {
	case fun.App:
		return fun.App.Make(xs...)
	case fun.Whole:
		return t.whole(e.Term, xs[0])
	case fun.Sign:
		return t.pure(fun.Sign.Make(fun.Fst.Make(xs[0])))
	case fun.Index:
		return t.pure(t.index(xs[0], xs[1], e.Of))
	case fun.Length:
		if t.apartArrays && e.Parts[0].Of.HasReals() {
			xs[0] = fun.Fst.Make(xs[0])
		}
		return t.pure(fun.Length.Make(xs[0]))
	case fun.List:
		return t.pure(t.array(fun.List.Typed(t.dual(e.Type), xs...), e.Type))
	}
	out := &fun.Term{Form: e.Form, Kids: xs}
	if e.Type != nil {
		out.Type = t.dual(e.Type)
	}
	return t.pure(out)
}

// index is D{A} of an element of D{Array A}. Outside of the array it is zero, which where the
// zero is a variable fun.Index does not know.
func (t *translator) index(a, i *fun.Term, elem *fun.Type) *fun.Term {
	together := !t.apartArrays || !elem.HasReals()
	if together && (t.none != nil || !elem.HasReals()) {
		return fun.Index.Typed(t.dual(elem), a, i)
	}
	return t.let("", fun.Pair.Make(a, i), func(p int) *fun.Term {
		all := func() *fun.Term { return fun.Fst.Make(t.at(p)) }
		at := func() *fun.Term { return fun.Snd.Make(t.at(p)) }
		inside := func(int) *fun.Term {
			if together {
				return fun.Index.Typed(t.dual(elem), all(), at())
			}
			return joinOp.at(t.representation, elem, fun.Pair.Make(
				fun.Index.Typed(elem, fun.Fst.Make(all()), at()),
				fun.Index.Typed(t.changes(elem), fun.Snd.Make(all()), at())))
		}
		if t.none != nil {
			return inside(0)
		}
		outside := func(int) *fun.Term { return t.nothing(elem) }
		length := all
		if !together {
			length = func() *fun.Term { return fun.Fst.Make(all()) }
		}
		less := func(a, b *fun.Term) *fun.Term { return fun.Operator(ops.Op{Sym: ops.SymLt}, a, b) }
		return t.choose(less(at(), zeroWhole), outside, func(int) *fun.Term {
			return t.choose(less(at(), fun.Length.Make(length())), inside, outside)
		})
	})
}

// nothing is D{A} of the zero of A, as [fun.Zero] has it.
func (t *translator) nothing(a *fun.Type) *fun.Term {
	switch a.Kind {
	case fun.KReal:
		return fun.Pair.Make(zeroReal, t.zero())
	case fun.KInt:
		return zeroWhole
	case fun.KProd:
		return fun.Pair.Make(t.nothing(a.Parts[0]), t.nothing(a.Parts[1]))
	case fun.KSum:
		if a.Equal(fun.Bool) {
			return fun.TruthOf(false)
		}
		return fun.Inl.Typed(t.dual(a), t.nothing(a.Parts[0]))
	case fun.KArray:
		return t.array(fun.List.Typed(t.dual(a.Parts[0])), a.Parts[0])
	}
	return fun.Star.Make()
}

// array is D{Array A} of an array of values of D{A}.
func (t *translator) array(a *fun.Term, elem *fun.Type) *fun.Term {
	if t.apartArrays && elem.HasReals() {
		return unzipOp.at(t.representation, elem, a)
	}
	return a
}

// elements is the array of values of D{A} of D{Array A}.
func (t *translator) elements(a *fun.Term, elem *fun.Type) *fun.Term {
	if t.apartArrays && elem.HasReals() {
		return zipArrayOp.at(t.representation, elem, a)
	}
	return a
}

// lets is D of a chain of lets, which may be long.
func (t *translator) lets(e *fun.Typed) *fun.Term {
	var chain []bound
	for ; e.Form == fun.Let; e = e.Parts[1] {
		b := t.boundTo(e.Parts[0])
		b.name = e.Name
		chain = append(chain, b)
		t.bind(t.depth)
		t.depth++
	}
	out := t.within(chain, t.term(e))
	t.leave(len(chain))
	return out
}

// bound is a term that a variable is bound to, by a let or a do.
type bound struct {
	form *fun.Form
	a    *fun.Term
	name []string
}

// boundTo is D{e}, to be bound.
func (t *translator) boundTo(e *fun.Typed) bound {
	if t.monadic && t.effectful(e.Term) {
		return bound{form: fun.Do, a: t.term(e)}
	}
	return bound{form: fun.Let, a: t.plainly(e)}
}

// within binds variables, the innermost ones, in a term.
func (t *translator) within(chain []bound, out *fun.Term) *fun.Term {
	for _, b := range slices.Backward(chain) {
		out = b.form.Make(b.a, out)
		out.Name = b.name
	}
	t.depth -= len(chain)
	return out
}

// closure is D of a function: what it captures is captured, and with it the zero if that is a
// variable.
func (t *translator) closure(e *fun.Typed) *fun.Term {
	in := *t
	in.depth, in.levels, in.monadic = 0, nil, t.representation.monadic
	caps := slice.Map(e.Caps, func(v int) int { return t.depth - 1 - t.variable(v) })
	if t.none == nil {
		caps = append(caps, t.depth-1-t.zeroAt)
		in.zeroAt = 0
		in.depth++
	}
	variables := len(e.Caps) + 1
	if e.Form == fun.Rec {
		variables++
	}
	for range variables {
		in.bind(in.depth)
		in.depth++
	}
	return t.pure(&fun.Term{Form: e.Form, Type: t.dual(e.Type), Kids: []*fun.Term{in.term(e.Parts[0])}, Caps: caps, Name: e.Name})
}

// primitive is D of an operator on scalars (Figs. 3, 5, 7, 9 and 14), applied: the operands
// are bound, then their primal values and the result, and the change of the result is made of
// those of the operands by the rules of nabla.
func (t *translator) primitive(e *fun.Typed) *fun.Term {
	n := ops.Builtin(e.Op.Sym).Arity
	types := e.Parts[0].Of.Components(n)
	kids := e.Parts // a tuple, or its components if it is written
	for len(kids) < n && kids[0].Form == fun.Pair {
		kids = append(kids[0].Parts[:2:2], kids[1:]...)
	}
	if len(kids) < n {
		kids = e.Parts
	}
	return t.named(kids, func(at []int) *fun.Term {
		operand := func(i int) *fun.Term {
			if len(at) == n {
				return t.at(at[i])
			}
			return fun.Component(t.at(at[0]), i, n)
		}
		primal := func(i int) *fun.Term {
			if types[i].Kind == fun.KReal {
				return fun.Fst.Make(operand(i))
			}
			return operand(i)
		}
		real := e.Of.Kind == fun.KReal
		if !real || !e.Parts[0].Of.HasReals() { // discrete: the primal values alone
			out := fun.Operator(e.Op, slice.Make(n, primal)...)
			if real {
				out = fun.Pair.Make(out, t.zero())
			}
			return t.pure(out)
		}
		maps := raise.Must(t.maps.Maps(slope.On(e.Op, types)))
		return t.primals(n, primal, func(xs []int) *fun.Term {
			return t.let("", fun.Operator(e.Op, slice.Map(xs, t.at)...), func(y int) *fun.Term {
				change := t.linear(maps, append(xs, y), func(i int) *fun.Term { return fun.Snd.Make(operand(i)) })
				if !t.share {
					return fun.Pair.Make(t.at(y), change)
				}
				return t.do("", deltaLetForm.Make(change), func(u int) *fun.Term {
					return fun.Pure.Make(fun.Pair.Make(t.at(y), varForm.Make(t.at(u))))
				})
			})
		})
	})
}

// named binds operands, from the left.
func (t *translator) named(kids []*fun.Typed, then func(at []int) *fun.Term) *fun.Term {
	var before []bound
	at := make([]int, len(kids))
	for i, k := range kids {
		if k.Form == fun.Var && !(t.monadic && !t.reduced) {
			at[i] = t.variable(k.N)
			continue
		}
		before = append(before, t.boundTo(k))
		at[i] = t.depth
		t.depth++
	}
	return t.within(before, then(at))
}

// primals binds the primal values of n operands.
func (t *translator) primals(n int, primal func(i int) *fun.Term, then func(xs []int) *fun.Term) *fun.Term {
	xs := make([]int, 0, n+1)
	var next func() *fun.Term
	next = func() *fun.Term {
		if len(xs) == n {
			return then(xs)
		}
		return t.let("", primal(len(xs)), func(level int) *fun.Term {
			xs = append(xs, level)
			return next()
		})
	}
	return next()
}

// linear is the change of a result by those of operands: the sum of what their maps make of
// them. The levels are those of the primal operands and the result.
func (t *translator) linear(maps []*slope.Map, levels []int, change func(i int) *fun.Term) *fun.Term {
	var sum *fun.Term
	for i, m := range maps {
		if m == nil || m.Kind == slope.Held {
			continue
		}
		part := t.through(m, levels, func() *fun.Term { return change(i) })
		if sum == nil {
			sum = part
		} else {
			sum = t.add(sum, part)
		}
	}
	if sum == nil {
		return t.zero()
	}
	return sum
}

// through is what a map makes of a change.
func (t *translator) through(m *slope.Map, levels []int, change func() *fun.Term) *fun.Term {
	by := func() *fun.Term {
		return m.By.Rename(func(v int) int { return t.depth - 1 - levels[len(levels)-1-v] })
	}
	switch m.Kind {
	case slope.Same:
		return change()
	case slope.Scaled:
		return t.scale(by(), change())
	case slope.Where:
		return t.choose(by(), func(int) *fun.Term { return change() }, func(int) *fun.Term { return t.zero() })
	case slope.Composed:
		return t.through(m.Of[0], levels, func() *fun.Term { return t.through(m.Of[1], levels, change) })
	case slope.Sum:
		return t.add(t.through(m.Of[0], levels, change), t.through(m.Of[1], levels, change))
	}
	return t.zero()
}
