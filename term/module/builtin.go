package module

import (
	"slices"
	"strings"

	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

func isBuiltinName(sig *term.Signature, name string) bool {
	_, ok := sig.Surface(name)
	return ok || name == ops.Lmap
}

// isReserved reports whether programs cannot give name another meaning. They can
// that of a built-in function, as that of a definition of the prelude: what a new
// operator is called may be the name of something in a program.
func isReserved(name string) bool { return name == "inf" || name == "nan" || name == ops.Lmap }

func surfaceNames(sig *term.Signature) []string {
	var out []string
	for _, o := range sig.All() {
		if isBuiltinName(sig, o.Name) {
			out = append(out, o.Name)
		}
	}
	return out
}

// builtin evaluates a call of a built-in function.
func (w *walker[V]) builtin(e *ast.Call, s *scope[V]) *val[V] {
	o, args := w.mod.sig.Called(e)
	if o == nil {
		return w.errorf(s, e.At(), "lmap is followed by a linear operator and its arguments, with the type of its operand, as in lmap sum @R[3]")
	}
	if d := o.Declared; d != nil && d.Meaningless() && !s.ctx.facts {
		return w.errorf(s, e.At(), "the relation %s has no meaning: it is for rules and their tests", d.Name)
	}
	form := o.Form()
	args = o.Given(args)
	if o.Has(ops.FormRest) {
		return w.apply(s, e, ops.Op{Sym: o.Sym}, args)
	}
	if len(args) != len(form) {
		hint := ""
		if len(args) > len(form) {
			hint = " (parentheses may be missing)"
			if _, axis := args[len(args)-1].(*ast.Number); axis && o.OnAxis() {
				hint = alongHint(o.Name)
			}
			if where := whereHint(args); where != "" {
				hint = where
			}
		}
		return w.errorf(s, e.At(), "%s takes %s, not %d%s", o.Name, diag.Count(len(form), "argument"), len(args), hint)
	}
	op := ops.Op{Sym: o.Sym}
	var values []ast.Expr
	for i, k := range form {
		if !w.static(k, args[i], &op, &values, s) {
			return nil
		}
	}
	last := args[len(args)-1]
	switch form[len(form)-1] {
	case ops.FormBody:
		return w.builds(e, op, values, last, s)
	case ops.FormIx:
		return w.indexed(e, op, values, last, s)
	case ops.FormStep:
		return w.explicit(e, op.Sizes[0], values, last, s)
	}
	if o.Sym == ops.SymReplicate && len(op.Sizes) != 1 {
		return w.each(w.moved(values[0], s), func(v *val[V]) *val[V] { return w.replicate(s, e, op.Sizes, v) })
	}
	return w.apply(s, e, op, values)
}

// static reads one argument: an attribute goes to op, a value to values.
func (w *walker[V]) static(k ops.FormArg, e ast.Expr, op *ops.Op, values *[]ast.Expr, s *scope[V]) bool {
	switch k {
	case ops.FormValue, ops.FormCount:
		*values = append(*values, e)
	case ops.FormSize, ops.FormSizes, ops.FormShape, ops.FormTo:
		sizes, ok := w.sizeList(k, e, s)
		if !ok {
			return false
		}
		if k == ops.FormTo {
			op.Targets = sizes
		} else {
			op.Sizes = sizes
		}
	case ops.FormPerm:
		l, ok := e.(*ast.ListLit)
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
	case ops.FormInt:
		n, ok := w.whole(e, s)
		if !ok {
			return false
		}
		op.N = n
	case ops.FormType, ops.FormType2:
		ta, ok := e.(*ast.TypeArg)
		if !ok {
			w.errorf(s, e.At(), "expected a type, as in @R[3]")
			return false
		}
		t, err := resolveType(ta.Type, s.ctx.sizes)
		if err != nil {
			w.errorf(s, err.Pos, "%s", err.Msg)
			return false
		}
		if k == ops.FormType {
			op.Type = t
		} else {
			op.Type2 = t
		}
	case ops.FormList:
		l, ok := e.(*ast.ListLit)
		if !ok {
			w.errorf(s, e.At(), "expected a list of indices, as in index a [i, j]")
			return false
		}
		*values = append(*values, l.Elems...)
	}
	return true
}

func (w *walker[V]) sizeList(k ops.FormArg, e ast.Expr, s *scope[V]) ([]size.Size, bool) {
	es := []ast.Expr{e}
	if l, ok := e.(*ast.ListLit); ok && k != ops.FormSize {
		es = l.Elems
	} else if k == ops.FormShape || k == ops.FormTo {
		w.errorf(s, e.At(), "expected a list of sizes, as in [n, 3]")
		return nil, false
	}
	if len(es) > ops.MaxRank {
		w.errorf(s, e.At(), "an array has at most %d axes, and here are %d sizes", ops.MaxRank, len(es))
		return nil, false
	}
	var out []size.Size
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
func (w *walker[V]) size(e ast.Expr, s *scope[V]) (size.Size, bool) {
	n, err := size.Read(e, w.sizesFor(e, s))
	if err == nil {
		err = possible(n, e.At())
	}
	if err != nil {
		w.errorf(s, err.Pos, "%s", w.noSize(e, s, err))
		return size.Size{}, false
	}
	return n, true
}

// noSize says why an expression is no size: of a name that let binds, why what it is bound to
// is none; of lets between the first and the last it says nothing.
func (w *walker[V]) noSize(e ast.Expr, s *scope[V], err *diag.Error) string {
	const is = " is not a size"
	for _, name := range ast.FreeNames(e) {
		b, ok := s.lookup(name)
		if !ok || b.let == nil || !strings.HasPrefix(err.Msg, name+is) {
			continue
		}
		if _, why := size.Read(b.let, w.sizesFor(b.let, b.parent)); why != nil {
			msg := strings.TrimPrefix(w.noSize(b.let, b.parent, why), "this"+is+": ")
			if _, last, more := strings.Cut(msg, is+": "); more && strings.Contains(last, is) {
				msg = last
			}
			return name + is + ": " + msg
		}
	}
	return err.Msg
}

// whole reads a small natural number.
func (w *walker[V]) whole(e ast.Expr, s *scope[V]) (int, bool) {
	if n, ok := e.(*ast.Number); ok && !n.Real {
		if v, ok := n.Num.Int64(); ok && 0 <= v && v <= 1000 {
			return int(v), true
		}
	}
	w.errorf(s, e.At(), "expected a whole number from 0 to 1000")
	return 0, false
}

// builds evaluates build, and B and B' of linear maps. Build over a list of
// sizes is a nest of builds.
func (w *walker[V]) builds(e *ast.Call, op ops.Op, values []ast.Expr, f ast.Expr, s *scope[V]) *val[V] {
	var kids []*val[V]
	for _, x := range values {
		v := w.array(x, s)
		if v == nil {
			return nil
		}
		kids = append(kids, v)
	}
	ranges := op.Sizes
	names, es, vs := w.bodyOf(f, ranges, false, s)
	if vs == nil {
		return nil
	}
	v := vs[0]
	if v.tuple && op.Sym != ops.SymBuild || v.hasFunction() {
		return w.errorf(s, es[0].At(), "the elements of an array are numbers, truth values and tuples of such, and this is %s", w.describe(v))
	}
	if v.tuple {
		return w.built(s, e, ranges, names, v)
	}
	for i := len(ranges) - 1; i >= 0 && v != nil; i-- {
		one := op
		one.Sizes = ranges[i : i+1]
		v = w.make(s, e, one, nil, names[i:i+1], append(values, es...), append(kids, v))
	}
	return v
}

// indexed evaluates gather, scatter and their linear maps.
func (w *walker[V]) indexed(e *ast.Call, op ops.Op, values []ast.Expr, f ast.Expr, s *scope[V]) *val[V] {
	var kids []*val[V]
	for _, x := range values {
		eval := w.array
		if op.Sym == ops.SymGather {
			eval = w.moved
		}
		v := eval(x, s)
		if v == nil {
			return nil
		}
		kids = append(kids, v)
	}
	if w.mod.sig.Operator(op.Sym).OwnRanges() {
		t := op.Type
		if len(kids) > 0 {
			t = w.dom.typ(kids[0].v)
		}
		n := binderCount(f)
		if n < 0 || t.Kind != types.KArray || n > len(t.Shape) {
			return w.errorf(s, f.At(), "expected a function of the leading axes of %s, as in \\[i] -> [i]", t)
		}
		op.Sizes = slices.Clone(t.Shape[:n])
	}
	names, es, vs := w.bodyOf(f, op.Sizes, true, s)
	if names == nil && len(op.Sizes) > 0 || es == nil && vs == nil && !emptyList(f) {
		return nil
	}
	es = append(slices.Clone(values), es...)
	if len(kids) == 0 {
		return w.make(s, e, op, nil, names, es, vs)
	}
	return w.each(kids[0], func(a *val[V]) *val[V] {
		kids := slices.Concat([]*val[V]{a}, kids[1:], vs)
		if op.Sym == ops.SymGather || op.Sym == ops.SymScatter {
			return w.read(s, e, op, names, es, kids)
		}
		return w.make(s, e, op, nil, names, es, kids)
	})
}

// moved is the value of e, which must be an array or a tuple of arrays.
func (w *walker[V]) moved(e ast.Expr, s *scope[V]) *val[V] {
	v := w.eval(e, s)
	if v == nil || !w.isData(v, e, s) {
		return nil
	}
	return v
}

// isData reports whether there is no function in v, the value of e.
func (w *walker[V]) isData(v *val[V], e ast.Expr, s *scope[V]) bool {
	if v.hasFunction() {
		w.errorf(s, e.At(), "expected an array, found %s", w.describe(v))
		return false
	}
	return true
}

// binderCount is how many index variables a lambda takes, -1 if e is not one.
func binderCount(e ast.Expr) int {
	if t, ok := e.(*Typed); ok && t.val.fn != nil {
		return t.val.fn.arity()
	}
	l, ok := e.(*ast.Lambda)
	if !ok {
		return -1
	}
	if len(l.Params) == 1 && l.Params[0].Kind == ast.PatList {
		return len(l.Params[0].Subs)
	}
	return len(l.Params)
}

// emptyList reports whether e is a lambda with the body [].
func emptyList(e ast.Expr) bool {
	l, ok := e.(*ast.Lambda)
	if !ok {
		return false
	}
	b, ok := l.Body.(*ast.ListLit)
	return ok && len(b.Elems) == 0
}
