package routes

import (
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// arrayDelta is the Delta of an array, or of a tuple of arrays (Fig. 12), whose factors and
// indices are of an algebra V; nil is Zero. What is not set is not part of the constructor.
type arrayDelta[V any] struct {
	kind deltaKind
	typ  *types.Type // of the change
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
	below  eval.Algebra[V]
	cons   *constructors
	accum  map[int]V
	dfrag  map[int]*arrayDelta[V]
	grad   map[int]V
	visits int64
	limit  int64
	// twice is given a cotangent that is about to be used more than once, and gives what
	// to use in its place: Fig. 19 shares it.
	twice func(c V, t *types.Type) V
	// made is given a cotangent that was computed.
	made func(c V, t *types.Type) V
	// bound is an error if too much has been computed.
	bound func() error
}

func newPass[V any](below eval.Algebra[V], cons *constructors, limit int64) *pass[V] {
	same := func(c V, _ *types.Type) V { return c }
	return &pass[V]{below: below, cons: cons, accum: make(map[int]V), dfrag: make(map[int]*arrayDelta[V]), grad: make(map[int]V), limit: limit, twice: same, made: same, bound: func() error { return nil }}
}

// weightedArray is the Delta of an array with its cotangent.
type weightedArray[V any] struct {
	c V
	d *arrayDelta[V]
}

// run is reversePass of roots that all have ids below next: what is shared is evaluated
// once, from the highest id to the lowest.
func (p *pass[V]) run(roots []weightedArray[V], next int) (err error) {
	defer raise.Caught(&err)
	for _, r := range roots {
		p.eval(r)
	}
	for id := next - 1; id >= 0; id-- {
		c, ok := p.accum[id]
		if !ok {
			continue
		}
		d := p.dfrag[id]
		delete(p.accum, id)
		delete(p.dfrag, id)
		p.eval(weightedArray[V]{c, d})
	}
	return nil
}

// eval adds what a Delta contributes for a cotangent. What is left to do is a list, so that
// a Delta may be as deep as memory allows.
func (p *pass[V]) eval(root weightedArray[V]) {
	todo := []weightedArray[V]{root}
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.d == nil {
			continue
		}
		if p.visits >= p.limit {
			raise.Error(&fun.StoppedError{Most: p.visits, What: "visits"})
		}
		p.visits++
		raise.Error(p.bound())
		switch d := w.d; d.kind {
		case deltaInput:
			p.add(p.grad, d.n, w.c, d.typ)
		case deltaShare:
			p.dfrag[d.n] = d.a
			p.add(p.accum, d.n, w.c, d.typ)
		case deltaAdd:
			c := p.twice(w.c, d.typ)
			todo = append(todo, weightedArray[V]{c, d.b}, weightedArray[V]{c, d.a})
		case deltaLinear: // the transpose of the constructor
			c := p.evaluate(raise.Must(d.con.adjoint()), append([]V{w.c}, d.at...))
			todo = append(todo, weightedArray[V]{p.made(c, d.a.typ), d.a})
		case deltaBuild:
			todo = p.elements(d, w.c, todo)
		}
	}
}

func (p *pass[V]) evaluate(q *term.Program, xs []V) V { return raise.Must(evaluate(p.below, q, xs)) }

// add adds a cotangent to what there is of n: insertWith of Fig. 5, whose function is given
// the new one first.
func (p *pass[V]) add(to map[int]V, n int, c V, t *types.Type) {
	if old, ok := to[n]; ok {
		c = p.evaluate(raise.Must(p.cons.plus(t)), []V{c, old})
	}
	to[n] = c
}

// elements gives each element of a build its part of the cotangent.
func (p *pass[V]) elements(d *arrayDelta[V], c V, todo []weightedArray[V]) []weightedArray[V] {
	c = p.twice(c, d.typ)
	shape, _, err := types.ShapeOf(d.typ, types.DefaultMaxElements)
	raise.Error(err)
	for i, e := range d.of {
		if e == nil {
			continue
		}
		args := []V{c}
		for _, k := range slice.Index(shape[:len(shape)-e.typ.Rank()], i) {
			args = append(args, p.below.Int(int64(k)))
		}
		x := raise.Must(p.below.Apply(ops.Op{Sym: ops.SymIndex}, args, nil, e.typ))
		todo = append(todo, weightedArray[V]{x, e})
	}
	return todo
}
