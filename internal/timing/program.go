package timing

import (
	"context"
	"time"

	"egad/fusion"
	"egad/kernel"
	"egad/rules"
	"egad/term"
)

// Program is a program that is ready to be run on its inputs.
type Program struct {
	*kernel.Machine
	Kernels *kernel.Program
	Lower   time.Duration // what it took to make the kernels
	Compile time.Duration // and to compile them
	Results []kernel.Elements

	session *kernel.Session
}

// Prepare makes kernels of a program and compiles them, to machine code or, if native is
// nil, for the interpreter, by the rules of lib and weights, those of egad if they are nil. Env gives the inputs their values, and may have more.
func Prepare(lib *rules.Library, p *term.Program, env term.Env[*term.Value[float64]], weights *kernel.Weights, native *kernel.Native) (*Program, error) {
	own := make(term.Env[*term.Value[float64]])
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			own[leaf.Name] = env[leaf.Name]
		}
	}
	if err := term.CheckEnv(p.Inputs, own); err != nil {
		return nil, err
	}
	start := time.Now()
	k, err := fusion.Lower(lib, p, weights)
	if err != nil {
		return nil, err
	}
	t := &Program{Kernels: k, Lower: time.Since(start)}
	start = time.Now()
	if native != nil {
		t.Machine, err = native.Compile(k)
	} else {
		t.Machine, err = kernel.Compile(k, kernel.DefaultBlock)
	}
	if err != nil {
		return nil, err
	}
	t.Compile = time.Since(start)
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

// RunOn runs the program once, as another machine of it does.
func (t *Program) RunOn(m *kernel.Machine) error { return m.RunInto(t.Results, t.session.In) }
