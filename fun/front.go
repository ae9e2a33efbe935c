package fun

import (
	"sync"

	"egad/diag"
	"egad/term"
)

// Front is what reads the functional programs of modules ([term.Functional]).
type Front struct {
	mu   sync.Mutex
	sig  *term.Signature
	mods map[*term.Module]*Definitions
}

// NewFront reads functional programs with the operators of sig.
func NewFront(sig *term.Signature) *Front {
	return &Front{sig: sig, mods: make(map[*term.Module]*Definitions)}
}

func (f *Front) definitions(m *term.Module) *Definitions {
	ds := f.mods[m]
	if ds == nil {
		ds = NewDefinitions(m, f.sig)
		f.mods[m] = ds
	}
	return ds
}

// Check types a definition.
func (f *Front) Check(m *term.Module, d *term.Def) diag.List {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.definitions(m).body(d).errs
}

// Program is a definition of m as a functional program.
func (f *Front) Program(m *term.Module, d *term.Def) (*Program, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.definitions(m).Program(d)
}

// Lower makes an array program of a definition.
func (f *Front) Lower(m *term.Module, d *term.Def, sizes map[string]int64, inputs []term.Input, result *term.Type) (*term.Program, error) {
	p, err := f.Program(m, d)
	if err != nil {
		return nil, err
	}
	out := &term.Program{Store: term.NewStore(f.sig), Inputs: inputs}
	l := &lowering{symbolic: symbolic{store: out.Store}, sizes: sizes}
	err = term.Guard(func() (err error) {
		out.Root, err = l.run(p, inputs, result)
		return err
	})
	if err != nil {
		return nil, diag.Errorf(d.Src, d.Pos, "%s: %v", d.Name, err)
	}
	return out, nil
}
