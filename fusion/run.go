package fusion

import (
	"egad/extract"
	"egad/kernel"
	"egad/kernel/lower"
	"egad/kernel/machine"
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
	return lower.Lower(q, weights)
}

// Prepare makes the kernels of a program and compiles them, to machine code if native is
// not nil.
func Prepare(lib *rules.Library, p *term.Program, weights *kernel.Weights, native *machine.Native) (*machine.Machine, error) {
	k, err := Lower(lib, p, weights)
	if err != nil {
		return nil, err
	}
	if native != nil {
		return native.Compile(k)
	}
	return machine.Compile(k, kernel.DefaultBlock)
}

// Either makes the kernels of a program, or of one without some of its masks (see
// [egad/ad.Derived.Unmasked]): what unmasked makes, which may be nil, is computed first if kernels
// that count what arrives take longer by the estimate. Then otherwise are the kernels of the program, to be
// run where a result is NaN; else it is nil.
func Either(lib *rules.Library, p *term.Program, unmasked func() (*term.Program, error), weights *kernel.Weights) (k, otherwise *kernel.Program, err error) {
	weights = weights.Remembering()
	if k, err = Lower(lib, p, weights); err != nil || unmasked == nil || !k.Counting() {
		return k, nil, err
	}
	q, err := unmasked()
	if q == nil || err != nil {
		return k, nil, err
	}
	u, err := Lower(lib, q, weights)
	if err != nil || u.Time() >= k.Time() {
		return k, nil, err
	}
	return u, k, nil
}

// PrepareEither makes and compiles what [Either] chooses: machine code that need not be exact.
func PrepareEither(lib *rules.Library, p *term.Program, unmasked func() (*term.Program, error), weights *kernel.Weights, native *machine.Native) (*machine.Machine, error) {
	if native == nil || native.Exact {
		return Prepare(lib, p, weights, native)
	}
	k, otherwise, err := Either(lib, p, unmasked, weights)
	if err != nil {
		return nil, err
	}
	return native.CompileEither(k, otherwise)
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
