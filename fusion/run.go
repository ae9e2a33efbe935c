package fusion

import (
	"time"

	"egad/extract"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/estimate"
	"egad/kernel/lower"
	"egad/kernel/machine"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
)

// Lower makes the kernels of a program: it is fused, by the rules of lib or, if that is
// nil, by those of egad, and the kernels are read from that. They share loops by an estimate
// that counts by weights, those of egad if they are nil.
func Lower(lib *rules.Library, p *term.Program, weights *cost.Weights) (*kernel.Program, error) {
	q, err := Fuse(lib, p, weights, extract.How{})
	if err != nil {
		return nil, err
	}
	return lower.Lower(q, weights)
}

// Prepare makes the kernels of a program and compiles them, to machine code if native is
// not nil.
func Prepare(lib *rules.Library, p *term.Program, weights *cost.Weights, native *machine.Native) (*machine.Machine, error) {
	k, err := Lower(lib, p, weights)
	if err != nil {
		return nil, err
	}
	if native != nil {
		return native.Compile(k)
	}
	return machine.Compile(k, kernel.DefaultBlock)
}

// Others makes other programs for what a program computes, as [egad/ad.Derived] does. They are nil if there
// is none.
type Others interface {
	// UnmaskedProgram is without some masks: see [egad/ad.Derived.Unmasked].
	UnmaskedProgram() (*term.Program, error)
	// TermwiseProgram makes of each term what is made of sums that data choose: see [egad/ad.Derived.Termwise].
	TermwiseProgram() (*term.Program, error)
	// ReorderedProgram has the same values, but that sums are added in another order.
	ReorderedProgram() (*term.Program, error)
}

// Another order is looked for where kernels take so long at least, by the estimate, and taken where it
// takes this part of the time at most.
const (
	leastReordered = 50 * time.Microsecond
	reorderedShare = 0.9
)

// Either makes the kernels of a program, or of another one, from: where kernels count what arrives, that without
// masks or that which makes of each term what is made of sums is computed first if it takes less time by the
// estimate, and else that in another order if it saves much. Then otherwise are the kernels of the program, to be
// run where a result is not finite; else it is nil. So it is if others is nil.
func Either(lib *rules.Library, p *term.Program, others Others, weights *cost.Weights) (k, otherwise *kernel.Program, from *term.Program, err error) {
	weights = weights.Remembering()
	if k, err = Lower(lib, p, weights); err != nil || others == nil {
		return k, nil, p, err
	}
	first, from, least := k, p, estimate.Program(k)
	try := func(other func() (*term.Program, error)) {
		var q *term.Program
		if err == nil {
			q, err = other()
		}
		if q == nil || err != nil {
			return
		}
		var u *kernel.Program
		if u, err = Lower(lib, q, weights); err == nil && estimate.Program(u) < least {
			first, from, least = u, q, estimate.Program(u)
		}
	}
	if k.Counting() {
		try(others.UnmaskedProgram)
		try(others.TermwiseProgram)
	}
	if first == k && least >= leastReordered {
		least = time.Duration(reorderedShare * float64(least))
		try(others.ReorderedProgram)
	}
	switch {
	case err != nil:
		return nil, nil, nil, err
	case first != k:
		otherwise = k
	}
	return first, otherwise, from, nil
}

// PrepareEither makes and compiles what [Either] chooses: machine code that need not be exact.
func PrepareEither(lib *rules.Library, p *term.Program, others Others, weights *cost.Weights, native *machine.Native) (*machine.Machine, error) {
	if native == nil || native.Exact {
		return Prepare(lib, p, weights, native)
	}
	k, otherwise, _, err := Either(lib, p, others, weights)
	if err != nil {
		return nil, err
	}
	return native.CompileEither(k, otherwise)
}

// Run runs a program by kernels.
func Run(p *term.Program, env eval.Env[*eval.Value[float64]]) (*eval.Value[float64], error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	if err := eval.CheckEnv(p.Inputs, env); err != nil {
		return nil, err
	}
	m, err := Prepare(nil, p, nil, nil)
	if err != nil {
		return nil, err
	}
	return m.Run(env)
}
