package ops

import (
	"slices"
	"strconv"
	"strings"

	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/size"
	"egad/term/types"
)

// schemeReader reads the types of an operator.
type schemeReader struct {
	scheme
	sorts map[string][]types.Elem
	names [numVarKinds][]string // of the variables
}

// variable is the number of a variable.
func (r *schemeReader) variable(kind int, name string) int {
	i := slices.Index(r.names[kind], name)
	if i < 0 {
		i = len(r.names[kind])
		r.names[kind] = append(r.names[kind], name)
		r.vars[kind] = i + 1
	}
	return i
}

// attribute reads a static operand.
func (r *schemeReader) attribute(a ast.AttrDecl) {
	switch name := a.Name.Text; a.Kind.Name {
	case "size":
		r.ranges = append(r.ranges, axis{v: r.variable(sizeVar, name)})
	case "sizes", "shape":
		r.ranges = append(r.ranges, axis{list: true, v: r.variable(listVar, name)})
	case "targets":
		r.targets = append(r.targets, axis{list: true, v: r.variable(listVar, name)})
	case "type", "literal":
		r.types = append(r.types, &schemeType{kind: types.KVar, v: r.variable(typeVar, name)})
	case "permutation", "natural", "name":
	default:
		r.types = append(r.types, r.typ(*a.Kind))
	}
}

// operand reads an operand, or a variable that is bound, and returns how it is written in a
// call, 0 if it is not.
func (r *schemeReader) operand(a ast.OperandDecl) FormArg {
	if a.Binder != nil {
		if _, sort := r.sorts[a.Type.Name]; !sort && len(r.ranges) == 0 { // sizes that are not written
			r.ranges = append(r.ranges, axis{list: true, v: r.variable(listVar, a.Type.Name)})
		}
		return 0
	}
	o := schemeOperand{schemeType: r.typ(a.Type), list: a.List}
	o.source = a.Source
	if o.kind == types.KArray && len(o.axes) == 0 {
		switch {
		case a.Type.Name == "count":
			o.what = aCount
		case o.among[0] == types.B:
			o.what = aCondition
		default:
			o.what = anIndex
		}
	}
	if a.Count != nil {
		kind := sizeVar
		if slices.Contains(r.names[listVar], a.Count.Text) {
			kind = listVar
		}
		o.count = &axis{list: kind == listVar, v: r.variable(kind, a.Count.Text)}
	}
	if len(r.operands) > 0 && o.what == noScalar {
		r.mixed = r.mixed || !slices.Equal(o.among, r.operands[0].among)
	}
	r.operands = append(r.operands, o)
	switch {
	case o.list && len(a.Under) > 0:
		return FormIx
	case len(a.Under) > 1:
		return FormStep
	case len(a.Under) > 0:
		return FormBody
	case o.list && len(r.operands) == 1:
		return FormRest
	case o.list:
		return FormList
	case o.what == aCount:
		return FormCount
	}
	return FormValue
}

// readResult reads the type of the result.
func (r *schemeReader) readResult(t ast.TypeExpr) {
	r.result = r.typ(t)
	r.scheme.variable, r.scheme.sizes = r.names[typeVar], r.names[sizeVar]

}

// typ reads a type.
func (r *schemeReader) typ(t ast.TypeExpr) *schemeType {
	out := &schemeType{elem: -1}
	switch {
	case t.Kind == ast.TyLin:
		out.kind, out.parts = types.KLin, slice.Map(t.Parts, r.typ)
		return out
	case t.Name == "count":
		out.among = []types.Elem{types.I}
		return out
	}
	among, known := r.sorts[t.Name]
	switch {
	case !known:
		wrongDeclaration("there is no sort %s", t.Name)
	case among == nil:
		out.kind, out.v = types.KVar, r.variable(typeVar, t.Name)
		return out
	case len(among) > 1:
		out.elem = r.variable(elemVarKind, t.Name)
	}
	out.among, out.axes = among, slice.Map(t.Sizes, r.axis)
	out.text = out.key()
	return out
}

// axis reads a size, or a list of sizes.
func (r *schemeReader) axis(e ast.Expr) axis {
	x := axis{}
	if c, ok := e.(*ast.Call); ok { // of a permutation
		e, x.permuted = c.Args[0], true
	}
	if s, ok := e.(*ast.Spread); ok {
		e, x.list = s.X, true
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return axis{v: -1, expr: r.expression(e)}
	}
	kind := sizeVar
	if x.list {
		kind = listVar
	}
	x.v = r.variable(kind, id.Name)
	return x
}

// expression reads a size that depends on those before it.
func (r *schemeReader) expression(e ast.Expr) size.Size {
	known := make(map[string]size.Size)
	for _, n := range r.names[sizeVar] {
		known[n] = size.Var(n)
	}
	s, err := size.Read(e, known)
	if err != nil {
		wrongDeclaration("expected a size, as in R[n, n + 1, sh...]: %s", err.Msg)
	}
	return s
}

// schemeOf is the scheme of an operator with operands and a result that are arrays. A size
// whose name ends in three dots is a list.
func schemeOf(params []*types.Type, result *types.Type) *scheme {
	r := &schemeReader{scheme: scheme{mixed: true}}
	array := func(t *types.Type) *schemeType {
		out := &schemeType{elem: -1, among: []types.Elem{t.Elem}}
		for _, s := range t.Shape {
			x := axis{v: -1, expr: s}
			if name, ok := s.Var(); ok {
				kind := sizeVar
				if x.list = strings.HasSuffix(name, "..."); x.list {
					kind = listVar
				}
				x.v = r.variable(kind, name)
			}
			out.axes = append(out.axes, x)
		}
		out.text = out.key()
		return out
	}
	for _, p := range params {
		o := schemeOperand{schemeType: array(p)}
		r.operands = append(r.operands, o)
	}
	r.scheme.result = array(result)
	r.scheme.sizes = r.names[sizeVar]
	return &r.scheme
}

// key is equal for equal shapes.
func (p *schemeType) key() string {
	s := ""
	for _, x := range p.axes {
		if s += strconv.Itoa(x.v); x.v < 0 {
			s += x.expr.String()
		}
		if x.list {
			s += "..."
		}
		s += ","
	}
	return s
}
