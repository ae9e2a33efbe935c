package egad

import (
	"path/filepath"

	"egad/ad"
	"egad/diag"
	"egad/kernel"
	"egad/rules"
	"egad/stages"
	"egad/term"
)

// Module is a set of checked definitions with the rules to rewrite them.
type Module struct {
	*term.Module
	Rules *rules.Library
}

// Value is a result: an array, or a tuple of values in its Parts.
type Value = term.Value[float64]

// Env gives the inputs of a program their values.
type Env = term.Env[*Value]

// Load reads and checks files: programs, and rules (.rules), which are used beside
// those of egad and may declare operators for the programs. The error lists what
// is wrong with positions.
func Load(files ...string) (*Module, error) {
	var programs, ruleFiles []*diag.Source
	for _, f := range files {
		s, err := diag.ReadSource(f)
		if err != nil {
			return nil, err
		}
		if filepath.Ext(f) == ".rules" {
			ruleFiles = append(ruleFiles, s)
		} else {
			programs = append(programs, s)
		}
	}
	return load(programs, ruleFiles)
}

// Parse checks a program text; name stands for it in messages.
func Parse(name, text string) (*Module, error) {
	return load([]*diag.Source{{Name: name, Text: text}}, nil)
}

func load(programs, ruleFiles []*diag.Source) (*Module, error) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig, ruleFiles...)
	if err != nil {
		return nil, err
	}
	mod, err := term.LoadModule(sig, programs...)
	if err != nil {
		return nil, err
	}
	return &Module{mod, lib}, nil
}

// Grad derives the value and the gradient of a program that results in a real
// scalar.
func (m *Module) Grad(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return ad.Grad(m.Rules, p, opt)
}

// VJP derives the value of a program and, for a cotangent of the result, the
// cotangents of the inputs.
func (m *Module) VJP(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return ad.VJP(m.Rules, p, opt)
}

// JVP derives the value of a program and, for changes of the inputs, the change
// of the result.
func (m *Module) JVP(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return ad.JVP(m.Rules, p, opt)
}

// HVP derives the value, the gradient, and for changes of the inputs the change
// of the gradient, of a program that results in a real scalar.
func (m *Module) HVP(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return ad.HVP(m.Rules, p, opt)
}

// Hessian derives the value, the gradient and the dense Hessian of a program that
// results in a real scalar.
func (m *Module) Hessian(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return ad.Hessian(m.Rules, p, opt)
}

// Jacobian derives the value and the dense Jacobian of a program.
func (m *Module) Jacobian(p *term.Program, opt ad.Options, mode ad.Mode) (*ad.Derived, error) {
	return ad.DenseJacobian(m.Rules, p, opt, mode)
}

// Stages shows what becomes of a program on the way to its derivatives.
func (m *Module) Stages(p *term.Program, opt ad.Options) *stages.View {
	return stages.New(m.Rules, p, opt)
}

// Run runs a program by kernels.
func Run(p *term.Program, env Env) (*Value, error) {
	return kernel.Run(p, env)
}

// Evaluate runs a program by the interpreter that defines the language. The
// value is that of [Run], bit for bit.
func Evaluate(p *term.Program, env Env) (*Value, error) {
	return term.Interpret(p.Store, p.Root, term.FloatArrays(), env)
}
