package timing

import (
	"context"
	"time"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/machine"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
)

// Program is a program that is ready to be run on its inputs.
type Program struct {
	*machine.Machine
	Kernels *kernel.Program
	Lower   time.Duration // what it took to make the kernels
	Compile time.Duration // and to compile them
	Results []machine.Elements

	session *machine.Session
	allowed int64
}

// Prepare makes kernels of a program and compiles them, to machine code or, if native is
// nil, for the interpreter, by the rules of lib and weights, those of egad if they are nil. Env gives the inputs their values, and may have more. Memory is
// how many bytes the arrays of a run may take.
func Prepare(lib *rules.Library, p *term.Program, others fusion.Others, env eval.Env[*eval.Value[float64]], weights *cost.Weights, native *machine.Native, memory int64) (*Program, error) {
	start := time.Now()
	if native == nil || native.Exact {
		others = nil
	}
	k, otherwise, _, err := fusion.Either(lib, p, others, weights)
	if err != nil {
		return nil, err
	}
	lower := time.Since(start)
	t, err := Compile(k, otherwise, p.Inputs, env, native, memory)
	if err == nil {
		t.Lower = lower
	}
	return t, err
}

// Compile is [Prepare] of kernels that there are already, of a program with these inputs.
func Compile(k, otherwise *kernel.Program, inputs []term.Input, env eval.Env[*eval.Value[float64]], native *machine.Native, memory int64) (t *Program, err error) {
	own := make(eval.Env[*eval.Value[float64]])
	for _, leaf := range term.Leaves(inputs) {
		own[leaf.Name] = env[leaf.Name]
	}
	if err := eval.CheckEnv(inputs, own); err != nil {
		return nil, err
	}
	t = &Program{Kernels: k, allowed: memory}
	start := time.Now()
	if native != nil {
		t.Machine, err = native.CompileEither(k, otherwise)
	} else {
		t.Machine, err = machine.Compile(k, kernel.DefaultBlock)
	}
	if err != nil {
		return nil, err
	}
	t.Compile = time.Since(start)
	if err := t.Allow(memory); err != nil {
		return nil, err
	}
	if t.session, err = t.Session(); err != nil {
		return nil, err
	}
	i := 0
	for _, a := range k.Arrays {
		if a.Role == kernel.Input {
			copy(t.session.In[i].R, own[a.Name].R)
			copy(t.session.In[i].N, own[a.Name].N)
			i++
		}
	}
	t.Results = t.session.Out
	return t, nil
}

// Run runs the program once, on inputs that lie where it reads them. Its results are
// there until the next run.
func (t *Program) Run() error { return t.session.Run(context.Background()) }
