package define

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"

	"egad/term/ast"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Value is what an expression of a definition is worth: an array, with elements that are
// reals, integers or truth values, or a tuple. The zero Value is none.
//
// Where a method takes any, there may be a Value of the same definition, a number or a
// truth value of Go, or a slice of such, also nested. An integer of Go stands for a real
// too, as 2 does in a text. A scalar meets an array as in texts: with each element.
type Value struct {
	d *Def
	n *node // nil if there is a finding instead
}

// form is what a node is in a text.
type form uint8

const (
	sizeParam form = iota
	inputParam
	variable // of a function
	sized    // a polynomial of sizes
	infix
	minus
	call
	index
	component
	conditional
	tuple
	plain // an operand that is none yet
)

// node is an expression that was made once, and may be used several times.
type node struct {
	form  form
	name  string // of a parameter, an operator, a function; a text
	args  []arg
	typed *module.Typed
	typ   *types.Type // of an input
	scope *scope      // the innermost function of whose variables it is made
	of    uint64      // the depths of all of them, one bit each
	at    place
	hint  string // what to call it
	let   bool   // it has to have a name

	written // what its text needs
}

// scope is a call of a function in Go that stands for one of the language.
type scope struct {
	outer *scope
	depth int
	ended bool
	at    place
	lets  []string
}

// function is a function in Go, as the language has called it last.
type function struct {
	arity  int
	scope  *scope // nil if the language had no need to call it: a loop over nothing
	params []*node
	body   []arg
	list   bool // the body is a list of indices
}

// arg is an operand: a node, or what has no node of its own.
type arg struct {
	expr ast.Expr
	n    *node
	text string // of a literal
	list []arg
	is   argKind
	fn   *function
}

type argKind uint8

const (
	nodeArg argKind = iota
	literalArg
	listArg
	functionArg
	sliceArg // of list, where the text is empty on a side that is not there
)

// Range is a part of an axis, as lo:hi in a text: nil for Lo is the beginning, and for Hi
// the end.
type Range struct{ Lo, Hi any }

// outermost is the scope of the definition itself.
func (d *Def) outermost() *scope {
	s := d.scope
	for s.outer != nil {
		s = s.outer
	}
	return s
}

func (d *Def) add(n *node) Value {
	n.at = d.at
	d.nodes = append(d.nodes, n)
	return Value{d, n}
}

// operand reads an operand. It is not ok if there is a finding.
func (d *Def) operand(x any) (a arg, ok bool) {
	switch x := x.(type) {
	case Value:
		return d.value(x)
	case nil:
		return d.refuse("an operand is nil")
	case Range, *Range:
		return d.refuse("a Range stands among indices only")
	case *big.Rat:
		if x == nil {
			return d.refuse("an operand is nil")
		}
		n, err := numeric.FromRat(x)
		if err != nil {
			return d.refuse("%s", err)
		}
		return number(n, true), true
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Bool:
		return arg{expr: &ast.Bool{Value: v.Bool()}, text: strconv.FormatBool(v.Bool()), is: literalArg}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(numeric.Int(v.Int()), false), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() > math.MaxInt64 {
			return d.refuse("%d does not fit 64 bits", v.Uint())
		}
		return number(numeric.Int(int64(v.Uint())), false), true
	case reflect.Float32, reflect.Float64:
		return d.float(v.Float(), v.Type().Bits())
	case reflect.Slice, reflect.Array:
		return d.elements(v)
	case reflect.Func:
		return d.function(v)
	}
	return d.refuse("%T cannot be an operand: values of the definition can, numbers and truth values, slices of these, and functions", x)
}

// refuse is [Def.fail] of an operand.
func (d *Def) refuse(format string, args ...any) (a arg, ok bool) {
	d.fail(format, args...)
	return a, false
}

func (d *Def) value(v Value) (a arg, ok bool) {
	switch {
	case v.d == nil:
		d.fail("this is the zero Value, which no definition has made")
	case v.d != d:
		d.fail("this value belongs to another definition, %s", v.d.name)
	case v.n == nil: // there is a finding already
	case v.n.scope.ended:
		_, line := v.n.scope.at.line()
		d.fail("this value is made of variables of the function that was called in line %d, and has none outside it", line)
	default:
		return arg{expr: v.n.typed, n: v.n}, true
	}
	return a, false
}

// number is a literal, which is a real one or may be an integer.
func number(n numeric.Num, isReal bool) arg {
	a := arg{expr: &ast.Number{Num: n, Real: isReal}, text: n.String(), is: literalArg}
	if _, whole := n.Int64(); whole && isReal {
		a.text += ".0"
	}
	return a
}

func (d *Def) float(x float64, bits int) (a arg, ok bool) {
	switch {
	case math.IsNaN(x):
		return arg{expr: &ast.Ident{Name: "nan"}, text: "nan", is: literalArg}, true
	case math.IsInf(x, 1):
		return arg{expr: &ast.Ident{Name: "inf"}, text: "inf", is: literalArg}, true
	case math.IsInf(x, -1):
		return arg{expr: &ast.Unary{X: &ast.Ident{Name: "inf"}}, text: "-inf", is: literalArg}, true
	case x == 0 && math.Signbit(x):
		return arg{expr: &ast.Unary{X: number(numeric.Int(0), true).expr}, text: "-0.0", is: literalArg}, true
	}
	n, err := numeric.Parse(strconv.FormatFloat(x, 'g', -1, bits))
	if err != nil {
		return d.refuse("%s", err)
	}
	return number(n, true), true
}

// maxListed bounds the elements of a list.
const maxListed = 1 << 20

// elements is a list, of numbers or of values.
func (d *Def) elements(v reflect.Value) (a arg, ok bool) {
	d.nested++
	defer func() { d.nested-- }()
	switch d.listed += v.Len(); {
	case d.nested > ops.MaxRank:
		return d.refuse("lists nest more than %d deep", ops.MaxRank)
	case d.listed > maxListed:
		return d.refuse("a list has more than %d elements; data are inputs", maxListed)
	}
	a.is = listArg
	es := make([]ast.Expr, v.Len())
	for i := range v.Len() {
		if !v.Index(i).CanInterface() {
			return d.refuse("%s cannot be an operand", v.Type())
		}
		e, ok := d.operand(v.Index(i).Interface())
		if !ok {
			return a, false
		}
		a.list, es[i] = append(a.list, e), e.expr
	}
	a.expr = &ast.ListLit{Elems: es}
	return a, true
}

var valueType, valuesType = reflect.TypeFor[Value](), reflect.TypeFor[[]Value]()

// maxNested is how deep functions are called in functions: a depth is a bit of node.of.
const maxNested = 63

// function is a function in Go where the language takes one.
func (d *Def) function(v reflect.Value) (a arg, ok bool) {
	t := v.Type()
	fits := t.NumIn() > 0 && t.NumOut() == 1 && !t.IsVariadic() && (t.Out(0) == valueType || t.Out(0) == valuesType)
	for i := range t.NumIn() {
		fits = fits && t.In(i) == valueType
	}
	switch {
	case !fits:
		return d.refuse("a function takes Values and results in a Value, or in a []Value of indices, and this one is a %s", t)
	case v.IsNil():
		return d.refuse("this function is nil")
	}
	f := &function{arity: t.NumIn(), list: t.Out(0) == valuesType}
	a.is, a.fn = functionArg, f
	a.expr = d.check.Function(t.NumIn(), f.list, func(args []*module.Typed) *module.Typed { return d.apply(f, v, args) })
	return a, true
}

// apply calls a function in Go with variables.
func (d *Def) apply(f *function, v reflect.Value, args []*module.Typed) *module.Typed {
	if d.scope.depth >= maxNested {
		d.fail("functions are called in functions more than %d deep", maxNested)
		return nil
	}
	s, at := &scope{outer: d.scope, depth: d.scope.depth + 1, at: d.at}, d.at
	d.scope = s
	defer func() { d.scope, d.at, s.ended = s.outer, at, true }()
	f.scope, f.params, f.body = s, nil, nil
	in := make([]reflect.Value, len(args))
	for i, t := range args {
		x := d.add(&node{form: variable, typed: t, scope: s, of: 1 << s.depth})
		f.params = append(f.params, x.n)
		in[i] = reflect.ValueOf(x)
	}
	out := v.Call(in)[0].Interface()
	d.at = at
	results, list := out.([]Value)
	if !list {
		results = []Value{out.(Value)}
	}
	var ts []*module.Typed
	for _, r := range results {
		a, ok := d.operand(r)
		if !ok {
			return nil
		}
		f.body, ts = append(f.body, a), append(ts, a.n.typed)
	}
	if !list {
		return ts[0]
	}
	return d.check.Tuple(ts)
}

// definition is that of the first value among operands.
func definition(args []any) *Def {
	for _, x := range args {
		if v, ok := x.(Value); ok && v.d != nil {
			return v.d
		}
	}
	return nil
}

// make makes a node of operands.
func (d *Def) make(f form, name string, args ...any) Value {
	if d == nil {
		d = definition(args)
	}
	if d == nil {
		return Value{}
	}
	if !d.begin() {
		return Value{d: d}
	}
	n, es, ok := &node{form: f, name: name}, make([]ast.Expr, len(args)), true
	for i, x := range args {
		a, good := d.read(f, i, x)
		n.args, es[i], ok = append(n.args, a), a.expr, ok && good
	}
	if !ok {
		return Value{d: d}
	}
	var msgs []string
	if n.typed, msgs = d.check.Of(n.expr(es)); n.typed == nil {
		for _, m := range msgs {
			d.fail("%s", m)
		}
		return Value{d: d}
	}
	if n.typed.IsFunction() {
		return d.fail("%s needs more arguments", name)
	}
	for _, a := range n.args {
		n.of |= a.of()
	}
	for n.scope = d.scope; n.scope.outer != nil && n.of>>n.scope.depth == 0; {
		n.scope = n.scope.outer
	}
	if f == call {
		if _, ok := d.called[name]; !ok {
			d.called[name] = d.at
		}
	}
	if _, ok := n.typed.Size(); ok {
		n.let = !n.isSize() // k - k is a size where it has a name
	}
	if f == index && n.args[0].n != nil && n.args[0].n.form == tuple {
		n.args[0].n.let = true // a tuple in parentheses has no indices
	}
	return d.add(n)
}

// read reads operand i of a node; among indices there are parts of axes.
func (d *Def) read(f form, i int, x any) (a arg, ok bool) {
	r, isRange := x.(Range)
	if f != index || i == 0 || !isRange {
		return d.operand(x)
	}
	s := &ast.Slice{}
	a = arg{is: sliceArg, list: make([]arg, 2), expr: s}
	for k, x := range []any{r.Lo, r.Hi} {
		if x == nil {
			continue
		}
		if a.list[k], ok = d.operand(x); !ok {
			return a, false
		}
	}
	s.Lo, s.Hi = a.list[0].expr, a.list[1].expr
	return a, true
}

// isSize reports whether the text of a size that is made of others is read as one.
func (n *node) isSize() bool {
	switch n.form {
	case minus, plain:
	case infix:
		if !slices.Contains([]string{"+", "-", "*", "/", "div"}, n.name) {
			return false
		}
	case call:
		if n.name != "min" && n.name != "max" {
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(n.args, func(a arg) bool {
		if a.n == nil {
			return a.is != literalArg
		}
		_, ok := a.n.typed.Size()
		return !ok
	})
}

// of are the depths of the functions of whose variables an operand is made.
func (a arg) of() (of uint64) {
	if a.n != nil {
		return a.n.of
	}
	for _, b := range a.list {
		of |= b.of()
	}
	if a.fn != nil {
		for _, b := range a.fn.body {
			of |= b.of()
		}
		if a.fn.scope != nil {
			of &^= 1 << a.fn.scope.depth
		}
	}
	return of
}

// expr is the expression of a node of which es are the operands.
func (n *node) expr(es []ast.Expr) ast.Expr {
	switch n.form {
	case infix:
		return &ast.Binary{Op: n.name, L: es[0], R: es[1]}
	case minus:
		return &ast.Unary{X: es[0]}
	case index:
		return &ast.IndexExpr{Array: es[0], Ix: es[1:]}
	case conditional:
		return &ast.If{Cond: es[0], Then: es[1], Else: es[2]}
	case tuple:
		return &ast.TupleLit{Elems: es}
	case plain:
		return es[0]
	case component:
		k, _ := strconv.Atoi(n.name)
		return &ast.Component{X: es[0], N: k}
	case call:
		return &ast.Call{Fn: &ast.Ident{Name: n.name}, Args: es}
	}
	panic(fmt.Sprintf("define: no expression of form %d", n.form))
}
