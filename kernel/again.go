package kernel

import (
	"context"

	"egad/internal/interrupt"
)

// CompileEither is [Native.Compile] of kernels p, unless a result is NaN: then the run is done
// again by other kernels, of a program with the same inputs and results, which are made and compiled
// when they are first needed. If there are none, as otherwise is nil, results stay.
func (n Native) CompileEither(p *Program, otherwise func(*interrupt.Stop) (*Program, error)) (*Machine, error) {
	m, err := n.Compile(p)
	if err == nil && otherwise != nil {
		m.other = func(stop *interrupt.Stop) (*Machine, error) {
			p, err := otherwise(stop)
			if err != nil {
				return nil, err
			}
			other, err := n.Compile(p)
			if err != nil {
				return nil, err
			}
			return other, other.Allow(m.allowed)
		}
	}
	return m, err
}

// noNumber reports whether there is a NaN in what was computed.
func (s *Session) noNumber() bool {
	for _, e := range s.Out {
		for _, x := range e.R {
			if x != x {
				return true
			}
		}
	}
	return false
}

// again does the run that was done by the other machine.
func (s *Session) again(ctx context.Context) error {
	m, err := s.m.again.Get(ctx, s.m.other)
	if err != nil {
		return err
	}
	t, err := m.Take()
	if err != nil {
		return err
	}
	for i, e := range s.In {
		t.Bind(i, e)
	}
	if err = t.Run(ctx); err == nil {
		for i, e := range t.Out {
			s.Out[i].copy(e)
		}
	}
	t.Give()
	return err
}
