package krawiec

import (
	"errors"
	"fmt"
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// compile makes instructions of a closed function that a route with ids has made: one that
// does what a [fun.Machine] does, and counts what it counts. It gives a function of values, of
// which one in registers has no more than widest, and at least one.
func compile(f *fun.Term, widest int32) fun.Value {
	t := raise.Must(fun.Annotate(f, nil))
	c := &compiler{tables: &tables{shapes: shapes{make(map[*fun.Type]shape), widest}}}
	main := c.function(t, nil)
	return fun.FunctionOf(func(m *fun.Machine, x fun.Value) fun.Value {
		return execute(m, main, x, t.Of)
	})
}

// compiler makes the instructions of a function.
type compiler struct {
	*tables
	ins   []instruction
	env   []variable // the innermost last
	top   span       // where the next value may stand; its shape is that of the frame
	block int        // the instruction that counts the steps of what is made now
}

type variable struct {
	span
	of *fun.Type
}

// function makes the code of a closure; of what it captures the types are given.
func (c *compiler) function(t *fun.Typed, captured []*fun.Type) *code {
	in := &compiler{tables: c.tables}
	arg, result := t.Of.Parts[0], t.Of.Parts[1]
	out := &code{tables: c.tables, recursive: t.Form == fun.Rec, result: c.of(result)}
	to := in.take(result)
	out.argument = in.take(arg)
	out.captured = span{words: in.top.words, refs: in.top.refs}
	in.env = make([]variable, len(captured))
	for k, of := range captured {
		in.env[len(captured)-1-k] = variable{in.take(of), of}
	}
	if out.recursive {
		s := in.take(t.Of)
		out.self = s.refs
		in.env = append(in.env, variable{s, t.Of})
	}
	in.env = append(in.env, variable{out.argument, arg})
	in.begin()
	in.into(t.Parts[0], to, true)
	in.emit(instruction{op: opReturn})
	out.ins, out.frame = in.ins, in.top.shape
	for k := range out.ins { // results are where the next frame begins
		switch i := &out.ins[k]; {
		case i.op == opWords && i.b < 0:
			i.b = out.frame.words
		case i.op == opRefs && i.b < 0:
			i.b = out.frame.refs
		}
	}
	return out
}

func (c *compiler) emit(i instruction) int {
	c.ins = append(c.ins, i)
	return len(c.ins) - 1
}

// here is where the next instruction will be.
func (c *compiler) here() int32 { return int32(len(c.ins)) }

// begin begins a block: what is made now is evaluated as often as its first instruction.
func (c *compiler) begin() (outer int) {
	outer = c.block
	c.block = c.emit(instruction{op: opSteps})
	return outer
}

// count counts steps and constructors.
func (c *compiler) count(steps, made int) {
	c.ins[c.block].a += int32(steps)
	c.ins[c.block].b += int32(made)
}

// room takes registers.
func (c *compiler) room(s shape) span {
	out := span{c.top.words, c.top.refs, s}
	c.top.words += s.words
	c.top.refs += s.refs
	c.top.shape.words = max(c.top.shape.words, c.top.words)
	c.top.shape.refs = max(c.top.shape.refs, c.top.refs)
	return out
}

func (c *compiler) take(t *fun.Type) span { return c.room(c.of(t)) }

// release gives registers free that were taken after a mark.
func (c *compiler) release(mark span) { c.top.words, c.top.refs = mark.words, mark.refs }

// move copies registers.
func (c *compiler) move(to, from span) {
	if to.words != from.words && from.shape.words > 0 {
		c.emit(instruction{op: opWords, a: to.words, b: from.words, c: from.shape.words})
	}
	if to.refs != from.refs && from.shape.refs > 0 {
		c.emit(instruction{op: opRefs, a: to.refs, b: from.refs, c: from.shape.refs})
	}
}

// entry puts something in a table, and says where it is.
func entry[X any](table *[]X, x X) int32 {
	*table = append(*table, x)
	return int32(len(*table) - 1)
}

// box makes a value of what makes it up.
func (c *compiler) box(inside, to span) {
	if !c.boxed(inside.shape) {
		c.move(to, inside)
		return
	}
	c.emit(instruction{op: opBox, a: to.refs, b: inside.words, c: inside.refs, d: entry(&c.parts, inside)})
}

// within is where what makes up a value of type t may be made, if the value will be at to.
func (c *compiler) within(t *fun.Type, to span) span {
	if inside := c.inside(t); c.boxed(inside) {
		return c.room(inside)
	}
	return to
}

// unboxed is part of what makes up a value of type t, which begins at a place in it.
func (c *compiler) unboxed(t *fun.Type, at span, begin, part shape) span {
	if !c.boxed(c.inside(t)) {
		return span{at.words + begin.words, at.refs + begin.refs, part}
	}
	to := c.room(part)
	c.emit(instruction{op: opUnbox, a: to.words, b: to.refs, c: at.refs, d: entry(&c.parts, span{begin.words, begin.refs, part})})
	return to
}

// component is that of a pair.
func (c *compiler) component(t *fun.Type, at span, k int) span {
	l := c.of(t.Parts[0])
	if k == 0 {
		return c.unboxed(t, at, shape{}, l)
	}
	return c.unboxed(t, at, l, c.of(t.Parts[1]))
}

// value makes a value, and says where it is.
func (c *compiler) value(t *fun.Typed) span {
	switch t.Form {
	case fun.Var:
		c.count(1, 0)
		return c.env[len(c.env)-1-t.N].span
	case fun.Fst, fun.Snd:
		c.count(1, 0)
		return c.component(t.Parts[0].Of, c.value(t.Parts[0]), fun.Place(t.Form == fun.Snd))
	case fun.Pure:
		c.count(1, 0)
		return c.value(t.Parts[0])
	case varForm: // which is its id
		c.count(1, 1)
		return c.value(t.Parts[0])
	case fun.Pair:
		if c.boxed(c.inside(t.Of)) {
			break
		}
		c.count(1, 0)
		l := c.value(t.Parts[0])
		r := c.value(t.Parts[1])
		if whole := l.shape.then(r.shape); follows(l, r) {
			if l.shape.words == 0 {
				l.words = r.words
			}
			if l.shape.refs == 0 {
				l.refs = r.refs
			}
			return span{l.words, l.refs, whole}
		}
		to := c.take(t.Of)
		c.move(to, l)
		c.move(span{to.words + l.shape.words, to.refs + l.shape.refs, r.shape}, r)
		return to
	case fun.Let, fun.Do:
		bound := len(c.env)
		body := c.bindings(t)
		out := c.value(body)
		c.env = c.env[:bound]
		return out
	}
	to := c.take(t.Of)
	c.into(t, to, false)
	return to
}

// follows reports whether the registers of l and r are those of a pair.
func follows(l, r span) bool {
	return (l.shape.words == 0 || r.shape.words == 0 || l.words+l.shape.words == r.words) &&
		(l.shape.refs == 0 || r.shape.refs == 0 || l.refs+l.shape.refs == r.refs)
}

// bindings makes what a chain of lets binds, and gives its body.
func (c *compiler) bindings(t *fun.Typed) *fun.Typed {
	for t.Form == fun.Let || t.Form == fun.Do {
		c.count(1, 0)
		of := t.Parts[0].Of
		if t.Form == fun.Do {
			of = of.Parts[0]
		}
		c.env = append(c.env, variable{c.value(t.Parts[0]), of})
		t = t.Parts[1]
	}
	return t
}

// into makes a value at a place. If it is the last thing that a function does, a call is in
// place of the frame.
func (c *compiler) into(t *fun.Typed, to span, last bool) {
	mark := c.top
	defer func() { c.release(mark) }()
	switch t.Form {
	case fun.Let, fun.Do:
		bound := len(c.env)
		c.into(c.bindings(t), to, last)
		c.env = c.env[:bound]
		return
	case fun.Case:
		c.branches(t, func(body *fun.Typed) { c.into(body, to, last) })
		return
	case fun.Var, fun.Fst, fun.Snd, varForm:
		c.move(to, c.value(t))
		return
	case fun.Pure:
		c.count(1, 0)
		c.into(t.Parts[0], to, last)
		return
	}
	c.count(1, 0)
	switch t.Form {
	case fun.Lam, fun.Rec:
		c.count(len(t.Caps), 0)
		c.closure(t, to)
	case fun.App:
		f := c.value(t.Parts[0])
		x := c.value(t.Parts[1])
		if last {
			c.emit(instruction{op: opTail, a: f.refs, b: x.words, c: x.refs})
			return
		}
		c.emit(instruction{op: opCall, a: f.refs, b: x.words, c: x.refs})
		c.move(to, span{-1, -1, to.shape})
	case fun.Star:
	case zeroForm:
		c.constant(to, 0)
	case fun.Pair:
		in := c.within(t.Of, to)
		l := c.of(t.Parts[0].Of)
		c.into(t.Parts[0], span{in.words, in.refs, l}, false)
		c.into(t.Parts[1], span{in.words + l.words, in.refs + l.refs, c.of(t.Parts[1].Of)}, false)
		c.box(in, to)
	case fun.Inl, fun.Inr:
		in := c.within(t.Of, to)
		c.constant(in, uint64(fun.Place(t.Form == fun.Inr)))
		c.into(t.Parts[0], span{in.words + 1, in.refs, c.of(t.Parts[0].Of)}, false)
		c.box(in, to)
	case fun.Lit:
		c.count(1, 0)
		c.literal(t.Term, to)
	case fun.Prim:
		c.primitive(t, to)
	case fun.Sign:
		in := c.within(t.Of, to)
		c.emit(instruction{op: opSign, a: in.words, b: c.value(t.Parts[0]).words})
		c.box(in, to)
	case fun.Build:
		c.build(t, to)
	case fun.Sequence:
		if t.Parts[0].Form != fun.Build {
			c.fail(errComputation)
			return
		}
		c.count(1, 0)
		c.build(t.Parts[0], to)
	case fun.Reduce, fun.ReduceM:
		c.reduce(t, to)
	case fun.Index:
		a := c.value(t.Parts[0])
		i := c.value(t.Parts[1])
		c.emit(instruction{op: opIndex, a: a.refs, b: i.words, c: to.words, d: to.refs, e: c.elementsOf(t.Of)})
	case fun.Length:
		c.emit(instruction{op: opLength, a: to.words, b: c.value(t.Parts[0]).refs})
	case fun.List:
		elem := c.of(t.Type)
		n := c.room(shape{words: 1})
		c.constant(n, uint64(len(t.Parts)))
		c.emit(instruction{op: opArray, a: to.refs, b: n.words})
		for _, x := range t.Parts {
			mark := c.top
			c.append(to, c.value(x), elem)
			c.release(mark)
		}
	case deltaLetForm:
		if straight(t.Parts[0]) {
			var made template
			c.template(t.Parts[0], &made)
			slices.Reverse(made.words)
			slices.Reverse(made.factors)
			c.emit(instruction{op: opBind, a: to.words, b: entry(&c.templates, made)})
			return
		}
		c.emit(instruction{op: opLet, a: to.words})
		c.delta(t.Parts[0])
		c.emit(instruction{op: opBound})
	case runDeltaArrayForm:
		c.emit(instruction{op: opBegin, a: c.value(t.Parts[0]).words})
		main := c.value(t.Parts[1])
		root := c.component(t.Parts[1].Of.Parts[0], main, 1)
		in := c.within(t.Of, to)
		c.move(span{in.words, in.refs, root.shape}, root)
		c.emit(instruction{op: opEnd, a: in.refs})
		c.box(in, to)
	default:
		c.other(t, to)
	}
}

var errComputation = errors.New("a computation is a value where it should be run")

// attempt is what f gives, or the error that it raises, which is one of a run.
func attempt(f func() fun.Value) (_ fun.Value, err error) {
	defer raise.Caught(&err)
	return f(), nil
}

func (c *compiler) constant(to span, word uint64) {
	c.emit(instruction{op: opConst, a: to.words, b: entry(&c.constants, word)})
}

func (c *compiler) fail(err error) {
	c.emit(instruction{op: opFail, a: entry(&c.errs, err)})
}

func (c *compiler) literal(t *fun.Term, to span) {
	v, err := attempt(func() fun.Value { return fun.Floats().Literal(t.Num, t.Type) })
	if err != nil {
		c.fail(err)
		return
	}
	var word [1]uint64
	c.put(v, t.Type, word[:], nil)
	c.constant(to, word[0])
}

// closure makes a function, of what it captures.
func (c *compiler) closure(t *fun.Typed, to span) {
	var of closure
	var types []*fun.Type
	for _, v := range t.Caps {
		x := c.env[len(c.env)-1-v]
		of.captured = append(of.captured, x.span)
		types = append(types, x.of)
	}
	of.code = c.function(t, types)
	c.emit(instruction{op: opClosure, a: to.refs, b: entry(&c.closures, of)})
}

// branches makes a case, of which make makes a branch.
func (c *compiler) branches(t *fun.Typed, make func(body *fun.Typed)) {
	c.count(1, 0)
	of := t.Parts[0].Of
	x := c.value(t.Parts[0])
	x = c.unboxed(of, x, shape{}, c.inside(of))
	branch := c.emit(instruction{op: opBranch, a: x.words})
	side := func(k int) {
		mark, outer := c.top, c.begin()
		c.env = append(c.env, variable{span{x.words + 1, x.refs, c.of(of.Parts[k])}, of.Parts[k]})
		make(t.Parts[1+k])
		c.env = c.env[:len(c.env)-1]
		c.block = outer
		c.release(mark)
	}
	side(0)
	end := c.emit(instruction{op: opJump})
	c.ins[branch].b = c.here()
	side(1)
	c.ins[end].a = c.here()
}

// append appends a value to an array.
func (c *compiler) append(array, x span, elem shape) {
	c.emit(instruction{op: opAppend, a: array.refs, b: x.words, c: x.refs, d: entry(&c.parts, span{shape: elem})})
}

// build makes an array in a loop.
func (c *compiler) build(t *fun.Typed, to span) {
	n := c.value(t.Parts[0])
	i := c.room(shape{words: 1})
	c.constant(i, 0)
	c.emit(instruction{op: opArray, a: to.refs, b: n.words})
	loop := c.emit(instruction{op: opUntil, a: i.words, b: n.words})
	outer := c.begin()
	c.count(1, 0)
	c.env = append(c.env, variable{i, fun.Int})
	c.append(to, c.value(t.Parts[1]), c.of(t.Type))
	c.env = c.env[:len(c.env)-1]
	c.block = outer
	c.emit(instruction{op: opNext, a: i.words, b: int32(loop)})
	c.ins[loop].c = c.here()
}

// reduce combines neighbours in a loop.
func (c *compiler) reduce(t *fun.Typed, to span) {
	elem := c.of(t.Type)
	a := c.value(t.Parts[1])
	state := c.room(reference)
	c.emit(instruction{op: opReduction, a: state.refs, b: a.refs, d: entry(&c.parts, span{shape: elem})})
	both := fun.Prod(t.Type, t.Type)
	pair := c.room(elem.then(elem))
	p := pair
	if c.boxed(pair.shape) {
		p = c.room(reference)
	}
	loop := c.emit(instruction{op: opPairs, a: state.refs, b: pair.words, c: pair.refs})
	outer := c.begin()
	c.box(pair, p)
	c.env = append(c.env, variable{p, both})
	x := c.value(t.Parts[0])
	c.env = c.env[:len(c.env)-1]
	c.emit(instruction{op: opCombined, a: state.refs, b: x.words, c: x.refs})
	c.emit(instruction{op: opJump, a: int32(loop)})
	c.block = outer
	c.ins[loop].d = c.here()
	c.move(to, span{pair.words, pair.refs, elem})
}

// elementsOf is what an index of an array of values of type t must know.
func (c *compiler) elementsOf(t *fun.Type) int32 {
	e := element{shape: c.of(t)}
	var none fun.Value
	if none, e.err = attempt(func() fun.Value { return fun.Zero(fun.Floats(), t) }); e.err == nil {
		e.outside = &object{words: make([]uint64, e.words), refs: make([]*object, e.refs)}
		c.put(none, t, e.outside.words, e.outside.refs)
	}
	return entry(&c.elements, e)
}

// delta writes what is bound.
func (c *compiler) delta(t *fun.Typed) {
	switch t.Form {
	case addForm:
		c.count(1, 1)
		c.emit(instruction{op: opAddDelta})
		c.delta(t.Parts[0])
		c.delta(t.Parts[1])
	case scaleForm:
		c.count(1, 1)
		c.emit(instruction{op: opScale, a: c.value(t.Parts[0]).words})
		c.delta(t.Parts[1])
	case fun.Let:
		bound := len(c.env)
		c.delta(c.bindings(t))
		c.env = c.env[:bound]
	case fun.Case:
		c.branches(t, c.delta)
	default:
		c.emit(instruction{op: opVar, a: c.value(t).words})
	}
}

// straight reports whether a Delta has the same constructors in each run.
func straight(t *fun.Typed) bool {
	switch t.Form {
	case addForm:
		return straight(t.Parts[0]) && straight(t.Parts[1])
	case scaleForm:
		return straight(t.Parts[1])
	}
	return t.Form != fun.Case && t.Form != fun.Let
}

// template makes the values that a Delta depends on.
func (c *compiler) template(t *fun.Typed, to *template) {
	switch t.Form {
	case addForm:
		c.count(1, 1)
		to.words = append(to.words, templateWord{base: wordAdd})
		c.template(t.Parts[0], to)
		c.template(t.Parts[1], to)
	case scaleForm:
		c.count(1, 1)
		to.factors = append(to.factors, c.value(t.Parts[0]).words)
		if d := t.Parts[1]; d.Form == addForm || d.Form == scaleForm {
			to.words = append(to.words, templateWord{base: wordScale})
			c.template(d, to)
			return
		}
		to.words = append(to.words, templateWord{wordScaled, -1, c.value(t.Parts[1]).words})
	default:
		to.words = append(to.words, templateWord{0, 1, c.value(t).words})
	}
}

// other has a form evaluated that is of no concern here: its operands become values, and its
// result registers.
func (c *compiler) other(t *fun.Typed, to span) {
	f := foreign{result: to, of: t.Of}
	for _, x := range t.Parts {
		f.operands = append(f.operands, c.value(x))
		f.types = append(f.types, x.Of)
	}
	f.term = t.OnVariables()
	c.count(-1-len(t.Parts), 0) // which the machine counts
	c.emit(instruction{op: opForeign, a: entry(&c.foreign, f)})
}

// primitive applies an operator to scalars.
func (c *compiler) primitive(t *fun.Typed, to span) {
	o := ops.Builtin(t.Op.Sym)
	var xs []span
	var elem types.Elem
	var operands func(t *fun.Typed, n int)
	var component func(of *fun.Type, at span, n int)
	component = func(of *fun.Type, at span, n int) {
		if n > 1 {
			last := c.component(of, at, 1)
			component(of.Parts[0], c.component(of, at, 0), n-1)
			xs = append(xs, last)
			return
		}
		if elem == types.NoElem {
			elem, _ = of.Elem()
		}
		xs = append(xs, at)
	}
	operands = func(t *fun.Typed, n int) {
		if n > 1 && t.Form == fun.Pair {
			c.count(1, 0)
			operands(t.Parts[0], n-1)
			n, t = 1, t.Parts[1]
		}
		component(t.Of, c.value(t), n)
	}
	operands(t.Parts[0], o.Arity)
	i := instruction{a: to.words, b: xs[0].words}
	if len(xs) > 1 {
		i.c = xs[1].words
	}
	if i.op = c.operator(t.Op, elem, len(xs), &i); i.op == opSelect {
		i.d = xs[2].words
	}
	c.emit(i)
}

// direct are the operators on reals that have an instruction.
var direct = map[ops.Sym]opcode{ops.SymAdd: opAdd, ops.SymSub: opSub, ops.SymMul: opMul, ops.SymDiv: opDiv, ops.SymNeg: opNeg, ops.SymLt: opLess}

// operator is the instruction of an operator on elements of a kind.
func (c *compiler) operator(op ops.Op, elem types.Elem, n int, i *instruction) opcode {
	switch op.Sym {
	case ops.SymWhere:
		return opSelect
	case ops.SymWithslope:
		i.c = 1
		return opWords
	}
	if d, ok := direct[op.Sym]; ok && elem == types.R {
		return d
	}
	if n == 1 {
		if f := unary(op, elem); f != nil {
			i.d = entry(&c.unary, f)
			return opUnary
		}
	} else if f := binary(op.Sym, elem); f != nil {
		i.d = entry(&c.binary, f)
		return opBinary
	}
	i.a = entry(&c.errs, fmt.Errorf("no meaning for %s on R", ops.Builtin(op.Sym).Name))
	return opFail
}

// unary is an operator with one operand as a function of words.
func unary(op ops.Op, elem types.Elem) func(x uint64) uint64 {
	switch op.Sym {
	case ops.SymReal:
		return func(x uint64) uint64 { return bits(float64(int64(x))) }
	case ops.SymFloor:
		return func(x uint64) uint64 { return uint64(eval.Floats{}.Floor(float(x))) }
	case ops.SymRound:
		return func(x uint64) uint64 { return uint64(eval.Floats{}.Round(float(x))) }
	}
	if elem == types.R {
		f := ops.FloatUnary(op.Sym, op.N)
		if f == nil {
			return nil
		}
		return func(x uint64) uint64 { return bits(f(float(x))) }
	}
	f := ops.IntUnary(op.Sym)
	if elem == types.B {
		return func(x uint64) uint64 { return truth(f(1-int64(x)) != 0) }
	}
	return func(x uint64) uint64 { return uint64(f(int64(x))) }
}

// binary is one with two.
func binary(sym ops.Sym, elem types.Elem) func(x, y uint64) uint64 {
	relation := sym == ops.SymLt || sym == ops.SymLe || sym == ops.SymEq
	if elem == types.R {
		f := ops.FloatBinary(sym)
		switch {
		case relation:
			return func(x, y uint64) uint64 { return truth(eval.Floats{}.Compare(sym, float(x), float(y))) }
		case f == nil:
			return nil
		}
		return func(x, y uint64) uint64 { return bits(f(float(x), float(y))) }
	}
	f := ops.IntBinary(sym)
	switch {
	case elem == types.B:
		return func(x, y uint64) uint64 { return truth(f(1-int64(x), 1-int64(y)) != 0) }
	case relation:
		return func(x, y uint64) uint64 { return truth(f(int64(x), int64(y)) != 0) }
	}
	return func(x, y uint64) uint64 { return uint64(f(int64(x), int64(y))) }
}
