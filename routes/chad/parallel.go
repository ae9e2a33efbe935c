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
func (s *state) Join(m *fun.Machine, part any) {
	from := part.(*state)
	s.add(from.Counts)
	if s.cells == nil {
		return
	}
	for n, x := range from.cells.(*partial).sums {
		if x != nil {
			m.Step(1)
			s.contribute(m, n, x)
		}
	}
}

// partial is the state of a part: cotangents of the variables outside, which begin as
// nothing, and an array for those that are bound in the part.
type partial struct {
	array
	outside int
	sums    []fun.Value // the innermost first; nil until there is one
}

func (p *partial) depth() int { return p.outside + p.array.depth() }

func (p *partial) add(s *state, n int, x fun.Value) (c int64) {
	if n -= len(p.xs); n < 0 {
		return p.array.add(s, n+len(p.xs), x)
	}
	if p.sums == nil {
		p.sums = make([]fun.Value, p.outside)
	}
	p.sums[n], c = s.plus(x, p.sums[n])
	return c
}

// both does two computations that do not depend on each other, and has the result of the
// second.
func (s *state) both(m *fun.Machine, a *action) (x fun.Value) {
	m.Parts(2, func(m *fun.Machine, k int) {
		s := stateOf(m)
		if k == 0 {
			s.do(m, a.first)
			return
		}
		m.Step(1) // of the continuation, a variable
		x = s.do(m, a.then)
	})
	return x
}

// sequence is the computations of a build, of which each is made when it is to be done: so
// there are never many of them.
type sequence struct {
	n    int
	body *fun.Term // in env, and an index
	env  []fun.Value
}

// make makes the computation of an index.
func (q *sequence) make(m *fun.Machine, i int) *action {
	m.Step(1)
	return m.Value(q.body, append(q.env[:len(q.env):len(q.env)], int64(i))).(*action)
}

// doAll does the computations of a build in order, or in parts, if all are about as large as
// the first one.
func (s *state) doAll(m *fun.Machine, q *sequence) fun.Value {
	out := make([]fun.Value, q.n)
	if q.n == 0 {
		return &fun.Elements{X: out}
	}
	first := q.make(m, 0)
	parts := min(m.PartsOf(int64(q.n)*first.weight, int64(s.cells.depth())), q.n)
	some := func(m *fun.Machine, k int) {
		s := stateOf(m)
		for i := fun.Part(q.n, k, parts); i < fun.Part(q.n, k+1, parts); i++ {
			a := first
			if i > 0 {
				a = q.make(m, i)
			}
			out[i] = s.do(m, a)
		}
	}
	if parts < 2 {
		some(m, 0)
	} else {
		m.Parts(parts, some)
	}
	return &fun.Elements{X: out}
}
