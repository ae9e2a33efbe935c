package fusion

import (
	"egad/extract"
	"egad/internal/interrupt"
	"egad/kernel"
	"egad/rules"
	"egad/term"
)

// Lower makes the kernels of a program: it is fused, by the rules of lib or, if that is
// nil, by those of egad, and the kernels are read from that. They share loops by an estimate
// that counts by weights, those of egad if they are nil.
func Lower(lib *rules.Library, p *term.Program, weights *kernel.Weights) (*kernel.Program, error) {
	q, err := Fuse(lib, p, weights, extract.How{})
	if err != nil {
		return nil, err
	}
	return kernel.Lower(q, weights)
}

// Prepare makes the kernels of a program and compiles them, to machine code if native is
// not nil.
func Prepare(lib *rules.Library, p *term.Program, weights *kernel.Weights, native *kernel.Native) (*kernel.Machine, error) {
	k, err := Lower(lib, p, weights)
	if err != nil {
		return nil, err
	}
	if native != nil {
		return native.Compile(k)
	}
	return kernel.Compile(k, kernel.DefaultBlock)
}

// Otherwise has a machine, of a program from which masks were left out (see
// [egad/ad.Options.Unmasked]), do what comes to NaN by the program that masked makes, if that
// is another one. Prepare compiles it.
func Otherwise(m *kernel.Machine, p *term.Program, masked func(*interrupt.Stop) (*term.Program, error), prepare func(*term.Program) (*kernel.Machine, error)) {
	m.Otherwise(func(stop *interrupt.Stop) (*kernel.Machine, error) {
		q, err := masked(stop)
		if err != nil || q.Text(q.Name) == p.Text(q.Name) {
			return nil, err
		}
		return prepare(q)
	})
}

// Run runs a program by kernels.
func Run(p *term.Program, env term.Env[*term.Value[float64]]) (*term.Value[float64], error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	if err := term.CheckEnv(p.Inputs, env); err != nil {
		return nil, err
	}
	m, err := Prepare(nil, p, nil, nil)
	if err != nil {
		return nil, err
	}
	return m.Run(env)
}
