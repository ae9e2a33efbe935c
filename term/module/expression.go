package module

import (
	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Expressions makes terms of expressions that share inputs, in one store. It is for texts that are
// not definitions, such as the examples of rules. Sizes are constants.
type Expressions struct {
	Program *term.Program // the inputs, and the store
	src     *diag.Source
	m       *Module
	el      *elaborator
	typed   *scope[*types.Type]
	terms   *scope[term.Term]
}

// NewExpressions has inputs in scope.
func NewExpressions(sig *term.Signature, src *diag.Source, inputs []ast.Param) (*Expressions, error) {
	m, err := Load(sig)
	if err != nil {
		return nil, err
	}
	var errs diag.List
	ctx := &context{src: src, facts: true, sizes: map[string]size.Size{}}
	el := newElaborator(m, term.NewStore(sig))
	el.prog.Sizes = map[string]int64{}
	x := &Expressions{Program: el.prog, src: src, m: m, el: el, typed: &scope[*types.Type]{ctx: ctx}, terms: &scope[term.Term]{ctx: ctx}}
	for _, p := range inputs {
		t, terr := resolveType(p.Type, ctx.sizes)
		if terr != nil {
			errs.Add(src, terr.Pos, "%s", terr.Msg)
			continue
		}
		in := term.Input{Name: p.Name, Type: t}
		for _, leaf := range in.Leaves() {
			if _, _, err := types.ShapeOf(leaf.Type, types.DefaultMaxElements); err != nil {
				errs.Add(src, p.Pos, "%s: %v", p.Name, err)
			}
		}
		x.Program.Inputs = append(x.Program.Inputs, in)
		x.typed = x.typed.bind(p.Name, typeValue(t), p.Pos)
		x.terms = x.terms.bind(p.Name, el.input(in), p.Pos)
	}
	return x, errs.Err() // terms that mention what is missing have no meaning
}

// Terms makes terms of some expressions; alike ones must have one type.
func (x *Expressions) Terms(alike bool, exprs ...ast.Expr) (out []term.Term, err error) {
	var errs diag.List
	c := &checker{sig: x.m.sig, eqs: make(map[string]size.Size)}
	check := &walker[*types.Type]{mod: x.m, dom: c, errs: &errs}
	build := &walker[term.Term]{mod: x.m, dom: x.el, errs: &errs}
	err = overflow.Guard(func() error {
		var first *val[*types.Type]
		for _, e := range exprs {
			v := check.eval(e, x.typed)
			switch {
			case !alike || v == nil || v.fn != nil:
			case first == nil:
				first = v
			default:
				if got := check.mismatch(check.typeOf(first), v); got != "" {
					errs.Add(x.src, e.At(), "the expressions have different types: %s", got)
				}
			}
		}
		c.settle(x.m.elems, &errs, x.src)
		if err := errs.Err(); err != nil {
			return err
		}
		for _, e := range exprs {
			v := build.eval(e, x.terms)
			if v == nil {
				return errs.Err()
			}
			if v.fn != nil {
				errs.Add(x.src, e.At(), "a function is not a value")
				return errs.Err()
			}
			out = append(out, x.el.term(v))
		}
		return nil
	})
	return out, err
}

// Elaborate makes terms of expressions as [Expressions.Terms] does.
func Elaborate(sig *term.Signature, src *diag.Source, inputs []ast.Param, alike bool, exprs ...ast.Expr) (*term.Program, []term.Term, error) {
	x, err := NewExpressions(sig, src, inputs)
	if err != nil {
		return nil, nil, err
	}
	ts, err := x.Terms(alike, exprs...)
	return x.Program, ts, err
}
