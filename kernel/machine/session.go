package machine

import (
	"context"
	"errors"
	"iter"

	"egad/internal/interrupt"
	"egad/kernel"
)

// Session runs a program again and again in memory of its own, where the caller writes
// inputs and reads results: nothing is copied. It is for one goroutine at a time.
type Session struct {
	// In are the elements of the inputs, in the order of [kernel.Program.Arrays]; at first they are 0.
	In []Elements
	// Out are those of the results, in the order of [kernel.Result.Arrays], until the next run. A
	// result that is an input may be that input.
	Out []Elements
	m   *Machine
	x   *instance
	own []Elements // memory for inputs, where there is no module's
}

// Session makes a session. It fails if there is too little memory: see [Machine.Allow].
func (m *Machine) Session() (*Session, error) {
	s, err := m.session()
	if err != nil {
		return nil, err
	}
	for i := range s.In {
		s.Room(i)
	}
	return s, nil
}

// Take is Session, or one that nobody uses any more: see [Session.Give]. Inputs have no
// memory before [Session.Bind] or [Session.Room] gives them some.
func (m *Machine) Take() (*Session, error) {
	if m != nil {
		if s := m.pool.Take(); s != nil {
			return s, nil
		}
	}
	return m.session()
}

// Give lets whoever asks next take the session, which its owner must not use then.
func (s *Session) Give() {
	s.x.forget()
	if s.x.native == nil {
		clear(s.In)
	}
	if !s.x.stop.late {
		s.m.pool.Give(s)
	}
}

// session makes a session without memory for inputs, but where it is that of a module.
func (m *Machine) session() (*Session, error) {
	if m == nil || m.prog == nil {
		return nil, errNoProgram
	}
	if err := m.fits(); err != nil {
		return nil, err
	}
	x, err := m.instance(new(ending))
	if err != nil {
		return nil, err
	}
	s := &Session{m: m, x: x, own: make([]Elements, len(x.inputs))}
	for _, e := range x.inputs {
		s.In = append(s.In, *e)
	}
	for _, e := range x.results {
		s.Out = append(s.Out, *e)
	}
	return s, nil
}

// Bind gives input i its elements, which must not be changed before the run: a module has
// a copy in its memory, and without one they are read where they are.
func (s *Session) Bind(i int, e Elements) {
	s.x.bind(i, e)
	s.In[i] = *s.x.inputs[i]
}

// Room is memory of the session for input i, to be filled.
func (s *Session) Room(i int) Elements {
	if s.x.native == nil {
		if a := s.m.prog.Inputs[i]; s.own[i].R == nil && s.own[i].N == nil {
			s.own[i] = newElements(a)
		}
		s.Bind(i, s.own[i])
	}
	return s.In[i]
}

// Memory is the arrays of the program that lie in memory of the session, with what the last run left there.
func (s *Session) Memory() iter.Seq2[*kernel.Array, Elements] {
	return func(yield func(a *kernel.Array, e Elements) bool) {
		for a, e := range s.x.memory {
			if !yield(a, *e) {
				return
			}
		}
	}
}

// Run runs the program on what In has. When the context is done it ends with the error of
// that, and Out has no values.
func (s *Session) Run(ctx context.Context) error {
	s.x.stop.Stop = interrupt.By(ctx)
	err := s.x.compute()
	s.x.stop.Stop = interrupt.Stop{}
	if errors.Is(err, interrupt.ErrEnded) && ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && s.m.other != nil && s.infinite() {
		err = s.again(ctx)
	}
	return err
}
