package egad

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"egad/ad"
	"egad/define"
	"egad/diag"
	"egad/fun"
	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/linmap"
	"egad/routes"
	"egad/rules"
	"egad/rules/lint"
	"egad/rules/load"
	"egad/stages"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

// Module is a set of checked definitions with the rules to rewrite them. It is not
// changed once it is loaded, and neither are programs: goroutines may share them.
type Module struct {
	defs     *module.Module
	rules    *rules.Library
	warnings diag.List
}

// Rules are the rules of the module: those of egad, and those it was loaded with.
func (m *Module) Rules() *rules.Library {
	if m == nil {
		return nil
	}
	return m.rules
}

// Warnings says what of the files of rules cannot be meant: rule sets that no stage
// runs, rules that are never applied.
func (m *Module) Warnings() diag.List {
	if m == nil {
		return nil
	}
	return slices.Clone(m.warnings)
}

// Env gives the inputs of a program their values.
type Env = eval.Env[*Value]

// Source is a text with the name that messages give it.
type Source = diag.Source

// Load reads and checks files: programs, and rules (.rules), which are used beside
// those of egad and may declare operators for the programs. The error lists what
// is wrong with positions: see [Error].
func Load(files ...string) (*Module, error) {
	texts, err := slice.Try(files, diag.ReadSource)
	if err != nil {
		return nil, err
	}
	return LoadTexts(texts...)
}

// Parse checks a program text; name stands for it in messages.
func Parse(name, text string) (*Module, error) {
	return LoadTexts(&Source{Name: name, Text: text})
}

// LoadTexts is [Load] of texts in memory. Those whose name ends in .rules are rules.
func LoadTexts(texts ...*Source) (*Module, error) {
	var programs, ruleFiles []*Source
	for _, s := range texts {
		switch {
		case s == nil:
			return nil, errors.New("a text is nil")
		case isRules(s):
			ruleFiles = append(ruleFiles, s)
		default:
			programs = append(programs, s)
		}
	}
	return loadWith(programs, ruleFiles)
}

// loadWith checks programs and rules.
func loadWith(programs, ruleFiles []*Source) (*Module, error) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig, ruleFiles...)
	if err != nil {
		return nil, err
	}
	sig.Deriver = ad.Deriver(lib)
	sig.Functional = fun.Functional
	mod, err := module.Load(sig, programs...)
	if err != nil {
		return nil, err
	}
	return &Module{mod, lib, lint.Library(lib, stages.RuleUses(lib), stages.Schedules, ruleFiles...)}, nil
}

// With is the module with the definitions of further texts, which may call its own.
func (m *Module) With(texts ...*Source) (*Module, error) {
	if m == nil || m.defs == nil {
		return nil, errNoModule
	}
	for _, s := range texts {
		switch {
		case s == nil:
			return nil, errors.New("a text is nil")
		case isRules(s):
			return nil, fmt.Errorf("%s: a module has its rules: they are given where it is loaded", s.Name)
		}
	}
	defs, err := m.defs.With(texts...)
	if err != nil {
		return nil, err
	}
	return &Module{defs, m.rules, m.warnings}, nil
}

// Define begins a definition that is written in Go, and may call those of the module:
// see package define. [Module.With] takes its result.
func (m *Module) Define(name string) *define.Def { return define.New(m.texts(), name) }

func isRules(s *Source) bool { return filepath.Ext(s.Name) == ".rules" }

var errNoModule = errors.New("there is no module: Load and Parse make one")

// Instantiate makes the program of a definition at the given sizes; every size of
// the definition must be there. Linear maps that are applied in the program are
// carried out, by the rules of linear_apply, so that none is left, unless one is
// an input, in the result, or an operand of lreached.
func (m *Module) Instantiate(def string, sizes map[string]int64) (*term.Program, error) {
	if m == nil || m.defs == nil {
		return nil, errNoModule
	}
	p, err := m.defs.Instantiate(def, sizes)
	if err != nil || !p.AppliesMaps() || m.rules == nil {
		return p, err
	}
	x, _, err := linmap.Apply(m.rules, p.Store, p.Root, p.Names, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", def, err)
	}
	p.Root, p.Names = x.Root, x.Names
	return p, nil
}

// Functional is a definition as a functional program (package fun); ok is false if it is an
// array program only.
func (m *Module) Functional(def string) (p *fun.Program, ok bool, err error) {
	if m == nil || m.defs == nil {
		return nil, false, errNoModule
	}
	info, err := m.defs.Lookup(def)
	is, may := m.defs.IsFunctional(info.Name)
	if err != nil || !may {
		return nil, false, err
	}
	if p, err = fun.ProgramOf(m.defs, info.Name); err != nil && !is {
		return nil, false, nil
	}
	return p, true, err
}

// Interpret computes a functional program of which [Module.Instantiate] can make no array
// program, as its error says, by running it as it is. It may call itself in any way; a run
// takes at most [fun.DefaultSteps] steps.
func (m *Module) Interpret(of *module.NotLoweredError, env Env) (*Value, error) {
	if of == nil || of.Outline == nil {
		return nil, errors.New("there is no program")
	}
	p, _, err := m.Functional(of.Outline.Name)
	if err != nil {
		return nil, err
	}
	if err := eval.CheckEnv(of.Outline.Inputs, env); err != nil {
		return nil, err
	}
	v, err := p.Interpret(&fun.Machine{Domain: fun.Floats(), Ended: interrupt.Check}, of, env)
	var placed *diag.Error
	if err != nil && !errors.As(err, &placed) {
		err = fmt.Errorf("%s: %w", of.Outline.Name, err)
	}
	return v, err
}

// texts is the module of the definitions, also of no module.
func (m *Module) texts() *module.Module {
	if m == nil {
		return nil
	}
	return m.defs
}

// Defs lists the names of the definitions in the order of the texts.
func (m *Module) Defs() []string { return m.texts().Defs() }

// Lookup describes the definition called name, or the last one if name is "".
func (m *Module) Lookup(name string) (module.DefInfo, error) { return m.texts().Lookup(name) }

// Knows reports whether p may be derived with m: see [module.Module.Knows].
func (m *Module) Knows(p *term.Program) bool { return m.texts().Knows(p) }

// Grad derives the value and the gradient of a program that results in a real
// scalar.
func (m *Module) Grad(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.Grad, p, opt)
}

// VJP derives the value of a program and, for a cotangent of the result, the
// cotangents of the inputs.
func (m *Module) VJP(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.VJP, p, opt)
}

// JVP derives the value of a program and, for changes of the inputs, the change
// of the result.
func (m *Module) JVP(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.JVP, p, opt)
}

// HVP derives the value, the gradient, and for changes of the inputs the change
// of the gradient, of a program that results in a real scalar.
func (m *Module) HVP(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.HVP, p, opt)
}

// Hessian derives the value, the gradient and the dense Hessian of a program that
// results in a real scalar. It has at most [ad.MaxDense] elements.
func (m *Module) Hessian(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.Hessian, p, opt)
}

// Jacobian derives the value and the dense Jacobian of a program, which has at most
// [ad.MaxDense] elements.
func (m *Module) Jacobian(p *term.Program, opt ad.Options, mode ad.Mode) (*ad.Derived, error) {
	return m.derive(func(lib *rules.Library, p *term.Program, opt ad.Options) (*ad.Derived, error) {
		return ad.DenseJacobian(lib, p, opt, mode)
	}, p, opt)
}

// HessianDiagonal derives the value, the gradient and the diagonal of the Hessian of a
// program that results in a real scalar.
func (m *Module) HessianDiagonal(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.HessianDiagonal, p, opt)
}

// JacobianBlocks derives the value and the blocks of the Jacobian of a program that can
// differ from 0: see [ad.JacobianBlocks].
func (m *Module) JacobianBlocks(p *term.Program, opt ad.Options) (*ad.Derived, error) {
	return m.derive(ad.JacobianBlocks, p, opt)
}

// Derive derives a program as a task says, which is one of [ad.Modes]; what else there is to
// choose, the options say.
func (m *Module) Derive(p *term.Program, t ad.Task, opt ad.Options) (*ad.Derived, error) {
	return m.derive(t.Derive, p, opt)
}

// Explain derives a program as a task says, proves the derivation, and checks the
// proof. It takes at most the given time to rewrite, unless that is 0.
func (m *Module) Explain(p *term.Program, t ad.Task, within time.Duration) (*ad.Derived, *ad.Verified, error) {
	d, err := m.Derive(p, t, ad.Options{Time: within, Record: true})
	if err != nil {
		return nil, nil, err
	}
	pr, err := d.Prove(t)
	if err != nil {
		return nil, nil, err
	}
	v, err := ad.Verify(m.rules, p, pr)
	return d, v, err
}

// Verify derives a program by a proof of the derivation, which it checks: see
// [ad.Verify].
func (m *Module) Verify(p *term.Program, pr *ad.Proof) (*ad.Verified, error) {
	var v *ad.Verified
	_, err := m.derive(func(lib *rules.Library, p *term.Program, _ ad.Options) (d *ad.Derived, err error) {
		v, err = ad.Verify(lib, p, pr)
		return nil, err
	}, p, ad.Options{})
	return v, err
}

// derive checks that m and p are what they should be before it derives. What is found then
// is at the definition.
func (m *Module) derive(how func(*rules.Library, *term.Program, ad.Options) (*ad.Derived, error), p *term.Program, opt ad.Options) (*ad.Derived, error) {
	if err := m.takes(p); err != nil {
		return nil, err
	}
	d, err := how(m.rules, p, opt)
	if info, e := m.Lookup(p.Name); err != nil && e == nil && info.Name == p.Name {
		err = placed(err, info)
	}
	return d, err
}

// takes is an error if m or p are not what they should be.
func (m *Module) takes(p *term.Program) error {
	if m == nil || m.defs == nil || m.rules == nil {
		return errNoModule
	}
	if err := p.Made(); err != nil {
		return err
	}
	if !m.Knows(p) {
		return fmt.Errorf("%s is not a program of this module, and operators are declared", p.Name)
	}
	return nil
}

// Routes computes the gradient of a program by every route that takes it, and compares
// them: see [routes.Run]. A route is a way of differentiation that a paper describes
// ([routes.Table]). Ct has a number for each real in the result; nil stands for 1, if the
// result is a real scalar.
func (m *Module) Routes(p *term.Program, env Env, ct []float64, opt ad.Options) ([]*routes.Result, error) {
	if err := m.takes(p); err != nil {
		return nil, err
	}
	if err := runnable(p, env); err != nil {
		return nil, err
	}
	t := &routes.Task{Lib: m.rules, Program: p, Env: env, Options: opt, Cotangent: ct, Bounds: routes.DefaultBounds}
	return routes.Run(t, routes.Table, func(string) {})
}

// Stages shows what becomes of a program on the way to its derivatives.
func (m *Module) Stages(p *term.Program, opt ad.Options) *stages.View {
	if m == nil {
		m = &Module{}
	}
	return stages.New(m.rules, p, opt)
}

// Modular differentiates a definition and each that it calls by themselves: see
// [stages.Modular].
func (m *Module) Modular(def string, sizes map[string]int64, opt ad.Options) ([]*stages.Stage, error) {
	if m == nil || m.defs == nil || m.rules == nil {
		return nil, errNoModule
	}
	return stages.Modular(m.defs, m.rules, def, sizes, opt)
}

// Evaluate runs a program by the interpreter that defines the language. The
// value is that of [Run], bit for bit, and env and the result are as there.
func Evaluate(p *term.Program, env Env) (*Value, error) {
	if err := runnable(p, env); err != nil {
		return nil, err
	}
	return eval.Interpret(p.Store, p.Root, meaning(context.Background()), env)
}

// CheckIndices evaluates a program by the interpreter, and reports an index that
// depends on inputs and is out of range, where a read would be 0: see
// [eval.CheckIndices].
func CheckIndices(p *term.Program, env Env) error {
	return checkIndices(context.Background(), p, env)
}

func checkIndices(ctx context.Context, p *term.Program, env Env) error {
	if err := runnable(p, env); err != nil {
		return err
	}
	return eval.CheckIndices(p, meaning(ctx), env)
}

// runnable is an error if there is no program, or env does not have its inputs.
func runnable(p *term.Program, env Env) error {
	if err := p.Made(); err != nil {
		return err
	}
	return eval.CheckEnv(p.Inputs, env)
}

// meaning is what the interpreter computes with, until a context is done.
func meaning(ctx context.Context) eval.Algebra[*Value] {
	alg, stop := eval.FloatArrays(), interrupt.By(ctx)
	alg.Ended, alg.MaxElements = stop.Check, eval.MaxTotalElements
	return linmap.Algebra[float64]{Arrays: alg}
}
