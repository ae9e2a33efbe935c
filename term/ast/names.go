package ast

import (
	"cmp"
	"slices"
)

// FreeNames lists the names in the body of d that neither d nor anything in the
// body binds, in the order of the text, and reports whether there are forms in the body
// that only functional programs have, and variables of which the body says the type.
func (d *Def) FreeNames() (names []string, functional, typed bool) {
	f := &freeNames{bound: make(map[string]int), seen: make(map[string]bool)}
	for _, s := range d.Sizes {
		f.bound[s.Name]++
	}
	for _, p := range d.Params {
		f.bound[p.Name]++
	}
	f.expr(d.Body)
	return f.out, f.forms, f.typed
}

// FreeNames lists the names in an expression that it does not bind, in the order of the
// text.
func FreeNames(e Expr) []string {
	f := &freeNames{bound: make(map[string]int), seen: make(map[string]bool)}
	f.expr(e)
	return f.out
}

// MappedNames lists the names in an expression that it does not bind and that stand in its
// spreads alone, as ts in [(exp ts)...].
func MappedNames(e Expr) []string {
	f := &freeNames{bound: make(map[string]int), seen: make(map[string]bool)}
	f.spread = &freeNames{bound: f.bound, seen: make(map[string]bool)}
	f.expr(e)
	return slices.DeleteFunc(f.spread.out, func(n string) bool { return f.seen[n] })
}

type freeNames struct {
	spread *freeNames     // of spreads, if they are apart
	bound  map[string]int // how many binders of a name are around
	seen   map[string]bool
	out    []string
	forms  bool // there are forms that only functional programs have
	typed  bool // there are variables with types
}

func (f *freeNames) expr(e Expr) {
	switch e := e.(type) {
	case *Ident:
		if f.bound[e.Name] == 0 && !f.seen[e.Name] {
			f.seen[e.Name] = true
			f.out = append(f.out, e.Name)
		}
	case *TupleLit:
		f.exprs(e.Elems)
	case *ListLit:
		f.exprs(e.Elems)
	case *Call:
		f.expr(e.Fn)
		f.exprs(e.Args)
	case *Binary:
		_, operands := e.Chain()
		f.exprs(operands)
	case *Unary:
		f.expr(e.X)
	case *IndexExpr:
		f.expr(e.Array)
		f.exprs(e.Ix)
	case *Slice:
		f.exprs([]Expr{e.Lo, e.Hi})
	case *Component:
		f.expr(e.X)
	case *Spread:
		cmp.Or(f.spread, f).expr(e.X)
	case *SubstExpr:
		f.expr(e.X)
		f.exprs(e.By)
	case *If:
		f.exprs([]Expr{e.Cond, e.Then, e.Else})
	case *Lambda:
		f.bind(e.Params, 1)
		f.expr(e.Body)
		f.bind(e.Params, -1)
	case *Case:
		f.forms = true
		f.expr(e.X)
		for _, side := range []struct {
			pat  Pattern
			body Expr
		}{{e.Left, e.OnLeft}, {e.Right, e.OnRight}} {
			f.bind([]Pattern{side.pat}, 1)
			f.expr(side.body)
			f.bind([]Pattern{side.pat}, -1)
		}
	case *Rec:
		f.forms = true
		bound := []Pattern{{Name: e.Name}, e.Param}
		f.bind(bound, 1)
		f.expr(e.Body)
		f.bind(bound, -1)
	case *Let: // a chain of lets in a loop
		var pats []Pattern
		body := Expr(e)
		for {
			l, ok := body.(*Let)
			if !ok {
				break
			}
			f.expr(l.Bound)
			f.bind([]Pattern{l.Pat}, 1)
			pats = append(pats, l.Pat)
			body = l.Body
		}
		f.expr(body)
		f.bind(pats, -1)
	}
}

func (f *freeNames) exprs(es []Expr) {
	for _, e := range es {
		f.expr(e)
	}
}

func (f *freeNames) bind(ps []Pattern, by int) {
	for _, p := range ps {
		if p.Type != nil {
			f.typed = true
			f.forms = f.forms || p.Type.Kind == TyFun || p.Type.Functional()
		}
		if p.Name != "" {
			f.bound[p.Name] += by
		}
		f.bind(p.Subs, by)
	}
}

// Functional reports whether a type is one of functional programs alone: a sum, an array
// of any length, or a function inside another type.
func (t TypeExpr) Functional() bool {
	return t.Kind == TySum || slices.Contains(t.Sizes, nil) ||
		slices.ContainsFunc(t.Parts, func(p TypeExpr) bool { return p.Kind == TyFun || p.Functional() })
}
