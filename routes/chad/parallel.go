package chad

import "egad/fun"

// All that computations write are additions, which commute, so that those that do not depend
// on each other can be done beside each other (002, Section 8). A part of the work adds to
// cotangents of its own, which are added to those of the whole when all parts are done: in
// their order, so that results do not depend on how goroutines run.

// grain is how many computations a part has at least. It has no fewer than there are
// variables, since its cotangents must be added to those of the whole.
const grain = 256

// Fork is a state that adds to cotangents of its own.
func (s *state) Fork() any {
	out := *s
	out.Counts = Counts{}
	if s.cells != nil {
		out.cells = &partial{outside: s.cells.depth()}
	}
	return &out
}

// Join adds the cotangents of a part.
func (s *state) Join(m *fun.Machine, part any) error {
	from := part.(*state)
	s.add(from.Counts)
	if s.cells == nil {
		return nil
	}
	for n, x := range from.cells.(*partial).sums {
		if x != nil {
			if err := m.Step(1); err != nil {
				return err
			}
			if err := s.contribute(m, n, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// partial is the state of a part: cotangents of the variables outside, which begin as
// nothing, and an array for those that are bound in the part.
type partial struct {
	array
	outside int
	sums    []fun.Value // the innermost first; nil until there is one
}

func (p *partial) depth() int { return p.outside + p.array.depth() }

func (p *partial) update(n int, f func(fun.Value) (fun.Value, error)) (int64, error) {
	if n -= len(p.xs); n < 0 {
		return p.array.update(n+len(p.xs), f)
	}
	if p.sums == nil {
		p.sums = make([]fun.Value, p.outside)
	}
	x, err := f(p.sums[n])
	p.sums[n] = x
	return 0, err
}

// both does two computations that do not depend on each other, and has the result of the
// second.
func (s *state) both(m *fun.Machine, a *action) (x fun.Value, err error) {
	return x, m.Parts(2, func(m *fun.Machine, k int) error {
		s := stateOf(m)
		if k == 0 {
			_, err := s.do(m, a.first)
			return err
		}
		next, err := m.Call(a.x, fun.Nothing{}) // the argument is not used
		if err == nil {
			x, err = s.do(m, next.(*action))
		}
		return err
	})
}

// doAll does the computations of an array in order, or in parts.
func (s *state) doAll(m *fun.Machine, all []fun.Value, weight int64) (fun.Value, error) {
	out := make([]fun.Value, len(all))
	some := func(m *fun.Machine, from, to int) error {
		s := stateOf(m)
		for i := from; i < to; i++ {
			var err error
			if out[i], err = s.do(m, all[i].(*action)); err != nil {
				return err
			}
		}
		return nil
	}
	n := len(all)
	parts := min(m.PartsOf(weight, int64(s.cells.depth())), n)
	if parts < 2 {
		return &fun.Elements{X: out}, some(m, 0, n)
	}
	return &fun.Elements{X: out}, m.Parts(parts, func(m *fun.Machine, k int) error {
		return some(m, fun.Part(n, k, parts), fun.Part(n, k+1, parts))
	})
}
