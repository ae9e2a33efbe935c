package define

import (
	"fmt"
	"runtime"
	"strings"

	"egad/diag"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Def is a definition that is being written.
type Def struct {
	name   string
	check  *module.Checking
	src    *diag.Source // findings are at lines of Go
	errs   diag.List
	ended  bool
	nodes  []*node
	params []*node // sizes and inputs, in their order
	where  []condition
	scope  *scope // the innermost function that is being called
	called map[string]place
	at     place   // where what is being made was asked for
	listed int     // elements of the lists that it is made of
	nested int     // how deep these nest
	places []place // of findings
}

// condition is one on sizes.
type condition struct {
	l, r size.Size
	op   string
}

// place is where in a Go program something is called: the innermost callers, of which the
// first may be in this package.
type place [4]uintptr

// line is the innermost line outside this package.
func (p place) line() (file string, line int) {
	n := 0
	for n < len(p) && p[n] != 0 {
		n++
	}
	frames := runtime.CallersFrames(p[:n])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "egad/define.") || !more {
			return f.File, f.Line
		}
	}
}

// here is where the function was called that calls it.
func here() (p place) {
	runtime.Callers(3, p[:])
	return p
}

// New begins a definition called name, which may call those of m, and of the prelude; nil
// stands for no module.
func New(m *module.Module, name string) *Def {
	d := &Def{name: name, scope: &scope{}, called: make(map[string]place), at: here()}
	d.src = &diag.Source{Name: name, Origin: func(p diag.Pos) (string, int) { return d.places[p].line() }}
	var err error
	if d.check, err = module.NewChecking(m); err != nil {
		d.fail("%s", err)
	}
	if !module.IsName(name) {
		d.fail("a definition cannot be called %q", name)
	}
	return d
}

// fail keeps a finding about what is called now.
func (d *Def) fail(format string, args ...any) Value {
	if !d.errs.Full() {
		d.places = append(d.places, d.at)
		d.errs.Add(d.src, diag.Pos(len(d.places)-1), format, args...)
	}
	return Value{d: d}
}

// begin begins what was asked for of the function that calls it, and reports whether more
// can be written.
func (d *Def) begin() bool {
	if d == nil || d.check == nil {
		return false
	}
	d.at, d.listed, d.nested = here(), 0, 0
	if d.ended && len(d.errs) == 0 {
		d.fail("the definition %s has its result, and nothing can be added to it", d.name)
	}
	return !d.ended
}

// Err returns what is wrong so far, in the order in which it was found, or nil.
func (d *Def) Err() error {
	if d == nil {
		return errNone
	}
	return d.errs.Err()
}

var errNone = fmt.Errorf("there is no definition: New makes one")

// Size declares a size, which is told by the data as in a text, def f[n](…). It may stand
// for an integer, too.
func (d *Def) Size(name string) Value {
	if !d.begin() || !d.declare("size", name) {
		return Value{d: d}
	}
	return d.param(name, d.check.Size(name), sizeParam)
}

// Input declares a parameter.
func (d *Def) Input(name string, t Type) Value {
	if !d.begin() || !d.declare("input", name) {
		return Value{d: d}
	}
	typ := d.typeOf(t)
	if typ == nil {
		return Value{d: d}
	}
	x, finding := d.check.Input(typ)
	if finding != "" {
		return d.fail("%s", finding)
	}
	v := d.param(name, x, inputParam)
	v.n.typ = typ
	return v
}

func (d *Def) declare(what, name string) bool {
	if !module.IsName(name) {
		d.fail("a %s cannot be called %q", what, name)
		return false
	}
	for _, p := range d.params {
		if p.name == name {
			d.fail("%s is declared twice", name)
			return false
		}
	}
	if len(d.params) >= maxParams {
		d.fail("a definition has at most %d sizes and inputs", maxParams)
		return false
	}
	return true
}

// maxParams is how many sizes and inputs a definition has.
const maxParams = 1000

func (d *Def) param(name string, typed *module.Typed, form form) Value {
	n := &node{form: form, name: name, typed: typed, scope: d.outermost()}
	d.params = append(d.params, n)
	return d.add(n)
}

// Where says what holds of sizes; op is one of =, <, <=, > and >=. Data of which it does
// not hold are refused.
func (d *Def) Where(l any, op string, r any) {
	if !d.begin() {
		return
	}
	c := condition{op: op}
	var ok bool
	if c.l, ok = d.size(l); !ok {
		return
	}
	if c.r, ok = d.size(r); !ok {
		return
	}
	if op == "=" {
		op = "=="
	}
	switch op {
	case "==", "<", "<=", ">", ">=":
	default:
		d.fail("a condition on sizes is one of =, <, <=, > and >=, and this is %q", op)
		return
	}
	if !d.check.Where(c.l, op, c.r) {
		d.fail("%s %s %s never holds", c.l, c.op, c.r)
		return
	}
	d.where = append(d.where, c)
}

// Type is the type of an input.
type Type struct {
	elem  types.Elem
	shape []any
	parts []Type
}

// R is the type of arrays of reals; without sizes, of a real. A size is an integer of Go,
// or one of the sizes of the definition or made of these.
func R(shape ...any) Type { return Type{elem: types.R, shape: shape} }

// I is the type of arrays of integers.
func I(shape ...any) Type { return Type{elem: types.I, shape: shape} }

// B is the type of arrays of truth values.
func B(shape ...any) Type { return Type{elem: types.B, shape: shape} }

// TupleOf is the type of tuples.
func TupleOf(parts ...Type) Type { return Type{parts: parts} }

// typeOf is the type of the language, nil if there is none.
func (d *Def) typeOf(t Type) *types.Type {
	if t.elem == types.NoElem {
		parts := make([]*types.Type, len(t.parts))
		for i, p := range t.parts {
			if parts[i] = d.typeOf(p); parts[i] == nil {
				return nil
			}
		}
		return types.TupleOf(parts...)
	}
	if len(t.shape) > ops.MaxRank {
		d.fail("an array has at most %d axes, and here are %d sizes", ops.MaxRank, len(t.shape))
		return nil
	}
	shape := make([]size.Size, len(t.shape))
	for i, x := range t.shape {
		s, ok := d.size(x)
		if !ok {
			return nil
		}
		shape[i] = s
	}
	return types.ArrayOf(t.elem, shape...)
}

// size reads a size.
func (d *Def) size(x any) (size.Size, bool) {
	a, ok := d.operand(x)
	if !ok {
		return size.Size{}, false
	}
	s, finding := d.check.SizeOf(a.expr)
	if finding != "" {
		d.fail("%s", finding)
	}
	return s, finding == ""
}

// Result ends the definition. The text is that of the definition alone; what it calls of
// a module is not in it. Findings about it later, as that a size does not fit, are at
// lines of the Go program.
func (d *Def) Result(v any) (*diag.Source, error) {
	if d == nil {
		return nil, errNone
	}
	if d.begin() {
		if d.scope.outer != nil {
			d.fail("the result of %s is given in a function that it calls", d.name)
		}
		if a, ok := d.operand(v); ok && len(d.errs) == 0 {
			return d.finish(a)
		}
	}
	d.ended = true
	if len(d.errs) == 0 {
		d.fail("the result is no value")
	}
	return nil, d.errs.Err()
}

func (d *Def) finish(a arg) (*diag.Source, error) {
	t, msgs := d.check.Of(a.expr)
	d.ended = true
	for _, m := range msgs {
		d.fail("%s", m)
	}
	if at, ok := d.called[d.name]; ok {
		_, line := at.line()
		d.fail("%s calls itself, in line %d; definitions are not recursive", d.name, line)
	}
	for _, p := range d.params {
		if at, ok := d.called[p.name]; ok {
			_, line := at.line()
			d.fail("%s is a size or an input, and what is called so in line %d would be that", p.name, line)
		}
	}
	if t != nil && t.IsFunction() {
		d.fail("the result is a function")
	}
	if len(d.errs) > 0 {
		return nil, d.errs.Err()
	}
	return d.text(a, d.check.TypeOf(t)), nil
}
