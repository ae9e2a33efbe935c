package term

import (
	"slices"
)

// hiddenNames are operators without a surface name of their own: they are
// written as infix operators, literals or brackets.
var hiddenNames = []string{"var", "ivar", "const", "stack", "tuple", "proj", "add", "sub", "mul", "fdiv", "div", "pow", "lt", "le", "eq", "and", "or", "mod", "polygamma"}

// FormArg is one argument of a built-in function, for readers of the syntax
// outside this package.
type FormArg = argKind

// The kinds of arguments that [Form] tells.
const (
	FormValue = argValue // an expression
	FormRest  = argRest  // any number of expressions
	FormSize  = argSize  // a size
	FormSizes = argSizes // a size or a list of sizes
	FormShape = argShape // a list of sizes
	FormTo    = argTo    // a list of sizes: the targets
	FormPerm  = argPerm  // a list of axes
	FormInt   = argInt   // a whole number
	FormType  = argType  // @T
	FormType2 = argType2 // @T, the second
	FormBody  = argBody  // a function of one index variable
	FormIx    = argIx    // a function to a list of indices
	FormList  = argList  // a list of indices
)

// Form tells how the arguments of the function called name are read, and what
// operator it is; ok is false if there is no such built-in function.
func (g *Signature) Form(name string) (o *Operator, form []FormArg, ok bool) {
	o, ok = surfaceOperator(g, name)
	if !ok {
		if name != "proj" { // which programs write t.0
			return nil, nil, false
		}
		o = g.Operator(SymProj)
	}
	return o, []FormArg(formOf(o)), true
}

// InfixSym is the operator an infix symbol stands for; > and >= swap their
// operands, != is the negation of ==.
func InfixSym(text string) (sym Sym, swap, negate, ok bool) {
	sym, ok = infixOps[text]
	return sym, text == ">" || text == ">=", text == "!=", ok
}

// surfaceOperator finds the operator that a name in function position means.
func surfaceOperator(sig *Signature, name string) (*Operator, bool) {
	o, ok := sig.Lookup(name)
	if !ok || slices.Contains(hiddenNames, name) && name != "pow" && name != "polygamma" {
		return nil, false
	}
	return o, true
}

func isBuiltinName(sig *Signature, name string) bool {
	_, ok := surfaceOperator(sig, name)
	return ok
}

// isReserved reports whether programs cannot give name another meaning.
func isReserved(sig *Signature, name string) bool {
	return name == "inf" || name == "nan" || isBuiltinName(sig, name)
}

func surfaceNames(sig *Signature) []string {
	var out []string
	for _, o := range sig.All() {
		if isBuiltinName(sig, o.Name) {
			out = append(out, o.Name)
		}
	}
	return out
}

// argKind says how an argument of a built-in function is read.
type argKind byte

const (
	argValue argKind = 'v' // an expression
	argRest  argKind = '*' // any number of expressions
	argSize  argKind = 'k' // a size
	argSizes argKind = 's' // a size or a list of sizes
	argShape argKind = 'S' // a list of sizes
	argTo    argKind = 't' // a list of sizes: the targets
	argPerm  argKind = 'p' // a list of axes
	argInt   argKind = 'n' // a whole number
	argType  argKind = '@' // @T, the attribute Type
	argType2 argKind = '2' // @T, the attribute Type2
	argBody  argKind = 'f' // a function of the binders to a value
	argIx    argKind = 'F' // a function of the binders to a list of indices
	argList  argKind = 'i' // a list of indices
)

// forms gives the arguments of the built-in functions that are not plain
// elementwise operators or reductions.
var forms = map[Sym]string{
	SymIota:       "k",
	SymIndex:      "vi",
	SymGather:     "SvF",
	SymScatter:    "tvF",
	SymReplicate:  "sv",
	SymTr:         "pv",
	SymReshape:    "Sv",
	SymBuild:      "sf",
	SymPolygamma:  "nv",
	SymProj:       "nv",
	SymLzero:      "@2",
	SymLone:       "@",
	SymLpair:      "*",
	SymLjoin:      "*",
	SymLbuild:     "kf",
	SymLbuildT:    "kf",
	SymLsum:       "@",
	SymLreplicate: "k@",
	SymLgather:    "S@F",
	SymLscatter:   "t@F",
	SymLtr:        "p@",
	SymLreshape:   "S@",
	SymLcond:      "v@",
	SymLproj:      "n@",
	SymLinj:       "n@",
}

func formOf(o *Operator) string {
	if f, ok := forms[o.Sym]; ok {
		return f
	}
	f := ""
	for range o.Arity {
		f += "v"
	}
	if o.Declared != nil && o.Linear {
		f += "@"
	}
	return f
}

// builtin evaluates a call of a built-in function.
func (w *walker[V]) builtin(name string, e *Call, s *scope[V]) *val[V] {
	o, _ := surfaceOperator(w.mod.sig, name)
	form := formOf(o)
	if form == "*" {
		return w.apply(s, e, Op{Sym: o.Sym}, e.Args)
	}
	if len(e.Args) != len(form) {
		hint := ""
		if len(e.Args) > len(form) {
			hint = " (parentheses may be missing)"
		}
		return w.errorf(s, e.At(), "%s takes %s, not %d%s", name, countOf(len(form), "argument"), len(e.Args), hint)
	}
	op := Op{Sym: o.Sym}
	var values []Expr
	for i, k := range []byte(form) {
		if !w.static(argKind(k), e.Args[i], &op, &values, s) {
			return nil
		}
	}
	last := e.Args[len(e.Args)-1]
	switch argKind(form[len(form)-1]) {
	case argBody:
		return w.builds(e, op, last, s)
	case argIx:
		return w.indexed(e, op, values, last, s)
	}
	if o.Sym == SymReplicate && len(op.Sizes) != 1 {
		v := w.array(values[0], s)
		if v == nil {
			return nil
		}
		return w.replicate(s, e, op.Sizes, v)
	}
	return w.apply(s, e, op, values)
}

// static reads one argument: an attribute goes to op, a value to values.
func (w *walker[V]) static(k argKind, e Expr, op *Op, values *[]Expr, s *scope[V]) bool {
	switch k {
	case argValue:
		*values = append(*values, e)
	case argSize, argSizes, argShape, argTo:
		sizes, ok := w.sizeList(k, e, s)
		if !ok {
			return false
		}
		if k == argTo {
			op.Targets = sizes
		} else {
			op.Sizes = sizes
		}
	case argPerm:
		l, ok := e.(*ListLit)
		if !ok {
			w.errorf(s, e.At(), "expected a permutation, as in tr [1, 0] a")
			return false
		}
		for _, x := range l.Elems {
			n, ok := w.whole(x, s)
			if !ok {
				return false
			}
			op.Perm = append(op.Perm, n)
		}
	case argInt:
		n, ok := w.whole(e, s)
		if !ok {
			return false
		}
		op.N = n
	case argType, argType2:
		ta, ok := e.(*TypeArg)
		if !ok {
			w.errorf(s, e.At(), "expected a type, as in @R[3]")
			return false
		}
		t, err := resolveType(ta.Type, s.ctx.sizes)
		if err != nil {
			w.errorf(s, err.Pos, "%s", err.Msg)
			return false
		}
		if k == argType {
			op.Type = t
		} else {
			op.Type2 = t
		}
	case argList:
		l, ok := e.(*ListLit)
		if !ok {
			w.errorf(s, e.At(), "expected a list of indices, as in index a [i, j]")
			return false
		}
		*values = append(*values, l.Elems...)
	}
	return true
}

func (w *walker[V]) sizeList(k argKind, e Expr, s *scope[V]) ([]Size, bool) {
	es := []Expr{e}
	if l, ok := e.(*ListLit); ok && k != argSize {
		es = l.Elems
	} else if k == argShape || k == argTo {
		w.errorf(s, e.At(), "expected a list of sizes, as in [n, 3]")
		return nil, false
	}
	if len(es) > MaxRank {
		w.errorf(s, e.At(), "an array has at most %d axes, and here are %d sizes", MaxRank, len(es))
		return nil, false
	}
	var out []Size
	for _, x := range es {
		size, ok := w.size(x, s)
		if !ok {
			return nil, false
		}
		out = append(out, size)
	}
	return out, true
}

// size reads an expression that stands for a size.
func (w *walker[V]) size(e Expr, s *scope[V]) (Size, bool) {
	size, err := sizeOf(e, s.ctx.sizes)
	if err == nil {
		err = possible(size, e.At())
	}
	if err != nil {
		w.errorf(s, err.Pos, "%s", err.Msg)
		return Size{}, false
	}
	return size, true
}

// whole reads a small natural number.
func (w *walker[V]) whole(e Expr, s *scope[V]) (int, bool) {
	if n, ok := e.(*Number); ok && !n.Real {
		if v, ok := n.Num.Int64(); ok && 0 <= v && v <= 1000 {
			return int(v), true
		}
	}
	w.errorf(s, e.At(), "expected a whole number from 0 to 1000")
	return 0, false
}

// builds evaluates build, and B and B' of linear maps. Build over a list of
// sizes is a nest of builds.
func (w *walker[V]) builds(e *Call, op Op, f Expr, s *scope[V]) *val[V] {
	ranges := op.Sizes
	names, es, vs := w.bodyOf(f, ranges, false, s)
	if vs == nil {
		return nil
	}
	v := vs[0]
	if v.tuple || v.fn != nil {
		return w.errorf(s, es[0].At(), "the elements of an array are numbers or truth values, and this is %s", w.describe(v))
	}
	for i := len(ranges) - 1; i >= 0 && v != nil; i-- {
		one := op
		one.Sizes = ranges[i : i+1]
		v = w.make(s, e, one, nil, names[i:i+1], es, []*val[V]{v})
	}
	return v
}

// indexed evaluates gather, scatter and their linear maps.
func (w *walker[V]) indexed(e *Call, op Op, values []Expr, f Expr, s *scope[V]) *val[V] {
	kids := w.arrays(values, s)
	if kids == nil && len(values) > 0 {
		return nil
	}
	if op.Sym == SymScatter || op.Sym == SymLscatter {
		// The binders of scatter take the leading axes of its operand.
		t := op.Type
		if op.Sym == SymScatter {
			t = w.dom.typ(kids[0].v)
		}
		n := binderCount(f)
		if n < 0 || t.Kind != KArray || n > len(t.Shape) {
			return w.errorf(s, f.At(), "expected a function of the leading axes of %s, as in \\[i] -> [i]", t)
		}
		op.Sizes = slices.Clone(t.Shape[:n])
	}
	names, es, vs := w.bodyOf(f, op.Sizes, true, s)
	if names == nil && len(op.Sizes) > 0 || es == nil && vs == nil && !emptyList(f) {
		return nil
	}
	return w.make(s, e, op, nil, names, append(slices.Clone(values), es...), append(kids, vs...))
}

// binderCount is how many index variables a lambda takes, -1 if e is not one.
func binderCount(e Expr) int {
	l, ok := e.(*Lambda)
	if !ok {
		return -1
	}
	if len(l.Params) == 1 && l.Params[0].Kind == PatList {
		return len(l.Params[0].Subs)
	}
	return len(l.Params)
}

// emptyList reports whether e is a lambda with the body [].
func emptyList(e Expr) bool {
	l, ok := e.(*Lambda)
	if !ok {
		return false
	}
	b, ok := l.Body.(*ListLit)
	return ok && len(b.Elems) == 0
}
