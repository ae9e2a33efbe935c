package kernel

// Session runs a program again and again in memory of its own, where the caller writes
// inputs and reads results: nothing is copied. It is for one goroutine at a time.
type Session struct {
	// In are the elements of the inputs, in the order of [Program.Arrays]; at first they are 0.
	In []Elements
	// Out are those of the results, in the order of [Result.Arrays], until the next run. A
	// result that is an input is that input.
	Out []Elements
	x   *instance
}

// Session makes a session. It fails if there is too little memory: see [Machine.Allow].
func (m *Machine) Session() (*Session, error) {
	if m == nil || m.prog == nil {
		return nil, errNoProgram
	}
	x, err := m.fresh()
	if err != nil {
		return nil, err
	}
	s := &Session{x: x}
	for i, e := range x.inputs {
		if x.native == nil {
			*e = newElements(m.inputs[i])
		}
		s.In = append(s.In, *e)
	}
	for _, a := range m.results {
		s.Out = append(s.Out, *x.memory[a])
	}
	return s, nil
}

// Run runs the program on what In has.
func (s *Session) Run() error { return s.x.compute() }
