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
	out := &state{linear: s.linear, vector: s.vector, charge: s.charge, affine: s.affine}
	if s.cells != nil {
		out.cells = &partial{outside: s.cells.depth()}
	}
	return out
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

func (p *partial) add(s *state, n int, x fun.Value) (c int64, err error) {
	if n -= len(p.xs); n < 0 {
		return p.array.add(s, n+len(p.xs), x)
	}
	if p.sums == nil {
		p.sums = make([]fun.Value, p.outside)
	}
	p.sums[n], c, err = s.plus(x, p.sums[n])
	return c, err
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
		if err = m.Step(1); err == nil { // of the continuation, a variable
			x, err = s.do(m, a.then)
		}
		return err
	})
}

// sequence is the computations of a build, of which each is made when it is to be done: so
// there are never many of them.
type sequence struct {
	n    int
	body *fun.Term // in env, and an index
	env  []fun.Value
}

// make makes the computation of an index.
func (q *sequence) make(m *fun.Machine, i int) (*action, error) {
	if err := m.Step(1); err != nil {
		return nil, err
	}
	x, err := m.Eval(q.body, append(q.env[:len(q.env):len(q.env)], int64(i)))
	if err != nil {
		return nil, err
	}
	return x.(*action), nil
}

// doAll does the computations of a build in order, or in parts, if all are about as large as
// the first one.
func (s *state) doAll(m *fun.Machine, q *sequence) (fun.Value, error) {
	out := make([]fun.Value, q.n)
	if q.n == 0 {
		return &fun.Elements{X: out}, nil
	}
	first, err := q.make(m, 0)
	if err != nil {
		return nil, err
	}
	parts := min(m.PartsOf(int64(q.n)*first.weight, int64(s.cells.depth())), q.n)
	some := func(m *fun.Machine, k int) error {
		s := stateOf(m)
		for i := fun.Part(q.n, k, parts); i < fun.Part(q.n, k+1, parts); i++ {
			a, err := first, error(nil)
			if i > 0 {
				a, err = q.make(m, i)
			}
			if err == nil {
				out[i], err = s.do(m, a)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if parts < 2 {
		return &fun.Elements{X: out}, some(m, 0)
	}
	return &fun.Elements{X: out}, m.Parts(parts, some)
}
