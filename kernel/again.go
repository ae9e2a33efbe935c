package kernel

import (
	"context"
	"slices"

	"egad/internal/interrupt"
)

// Otherwise has runs in whose results there is a NaN done again by another machine, of a
// program with the same inputs and results. It is made when it is first needed; who waits
// for it may leave before. Without one the results stay.
func (m *Machine) Otherwise(other func(*interrupt.Stop) (*Machine, error)) {
	if m != nil {
		m.other = other
	}
}

// noNumber reports whether there is a NaN in what was computed.
func (s *Session) noNumber() bool {
	return slices.ContainsFunc(s.Out, func(e Elements) bool {
		return slices.ContainsFunc(e.R, func(x float64) bool { return x != x })
	})
}

// again does the run that was done by the other machine.
func (s *Session) again(ctx context.Context) error {
	m, err := s.m.again.Get(ctx, s.m.other)
	if m == nil || err != nil {
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
