package routes

import (
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/term/eval"
	"egad/term/ops"
)

// evaluator evaluates Deltas. What it walks it keeps in a list of its own, so that a
// Delta may be as deep as memory allows.
type evaluator[S any] struct {
	*tape[S]
	zero, one  S
	sum        func(a, b S) S
	product    func(a, b S) S
	visits     int64 // of Deltas
	operations int64 // on reals
	most       Bounds
}

func newEvaluator[S any](t *tape[S], of eval.Scalars[S], most Bounds) *evaluator[S] {
	return &evaluator[S]{
		tape: t, most: most, zero: of.FromInt(0), one: of.FromInt(1),
		sum: eval.PreparedBinary(of, ops.SymAdd), product: eval.PreparedBinary(of, ops.SymMul),
	}
}

func (e *evaluator[S]) visit() {
	if e.visits >= e.most.Visits || e.operations > e.most.Operations {
		raise.Error(e.stopped())
	}
	e.visits++
}

// sure is how many visits there are before the bounds are to be looked at again, if each does
// at most one operation.
func (e *evaluator[S]) sure() int64 {
	if visits, operations := e.most.Visits-e.visits, e.most.Operations-e.operations; visits > operations {
		return e.visits + operations + 1
	}
	return e.most.Visits
}

func (e *evaluator[S]) stopped() error {
	if e.visits >= e.most.Visits {
		return &fun.StoppedError{Most: e.visits, What: "visits"}
	}
	return e.most.operations(e.operations)
}

func (e *evaluator[S]) plus(a, b S) S {
	e.operations++
	return e.sum(a, b)
}

func (e *evaluator[S]) times(a, b S) S {
	e.operations++
	return e.product(a, b)
}

// step is something that is left to do: to visit a Delta, or once what it is made of has
// been evaluated, to put it together.
type step struct {
	d     Delta
	again bool
}

// walked visits a Delta and, from the left, what it is made of: leaf is called for Zero and
// inputs, inside before what is scaled, and after for a Scale or an Add whose parts have been
// visited.
func (e *evaluator[S]) walked(root Delta, leaf func(d Delta), inside func(), after func(c cell[S])) {
	todo := []step{{d: root}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		c, made := e.cell(s.d)
		if s.again {
			after(c)
			continue
		}
		e.visit()
		switch {
		case !made:
			leaf(s.d)
		case c.b == isScale:
			inside()
			todo = append(todo, step{s.d, true}, step{d: Delta(c.a)})
		case c.b == isShare:
			todo = append(todo, step{d: *e.shared.At(int(c.a))})
		default:
			todo = append(todo, step{s.d, true}, step{d: Delta(c.b)}, step{d: Delta(c.a)})
		}
	}
}

// folded evaluates a Delta from its parts: an input by of, and others by what adds and
// scales what was found last. It is eval0 and eval1 of Sections 2.3 and 2.4.
func folded[S, V any](e *evaluator[S], d Delta, of func(i int) V, add func(a, b V) V, scale func(r S, v V) V) (_ V, err error) {
	defer raise.Caught(&err)
	var found []V
	e.walked(d, func(d Delta) { found = append(found, of(int(d)-1)) }, func() {}, func(c cell[S]) {
		n := len(found)
		if c.b == isScale {
			found[n-1] = scale(c.by, found[n-1])
		} else {
			found = append(found[:n-2], add(found[n-2], found[n-1]))
		}
	})
	return found[0], nil
}

// eval0 is the change of the result in the direction of input i (Section 2.3).
func (e *evaluator[S]) eval0(d Delta, direction int) (S, error) {
	return folded(e, d, func(i int) S {
		if i == direction {
			return e.one
		}
		return e.zero
	}, e.plus, e.times)
}

// eval1 is the gradient, of which each Delta makes a vector (Section 2.4).
func (e *evaluator[S]) eval1(d Delta) ([]S, error) {
	return folded(e, d, func(i int) []S {
		v := e.vector()
		if i >= 0 {
			v[i] = e.one
		}
		return v
	}, e.added, e.scaled)
}

// vector is a vector of zeros, one for each input.
func (e *evaluator[S]) vector() []S { return slices.Repeat([]S{e.zero}, e.inputs) }

// added adds a vector to a, in place. Floats are added here, and not one by one through the
// arithmetic, where most of the time of vectors would be spent.
func (e *evaluator[S]) added(a, b []S) []S {
	if x, ok := any(a).([]float64); ok {
		e.operations += int64(len(x))
		for i, y := range any(b).([]float64) {
			x[i] += y
		}
		return a
	}
	for i := range a {
		a[i] = e.plus(a[i], b[i])
	}
	return a
}

// scaled multiplies a vector in place.
func (e *evaluator[S]) scaled(r S, v []S) []S {
	if x, ok := any(v).([]float64); ok {
		e.operations += int64(len(x))
		by := any(r).(float64)
		for i := range x {
			x[i] *= by
		}
		return v
	}
	for i := range v {
		v[i] = e.times(r, v[i])
	}
	return v
}

// eval2 adds the gradient to tg, by a transformation of one vector (Section 2.4: the
// Cayley transform). As printed, eval2 (Scale r d) = (r ·) ∘ eval2 d multiplies also what
// tg held before, so that eval2 (Add d (Scale r d')) is wrong; here it adds r times what
// d gives from zeros.
func (e *evaluator[S]) eval2(d Delta, tg []S) (err error) {
	defer raise.Caught(&err)
	vectors := [][]S{tg}
	e.walked(d, func(d Delta) {
		if to := vectors[len(vectors)-1]; d != Zero {
			to[d-1] = e.plus(to[d-1], e.one)
		}
	}, func() { vectors = append(vectors, e.vector()) }, func(c cell[S]) {
		if n := len(vectors); c.b == isScale {
			e.added(vectors[n-2], e.scaled(c.by, vectors[n-1]))
			vectors = vectors[:n-1]
		}
	})
	return nil
}

// weighted is a Delta with its cotangent.
type weighted[S any] struct {
	c S
	d Delta
}

// eval3 adds the gradient, times c, to tg: scale factors are pushed in (Section 2.4).
func (e *evaluator[S]) eval3(c S, d Delta, tg []S) error {
	return e.pushed([]weighted[S]{{c, d}}, tg, nil)
}

// pushed evaluates what is left to do, from the last one on, and then what is shared, from
// the highest id to the lowest.
func (e *evaluator[S]) pushed(todo []weighted[S], tg []S, shared []cotangentOf[S]) (err error) {
	defer raise.Caught(&err)
	next, sure := len(shared), e.sure()
	for {
		var w weighted[S]
		if n := len(todo) - 1; n >= 0 {
			w, todo = todo[n], todo[:n]
		} else {
			if next--; next < 0 {
				return nil
			}
			id := next
			if !shared[id].met {
				continue
			}
			w = weighted[S]{shared[id].c, *e.shared.At(id)}
		}
		c, d := w.c, w.d
		for {
			if e.visits >= sure {
				if sure = e.sure(); e.visits >= sure {
					return e.stopped()
				}
			}
			e.visits++
			if d < 0 && shared == nil {
				d = *e.shared.At(int(-d) - 1)
				continue
			}
			if int(d) <= e.inputs {
				break
			}
			k := e.cells.At(int(d) - e.inputs - 1)
			d = Delta(k.a)
			if k.b != isScale {
				todo = append(todo, weighted[S]{c, Delta(k.b)})
			} else {
				e.operations++
				c = e.product(c, k.by)
			}
		}
		switch {
		case d > 0:
			tg[d-1] = e.plus(tg[d-1], c)
		case d < 0:
			if s := &shared[-d-1]; !s.met {
				s.met, s.c = true, c
			} else {
				s.c = e.plus(s.c, c)
			}
		}
	}
}

// cotangentOf is that of what has an id, as far as it is known.
type cotangentOf[S any] struct {
	c   S
	met bool
}

// reversePass is Fig. 5: what is shared is evaluated once, from the highest id to the
// lowest, when all that it is part of has been. The roots come with their cotangents.
func (e *evaluator[S]) reversePass(roots []weighted[S], tg []S) error {
	roots = slices.Clone(roots)
	slices.Reverse(roots)
	return e.pushed(roots, tg, make([]cotangentOf[S], e.shared.Len()))
}
