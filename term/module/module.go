package module

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"sync"

	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/numeric"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Module is a set of definitions that have been checked, with the prelude.
type Module struct {
	all     []*checkedDef          // in the order of the texts, the prelude first
	user    map[string]*checkedDef // the user's definitions
	prelude map[string]*checkedDef
	sig     *term.Signature
	elems   map[*ast.Number]types.Elem // of the literals of the definitions
	// programs types the functional programs among the definitions; nil if nothing does.
	programs term.Functional
	keeper   *keeper // of calls that are not inlined; nil if all are
}

// checkedDef is a definition with its signature resolved.
type checkedDef struct {
	*ast.Def
	sizes  []string      // including those that parameters of type size bind
	params []*types.Type // nil for a parameter of type size
	result *types.Type
	where  []sizeCond
	// functional says that only package fun can read the definition.
	functional bool
	// typed says that there are variables with types in it or in what it calls, as in a functional program.
	typed bool
}

// sizeCond is a condition on sizes.
type sizeCond struct {
	pos  diag.Pos
	op   string
	l, r size.Size
}

func (c sizeCond) String() string {
	op := c.op
	if op == "==" {
		op = "="
	}
	return c.l.String() + " " + op + " " + c.r.String()
}

// holds decides the condition at the given sizes; known is false if it depends
// on names that have no value. The sides may be negative and fractions.
func (c sizeCond) holds(sizes map[string]size.Size) (holds, known bool) {
	sign, known := c.l.Sub(c.r).Subst(sizes).Sign()
	switch c.op {
	case "<":
		return sign < 0, known
	case "<=":
		return sign <= 0, known
	case ">":
		return sign > 0, known
	case ">=":
		return sign >= 0, known
	}
	return sign == 0, known
}

// sides says what the sides of the condition are at the given sizes.
func (c sizeCond) sides(sizes map[string]size.Size) string {
	side := func(s size.Size) string {
		if _, ok := s.Const(); ok {
			return ""
		}
		return fmt.Sprintf("%s is %s", s, s.Subst(sizes))
	}
	l, r := side(c.l), side(c.r)
	if l != "" && r != "" {
		return l + " and " + r
	}
	return l + r
}

//go:embed prelude.egad
var preludeText string

// Prelude returns the text of the definitions that every program has.
func Prelude() *diag.Source { return &diag.Source{Name: "prelude.egad", Text: preludeText} }

// Constant returns the number that a name means in every program: inf, nan, or a number
// of the prelude, as pi.
func Constant(name string) (numeric.Num, bool) {
	switch name {
	case "inf":
		return numeric.Inf(1), true
	case "nan":
		return numeric.NaN(), true
	}
	if d := preludeDefs()[name]; d != nil && len(d.Params)+len(d.Sizes) == 0 {
		if n, ok := d.Body.(*ast.Number); ok {
			return n.Num, true
		}
	}
	return numeric.Num{}, false
}

// InPrelude reports whether a name is that of a definition of the prelude.
func InPrelude(name string) bool { return preludeDefs()[name] != nil }

var preludeDefs = sync.OnceValue(func() map[string]*ast.Def {
	out := make(map[string]*ast.Def)
	for _, d := range ast.ReadDefs(Prelude(), new(diag.List)) {
		out[d.Name] = d
	}
	return out
})

// Load parses and checks program texts together with the prelude. The
// error lists all findings, as a [diag.List].
func Load(sig *term.Signature, srcs ...*diag.Source) (*Module, error) {
	p, err := prelude()
	if err != nil {
		return nil, err
	}
	m := *p
	m.user, m.sig = make(map[string]*checkedDef), sig
	return m.With(srcs...)
}

// With is the module with the definitions of further texts, which may call those of m.
func (m *Module) With(srcs ...*diag.Source) (*Module, error) {
	out := &Module{all: slices.Clone(m.all), user: maps.Clone(m.user), prelude: m.prelude, sig: m.sig, elems: maps.Clone(m.elems)}
	if out.sig.Functional != nil {
		out.programs = out.sig.Functional(out, out.sig)
	}
	if err := out.load(srcs, false); err != nil {
		return nil, err
	}
	return out, nil
}

// prelude is the module of the prelude alone, which all modules share: it has
// built-in operators only, which are the same in all signatures.
var prelude = sync.OnceValues(func() (*Module, error) {
	m := &Module{prelude: make(map[string]*checkedDef), sig: term.NewSignature(), elems: make(map[*ast.Number]types.Elem)}
	return m, m.load([]*diag.Source{Prelude()}, true)
})

// load adds what is defined in texts, and checks it.
func (m *Module) load(srcs []*diag.Source, prelude bool) error {
	var errs diag.List
	known := len(m.all)
	for _, s := range srcs {
		m.add(s, prelude, &errs)
	}
	defs := m.all[known:]
	bounded := func(d *checkedDef, f func()) {
		if err := overflow.Guard(func() error { f(); return nil }); err != nil {
			errs.Add(d.Src, d.Pos, "%s: %v", d.Name, err)
		}
	}
	if !prelude {
		m.functional(defs)
	}
	for _, d := range defs {
		bounded(d, func() { m.resolve(d, &errs) })
	}
	m.checkRecursion(defs, &errs)
	steps := 0
	again := false // a definition has turned out to be functional: others may call it
	for _, d := range defs {
		if d.functional {
			continue
		}
		known := len(errs)
		misplaced := 0
		bounded(d, func() { misplaced = m.checkBody(d, &steps, &errs) })
		if n := len(errs) - known; n > 0 && (misplaced >= n || d.typed) && m.alsoFunctional(d, prelude) {
			errs, again = errs[:known], true
		}
	}
	if again {
		m.functional(defs)
	}
	for _, d := range defs {
		if d.functional {
			bounded(d, func() { m.checkFunctional(d, &errs) })
		}
	}
	return errs.Err()
}

func (m *Module) add(src *diag.Source, prelude bool, errs *diag.List) {
	defs := m.user
	if prelude {
		defs = m.prelude
	}
	for _, d := range ast.ReadDefs(src, errs) {
		old, dup := defs[d.Name]
		switch {
		case dup:
			line, _ := old.Src.LineCol(old.Pos)
			errs.Add(src, d.Pos, "%s is defined twice (first in %s, line %d)", d.Name, old.Src.Name, line)
			continue
		case isReserved(d.Name):
			errs.Add(src, d.Pos, "%s is a built-in name", d.Name)
			continue
		}
		d.Prelude = prelude
		c := &checkedDef{Def: d}
		m.all = append(m.all, c)
		defs[d.Name] = c
	}
}

// find is the definition that a name means in the prelude or in the user's
// texts. What a user defines hides a definition of the prelude from the user's
// texts only: the prelude means the same in every program.
func (m *Module) find(name string, prelude bool) (*checkedDef, bool) {
	if d, ok := m.user[name]; ok && !prelude {
		return d, true
	}
	d, ok := m.prelude[name]
	return d, ok
}

// Find is the definition that a name means in the text of another, nil if there is none.
func (m *Module) Find(name string, from *ast.Def) *ast.Def {
	if d, ok := m.find(name, from.Prelude); ok {
		return d.Def
	}
	return nil
}

// Defs lists the names of the user's definitions in the order of the text.
func (m *Module) Defs() []string {
	var names []string
	if m == nil {
		return nil
	}
	for _, d := range m.all {
		if !d.Prelude {
			names = append(names, d.Name)
		}
	}
	return names
}

// Knows reports whether m knows the operators of p: p is of m, or derived from such
// a program, or there are only built-in ones.
func (m *Module) Knows(p *term.Program) bool {
	if m == nil || m.sig == nil || p.Made() != nil {
		return false
	}
	sig := p.Store.Signature()
	return sig == m.sig || !sig.HasDeclared() && !m.sig.HasDeclared()
}

// checkRecursion refuses definitions that call themselves: calls are inlined.
func (m *Module) checkRecursion(defs []*checkedDef, errs *diag.List) {
	const visiting, visited = 1, 2
	state := make(map[*checkedDef]int)
	var path []*checkedDef
	var visit func(d *checkedDef)
	visit = func(d *checkedDef) {
		switch state[d] {
		case visited:
			return
		case visiting:
			cycle := ""
			for _, c := range path[slices.Index(path, d):] {
				cycle += c.Name + " → "
			}
			errs.Add(d.Src, d.Pos, "%s calls itself (%s%s); definitions are not recursive", d.Name, cycle, d.Name)
			return
		}
		state[d] = visiting
		path = append(path, d)
		names, _, _ := d.FreeNames()
		for _, name := range names {
			if c, ok := m.find(name, d.Prelude); ok && !(c == d && d.functional) {
				visit(c)
			}
		}
		path = path[:len(path)-1]
		state[d] = visited
	}
	for _, d := range defs {
		visit(d)
	}
}
