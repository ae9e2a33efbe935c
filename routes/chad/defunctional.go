package chad

import (
	"fmt"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/numeric"
)

// mostForms bounds what defunctionalisation makes of a program.
const mostForms = 250_000

// Defunctionalise makes a program without functions of a program with some: closure
// conversion, and then each Σ is the finite sum of its instances in the program (002, Section
// 9). The core has no definitions, so that what an instance does stands where it is called.
func Defunctionalise(p *fun.Program) (_ *fun.Program, err error) {
	defer raise.Caught(&err)
	d := &defunctional{depth: len(p.Context), left: mostForms}
	for i, t := range p.Context {
		if !t.FirstOrder() {
			return nil, &UnsupportedError{"functions as inputs"}
		}
		d.vars = append(d.vars, variable{never(t), i})
	}
	body, s := d.term(p.Body)
	if !s.typ.FirstOrder() {
		return nil, &UnsupportedError{"functions as results"}
	}
	return &fun.Program{Names: p.Names, Context: p.Context, Body: body, Result: p.Result}, nil
}

// defunctional makes terms without functions; it knows the variables of the source.
type defunctional struct {
	vars  []variable
	depth int // how many variables the target has
	left  int // how many more forms may be made
}

// variable is a variable of the source: its shape, and which variable of the target it is.
type variable struct {
	*shape
	level int
}

// under is a term in which variables are bound, to the innermost ones of the target.
func (d *defunctional) under(t *fun.Term, bound ...*shape) (*fun.Term, *shape) {
	n := len(d.vars)
	for _, s := range bound {
		d.vars = append(d.vars[:len(d.vars):len(d.vars)], variable{s, d.depth})
		d.depth++
	}
	out, s := d.term(t)
	d.vars, d.depth = d.vars[:n], d.depth-len(bound)
	return out, s
}

func (d *defunctional) term(t *fun.Term) (*fun.Term, *shape) {
	if d.left--; d.left < 0 {
		raise.Error(&UnsupportedError{fmt.Sprintf("functions that, written out where they are called, take more than %d forms", mostForms)})
	}
	switch t.Form {
	case fun.Var:
		x := d.vars[len(d.vars)-1-t.N]
		return v(d.depth - 1 - x.level), x.shape
	case fun.Let:
		a, s := d.term(t.Kids[0])
		b, r := d.under(t.Kids[1], s)
		return fun.LetIn(a, b).Named(t.Name...), r
	case fun.Lam:
		return d.function(t)
	case fun.App:
		return d.call(t)
	case fun.Rec:
		raise.Error(t.Locate(&UnsupportedError{t.Called()}))
	case fun.Case:
		return d.cases(t)
	}
	out, kids, shapes := *t, make([]*fun.Type, len(t.Kids)), make([]*shape, len(t.Kids))
	out.Kids = make([]*fun.Term, len(t.Kids))
	for k, kid := range t.Kids {
		var bound []*shape
		if t.Form.Bound != nil {
			bound = slice.Map(t.Form.Bound(t, kids[:k], k), never) // indices and elements, which have no functions
		}
		out.Kids[k], shapes[k] = d.under(kid, bound...)
		kids[k] = shapes[k].typ
	}
	typ := result(t, kids...)
	s := never(typ)
	switch t.Form {
	case fun.Pair:
		s = compound(fun.KProd, shapes[0], shapes[1])
	case fun.Fst:
		s = shapes[0].half(0)
	case fun.Snd:
		s = shapes[0].half(1)
	case fun.Inl:
		s = compound(fun.KSum, shapes[0], never(typ.Parts[1]))
		out.Type = s.target
	case fun.Inr:
		s = compound(fun.KSum, never(typ.Parts[0]), shapes[0])
		out.Type = s.target
	}
	return &out, s
}

// function is the tuple of what a function captures.
func (d *defunctional) function(t *fun.Term) (*fun.Term, *shape) {
	at := &instance{lam: t, caps: make([]*shape, len(t.Caps)), env: fun.Unit}
	env := fun.Star.Make()
	for j := len(t.Caps) - 1; j >= 0; j-- {
		x := d.vars[len(d.vars)-1-t.Caps[j]]
		at.caps[j], at.env = x.shape, fun.Prod(x.target, at.env)
		env = pair(v(d.depth-1-x.level), env)
	}
	// The type of the result is that of the body in the types of what is captured.
	context := []*fun.Type{t.Type}
	for _, c := range at.caps {
		context = append([]*fun.Type{c.typ}, context...)
	}
	to := raise.Must(fun.Check(t.Kids[0], context))
	return env, functionShape(fun.Fun(t.Type, to), []*instance{at})
}

// branch is what may be evaluated, in the place of a case.
type branch struct {
	t *fun.Term
	s *shape
}

// call is a case on the instances, with what each does.
func (d *defunctional) call(t *fun.Term) (*fun.Term, *shape) {
	f, s := d.term(t.Kids[0])
	d.depth++
	x, arg := d.term(t.Kids[1])
	d.depth++
	// The function is the variable 1 and the argument 0.
	branches, all := make([]branch, len(s.alts)), never(s.typ.Parts[1])
	for k, a := range s.alts {
		// Of several instances, each has the rest of the sum as a variable, and those before.
		inside := min(k+1, len(s.alts)-1)
		branches[k].t, branches[k].s = d.body(a, inside, arg)
		all = all.join(branches[k].s)
	}
	d.depth -= 2
	out := s.choose(v(1), func(k int, env *fun.Term) *fun.Term {
		b := branches[k]
		return fun.LetIn(env, b.s.as(all, b.t))
	}, all)
	return fun.LetIn(f, fun.LetIn(x, out)), all
}

// body is what an instance does, with what it captures as the variable 0; inside are how many
// variables there are between that and the argument.
func (d *defunctional) body(a *instance, inside int, arg *shape) (*fun.Term, *shape) {
	n := len(a.caps)
	in := &defunctional{depth: d.depth + inside + 1 + 2*n, left: d.left}
	at := d.depth + inside // of what is captured
	for j := n - 1; j >= 0; j-- {
		in.vars = append(in.vars, variable{a.caps[j], at + 1 + 2*j})
	}
	in.vars = append(in.vars, variable{arg, d.depth - 1})
	out, s := in.term(a.lam.Kids[0])
	d.left = in.left
	for range n { // let x = fst rest in let rest = snd rest in …
		out = fun.LetIn(fun.Fst.Make(v(0)), fun.LetIn(fun.Snd.Make(v(1)), out))
	}
	return out, s
}

func (d *defunctional) cases(t *fun.Term) (*fun.Term, *shape) {
	x, s := d.term(t.Kids[0])
	l, left := d.under(t.Kids[1], s.half(0))
	r, right := d.under(t.Kids[2], s.half(1))
	all := left.join(right)
	return fun.Case.Make(x, left.as(all, l), right.as(all, r)).Named(t.Name...), all
}

// someOf is a value of a type, where none is ever needed.
func someOf(t *fun.Type) *fun.Term {
	switch t.Kind {
	case fun.KReal, fun.KInt:
		return fun.Literal(numeric.Int(0), t)
	case fun.KProd:
		return pair(someOf(t.Parts[0]), someOf(t.Parts[1]))
	case fun.KSum:
		return fun.Inl.Typed(t, someOf(t.Parts[0]))
	case fun.KArray:
		return fun.List.Typed(t.Parts[0])
	}
	return fun.Star.Make()
}
