package fun

import (
	"fmt"

	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/types"
)

// Functional reads the functional programs of a module: it is for the field of this name of a
// [term.Signature].
func Functional(m term.Definitions, sig *term.Signature) term.Functional {
	return &definitions{mod: m, sig: sig, done: make(map[*ast.Def]*definition)}
}

// ProgramOf is a definition of a module, whose signature has [Functional], as a functional
// program: its parameters are the inputs, and the definitions that it calls are bound by lets.
// The error lists what is wrong with it and with them.
func ProgramOf(m *module.Module, name string) (*Program, error) {
	ds, ok := m.Functional().(*definitions)
	d := m.Find(name, &ast.Def{})
	if !ok || d == nil {
		return nil, fmt.Errorf("no functional program %s", name)
	}
	return ds.locked(d)
}

func (ds *definitions) locked(d *ast.Def) (*Program, error) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.program(d)
}

// Check types a definition.
func (ds *definitions) Check(d *ast.Def) diag.List {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.body(d).errs
}

// Lower makes an array program of a definition.
func (ds *definitions) Lower(d *ast.Def, sizes map[string]int64, inputs []term.Input, result *types.Type) (*term.Program, error) {
	p, err := ds.locked(d)
	if err != nil {
		return nil, err
	}
	out := &term.Program{Store: term.NewStore(ds.sig), Inputs: inputs, Result: result}
	err = guard(func() error {
		out.Root = lowerDeclared(p, out.Store, sizes, inputs, result)
		return nil
	})
	switch {
	case placed(err):
		return nil, err
	case err != nil:
		return nil, diag.Errorf(d.Src, d.Pos, "%s: %v", d.Name, err)
	}
	return out, nil
}
