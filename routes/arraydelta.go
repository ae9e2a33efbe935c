package routes

import (
	"egad/fun"
	"egad/term"
)

// arrayDelta is the Delta of an array, or of a tuple of arrays (Fig. 12), whose factors and
// indices are of an algebra V; nil is Zero. What is not set is not part of the constructor.
type arrayDelta[V any] struct {
	kind deltaKind
	typ  *term.Type // of the change
	// n is the number of an input, or the id of what is shared.
	n    int
	a, b *arrayDelta[V]
	con  *constructor // of Linear, with its operands
	at   []V
	of   []*arrayDelta[V] // the elements of Build
}

type deltaKind uint8

const (
	deltaInput deltaKind = iota
	deltaAdd
	deltaShare
	deltaLinear // a linear map of a
	deltaBuild  // Build1 of Section 4.3, over any number of axes
)

// pass is the reverse pass over Deltas of arrays (Figs. 5, 17 and 19), in any algebra.
type pass[V any] struct {
	below  term.Algebra[V]
	cons   *constructors
	accum  map[int]V
	dfrag  map[int]*arrayDelta[V]
	grad   map[int]V
	visits int64
	limit  int64
	// twice is given a cotangent that is about to be used more than once, and gives what
	// to use in its place: Fig. 19 shares it.
	twice func(c V, t *term.Type) (V, error)
	// made is given a cotangent that was computed.
	made func(c V, t *term.Type) (V, error)
	// bound is an error if too much has been computed.
	bound func() error
}

func newPass[V any](below term.Algebra[V], cons *constructors, limit int64) *pass[V] {
	same := func(c V, _ *term.Type) (V, error) { return c, nil }
	return &pass[V]{below: below, cons: cons, accum: make(map[int]V), dfrag: make(map[int]*arrayDelta[V]), grad: make(map[int]V), limit: limit, twice: same, made: same, bound: func() error { return nil }}
}

// weightedArray is the Delta of an array with its cotangent.
type weightedArray[V any] struct {
	c V
	d *arrayDelta[V]
}

// run is reversePass of roots that all have ids below next: what is shared is evaluated
// once, from the highest id to the lowest.
func (p *pass[V]) run(roots []weightedArray[V], next int) error {
	for _, r := range roots {
		if err := p.eval(r); err != nil {
			return err
		}
	}
	for id := next - 1; id >= 0; id-- {
		c, ok := p.accum[id]
		if !ok {
			continue
		}
		d := p.dfrag[id]
		delete(p.accum, id)
		delete(p.dfrag, id)
		if err := p.eval(weightedArray[V]{c, d}); err != nil {
			return err
		}
	}
	return nil
}

// eval adds what a Delta contributes for a cotangent. What is left to do is a list, so that
// a Delta may be as deep as memory allows.
func (p *pass[V]) eval(root weightedArray[V]) error {
	todo := []weightedArray[V]{root}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.d == nil {
			continue
		}
		if p.visits >= p.limit {
			return &fun.StoppedError{Most: p.visits, What: "visits"}
		}
		p.visits++
		if err := p.bound(); err != nil {
			return err
		}
		d := w.d
		var err error
		switch d.kind {
		case deltaInput:
			err = p.add(p.grad, d.n, w.c, d.typ)
		case deltaShare:
			p.dfrag[d.n] = d.a
			err = p.add(p.accum, d.n, w.c, d.typ)
		case deltaAdd:
			var c V
			if c, err = p.twice(w.c, d.typ); err == nil {
				todo = append(todo, weightedArray[V]{c, d.b}, weightedArray[V]{c, d.a})
			}
		case deltaLinear:
			var c V
			if c, err = p.transposed(d, w.c); err == nil {
				if c, err = p.made(c, d.a.typ); err == nil {
					todo = append(todo, weightedArray[V]{c, d.a})
				}
			}
		case deltaBuild:
			todo, err = p.elements(d, w.c, todo)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds a cotangent to what there is of n: insertWith of Fig. 5, whose function is given
// the new one first.
func (p *pass[V]) add(to map[int]V, n int, c V, t *term.Type) error {
	old, ok := to[n]
	if !ok {
		to[n] = c
		return nil
	}
	sum, err := p.cons.plus(t)
	if err == nil {
		to[n], err = evaluate(p.below, sum, []V{c, old})
	}
	return err
}

// transposed applies the transpose of a constructor to a cotangent.
func (p *pass[V]) transposed(d *arrayDelta[V], c V) (V, error) {
	adj, err := d.con.adjoint()
	if err != nil {
		return c, err
	}
	return evaluate(p.below, adj, append([]V{c}, d.at...))
}

// elements gives each element of a build its part of the cotangent.
func (p *pass[V]) elements(d *arrayDelta[V], c V, todo []weightedArray[V]) ([]weightedArray[V], error) {
	c, err := p.twice(c, d.typ)
	if err != nil {
		return nil, err
	}
	shape, _, err := term.ShapeOf(d.typ, term.DefaultMaxElements)
	if err != nil {
		return nil, err
	}
	for i, e := range d.of {
		if e == nil {
			continue
		}
		is := make([]V, len(shape)-e.typ.Rank())
		at := i
		for k := len(is) - 1; k >= 0; k-- {
			is[k] = p.below.Int(int64(at % shape[k]))
			at /= shape[k]
		}
		x, err := p.below.Apply(term.Op{Sym: term.SymIndex}, append([]V{c}, is...), nil, e.typ)
		if err != nil {
			return nil, err
		}
		todo = append(todo, weightedArray[V]{x, e})
	}
	return todo, nil
}
