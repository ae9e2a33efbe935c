package module

import (
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/term"
	"egad/term/ast"
	"egad/term/size"
	"egad/term/types"
)

// functional finds the definitions that are functional programs, by their forms or by what
// they call.
func (m *Module) functional(defs []*checkedDef) {
	if m.programs == nil {
		return
	}
	visit := memo.Once(func(d *checkedDef, visit func(*checkedDef)) {
		names, functional, typed := d.FreeNames()
		d.functional = d.functional || functional || d.needsFunctions(names)
		d.typed = d.typed || typed
		for _, name := range names {
			c, ok := m.find(name, d.Prelude)
			if !ok {
				continue
			}
			visit(c)
			d.functional = d.functional || c.functional || c == d
			d.typed = d.typed || c.typed
		}
	})
	for _, d := range defs {
		visit(d)
	}
}

// needsFunctions reports whether only a functional program has what is in d.
func (d *checkedDef) needsFunctions(free []string) bool {
	if d.Result.Functional() || slices.ContainsFunc(d.Params, func(p ast.Param) bool { return p.Type.Functional() }) {
		return true
	}
	return slices.ContainsFunc(free, func(name string) bool {
		return slices.Contains([]string{"inl", "inr", "fst", "snd", "reduce"}, name)
	})
}

// alsoFunctional reports whether a definition, which is no array program, is a functional one.
func (m *Module) alsoFunctional(d *checkedDef, prelude bool) bool {
	if prelude || m.programs == nil || len(m.programs.Check(d.Def)) > 0 {
		return false
	}
	d.functional = true
	return true
}

// resolve reads the types of a definition. Of a functional one they need not be types of
// arrays.
func (m *Module) resolve(d *checkedDef, errs *diag.List) {
	if d.functional {
		errs = new(diag.List)
	}
	m.resolveSignature(d, errs)
}

// checkFunctional checks a functional definition.
func (m *Module) checkFunctional(d *checkedDef, errs *diag.List) {
	*errs = append(*errs, m.programs.Check(d.Def)...)
}

// Functional returns what types the functional programs of the module; nil if nothing does.
func (m *Module) Functional() term.Functional { return m.programs }

// IsFunctional reports whether a definition is a functional program, and whether it may be read as one:
// an array program that says the types of variables, as functional programs do, may be both.
func (m *Module) IsFunctional(name string) (is, may bool) {
	d, err := m.lookup(name)
	return err == nil && d.functional, err == nil && (d.functional || d.typed)
}

// NotLoweredError says why there is no array program of a functional one at some sizes: it
// calls itself until its data say that it ends, say.
type NotLoweredError struct {
	Outline *term.Program // name, sizes and inputs, and no term
	Result  *types.Type
	Err     error
}

func (e *NotLoweredError) Error() string { return e.Err.Error() }

func (e *NotLoweredError) Unwrap() error { return e.Err }

// lower makes an array program of a functional one.
func (m *Module) lower(d *checkedDef, inputs []term.Input, result *types.Type, sizes map[string]int64) (*term.Program, error) {
	p, err := m.programs.Lower(d.Def, sizes, inputs, result)
	if err != nil {
		return nil, &NotLoweredError{Outline: &term.Program{Name: d.Name, Sizes: sizes, Inputs: inputs}, Result: result, Err: err}
	}
	p.Name, p.Sizes = d.Name, sizes
	return p, nil
}

// inputs are the parameters of a definition at some sizes. A size that is a parameter is no
// input.
func (d *checkedDef) inputs(at map[string]size.Size) ([]term.Input, error) {
	var out []term.Input
	for i, p := range d.Params {
		t := d.params[i]
		if t == nil {
			continue
		}
		if t.Has(types.KFun) {
			return nil, diag.Errorf(d.Src, p.Pos, "%s takes a function and cannot be run by itself", d.Name)
		}
		in := term.Input{Name: p.Name, Type: t.Subst(at)}
		if err := d.possible(in, p.Pos, t); err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}
