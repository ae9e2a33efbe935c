package ops

import (
	"fmt"
	"slices"
	"strings"

	"egad/term/ast"
	"egad/term/types"
)

// FormArg is how one argument of a call of a built-in function is read. The form of
// an operator is one for each argument; from it follow its attributes and binders.
type FormArg byte

// The kinds of arguments.
const (
	FormValue FormArg = 'v' // an expression
	FormRest  FormArg = '*' // any number of expressions
	FormCount FormArg = 'o' // an expression, or nothing: then the size, which is the first argument
	FormSize  FormArg = 'k' // a size
	FormSizes FormArg = 's' // a size or a list of sizes
	FormShape FormArg = 'S' // a list of sizes
	FormTo    FormArg = 't' // a list of sizes: the targets
	FormPerm  FormArg = 'p' // a list of axes
	FormInt   FormArg = 'n' // a whole number
	FormType  FormArg = '@' // @T, the attribute Type
	FormType2 FormArg = '2' // @T, the attribute Type2
	FormBody  FormArg = 'f' // a function of the index variables to a value
	FormIx    FormArg = 'F' // a function of the index variables to a list of indices
	FormList  FormArg = 'i' // a list of indices
	FormStep  FormArg = 'l' // a function of an index variable and a state to the next state

	formName    FormArg = 'x' // of what is no call: the attribute Name
	formLiteral FormArg = 'c' // the attribute Const
)

// Form returns how the arguments of a call are read.
func (o *Operator) Form() []FormArg { return []FormArg(o.formText()) }

func (o *Operator) formText() string {
	if o.form != "" || o.Arity < 0 {
		return o.form
	}
	return strings.Repeat("v", o.Arity)
}

// Has reports whether some argument is of kind f.
func (o *Operator) Has(f FormArg) bool { return strings.IndexByte(o.formText(), byte(f)) >= 0 }

// Given returns the arguments of a call, with the one that may be left out.
func (o *Operator) Given(args []ast.Expr) []ast.Expr {
	at := strings.IndexByte(o.formText(), byte(FormCount))
	if at < 0 || len(args) == 0 || len(args) != len(o.formText())-1 {
		return args
	}
	return slices.Insert(slices.Clone(args), at, args[0])
}

// Binds reports whether the operator has binders, be it none: gather [] t (\[] -> ix).
func (o *Operator) Binds() bool { return o.binds }

// OwnRanges reports whether the sizes of the binders are those of the leading axes of
// the operand, and not written.
func (o *Operator) OwnRanges() bool { return o.Has(FormTo) && o.Has(FormIx) }

// Outer returns how many children come before those that the binders scope over.
func (o *Operator) Outer() int { return o.outer }

// Complete reports whether op, which is of the operator, has the attributes that it needs, and no
// others.
func (o *Operator) Complete(op Op) bool {
	if o.Sorted != nil {
		return o.Sorted.complete(op)
	}
	sizes := len(op.Sizes) == 0
	switch {
	case o.Has(FormShape) || o.OwnRanges():
		sizes = true
	case o.Has(FormSize) || o.Has(FormSizes):
		sizes = len(op.Sizes) == 1
	}
	return sizes && (o.Has(FormTo) || len(op.Targets) == 0) && (o.Has(FormPerm) || len(op.Perm) == 0) &&
		(o.Has(FormInt) && op.N >= 0 || op.N == 0) && o.Has(formName) == (op.Name != "") &&
		(o.Has(FormType) || o.Has(formLiteral) || o.Has(FormStep)) == (op.Type != nil) && o.Has(FormType2) == (op.Type2 != nil) &&
		o.Has(formLiteral) == (op.Const != nil) && (op.Const == nil || op.Type.Kind == types.KArray || op.Type.Kind == types.KSort)
}

// CallWith returns a call of a linear operator, or of the map of one, in a rule: with the
// given operand, or type of it, and names for all other arguments.
func (o *Operator) CallWith(given ast.Expr) *ast.Call {
	at := ast.BaseAt(given.At())
	name := func(n string) *ast.Ident { return &ast.Ident{Base: at, Name: n} }
	call := &ast.Call{Base: at, Fn: name(o.Name)}
	if o.Of != SymNone {
		fn, of, _ := strings.Cut(o.Name, " ")
		call.Fn, call.Args = name(fn), []ast.Expr{name(of)}
	}
	values := 0
	for _, f := range o.Form() {
		x := given
		switch f {
		case FormValue:
			if values++; values != o.linear {
				x = name(fmt.Sprintf("w%d", values))
			}
		case FormSize, FormSizes:
			x = name("k")
		case FormShape:
			x = name("ks")
		case FormTo:
			x = name("ns")
		case FormPerm:
			x = name("p")
		case FormInt:
			x = name("n")
		case FormIx:
			x = &ast.Lambda{Base: at, Params: []ast.Pattern{{Pos: given.At(), Name: "is"}}, Body: name("ix")}
		}
		call.Args = append(call.Args, x)
	}
	return call
}

// InfixSym returns the operator an infix symbol stands for; > and >= swap their
// operands, != is the negation of ==.
func InfixSym(text string) (sym Sym, swap, negate, ok bool) {
	switch text {
	case ">":
		return SymLt, true, false, true
	case ">=":
		return SymLe, true, false, true
	case "!=":
		return SymEq, false, true, true
	}
	sym, ok = infixes[text]
	return sym, false, false, ok
}

// OnAxis reports whether an operator works along the outer axis of one array.
func (o *Operator) OnAxis() bool {
	return o.Arity == 1 && (o.Reduction || o.Columnwise || o.Sym == SymLogsumexp)
}

// ValuesOnly reports whether all arguments of a built-in function are arrays, so that
// it can be passed as a function.
func (o *Operator) ValuesOnly() bool {
	return o.Arity > 0 && !o.Linear && o.Sym != SymLapply && strings.Trim(o.formText(), string(FormValue)) == ""
}
