package term

import (
	"slices"
	"strings"

	"egad/diag"

	_ "embed"
)

// Module is a set of definitions that have been checked, with the prelude.
type Module struct {
	defs  map[string]*checkedDef
	order []string // the user's definitions, in the order of the text
	sig   *Signature
}

// checkedDef is a definition with its signature resolved.
type checkedDef struct {
	*Def
	sizes   []string // including those that parameters of type size bind
	params  []*Type  // nil for a parameter of type size
	result  *Type
	where   []sizeCond
	prelude bool
	ok      bool // it has been checked without errors
}

// sizeCond is a condition on sizes.
type sizeCond struct {
	pos  diag.Pos
	op   string
	l, r Size
}

func (c sizeCond) String() string {
	op := c.op
	if op == "==" {
		op = "="
	}
	return c.l.String() + " " + op + " " + c.r.String()
}

//go:embed prelude.egad
var preludeText string

// Prelude is the text of the definitions that every program has.
func Prelude() *diag.Source { return &diag.Source{Name: "prelude.egad", Text: preludeText} }

// LoadModule parses and checks program texts together with the prelude. The
// error lists all findings, as a [diag.List].
func LoadModule(sig *Signature, srcs ...*diag.Source) (*Module, error) {
	m := &Module{defs: make(map[string]*checkedDef), sig: sig}
	var errs diag.List
	m.add(Prelude(), true, &errs)
	for _, s := range srcs {
		m.add(s, false, &errs)
	}
	m.resolveSignatures(&errs)
	m.checkRecursion(&errs)
	for _, name := range m.sortedDefs() {
		m.checkBody(m.defs[name], &errs)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Module) add(src *diag.Source, prelude bool, errs *diag.List) {
	for _, d := range parseDefs(src, errs) {
		old, dup := m.defs[d.Name]
		switch {
		case dup && !old.prelude:
			line, _ := old.Src.LineCol(old.Pos)
			errs.Add(src, d.Pos, "%s is defined twice (first in %s, line %d)", d.Name, old.Src.Name, line)
			continue
		case isBuiltinName(m.sig, d.Name):
			errs.Add(src, d.Pos, "%s is the name of a built-in operator", d.Name)
			continue
		}
		m.defs[d.Name] = &checkedDef{Def: d, prelude: prelude}
		if !prelude {
			m.order = append(m.order, d.Name)
		}
	}
}

// Defs lists the names of the user's definitions in the order of the text.
func (m *Module) Defs() []string { return slices.Clone(m.order) }

// sortedDefs orders definitions as they were read: prelude first.
func (m *Module) sortedDefs() []string {
	var names []string
	for n := range m.defs {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := m.defs[a], m.defs[b]
		if x.prelude != y.prelude {
			if x.prelude {
				return -1
			}
			return 1
		}
		if x.Src != y.Src {
			return slices.Index(m.order, a) - slices.Index(m.order, b)
		}
		return int(x.Pos - y.Pos)
	})
	return names
}

// checkRecursion refuses definitions that call themselves: calls are inlined.
func (m *Module) checkRecursion(errs *diag.List) {
	state := make(map[string]int)
	var visit func(name string, path []string)
	visit = func(name string, path []string) {
		d := m.defs[name]
		switch state[name] {
		case 2:
			return
		case 1:
			i := slices.Index(path, name)
			errs.Add(d.Src, d.Pos, "%s calls itself (%s); definitions are not recursive",
				name, strings.Join(append(path[i:], name), " → "))
			return
		}
		state[name] = 1
		for _, c := range calledNames(d.Body, nil) {
			if _, ok := m.defs[c]; ok {
				visit(c, append(path, name))
			}
		}
		state[name] = 2
	}
	for _, n := range m.sortedDefs() {
		visit(n, nil)
	}
}

// calledNames collects the free-standing names in e; some may be local.
func calledNames(e Expr, out []string) []string {
	eachExpr(e, func(e Expr) {
		if id, ok := e.(*Ident); ok && !slices.Contains(out, id.Name) {
			out = append(out, id.Name)
		}
	})
	return out
}

// eachExpr calls f for e and all expressions in it.
func eachExpr(e Expr, f func(Expr)) {
	if e == nil {
		return
	}
	f(e)
	switch e := e.(type) {
	case *TupleLit:
		eachOf(e.Elems, f)
	case *ListLit:
		eachOf(e.Elems, f)
	case *Call:
		eachExpr(e.Fn, f)
		eachOf(e.Args, f)
	case *Binary:
		eachExpr(e.L, f)
		eachExpr(e.R, f)
	case *Unary:
		eachExpr(e.X, f)
	case *IndexExpr:
		eachExpr(e.Array, f)
		eachOf(e.Ix, f)
	case *Component:
		eachExpr(e.X, f)
	case *Lambda:
		eachExpr(e.Body, f)
	case *Let:
		eachExpr(e.Bound, f)
		eachExpr(e.Body, f)
	case *If:
		eachExpr(e.Cond, f)
		eachExpr(e.Then, f)
		eachExpr(e.Else, f)
	case *Spread:
		eachExpr(e.X, f)
	case *SubstExpr:
		eachExpr(e.X, f)
		eachOf(e.By, f)
	}
}

func eachOf(es []Expr, f func(Expr)) {
	for _, e := range es {
		eachExpr(e, f)
	}
}
