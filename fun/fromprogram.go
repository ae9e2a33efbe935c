package fun

import (
	"fmt"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// FromProgram reads an array program as a functional program of the same value, bit for bit
// ([Concrete.FromArray] gives its inputs). Arrays are computed element by element, in builds
// over their indices; what is used more than once, and each array, is bound by a let where
// the innermost of its index variables is in scope. Reductions are [Fold], scatter and loops
// [Scatter] and [States], and an operator that has no meaning by elements is [Whole].
//
// Declared operators are replaced by their meanings. Sizes must be constants.
func FromProgram(p *term.Program) (_ *Program, err error) {
	defer raise.Caught(&err)
	raise.Error(p.Made())
	p = raise.Must(p.Expand(nil))
	e := &reader{
		store: p.Store, names: p.Names, depth: len(p.Inputs),
		leaves: make(map[string]func() *Term), bound: make(map[slot.Name]int), lets: make(map[*term.Instance]int),
	}
	out := &Program{}
	for i, in := range p.Inputs {
		out.Names, out.Context = append(out.Names, in.Name), append(out.Context, raise.Must(TypeOf(in.Type)))
		e.input(in, func() *Term { return e.at(i) })
	}
	var root *term.Instance
	var top *term.LetScope
	raise.Error(overflow.Guard(func() error {
		root, top = term.PlaceLets(p.Store, p.Root, e.keep)
		return nil
	}))
	out.Body = e.scope(top, func() *Term { return e.whole(root) })
	out.Result, err = Check(out.Body, out.Context)
	return out, err
}

// reader makes terms of the instances of an array program. Variables are known by their
// level: how many are outside of them.
type reader struct {
	store  *term.Store
	names  map[uint32]term.Hint
	depth  int
	leaves map[string]func() *Term // of an input, and its components
	bound  map[slot.Name]int       // the levels of index variables and states
	lets   map[*term.Instance]int
}

// keep says which instances a let binds: each array that is computed, but for what a binder's
// body results in, and else what is used more than once.
func (e *reader) keep(in *term.Instance) bool {
	op, t := in.View.Op, e.typ(in)
	if in.Leaf() && op.Sym != ops.SymIota && (op.Const == nil || op.Const.Data == nil) {
		return false
	}
	return in.Uses > 1 || !in.Tail && t.Kind == types.KArray && len(t.Shape) > 0
}

func (e *reader) typ(in *term.Instance) *types.Type { return e.store.Type(in.Term) }

// at is the variable of a level.
func (e *reader) at(level int) *Term { return V(e.depth - 1 - level) }

// under makes a term where n variables are bound, of which the first has the given level.
func (e *reader) under(n int, f func(level int) *Term) *Term {
	level := e.depth
	e.depth += n
	t := f(level)
	e.depth = level
	return t
}

func (e *reader) input(in term.Input, read func() *Term) {
	if in.Type.Kind != types.KTuple {
		e.leaves[in.Name] = read
		return
	}
	for k, c := range in.Components() {
		e.input(c, func() *Term { return Component(read(), k, len(in.Type.Parts)) })
	}
}

// scope is a term inside lets.
func (e *reader) scope(s *term.LetScope, f func() *Term) *Term {
	if s == nil || len(s.Lets) == 0 {
		return f()
	}
	level := e.depth
	bound := make([]*Term, len(s.Lets))
	for i, in := range s.Lets {
		bound[i] = e.placed(in)
		e.lets[in] = e.depth
		e.depth++
	}
	t := f()
	for i := len(bound) - 1; i >= 0; i-- {
		t = LetIn(bound[i], t)
		if name := e.names[s.Lets[i].Term.ID].Name; name != "" {
			t = t.Named(name)
		}
	}
	e.depth = level
	return t
}

// whole is an instance as a value.
func (e *reader) whole(in *term.Instance) *Term {
	if level, ok := e.lets[in]; ok {
		return e.at(level)
	}
	return e.placed(in)
}

// placed is an instance as a value, computed here, with its place in the text.
func (e *reader) placed(in *term.Instance) *Term {
	t := e.compute(in)
	if at, ok := e.store.Place(in.Term); ok {
		return t.placed(at.Src, at.Pos)
	}
	return t
}

// element is an element of an array, at indices of which each is an integer.
func (e *reader) element(a *Term, t *types.Type, ix []*Term) *Term {
	for k, i := range ix {
		a = Index.Typed(e.rest(t, k+1), a, i)
	}
	return a
}

// read is an element of an operand.
func (e *reader) read(in *term.Instance, ix []*Term) *Term {
	if op := in.View.Op; op.Sym == ops.SymConst && op.Const.Data == nil {
		return LiteralOf(op.Const.Fill)
	}
	return e.element(e.whole(in), e.typ(in), ix)
}

func integer(n int64) *Term { return Literal(numeric.Int(n), Int) }

func (e *reader) size(s size.Size) int64 {
	n, ok := s.Const()
	if !ok {
		raise.Error(fmt.Errorf("size %s has no value", s))
	}
	return n
}

// builds is an array with the given axes, of elements of a type; f makes one at indices of
// the given levels.
func (e *reader) builds(shape []size.Size, of *Type, f func(levels []int) *Term) *Term {
	var axis func(levels []int) *Term
	axis = func(levels []int) *Term {
		k := len(levels)
		if k == len(shape) {
			return f(levels)
		}
		elem := nested(of, len(shape)-1-k)
		return Build.Typed(elem, integer(e.size(shape[k])), e.under(1, func(level int) *Term {
			return axis(append(levels[:k:k], level))
		}))
	}
	return axis(nil)
}

// elements is an array of type t of elements.
func (e *reader) elements(t *types.Type, f func(ix []*Term) *Term) *Term {
	return e.builds(t.Shape, OfElem(t.Elem), func(levels []int) *Term { return f(e.all(levels)) })
}

func (e *reader) all(levels []int) []*Term {
	return slice.Map(levels, e.at)
}

// compute is an instance as a value, computed here.
func (e *reader) compute(in *term.Instance) *Term {
	op, t, kids := in.View.Op, e.typ(in), in.Kids
	o := e.store.Signature().Operator(op.Sym)
	switch {
	case o.Elementwise:
		return e.elements(t, func(ix []*Term) *Term {
			return Operator(op, slice.Map(kids, func(kid *term.Instance) *Term { return e.read(kid, ix) })...)
		})
	case o.Reduction && o.Fold != ops.SymNone:
		return e.elements(t, func(ix []*Term) *Term {
			column := e.whole
			if len(ix) > 0 {
				column = func(a *term.Instance) *Term {
					return e.builds(e.typ(a).Shape[:1], OfElem(t.Elem), func(i []int) *Term {
						return e.read(a, append(e.all(i), e.again(ix, 1)...))
					})
				}
			}
			return &Term{Form: Fold, Op: ops.Op{Sym: op.Sym}, Type: OfElem(t.Elem), Kids: []*Term{column(kids[0])}}
		})
	}
	switch op.Sym {
	case ops.SymVar:
		return e.leaves[op.Name]()
	case ops.SymIvar, ops.SymLocal:
		return e.at(e.bound[in.View.Own[0]])
	case ops.SymConst:
		return e.constant(op.Const, t)
	case ops.SymIota:
		return e.elements(t, func(ix []*Term) *Term { return ix[0] })
	case ops.SymTuple:
		return TupleOf(e.wholes(kids)...)
	case ops.SymProj:
		return Component(e.whole(kids[0]), op.N, len(e.typ(kids[0]).Parts))
	case ops.SymCond:
		c := e.whole(kids[0])
		branch := func(k int) *Term { return e.under(1, func(int) *Term { return e.whole(kids[k]) }) }
		return Case.Make(c, branch(1), branch(2))
	case ops.SymStack:
		return List.Typed(raise.Must(TypeOf(e.typ(kids[0]))), e.wholes(kids)...)
	case ops.SymReplicate:
		return e.elements(t, func(ix []*Term) *Term { return e.read(kids[0], ix[1:]) })
	case ops.SymTr:
		return e.elements(t, func(ix []*Term) *Term {
			from := append([]*Term(nil), ix...)
			for i, axis := range op.Perm {
				from[axis] = ix[i]
			}
			return e.read(kids[0], from)
		})
	case ops.SymReshape:
		return e.elements(t, func(ix []*Term) *Term {
			of := e.typ(kids[0]).Shape
			return e.read(kids[0], e.unravel(e.ravel(ix, t.Shape), of))
		})
	case ops.SymIndex:
		return e.elements(t, func(ix []*Term) *Term {
			return e.element(e.whole(kids[0]), e.typ(kids[0]), append(e.wholes(kids[1:]), ix...))
		})
	case ops.SymGather:
		n := len(op.Sizes)
		return e.builds(op.Sizes, e.rest(t, n), func(levels []int) *Term {
			e.bind(in, levels)
			return e.scope(in.Body, func() *Term {
				return e.elements(types.ArrayOf(t.Elem, t.Shape[n:]...), func(ix []*Term) *Term {
					return e.element(e.whole(kids[0]), e.typ(kids[0]), append(e.wholes(kids[1:]), ix...))
				})
			})
		})
	case ops.SymBuild:
		return e.builds(op.Sizes, e.rest(t, 1), func(levels []int) *Term {
			e.bind(in, levels)
			return e.scope(in.Body, func() *Term { return e.whole(kids[0]) })
		})
	case ops.SymScatter:
		return e.scatter(in)
	case ops.SymStates:
		return e.states(in)
	}
	if o.Linear || o.Binds() {
		raise.Error(fmt.Errorf("%s has no value in a functional program", o.Text()))
	}
	of := types.TupleOf(slice.Map(kids, e.typ)...)
	if len(kids) == 1 {
		of = of.Parts[0]
	}
	return &Term{Form: Whole, Op: op, Arrays: types.LinOf(of, t), Kids: []*Term{TupleOf(e.wholes(kids)...)}}
}

func (e *reader) wholes(ins []*term.Instance) []*Term {
	return slice.Map(ins, e.whole)
}

// bind gives the variables of an instance their levels.
func (e *reader) bind(in *term.Instance, levels []int) {
	for i, n := range in.View.Binders {
		e.bound[n] = levels[i]
	}
}

// again are terms n variables further in.
func (e *reader) again(ts []*Term, n int) []*Term {
	return slice.Map(ts, func(t *Term) *Term { return t.Shift(n, 0) })
}

// rest is the type of the parts of an array along its first n axes.
func (e *reader) rest(t *types.Type, n int) *Type {
	return nested(OfElem(t.Elem), len(t.Shape)-n)
}

// constant is a literal: of different elements as lists.
func (e *reader) constant(c *ops.Const, t *types.Type) *Term {
	if c.Data == nil {
		return e.elements(t, func([]*Term) *Term { return LiteralOf(c.Fill) })
	}
	data := c.Data
	var list func(axis int) *Term
	list = func(axis int) *Term {
		if axis == len(t.Shape) {
			s := data[0]
			data = data[1:]
			return LiteralOf(s)
		}
		out := slice.Make(e.size(t.Shape[axis]), func(int) *Term { return list(axis + 1) })
		return List.Typed(e.rest(t, axis+1), out...)
	}
	return list(0)
}

func on(sym ops.Sym, ts ...*Term) *Term { return Operator(ops.Op{Sym: sym}, ts...) }

// ravel is the position of an element.
func (e *reader) ravel(ix []*Term, shape []size.Size) *Term {
	if len(ix) == 0 {
		return integer(0)
	}
	at := ix[0]
	for k := 1; k < len(ix); k++ {
		at = on(ops.SymAdd, on(ops.SymMul, at, integer(e.size(shape[k]))), ix[k])
	}
	return at
}

// unravel are the indices of an element at a position.
func (e *reader) unravel(at *Term, shape []size.Size) []*Term {
	ix := make([]*Term, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		ix[k] = at
		if n := integer(e.size(shape[k])); k > 0 {
			ix[k] = on(ops.SymMod, at, n)
			at = on(ops.SymIdiv, at, n)
		}
	}
	return ix
}

// scatter adds elements one by one: first come the positions of the parts, then pairs of a
// position and an element.
func (e *reader) scatter(in *term.Instance) *Term {
	op, t, from := in.View.Op, e.typ(in), in.Kids[0]
	parts, block := size.Product(op.Sizes), size.Product(t.Shape[len(op.Targets):])
	elem := OfElem(t.Elem)
	rest := integer(e.size(block))
	places := e.builds([]size.Size{parts}, Int, func(levels []int) *Term {
		return e.positions(e.unravel(e.at(levels[0]), op.Sizes), func(levels []int) *Term {
			e.bind(in, levels)
			return e.scope(in.Body, func() *Term {
				ix := e.wholes(in.Kids[1:])
				at := e.ravel(ix, op.Targets)
				for k, i := range ix {
					inside := on(ops.SymAnd, on(ops.SymLe, integer(0), i), on(ops.SymLt, i, integer(e.size(op.Targets[k]))))
					at = on(ops.SymWhere, inside, at, integer(-1))
				}
				return at
			})
		})
	})
	flat := LetIn(places, e.under(1, func(places int) *Term {
		pairs := e.builds([]size.Size{parts.Mul(block)}, Prod(Int, elem), func(levels []int) *Term {
			part, within := on(ops.SymIdiv, e.at(levels[0]), rest), on(ops.SymMod, e.at(levels[0]), rest)
			place := Index.Typed(Int, e.at(places), part)
			ix := append(e.unravel(part, op.Sizes), e.unravel(within, t.Shape[len(op.Targets):])...)
			return Pair.Make(on(ops.SymAdd, on(ops.SymMul, place, rest), within), e.read(from, ix))
		})
		all := size.Product(t.Shape)
		return Scatter.Typed(elem, integer(e.size(all)), pairs)
	}))
	if len(t.Shape) == 1 {
		return flat
	}
	return LetIn(flat, e.under(1, func(flat int) *Term {
		return e.elements(t, func(ix []*Term) *Term {
			return Index.Typed(elem, e.at(flat), e.ravel(ix, t.Shape))
		})
	}))
}

// positions binds terms to variables.
func (e *reader) positions(ts []*Term, f func(levels []int) *Term) *Term {
	level := e.depth
	levels := slice.Make(len(ts), func(i int) int { return level + i })
	out := e.under(len(ts), func(int) *Term { return f(levels) })
	for i := len(ts) - 1; i >= 0; i-- {
		out = LetIn(ts[i].Shift(i, 0), out)
	}
	return out
}

// states keeps tuples of states, and then takes them apart.
func (e *reader) states(in *term.Instance) *Term {
	op, t := in.View.Op, e.typ(in)
	of := raise.Must(TypeOf(op.Type))
	outer := e.wholes(in.Kids[:2])
	all := States.Typed(of, integer(e.size(op.Sizes[0])), outer[0], outer[1], e.under(2, func(level int) *Term {
		e.bind(in, []int{level, level + 1})
		return e.scope(in.Body, func() *Term { return e.whole(in.Kids[2]) })
	}))
	if t.Kind != types.KTuple {
		return all
	}
	return LetIn(all, e.under(1, func(all int) *Term {
		out := make([]*Term, len(t.Parts))
		for k, p := range t.Parts {
			out[k] = e.builds(p.Shape[:1], e.rest(p, 1), func(i []int) *Term {
				return Component(Index.Typed(of, e.at(all), e.at(i[0])), k, len(t.Parts))
			})
		}
		return TupleOf(out...)
	}))
}
