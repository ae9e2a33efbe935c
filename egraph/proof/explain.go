package proof

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"egad/egraph"
	"egad/internal/interrupt"
	"egad/slot"
)

// Explainer makes proofs from the log of a graph, until classes are united.
type Explainer struct {
	g     *egraph.Graph
	sig   *egraph.Signature
	log   *Log
	n     egraph.ClassID // class numbers at the start
	edges []edge
	fresh slot.Name
	wild  map[slot.Name][]slot.Name // wildcards: any names but those listed, as a route turns out
	steps int
	end   time.Time               // zero if there is no limit
	asked int                     // how often for the time
	open  map[slot.Name]slot.Name // names that are not known yet, and what they turned out to be
	// dropped has names of slots that do not matter.
	dropped map[[3]uint32]slot.Name
	trees   map[egraph.ClassID]*egraph.Tree // closed ones
	// variables has, by operator, the class that was made for its variables.
	variables map[egraph.Op]egraph.ClassID
	byOp      map[[2]uint32][]egraph.ClassID // by operator and what they equal at present
	byTerm    map[string][]egraph.ClassID    // by operator and children
	vertices  []vertex                       // by class, then the other terms
	later     map[egraph.ClassID]*vertex     // of terms that are added meanwhile
}

// edge is an edge with all there is to it.
type edge struct {
	loggedEdge
	av, bv egraph.Vec
}

// For returns the [Explainer] of a graph. It is an error if the graph keeps no log.
func For(g *egraph.Graph) (*Explainer, error) {
	if l := Of(g); l != nil {
		return l.Explainer(), nil
	}
	return nil, errors.New("the graph does not keep proofs")
}

// Explainer returns what makes proofs for the present state of the graph.
func (l *Log) Explainer() *Explainer {
	l.g.Rebuild()
	ids := l.g.ClassIDs()
	x := &Explainer{
		g: l.g, sig: l.g.Signature(), log: l, n: egraph.ClassID(ids), edges: make([]edge, 0, l.edged), fresh: 1 << 30,
		wild: make(map[slot.Name][]slot.Name), open: make(map[slot.Name]slot.Name), dropped: make(map[[3]uint32]slot.Name),
		trees:    make(map[egraph.ClassID]*egraph.Tree),
		vertices: make([]vertex, ids+len(l.exact)), later: make(map[egraph.ClassID]*vertex),
	}
	for _, e := range l.edges.all() {
		x.edges = append(x.edges, edge{loggedEdge: e})
	}
	for _, a := range l.args.all() {
		x.edges[a.edge].av, x.edges[a.edge].bv = a.av, a.bv
	}
	x.connect()
	return x
}

// ErrTime says that a proof was not found in the time that there is for it.
var ErrTime = errors.New("the time limit was reached before a proof was found")

// Until sets the time when the search for proofs has to be over.
func (x *Explainer) Until(end time.Time) { x.end = end }

// late reports whether there is no time left. It looks at the clock now and then.
func (x *Explainer) late() bool {
	x.asked++
	return x.asked%lateUnit == 0 && x.expired()
}

func (x *Explainer) expired() bool {
	return interrupt.Requested() || !x.end.IsZero() && time.Now().After(x.end)
}

const lateUnit = 16

// maxSteps bounds a proof while it is put together.
const maxSteps = 1_000_000

// more counts a step of a proof that is put together.
func (x *Explainer) more() error {
	if x.late() {
		return ErrTime
	}
	if x.steps++; x.steps > maxSteps {
		return fmt.Errorf("the proof has more than %d steps", maxSteps)
	}
	return nil
}

// Explain proves that two terms are equal. They are added to the graph if they are
// not there. It is an error if they are not known to be equal.
func (x *Explainer) Explain(a, b *egraph.Tree) (*Proof, error) {
	return x.ExplainBefore(a, b, len(x.edges))
}

// ExplainBefore explains with steps from before a moment only.
func (x *Explainer) ExplainBefore(a, b *egraph.Tree, moment int) (*Proof, error) {
	x.steps = 0
	a, b = apart(a, x.g), apart(b, x.g)
	if a.Key(x.sig) == b.Key(x.sig) {
		return &Proof{Start: a}, nil
	}
	ra, err := x.g.AddTree(a)
	if err != nil {
		return nil, err
	}
	rb, err := x.g.AddTree(b)
	if err != nil {
		return nil, err
	}
	if !x.g.Same(ra, rb) {
		return nil, errors.New("the terms are not known to be equal")
	}
	pa, _, err := x.seek(a, moment)
	if err != nil {
		return nil, err
	}
	pb, _, err := x.seek(b, moment)
	if err != nil {
		return nil, err
	}
	steps, err := x.between(pa, pb, moment)
	if err != nil {
		return nil, err
	}
	p := &Proof{Start: a, Steps: steps}
	return p, p.finish(x)
}

// between is the steps from one term to another. At an early moment not all logged
// terms that may do for them may have been known to be equal.
func (x *Explainer) between(a, b *sought, moment int) ([]Step, error) {
	first := errNoRoute
	note := func(err error) {
		if first == errNoRoute {
			first = err
		}
	}
	for _, c := range x.candidates(a, moment) {
		from, left, err := x.reach(a, c, moment)
		if err != nil {
			note(err)
			continue
		}
		for _, d := range x.candidates(b, moment) {
			if x.vertex(c).component(moment) != x.vertex(d).component(moment) {
				continue
			}
			to, right, err := x.reach(b, d, moment)
			var middle []Step
			if err == nil {
				middle, err = x.path(from, to, moment)
			}
			if err == nil {
				return slices.Concat(left, middle, reversed(right)), nil
			}
			note(err)
		}
	}
	return nil, first
}
