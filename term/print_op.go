package term

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/types"
)

// shallow prints an instance itself, with the names of lets inside it: what programs write in a
// way of its own, and else a call by name.
func (p *Printer) shallow(in *Instance, prec int) string {
	op := in.View.Op
	switch op.Sym {
	case ops.SymVar:
		return p.input(op.Name)
	case ops.SymIvar, ops.SymLocal:
		return p.vars[in.View.Own[0]]
	case ops.SymConst:
		return p.literal(op, prec)
	case ops.SymIndex:
		return p.element(in, prec)
	case ops.SymStack:
		return "[" + p.list(in.Kids) + "]"
	case ops.SymReplicate:
		return p.replicate(in, prec)
	case ops.SymBuild:
		return p.build(in, prec)
	case ops.SymCond:
		return p.conditional(in, prec)
	case ops.SymTuple:
		if len(in.Kids) == 1 {
			return "(" + p.expr(in.Kids[0], 0) + ",)"
		}
		return "(" + p.list(in.Kids) + ")"
	case ops.SymProj:
		return p.expr(in.Kids[0], precAtom) + fmt.Sprintf(".%d", op.N)
	case ops.SymNeg:
		if k := in.Kids[0]; k.Let || k.View.Op.Sym != ops.SymConst && k.View.Op.Sym != ops.SymNeg {
			return paren("-"+p.operand(k, ast.PrefixMinus+1, p.shapeFrom(in.Kids)), ast.PrefixMinus, prec)
		}
	case ops.SymPolygamma: // which does not replicate
		return paren(fmt.Sprintf("polygamma %d ", op.N)+p.operand(in.Kids[0], precAtom, false), precApp, prec)
	case ops.SymNot:
		if k := in.Kids[0]; k.View.Op.Sym == ops.SymEq && !k.Let {
			return p.between(k, "!=", prec)
		}
	}
	o := p.Store.sig.Operator(op.Sym)
	switch {
	case o.Infix != "":
		return p.between(in, o.Infix, prec)
	case o.Elementwise:
		return p.call(in, prec)
	case o.Call:
		return p.callKept(in, o, prec)
	case o.Declared != nil && o.Declared.Op == op.Sym && o.Declared.As != "":
		return p.ofLanguage(in, o, o.Declared.As, prec)
	}
	need := precApp
	if len(o.Form()) == 0 { // it has no arguments
		need = precAtom
	}
	return paren(o.Name+p.attributes(in, o), need, prec)
}

// element prints an element, or a part, of an array.
func (p *Printer) element(in *Instance, prec int) string {
	of, at := p.expr(in.Kids[0], precAtom), "["+p.list(in.Kids[1:])+"]"
	if len(in.Kids) == 1 || p.misses(in) {
		return paren("index "+of+" "+at, precApp, prec)
	}
	return of + at
}

func (p *Printer) conditional(in *Instance, prec int) string {
	shape := p.shapeFrom(in.Kids[1:])
	s := "if " + p.expr(in.Kids[0], 0) + " then " + p.operand(in.Kids[1], 0, shape) + " else " + p.operand(in.Kids[2], 0, shape)
	return paren(s, precLambda, prec)
}

// call prints an elementwise operator by its name. A replicated scalar is printed as
// the scalar where another operand tells the shape.
func (p *Printer) call(in *Instance, prec int) string {
	s, shape := p.Store.sig.Operator(in.View.Op.Sym).Name, p.shapeFrom(in.Kids)
	for _, k := range in.Kids {
		s += " " + p.operand(k, precAtom, shape)
	}
	return paren(s, precApp, prec)
}

// between prints an operator between its operands.
func (p *Printer) between(in *Instance, sign string, prec int) string {
	left, right, _ := ast.InfixStrength(sign)
	strength := min(left, right)
	if left == right { // a chain of comparisons means something else
		strength--
	}
	shape := p.shapeFrom(in.Kids)
	return paren(p.operand(in.Kids[0], left, shape)+" "+sign+" "+p.operand(in.Kids[1], right, shape), strength, prec)
}

// ofLanguage prints an operator that a language writes so.
func (p *Printer) ofLanguage(in *Instance, o *ops.Operator, text string, prec int) string {
	_, _, infix := ast.InfixStrength(text)
	switch {
	case infix:
		return p.between(in, text, prec)
	case text == "if":
		return p.conditional(in, prec)
	case len(in.Kids) == 0:
		return text
	case o.Declared.Of.Attributed():
		return p.attributed(in, o.Declared.Of, text, prec)
	}
	return paren(text+p.attributes(in, o), precApp, prec)
}

// attributed prints an operator of a language that is a function of its attributes, too, and of a list of operands.
func (p *Printer) attributed(in *Instance, o *ops.Sorted, text string, prec int) string {
	kids := in.Kids
	if n := len(o.Attrs); n > 0 {
		var attrs []string
		for i, a := range o.Attrs {
			if a.Kind == ops.AttrNaturals {
				attrs = append(attrs, p.elements(kids[i], 0)...)
			} else if a.Kind == ops.AttrPerm {
				attrs = append(attrs, "["+strings.Join(p.elements(kids[i], 0), ", ")+"]")
			} else {
				attrs = append(attrs, p.expr(kids[i], 0))
			}
		}
		text, kids = text+"["+strings.Join(attrs, ", ")+"]", kids[n:]
	}
	args := []string{text}
	for i, k := range kids {
		if o.List() && i == len(kids)-1 {
			args = append(args, p.elements(k, precAtom)...)
		} else {
			args = append(args, p.expr(k, precAtom))
		}
	}
	if len(args) == 1 {
		return text
	}
	return paren(strings.Join(args, " "), precApp, prec)
}

// elements prints the elements of a list, or a spread of it if it has a name.
func (p *Printer) elements(in *Instance, prec int) []string {
	op := in.View.Op
	_, named := p.lets[in]
	switch {
	case named || in.Let:
	case op.Sym == ops.SymStack:
		return slice.Map(in.Kids, func(k *Instance) string { return p.expr(k, prec) })
	case op.Sym == ops.SymReplicate:
		if n, ok := op.Sizes[0].Const(); ok {
			return slices.Repeat([]string{p.expr(in.Kids[0], prec)}, int(n))
		}
	case op.Sym == ops.SymConst && op.Const.Data != nil:
		return slice.Map(op.Const.Data, func(x ops.Scalar) string { return p.scalar(x, prec) })
	case op.Sym == ops.SymConst:
		if n, ok := op.Type.Shape[0].Const(); ok {
			return slices.Repeat([]string{p.scalar(op.Const.Fill, prec)}, int(n))
		}
	}
	return []string{p.expr(in, precAtom) + "..."}
}

// callKept prints a call of a definition.
func (p *Printer) callKept(in *Instance, o *ops.Operator, prec int) string {
	kids := in.Kids
	args := slice.Map(o.Params, func(t *types.Type) string { return p.argument(t, &kids) })
	if len(args) == 1 && o.Params[0].Kind == types.KTuple {
		args[0] = "(" + args[0] + ")"
	}
	return paren(o.Name+" "+strings.Join(args, " "), precApp, prec)
}

// argument prints the operands that an argument of the given type is made of.
func (p *Printer) argument(t *types.Type, kids *[]*Instance) string {
	if t.Kind != types.KTuple {
		k := (*kids)[0]
		*kids = (*kids)[1:]
		return p.expr(k, precAtom)
	}
	parts := slice.Map(t.Parts, func(q *types.Type) string { return p.argument(q, kids) })
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
