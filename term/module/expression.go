package module

import (
	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Elaborate makes terms of expressions that share inputs, in one store; alike ones
// must have one type. It is for texts that are not definitions, such as the examples
// of rules. Sizes are constants.
func Elaborate(sig *term.Signature, src *diag.Source, inputs []ast.Param, alike bool, exprs ...ast.Expr) (*term.Program, []term.Term, error) {
	m, err := Load(sig)
	if err != nil {
		return nil, nil, err
	}
	var errs diag.List
	ctx := &context{src: src, facts: true, sizes: map[string]size.Size{}}
	el := newElaborator(m, term.NewStore(sig))
	prog := el.prog
	prog.Sizes = map[string]int64{}
	c := &checker{sig: sig, eqs: make(map[string]size.Size)}
	check := &walker[*types.Type]{mod: m, dom: c, errs: &errs}
	build := &walker[term.Term]{mod: m, dom: el, errs: &errs}
	typed, terms := &scope[*types.Type]{ctx: ctx}, &scope[term.Term]{ctx: ctx}
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
		prog.Inputs = append(prog.Inputs, in)
		typed = typed.bind(p.Name, typeValue(t), p.Pos)
		terms = terms.bind(p.Name, el.input(in), p.Pos)
	}
	if err := errs.Err(); err != nil { // terms that mention what is missing have no meaning
		return nil, nil, err
	}
	var out []term.Term
	err = overflow.Guard(func() error {
		var first *val[*types.Type]
		for _, e := range exprs {
			v := check.eval(e, typed)
			switch {
			case !alike || v == nil || v.fn != nil:
			case first == nil:
				first = v
			default:
				if got := check.mismatch(check.typeOf(first), v); got != "" {
					errs.Add(src, e.At(), "the expressions have different types: %s", got)
				}
			}
		}
		c.settle(m.elems, &errs, src)
		if err := errs.Err(); err != nil {
			return err
		}
		for _, e := range exprs {
			v := build.eval(e, terms)
			if v == nil {
				return errs.Err()
			}
			if v.fn != nil {
				errs.Add(src, e.At(), "a function is not a value")
				return errs.Err()
			}
			out = append(out, el.term(v))
		}
		return nil
	})
	return prog, out, err
}
