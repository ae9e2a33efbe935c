package krawiec

import (
	"fmt"
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term"
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

	levels  []int // of the source's variables, the outermost first
	context []*fun.Type
	share   bool // changes get ids
	zeroAt  int  // the level of the change of what does not change, if that is a variable
}

// zero is the change of what does not change.
func (t *translator) zero() *fun.Term {
	if t.none == nil {
		return t.at(t.zeroAt)
	}
	return t.none
}

// translate is D{t} of a term in a context, which is of type D{result}, or M D{result}.
func (t *translator) translate(e *fun.Term) (out *fun.Term, err error) {
	defer raise.Caught(&err)
	out, _ = t.term(e)
	return out, nil
}

// bind takes a variable of the source into scope, of a level in the target.
func (t *translator) bind(level int, typ *fun.Type) {
	t.levels = append(t.levels, level)
	t.context = append(t.context, typ)
}

func (t *translator) leave(n int) {
	t.levels = t.levels[:len(t.levels)-n]
	t.context = t.context[:len(t.context)-n]
}

// variable is the level of a variable of the source.
func (t *translator) variable(v int) int { return t.levels[len(t.levels)-1-v] }

// binds makes a term where a variable of the source is bound.
func (t *translator) binds(typ *fun.Type, body *fun.Term) (out *fun.Term, of *fun.Type) {
	out = t.under(func(level int) *fun.Term {
		t.bind(level, typ)
		var made *fun.Term
		made, of = t.term(body)
		t.leave(1)
		return made
	})
	return out, of
}

// pure is a value as what is made now.
func (t *translator) pure(v *fun.Term) *fun.Term {
	if t.monadic {
		return fun.Pure.Make(v)
	}
	return v
}

// plainly is D{e} in direct style, which is right for terms without effects.
func (t *translator) plainly(e *fun.Term) (*fun.Term, *fun.Type) {
	was := t.monadic
	t.monadic = false
	out, typ := t.term(e)
	t.monadic = was
	return out, typ
}

// effectful reports whether a term runs real primitives or calls functions, when it is
// evaluated.
func (t *translator) effectful(e *fun.Term) bool {
	if !t.reduced {
		return true
	}
	if is, ok := t.effects[e]; ok {
		return is
	}
	is := false
	switch e.Form {
	case fun.Lam, fun.Rec:
	case fun.App, fun.Prim, fun.Whole, fun.Case, fun.Build, fun.Reduce, fun.Let:
		is = true
	default:
		for _, k := range e.Kids {
			is = is || t.effectful(k)
		}
	}
	t.effects[e] = is
	return is
}

// operands makes those of a form, and then what is made of them. In monadic style they are
// bound before it, from the left.
func (t *translator) operands(kids []*fun.Term, then func(xs []*fun.Term, of []*fun.Type) *fun.Term) *fun.Term {
	var before []bound
	outside := t.depth
	of := make([]*fun.Type, len(kids))
	effect := func(k *fun.Term) bool { return t.monadic && t.effectful(k) }
	for i, k := range kids {
		if effect(k) {
			var b bound
			b, of[i] = t.boundTo(k)
			before = append(before, b)
			t.depth++
		}
	}
	xs := make([]*fun.Term, len(kids))
	for i, k := range kids {
		if effect(k) {
			xs[i] = t.at(outside)
			outside++
		} else {
			xs[i], of[i] = t.plainly(k)
		}
	}
	return t.within(before, then(xs, of))
}

// term is D{e}, with the type of e.
func (t *translator) term(e *fun.Term) (*fun.Term, *fun.Type) {
	switch e.Form {
	case fun.Let:
		return t.lets(e)
	case fun.Lam, fun.Rec:
		return t.closure(e)
	}
	if t.monadic && t.reduced && !t.effectful(e) {
		out, typ := t.plainly(e)
		return fun.Pure.Make(out), typ
	}
	var typ *fun.Type
	// result is the type of e by those of its operands.
	result := func(of []*fun.Type) *fun.Type {
		typ = raise.Must(e.Form.Result(e, of))
		return typ
	}
	switch e.Form {
	case fun.Var:
		level := t.variable(e.N)
		return t.pure(t.at(level)), t.context[len(t.context)-1-e.N]
	case fun.Lit:
		if e.Type.Kind == fun.KReal {
			return t.pure(fun.Pair.Make(e, t.zero())), fun.Real
		}
		return t.pure(e), e.Type
	case fun.App:
		return t.operands(e.Kids, func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			result(of)
			return fun.App.Make(xs...)
		}), typ
	case fun.Case:
		out := t.operands(e.Kids[:1], func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			left, l := t.binds(of[0].Parts[0], e.Kids[1])
			right, _ := t.binds(of[0].Parts[1], e.Kids[2])
			typ = l
			c := fun.Case.Make(xs[0], left, right)
			c.Name = e.Name
			return c
		})
		return out, typ
	case fun.Prim:
		return t.primitive(e)
	case fun.Sign:
		return t.operands(e.Kids, func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			result(of)
			return t.pure(fun.Sign.Make(fun.Fst.Make(xs[0])))
		}), typ
	case fun.Build:
		return t.operands(e.Kids[:1], func(xs []*fun.Term, _ []*fun.Type) *fun.Term {
			elem, of := t.binds(fun.Int, e.Kids[1])
			typ = fun.Array(of)
			if !t.monadic {
				return t.array(fun.Build.Typed(t.dual(of), xs[0], elem).Named(e.Name...), of)
			}
			all := fun.Sequence.Make(fun.Build.Typed(fun.M(t.dual(of)), xs[0], elem).Named(e.Name...))
			if !t.apartArrays || !of.HasReals() {
				return all
			}
			return t.do("", all, func(level int) *fun.Term { return t.pure(t.array(t.at(level), of)) })
		}), typ
	case fun.Reduce:
		return t.operands(e.Kids[1:], func(xs []*fun.Term, _ []*fun.Type) *fun.Term {
			body, of := t.binds(fun.Prod(e.Type, e.Type), e.Kids[0])
			typ = of
			form := fun.Reduce
			if t.monadic {
				form = fun.ReduceM
			}
			return form.Typed(t.dual(of), body, t.elements(xs[0], of)).Named(e.Name...)
		}), typ
	case fun.Index:
		return t.operands(e.Kids, func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			return t.pure(t.index(xs[0], xs[1], result(of)))
		}), typ
	case fun.Length:
		return t.operands(e.Kids, func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			result(of)
			if t.apartArrays && of[0].HasReals() {
				xs[0] = fun.Fst.Make(xs[0])
			}
			return t.pure(fun.Length.Make(xs[0]))
		}), typ
	case fun.List:
		return t.operands(e.Kids, func(xs []*fun.Term, _ []*fun.Type) *fun.Term {
			typ = fun.Array(e.Type)
			return t.pure(t.array(fun.List.Typed(t.dual(e.Type), xs...), e.Type))
		}), typ
	case fun.Whole:
		return t.operands(e.Kids, func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			result(of)
			return t.whole(e, xs[0])
		}), typ
	case fun.Star, fun.Pair, fun.Fst, fun.Snd, fun.Inl, fun.Inr:
		return t.operands(e.Kids, func(xs []*fun.Term, of []*fun.Type) *fun.Term {
			result(of)
			out := &fun.Term{Form: e.Form, Kids: xs}
			if e.Type != nil {
				out.Type = t.dual(e.Type)
			}
			return t.pure(out)
		}), typ
	}
	raise.Error(e.Locate(fmt.Errorf("the transformations of Krawiec et al. do not take %s", e.Called())))
	return nil, nil
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
		less := func(a, b *fun.Term) *fun.Term { return fun.Operator(term.Op{Sym: term.SymLt}, a, b) }
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
func (t *translator) lets(e *fun.Term) (*fun.Term, *fun.Type) {
	var chain []bound
	for ; e.Form == fun.Let; e = e.Kids[1] {
		b, typ := t.boundTo(e.Kids[0])
		b.name = e.Name
		chain = append(chain, b)
		t.bind(t.depth, typ)
		t.depth++
	}
	out, typ := t.term(e)
	out = t.within(chain, out)
	t.leave(len(chain))
	return out, typ
}

// bound is a term that a variable is bound to, by a let or a do.
type bound struct {
	form *fun.Form
	a    *fun.Term
	name []string
}

// boundTo is D{e}, to be bound, and the type of e.
func (t *translator) boundTo(e *fun.Term) (bound, *fun.Type) {
	if t.monadic && t.effectful(e) {
		a, typ := t.term(e)
		return bound{form: fun.Do, a: a}, typ
	}
	a, typ := t.plainly(e)
	return bound{form: fun.Let, a: a}, typ
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
func (t *translator) closure(e *fun.Term) (*fun.Term, *fun.Type) {
	scope := raise.Must(e.Scope(t.context, nil, 0))
	in := *t
	in.depth, in.levels, in.context, in.monadic = 0, nil, nil, t.representation.monadic
	caps := slice.Map(e.Caps, func(v int) int { return t.depth - 1 - t.variable(v) })
	if t.none == nil {
		caps = append(caps, t.depth-1-t.zeroAt)
		in.zeroAt = 0
		in.depth++
	}
	for _, typ := range scope {
		in.bind(in.depth, typ)
		in.depth++
	}
	body, of := in.term(e.Kids[0])
	typ := e.Type
	if e.Form == fun.Lam {
		typ = fun.Fun(e.Type, of)
	}
	return t.pure(&fun.Term{Form: e.Form, Type: t.dual(e.Type), Kids: []*fun.Term{body}, Caps: caps, Name: e.Name}), typ
}

// primitive is D of an operator on scalars (Figs. 3, 5, 7, 9 and 14), applied: the operands
// are bound, then their primal values and the result, and the change of the result is made of
// those of the operands by the rules of nabla.
func (t *translator) primitive(e *fun.Term) (*fun.Term, *fun.Type) {
	n := term.Builtin(e.Op.Sym).Arity
	kids := e.Operands()
	apart := kids != nil
	if !apart {
		kids = e.Kids
	}
	var typ *fun.Type
	return t.named(kids, func(at []int, of []*fun.Type) *fun.Term {
		types := of
		if !apart {
			types = make([]*fun.Type, n)
			rest := of[0]
			for i := n - 1; i > 0; i-- {
				rest, types[i] = rest.Parts[0], rest.Parts[1]
			}
			types[0] = rest
		}
		operand := func(i int) *fun.Term {
			if apart {
				return t.at(at[i])
			}
			return fun.Component(t.at(at[0]), i, n)
		}
		op := slope.Operator{Sym: e.Op.Sym, N: e.Op.N}
		real := false
		for i, o := range types {
			op.Elems[i], _ = o.Elem()
			real = real || o.Kind == fun.KReal
		}
		elem, ok := term.Builtin(e.Op.Sym).OnElements(op.Elems[:n]...)
		if !ok {
			raise.Error(fmt.Errorf("%s of %s", term.Builtin(e.Op.Sym).Text(), fun.Tuple(types...)))
		}
		typ = fun.OfElem(elem)
		if typ.Kind != fun.KReal || !real { // discrete: the primal values alone
			xs := make([]*fun.Term, n)
			for i := range xs {
				if xs[i] = operand(i); types[i].Kind == fun.KReal {
					xs[i] = fun.Fst.Make(xs[i])
				}
			}
			out := fun.Operator(e.Op, xs...)
			if typ.Kind == fun.KReal {
				out = fun.Pair.Make(out, t.zero())
			}
			return t.pure(out)
		}
		maps := raise.Must(t.maps.Maps(op))
		return t.primals(types, operand, func(xs []int) *fun.Term {
			values := make([]*fun.Term, n)
			for i, level := range xs {
				values[i] = t.at(level)
			}
			return t.let("", fun.Operator(e.Op, values...), func(y int) *fun.Term {
				change := t.linear(maps, append(xs, y), func(i int) *fun.Term { return fun.Snd.Make(operand(i)) })
				if !t.share {
					return fun.Pair.Make(t.at(y), change)
				}
				return t.do("", deltaLetForm.Make(change), func(u int) *fun.Term {
					return fun.Pure.Make(fun.Pair.Make(t.at(y), varForm.Make(t.at(u))))
				})
			})
		})
	}), typ
}

// named binds operands, from the left.
func (t *translator) named(kids []*fun.Term, then func(at []int, of []*fun.Type) *fun.Term) *fun.Term {
	var before []bound
	at := make([]int, len(kids))
	of := make([]*fun.Type, len(kids))
	for i, k := range kids {
		if k.Form == fun.Var && !(t.monadic && !t.reduced) {
			at[i], of[i] = t.variable(k.N), t.context[len(t.context)-1-k.N]
			continue
		}
		var b bound
		b, of[i] = t.boundTo(k)
		at[i] = t.depth
		before = append(before, b)
		t.depth++
	}
	return t.within(before, then(at, of))
}

// primals binds the primal values of operands.
func (t *translator) primals(types []*fun.Type, operand func(i int) *fun.Term, then func(xs []int) *fun.Term) *fun.Term {
	xs := make([]int, 0, len(types)+1)
	var next func() *fun.Term
	next = func() *fun.Term {
		i := len(xs)
		if i == len(types) {
			return then(xs)
		}
		x := operand(i)
		if types[i].Kind == fun.KReal {
			x = fun.Fst.Make(x)
		}
		return t.let("", x, func(level int) *fun.Term {
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
