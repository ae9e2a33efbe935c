package machine

import (
	"context"
	"slices"

	"egad/internal/interrupt"
	"egad/kernel"
)

// CompileEither is [Native.Compile] of kernels p, unless a result is not finite: then the run is done
// again by other kernels, of a program with the same inputs and results, which are compiled when
// they are first needed. If there are none, as otherwise is nil, results stay.
func (n Native) CompileEither(p, otherwise *kernel.Program) (*Machine, error) {
	m, err := n.Compile(p)
	if err == nil && otherwise != nil {
		m.other = func(*interrupt.Stop) (*Machine, error) {
			other, err := n.Compile(otherwise)
			if err != nil {
				return nil, err
			}
			return other, other.Allow(m.allowed)
		}
	}
	return m, err
}

// infinite reports whether there is an infinity or a NaN in what was computed.
func (s *Session) infinite() bool {
	return slices.ContainsFunc(s.Out, func(e Elements) bool { return infinite(e.R) })
}

// infinite reports whether an element is infinite or NaN: then it is no 0 less itself. It takes as long as it
// takes to load all, which is a part of the time of kernels that do little for each, so that eight are asked at once.
func infinite(of []float64) bool {
	for len(of) >= 8 {
		x := (*[8]float64)(of)
		if (x[0]-x[0])+(x[1]-x[1])+(x[2]-x[2])+(x[3]-x[3])+((x[4]-x[4])+(x[5]-x[5])+(x[6]-x[6])+(x[7]-x[7])) != 0 {
			return true
		}
		of = of[8:]
	}
	return slices.ContainsFunc(of, func(x float64) bool { return x-x != 0 })
}

// Repeated is how many runs were done again, by kernels that are slower, as a result was not finite.
func (m *Machine) Repeated() int64 {
	if m == nil {
		return 0
	}
	return m.repeated.Load()
}

// again does the run that was done by the other machine.
func (s *Session) again(ctx context.Context) error {
	s.m.repeated.Add(1)
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
