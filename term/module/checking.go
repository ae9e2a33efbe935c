package module

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term"
	"egad/term/ast"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Typed is an expression that has its value already, as far as a check knows it: its
// type, and of an integer what it is in sizes. A [Checking] makes them, and other
// expressions may have them for parts.
type Typed struct {
	ast.Base
	val *val[*types.Type]
	// quotient says that it stands for a size only, as n / 2 does in a text.
	quotient bool
}

// IsFunction reports whether the value is a function, or has one in it.
func (t *Typed) IsFunction() bool {
	return t.val.hasFunction()
}

// Size returns the size that an integer is, and whether it is one.
func (t *Typed) Size() (size.Size, bool) {
	if t.val.sym == nil || !t.val.sym.OnlySizes() {
		return size.Size{}, false
	}
	return *t.val.sym, true
}

// goFunction is a function that is written in Go. If it makes indices, its result is the
// list of them, as a tuple.
type goFunction[V any] struct {
	arity   int
	indices bool
	apply   func(args []*val[V]) *val[V]
}

// Checking checks the expressions of one definition one at a time, as they are made. It
// finds what [Load] finds in a text, but for element types of literals that
// nothing says in the end.
type Checking struct {
	known *checker
	walk  *walker[*types.Type]
	scope *scope[*types.Type]
}

// NewChecking begins the check of a definition that may call those of m; nil stands for a
// module without definitions.
func NewChecking(m *Module) (*Checking, error) {
	if m == nil {
		var err error
		if m, err = Load(term.NewSignature()); err != nil {
			return nil, err
		}
	}
	c := &checker{sig: m.sig, eqs: make(map[string]size.Size)}
	ctx := &context{src: &diag.Source{}, sizes: make(map[string]size.Size)}
	return &Checking{c, &walker[*types.Type]{mod: m, dom: c, errs: new(diag.List)}, &scope[*types.Type]{ctx: ctx}}, nil
}

// Size declares a size.
func (k *Checking) Size(name string) *Typed {
	k.scope.ctx.sizes[name] = size.Var(name)
	return k.Sized(size.Var(name))
}

// Sized is a size as an integer.
func (k *Checking) Sized(s size.Size) *Typed {
	return &Typed{val: k.walk.sizeValue(k.scope, &ast.Ident{}, s)}
}

// SizeOf reads an expression as a size; the finding is "" if it is one.
func (k *Checking) SizeOf(e ast.Expr) (s size.Size, finding string) {
	err := overflow.Guard(func() error {
		var err *diag.Error
		if s, err = size.Read(e, nil); err == nil {
			err = possible(s, 0)
		}
		if err != nil {
			finding = err.Msg
		}
		return nil
	})
	if err != nil {
		finding = err.Error()
	}
	return s, finding
}

// Input is the value of a parameter; the finding is "" if there is one of the type.
func (k *Checking) Input(t *types.Type) (v *Typed, finding string) {
	if leaves(t) > maxLeaves {
		return nil, fmt.Sprintf("a tuple has at most %d components", maxLeaves)
	}
	return &Typed{val: typeValue(t)}, ""
}

// Where assumes an equation or an inequality of sizes. It is false if that never holds.
func (k *Checking) Where(l size.Size, op string, r size.Size) bool {
	c := sizeCond{op: op, l: l, r: r}
	k.known.assume(c)
	holds, known := c.holds(nil)
	return holds || !known
}

// Of is the value of an expression; it is nil if there is none, and then the findings
// say why, or a function that is written in Go has given none.
func (k *Checking) Of(e ast.Expr) (*Typed, []string) {
	w, errs, deep := k.walk, new(diag.List), k.walk.deep
	outer := w.errs
	w.errs = errs
	var v *val[*types.Type]
	var q *Typed
	err := overflow.Guard(func() error {
		defer func() { w.errs, w.deep = outer, deep }() // functions in Go may panic
		if q = k.quotient(e); q == nil {
			v = w.eval(e, k.scope)
		}
		return nil
	})
	if q != nil {
		return q, nil
	}
	findings := slice.Map(*errs, func(e *diag.Error) string { return e.Msg })
	if err != nil {
		findings = append(findings, err.Error())
	}
	if v == nil || len(findings) > 0 {
		return nil, findings
	}
	return &Typed{val: v}, nil
}

// quotient is a size that is divided, or made of one that was; nil is none.
func (k *Checking) quotient(e ast.Expr) *Typed {
	has := func(es ...ast.Expr) bool {
		return slices.ContainsFunc(es, func(e ast.Expr) bool { t, ok := e.(*Typed); return ok && t.quotient })
	}
	switch e := e.(type) {
	case *ast.Binary:
		if e.Op != "/" && !has(e.L, e.R) {
			return nil
		}
	case *ast.Call:
		if !has(e.Args...) {
			return nil
		}
	default:
		return nil
	}
	s, err := size.Read(e, nil)
	if err != nil || len(s.Vars()) == 0 {
		return nil
	}
	t := k.Sized(s)
	t.quotient = true
	return t
}

// Function is a function of so many arguments that is written in Go, which results in a
// value, or in the tuple of indices. It may be called several times, with values of the
// same or of different types; nil is no value.
func (k *Checking) Function(arity int, indices bool, f func(args []*Typed) *Typed) *Typed {
	apply := func(args []*val[*types.Type]) *val[*types.Type] {
		ts := slice.Map(args, func(a *val[*types.Type]) *Typed { return &Typed{val: a} })
		if r := f(ts); r != nil {
			return k.walk.eval(r, k.scope)
		}
		return nil
	}
	return &Typed{val: &val[*types.Type]{fn: &closure[*types.Type]{goes: &goFunction[*types.Type]{arity, indices, apply}}}}
}

// Tuple is what a function results in that makes several values, or a list of indices; nil
// if one of them is none.
func (k *Checking) Tuple(ts []*Typed) *Typed {
	v := &val[*types.Type]{tuple: true, parts: make([]*val[*types.Type], len(ts))}
	for i, t := range ts {
		if v.parts[i] = k.walk.eval(t, k.scope); v.parts[i] == nil {
			return nil
		}
	}
	return &Typed{val: v}
}

// TypeOf is the type of a value that is no function, with I for the element types of
// literals that nothing says.
func (k *Checking) TypeOf(t *Typed) *types.Type {
	var settled func(t *types.Type) *types.Type
	settled = func(t *types.Type) *types.Type {
		u := *k.known.Resolve(t)
		if u.Elem.IsVar() {
			u.Elem = types.I
		}
		u.Parts = slice.Map(t.Parts, settled)
		return &u
	}
	return settled(k.walk.typeOf(t.val))
}

// Names are those that mean something in every definition: what else a text binds is
// best called otherwise.
func (k *Checking) Names() term.NameSet {
	used := k.walk.mod.sig.Words()
	for _, g := range Generals {
		used.Use(g.Name)
	}
	for _, d := range k.walk.mod.all {
		used.Use(d.Name)
	}
	return used
}

// IsName reports whether a definition, a size or a parameter may be called so.
func IsName(name string) bool {
	return ast.IsWord(name) && !isReserved(name)
}
