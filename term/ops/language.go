package ops

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/rules/files"
	"egad/term/ast"
	"egad/term/types"
)

// The array language is declared in rules/files/operators.rules: what types the operands and
// results of its operators have, how they are called, and to which classes they belong. The
// descriptors say the rest.

// declare completes the descriptors with what is declared.
func declare() {
	ops := make(map[string]*Operator)
	for _, o := range operators[1:numBuiltin] {
		ops[o.Text()] = o
	}
	readLanguage(files.Source("operators"), ops)
}

// readLanguage reads the declarations of operators, and takes those from ops.
func readLanguage(src *diag.Source, ops map[string]*Operator) {
	var errs diag.List
	l := &arrayLanguage{parser: ast.NewParser(src, &errs), sorts: make(map[string][]types.Elem), ops: ops}
	if l.parser.Recover(l.read); len(errs) > 0 {
		wrongDeclaration("%v", errs.Err())
	}
	for name := range l.ops {
		wrongDeclaration("%s is not declared", name)
	}
}

// wrongDeclaration ends the program: the declarations come with it.
func wrongDeclaration(format string, args ...any) {
	panic("embedded language: " + fmt.Sprintf(format, args...))
}

// arrayLanguage is what has been read of the declarations.
type arrayLanguage struct {
	parser *ast.Parser
	sorts  map[string][]types.Elem // the elements that a sort stands for; none of a variable for types
	ops    map[string]*Operator
}

func (l *arrayLanguage) read() {
	p := l.parser
	for !p.AtEnd() {
		switch t := p.Next(); t.Text {
		case "language":
			p.Name("the name of the language")
		case "sort":
			l.sort()
		case "op":
			l.op(p.OpDecl(false))
		default:
			wrongDeclaration("expected a sort or an operator, found %s", t.Describe())
		}
	}
}

// sort reads sorts: element types, variables for some of these, or variables for types.
func (l *arrayLanguage) sort() {
	p := l.parser
	var names []string
	for !p.NewLine() && !p.Is("among") {
		names = append(names, p.Name("the name of a sort").Text)
	}
	var among []types.Elem
	own := !p.Accept("among")
	for !own && !p.NewLine() {
		if n := p.Name("an element type"); n.Text != "types" {
			e, _ := types.ElemNamed(n.Text)
			among = append(among, e)
		}
	}
	for _, n := range names {
		if own {
			e, _ := types.ElemNamed(n)
			among = []types.Elem{e}
		}
		l.sorts[n] = among
	}
}

// forms are how an attribute of a kind is written in a call.
var forms = map[string]FormArg{
	"size": FormSize, "sizes": FormSizes, "shape": FormShape, "targets": FormTo, "permutation": FormPerm,
	"natural": FormInt, "type": FormType, "name": formName, "literal": formLiteral,
}

// op completes the descriptor of an operator.
func (l *arrayLanguage) op(d *ast.OpDecl) {
	o := l.ops[d.Name.Text]
	if o == nil {
		wrongDeclaration("there is no descriptor of %s", d.Name.Text)
	}
	delete(l.ops, d.Name.Text)
	r := &schemeReader{sorts: l.sorts}
	form := make([]FormArg, 0, len(d.Attrs)+len(d.Operands))
	var types []FormArg // which come last in a call
	for _, a := range d.Attrs {
		if f, known := forms[a.Kind.Name]; known && f != FormType {
			form = append(form, f)
		} else {
			types = append(types, typeForms[len(types)])
		}
		r.attribute(a)
	}
	for _, a := range d.Operands {
		if f := r.operand(a); f != 0 {
			form = append(form, f)
		}
	}
	o.form = string(append(form, types...))
	computed := o.typing != nil // its type
	if o.scheme = &r.scheme; !computed {
		o.typing = (*typing).byScheme
	}
	before := r.vars
	if r.readResult(*d.Result); r.vars != before && !computed {
		wrongDeclaration("nothing says what the result of %s is", d.Name.Text)
	}
	if r.vars[sizeVar] > len(bindings{}.sizes) || r.vars[listVar] > maxLists || r.vars[elemVarKind] > maxElems || r.vars[typeVar] > maxTypes {
		wrongDeclaration("%s has too many variables", d.Name.Text)
	}
	o.Arity = o.scheme.arity()
	o.Linear = d.Result.Kind == ast.TyLin
	for _, c := range d.Classes {
		l.class(o, d, c)
	}
	if o.Elementwise && o.Arity == 2 && !o.Commutative {
		o.Ports = []string{"left", "right"}
	}
	*o = *o.At(o.Sym)
}

// typeForms are how types are written in a call.
var typeForms = []FormArg{FormType, FormType2}

// class says that an operator belongs to a class.
func (l *arrayLanguage) class(o *Operator, d *ast.OpDecl, c ast.Name) {
	switch c.Text {
	case "elementwise":
		o.Elementwise = true
	case "zero-preserving":
		o.ZeroKeeping = true
	case "commutative":
		o.Commutative = true
	case "reduction":
		o.Reduction = true
	case "columnwise":
		o.Columnwise, o.Whole, o.Opaque = true, true, true
	case "matrixwise":
		o.Matrixwise, o.Whole, o.Opaque = true, true, true
	case "whole":
		o.Whole = true
	case "opaque":
		o.Opaque = true
	case "linear": // in the last operand that no variable is bound in
		o.linear = len(slices.DeleteFunc(slices.Clone(d.Operands), func(a ast.OperandDecl) bool { return a.Binder != nil || len(a.Under) > 0 }))
	default:
		wrongDeclaration("there is no class %s", c.Text)
	}
}
