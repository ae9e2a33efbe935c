package egraph

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"egad/internal/interrupt"
	"egad/slot"
)

// Step replaces the subterm From at a path by To.
type Step struct {
	Path     []int
	Rule     *Rule  // nil if the step is by no rule
	Reason   string // the rule's name, or [Given] or [Commuted]
	Reverse  bool   // the rule is used from right to left
	From, To *Tree
	// Vars are the terms of the rule's metavariables, and Bound the names of its
	// bound variables.
	Vars  []*Tree
	Bound []slot.Name
	// Moment is when the step became possible: what it rests on, conditions of
	// its rule included, can be explained by steps before.
	Moment int

	// scope is, for each part of the path, what the operator there binds in the
	// child, as From and To call it.
	scope [][]slot.Name
}

// The reasons of steps that are no rules: a union that the user of the graph
// made, and the two children of a commutative operator changing places.
const (
	Given    = "given"
	Commuted = "commutativity"
)

// Proof is a chain of terms, each made from the one before by one step.
type Proof struct {
	Start *Tree
	Steps []Step
}

// Terms lists the terms of the chain.
func (p *Proof) Terms() []*Tree {
	out := []*Tree{p.Start}
	for _, s := range p.Steps {
		out = append(out, out[len(out)-1].replace(s.Path, s.To))
	}
	return out
}

// maxSteps bounds a proof while it is put together.
const maxSteps = 1_000_000

// Explain proves that two terms are equal. The graph must keep proofs; the terms
// are added to it if they are not there. It is an error if they are not known to
// be equal.
func (g *Graph) Explain(a, b *Tree) (*Proof, error) {
	x, err := g.Explainer()
	if err != nil {
		return nil, err
	}
	return x.Explain(a, b)
}

// Explainer returns what makes proofs for the present state of a graph that
// keeps proofs.
func (g *Graph) Explainer() (*Explainer, error) {
	if g.proofs == nil {
		return nil, errors.New("the graph does not keep proofs")
	}
	g.Rebuild()
	return newExplainer(g), nil
}

// Explain is as [Graph.Explain].
func (x *Explainer) Explain(a, b *Tree) (*Proof, error) { return x.ExplainBefore(a, b, len(x.edges)) }

// ExplainBefore is Explain with steps from before a moment only.
func (x *Explainer) ExplainBefore(a, b *Tree, moment int) (*Proof, error) {
	g := x.g
	x.steps = 0
	a, b = a.apart(g), b.apart(g)
	if a.Key(g.sig) == b.Key(g.sig) {
		return &Proof{Start: a}, nil
	}
	sites := make(map[*Tree]Ref)
	ra, err := g.locate(a, sites)
	if err != nil {
		return nil, err
	}
	rb, err := g.locate(b, sites)
	if err != nil {
		return nil, err
	}
	if !g.Same(ra, rb) {
		return nil, errors.New("the terms are not known to be equal")
	}
	pa, err := x.placing(a, sites, moment)
	if err != nil {
		return nil, err
	}
	pb, err := x.placing(b, sites, moment)
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

// between is the steps from one term to another. At an early moment not all of
// their origins may have been known to be equal.
func (x *Explainer) between(a, b *placing, moment int) ([]Step, error) {
	var first error
	for _, c := range x.origins(a, moment) {
		for _, d := range x.origins(b, moment) {
			if x.parts().of(c, moment) != x.parts().of(d, moment) {
				continue
			}
			steps, err := x.via(a, c, b, d, moment)
			if err == nil {
				return steps, nil
			}
			if first == nil {
				first = err
			}
		}
	}
	if first == nil {
		first = errNoRoute
	}
	return nil, first
}

// via is between by way of the origins c and d.
func (x *Explainer) via(a *placing, c ClassID, b *placing, d ClassID, moment int) ([]Step, error) {
	from, left, err := x.reach(a, c, moment)
	if err != nil {
		return nil, err
	}
	to, right, err := x.reach(b, d, moment)
	if err != nil {
		return nil, err
	}
	middle, err := x.path(from, to, moment)
	if err != nil {
		return nil, err
	}
	return slices.Concat(left, middle, reversed(right)), nil
}

// AddTree adds a term.
func (g *Graph) AddTree(t *Tree) (Ref, error) { return g.locate(t, nil) }

// locate adds a term, and tells the e-nodes of its subterms by their origins, if it
// is asked to.
func (g *Graph) locate(t *Tree, sites map[*Tree]Ref) (Ref, error) {
	h := g.sig.HeadInfo(g.sig.Head(t.Op))
	if len(t.Kids) != h.Arity || len(t.Own) != h.Own || len(t.Binders) != h.Binders {
		return Ref{}, fmt.Errorf("%s has %d children, %d slots and %d binders", h.Name, len(t.Kids), len(t.Own), len(t.Binders))
	}
	kids := make([]Ref, len(t.Kids))
	for k, u := range t.Kids {
		var err error
		if kids[k], err = g.locate(u, sites); err != nil {
			return Ref{}, err
		}
	}
	r := g.Add(t.Op, t.Own, t.Binders, kids)
	if sites != nil {
		sites[t] = g.proofs.lastRef
	}
	return r, nil
}

// equation is one that the user of the graph gave.
type equation struct {
	a, b   *Tree
	sites  map[*Tree]Ref
	names  []slot.Name // of the slots of the edge
	reason string
}

// UnionTrees says that two terms are equal, for a reason that proofs give. It
// reports whether that was news.
func (g *Graph) UnionTrees(a, b *Tree, reason string) (bool, error) {
	if g.proofs == nil {
		ra, err := g.AddTree(a)
		if err != nil {
			return false, err
		}
		rb, err := g.AddTree(b)
		if err != nil {
			return false, err
		}
		return g.Union(ra, rb), nil
	}
	eq := equation{a: a.apart(g), b: b.apart(g), sites: make(map[*Tree]Ref), reason: reason}
	ra, err := g.locate(eq.a, eq.sites)
	if err != nil {
		return false, err
	}
	rb, err := g.locate(eq.b, eq.sites)
	if err != nil {
		return false, err
	}
	return g.given(eq, ra, rb), nil
}

// UnionNode says that the class of an e-node equals b, because the e-node's children
// equal those of a, and a equals b for a reason that proofs give. It is for
// analyses: during a rebuild, a need not be an e-node of the class yet.
func (g *Graph) UnionNode(n Node, class Ref, a, b *Tree, reason string) (bool, error) {
	if g.proofs == nil {
		rb, err := g.AddTree(b)
		if err != nil {
			return false, err
		}
		return g.Union(class, rb), nil
	}
	eq := equation{a: a, b: b, sites: make(map[*Tree]Ref), reason: reason}
	for _, k := range a.Kids {
		if _, err := g.locate(k, eq.sites); err != nil {
			return false, err
		}
	}
	id, slots := g.origin(n.ID)
	eq.sites[a] = Ref{ID: id, Args: slices.Repeat([]slot.Name{lostName}, g.vecs.Len(slots))}
	rb, err := g.locate(eq.b, eq.sites)
	if err != nil {
		return false, err
	}
	return g.given(eq, class, rb), nil
}

// given unites two classes and logs why.
func (g *Graph) given(eq equation, ra, rb Ref) bool {
	x, y := g.numbered(ra, rb)
	if !g.union(ra.ID, x, rb.ID, y) {
		return false
	}
	place := func(r Ref) site {
		out := make([]Pos, len(r.Args))
		for k, n := range r.Args {
			out[k] = noSlot
			if n == lostName {
				continue
			}
			i := slices.Index(eq.names, n)
			if i < 0 {
				i = len(eq.names)
				eq.names = append(eq.names, n)
			}
			out[k] = Pos(i)
		}
		return site{r.ID, g.vecs.Intern(out)}
	}
	sa, sb := place(eq.sites[eq.a]), place(eq.sites[eq.b])
	p := g.proofs
	p.given = append(p.given, eq)
	p.connect(sa, sb, byUser, uint32(len(p.given)))
	return true
}

// finish makes a proof of steps that were put together.
func (p *Proof) finish(x *Explainer) error {
	sig := x.g.sig
	for i := range p.Steps { // the paths were put together from the inside out
		slices.Reverse(p.Steps[i].Path)
		slices.Reverse(p.Steps[i].scope)
	}
	for {
		// Terms that differ in bound names only may have come together.
		if err := p.name(x); err != nil {
			return err
		}
		n := len(p.Steps)
		p.shorten(sig)
		if err := p.cancel(x); err != nil {
			return err
		}
		if len(p.Steps) == n {
			return p.name(x)
		}
	}
}

// cancel removes steps that are taken back later, with only steps elsewhere in
// between.
func (p *Proof) cancel(x *Explainer) error {
	sig := x.g.sig
	from, to := make([]treeSum, len(p.Steps)), make([]treeSum, len(p.Steps))
	for i, s := range p.Steps {
		from[i], to[i] = s.From.sum(sig), s.To.sum(sig)
	}
	gone := make([]bool, len(p.Steps))
	for i := range p.Steps {
		if x.late() {
			return ErrTime
		}
		for j := i + 1; j < len(p.Steps) && !gone[i]; j++ {
			a, b := p.Steps[i].Path, p.Steps[j].Path
			if gone[j] {
				continue
			}
			if slices.Equal(a, b) && from[i] == to[j] && to[i] == from[j] {
				gone[i], gone[j] = true, true
			}
			if n := min(len(a), len(b)); slices.Equal(a[:n], b[:n]) {
				break
			}
		}
	}
	var steps []Step
	for i, s := range p.Steps {
		if !gone[i] {
			steps = append(steps, s)
		}
	}
	p.Steps = steps
	return nil
}

// shorten cuts out what leads back to a term that was there before.
func (p *Proof) shorten(sig *Signature) {
	last := make(map[treeSum]int) // the last term with a key
	keys := make([]treeSum, len(p.Steps)+1)
	at := p.Start
	for i := range keys {
		if i > 0 {
			at = at.replace(p.Steps[i-1].Path, p.Steps[i-1].To)
		}
		keys[i] = at.sum(sig)
		last[keys[i]] = i
	}
	var steps []Step
	for i := 0; i < len(p.Steps); {
		if j := last[keys[i]]; j > i {
			i = j
			continue
		}
		steps = append(steps, p.Steps[i])
		i++
	}
	p.Steps = steps
}

func reversed(steps []Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		s.From, s.To, s.Reverse = s.To, s.From, !s.Reverse
		out[len(steps)-1-i] = s
	}
	return out
}

// copy shares nothing with the step that changes before the proof is finished.
func (s Step) copy() Step {
	s.Path, s.scope, s.Vars, s.Bound = slices.Clone(s.Path), slices.Clone(s.scope), slices.Clone(s.Vars), slices.Clone(s.Bound)
	return s
}

// inside is steps in child k of op, which binds the given names. Paths are from the
// inside out until the proof is finished.
func (x *Explainer) inside(op Op, k int, binders []slot.Name, steps []Step) []Step {
	if x.g.sig.HeadInfo(x.g.sig.Head(op)).Under>>k&1 == 0 {
		binders = nil
	}
	for i := range steps {
		s := &steps[i]
		s.Path, s.scope = append(s.Path, k), append(s.scope, binders)
	}
	return steps
}

// name gives the steps the names that variables have in the terms they are
// applied to.
func (p *Proof) name(x *Explainer) error {
	sig, at := x.g.sig, p.Start
	for i := range p.Steps {
		if x.late() {
			return ErrTime
		}
		s := &p.Steps[i]
		is := make(map[slot.Name]slot.Name)
		sub := at
		for d, k := range s.Path {
			for j, n := range s.scope[d] {
				is[n] = sub.Binders[j]
			}
			if s.scope[d] != nil {
				s.scope[d] = sub.Binders
			}
			sub = sub.Kids[k]
		}
		s.From, s.To = s.From.Rename(sig, is), s.To.Rename(sig, is)
		for k, v := range s.Vars {
			s.Vars[k] = v.Rename(sig, is)
		}
		for k, n := range s.Bound {
			s.Bound[k] = renamed(is)(n)
		}
		if s.From.Key(sig) != sub.Key(sig) {
			return fmt.Errorf("step %d, %s, does not apply to the term before it", i+1, s.Reason)
		}
		at = at.replace(s.Path, s.To)
	}
	return nil
}

// Explainer makes proofs from the log of a graph, until classes are united.
type Explainer struct {
	g     *Graph
	edges []edge  // with sites of classes that have terms
	at    [][]int // by class: its edges
	fresh slot.Name
	wild  map[slot.Name][]slot.Name // wildcards, and names that they cannot be
	steps int
	end   time.Time               // zero if there is no limit
	asked int                     // how often for the time
	open  map[slot.Name]slot.Name // names that are not known yet, and what they turned out to be
	// dropped names the slots that a class lost when another was made from it.
	dropped map[[3]uint32]slot.Name
	trees   map[ClassID]*Tree // closed ones
	// variables has, by operator, the class that was made for its variables.
	variables  map[Op]ClassID
	byOp       map[[2]uint32][]ClassID // by operator and what they equal at present
	byTerm     map[string][]ClassID    // by operator and children
	components *components
	// A spanning forest of the edges.
	up    []int // by class: the edge towards the root, -1 at a root
	depth []int
}

func newExplainer(g *Graph) *Explainer {
	p := g.proofs
	n := len(g.unionFind)
	x := &Explainer{g: g, edges: p.allEdges(), at: make([][]int, n), fresh: 1 << 30,
		wild: make(map[slot.Name][]slot.Name), open: make(map[slot.Name]slot.Name), trees: make(map[ClassID]*Tree), dropped: make(map[[3]uint32]slot.Name), up: make([]int, n), depth: make([]int, n)}
	for i := range x.edges {
		e := &x.edges[i]
		e.a, e.av = x.withTerm(e.a, e.av)
		e.b, e.bv = x.withTerm(e.b, e.bv)
		x.at[e.a] = append(x.at[e.a], i)
		if e.a != e.b {
			x.at[e.b] = append(x.at[e.b], i)
		}
	}
	x.span()
	return x
}

// withTerm is a site in terms of a class that has a term.
func (x *Explainer) withTerm(id ClassID, args Vec) (ClassID, Vec) {
	g := x.g
	for {
		s, ok := g.proofs.shrunk[id]
		if !ok {
			return id, args
		}
		out := make([]Pos, g.slotsOf(s.of))
		for k := range out {
			out[k] = noSlot
		}
		for k, i := range g.vecs.Get(s.keep) {
			out[i] = g.vecs.Get(args)[k]
		}
		id, args = s.of, g.vecs.Intern(out)
	}
}

// span makes a spanning forest.
func (x *Explainer) span() {
	seen := make([]bool, len(x.up))
	for c := range x.up {
		if seen[c] {
			continue
		}
		seen[c], x.up[c] = true, -1
		for queue := []ClassID{ClassID(c)}; len(queue) > 0; queue = queue[1:] {
			for _, i := range x.at[queue[0]] {
				if d := x.edges[i].other(queue[0]); !seen[d] {
					seen[d], x.up[d], x.depth[d] = true, i, x.depth[queue[0]]+1
					queue = append(queue, d)
				}
			}
		}
	}
}

func (e *edge) other(c ClassID) ClassID {
	if e.a == c {
		return e.b
	}
	return e.a
}

// name is a name that nothing has yet.
func (x *Explainer) name() slot.Name {
	x.fresh++
	return x.fresh
}

// wildcard is a name that may turn out to be any but some.
func (x *Explainer) wildcard(not []slot.Name) slot.Name {
	n := x.name()
	x.wild[n] = not
	return n
}

// term is the operator, the own slots and the children of a class's term, where
// its slots have the names args and what it binds is called binders.
func (x *Explainer) term(r Ref, binders []slot.Name) (op Op, own []slot.Name, kids []Ref) {
	g := x.g
	t := g.proofs.term(r.ID)
	op = Op(t[0] & opMask)
	if t[0]&flagSlots == 0 {
		kids = make([]Ref, g.sig.arity[op])
		for k := range kids {
			kids[k] = x.settle(Ref{ID: t[1+k]})
		}
		return op, nil, kids
	}
	names := func(v Vec) []slot.Name { return slot.Names(asPos(g.vecs.Get(v)), r.Args, binders) }
	own = names(t[1])
	kids = make([]Ref, g.sig.arity[op])
	for k := range kids {
		kids[k] = x.settle(Ref{ID: t[2+2*k], Args: names(t[3+2*k])})
	}
	return op, own, kids
}

// settle is r in terms of a class that has a term. Slots that r does not mention
// get names of their own, the same each time.
func (x *Explainer) settle(r Ref) Ref {
	for {
		s, ok := x.g.proofs.shrunk[r.ID]
		if !ok {
			return r
		}
		args := make([]slot.Name, x.g.slotsOf(s.of))
		keep := x.g.vecs.Get(s.keep)
		for k := range args {
			if i := slices.Index(keep, Pos(k)); i >= 0 {
				args[k] = r.Args[i]
			} else {
				args[k] = x.droppedName(r, k)
			}
		}
		r = Ref{ID: s.of, Args: args}
	}
}

// droppedName is the name of slot k, which the class of r was made without. It is
// the same each time for the same r.
func (x *Explainer) droppedName(r Ref, k int) slot.Name {
	for try := 0; ; try++ {
		key := [3]uint32{r.ID, uint32(k), uint32(try)}
		n, ok := x.dropped[key]
		if !ok {
			n = x.name()
			x.dropped[key] = n
		}
		if !r.Has(n) {
			return n
		}
	}
}

func (x *Explainer) binders(op Op) []slot.Name {
	out := make([]slot.Name, x.g.sig.HeadInfo(x.g.sig.Head(op)).Binders)
	for k := range out {
		out[k] = x.name()
	}
	return out
}

func (x *Explainer) opOf(c ClassID) Op { return Op(x.g.proofs.term(c)[0] & opMask) }

// variable is the class that was made for variables of an operator.
func (x *Explainer) variable(op Op) ClassID {
	if x.variables == nil {
		x.variables = make(map[Op]ClassID)
		for c := range ClassID(len(x.at)) {
			if _, ok := x.g.proofs.shrunk[c]; !ok && x.g.sig.HeadInfo(x.g.sig.Head(x.opOf(c))).Own > 0 {
				x.variables[x.opOf(c)] = c
			}
		}
	}
	return x.variables[op]
}

// tree is the term of a class.
func (x *Explainer) tree(r Ref) *Tree {
	if t, ok := x.trees[r.ID]; ok {
		return t
	}
	t := &Tree{Binders: x.binders(x.opOf(r.ID))}
	var kids []Ref
	t.Op, t.Own, kids = x.term(r, t.Binders)
	for _, k := range kids {
		t.Kids = append(t.Kids, x.tree(k))
	}
	if len(r.Args) == 0 && len(t.Binders) == 0 {
		x.trees[r.ID] = t
	}
	return t
}

// siteOf is the origin of the e-node of a term, in names that are renamed.
func (x *Explainer) siteOf(t *Tree, sites map[*Tree]Ref, is map[slot.Name]slot.Name) Ref {
	return x.settle(sites[t].Rename(func(n slot.Name) slot.Name {
		if n == lostName {
			return x.name()
		}
		return renamed(is)(n)
	}))
}

// represent is the origin of the e-node of t and the steps from t to its term. Sites
// tell the e-nodes of a term like t, which is t but for the renaming is.
func (x *Explainer) represent(like, t *Tree, sites map[*Tree]Ref, is map[slot.Name]slot.Name, limit int) (Ref, []Step, error) {
	var refs []Ref
	var steps []Step
	for k, u := range t.Kids {
		r, s, err := x.represent(like.Kids[k], u, sites, is, limit)
		if err != nil {
			return r, nil, err
		}
		steps = append(steps, x.inside(t.Op, k, t.Binders, s)...)
		refs = append(refs, r)
	}
	at := x.siteOf(like, sites, is)
	_, _, to := x.term(at, t.Binders)
	s, err := x.children(t.Op, t.Binders, refs, to, func() *Tree {
		u := *t
		u.Kids = make([]*Tree, len(refs))
		for k, r := range refs {
			u.Kids[k] = x.tree(r)
		}
		return &u
	}, limit)
	return at, append(steps, s...), err
}

// given is the steps from the term of a to that of b by an equation that was
// given.
func (x *Explainer) given(eq *equation, h hop, a, b Ref) ([]Step, error) {
	is := make(map[slot.Name]slot.Name)
	for p, n := range h.names {
		is[eq.names[p]] = n
	}
	// Every name of the terms is another one each time the equation is used.
	other := func(t *Tree) *Tree { return t.refresh(is, x.name) }
	ta, tb := other(eq.a), other(eq.b)
	sa, in, err := x.represent(eq.a, ta, eq.sites, is, h.edge)
	if err != nil {
		return nil, err
	}
	sb, out, err := x.represent(eq.b, tb, eq.sites, is, h.edge)
	if err != nil {
		return nil, err
	}
	// The sites may have slots that are not in the edge.
	before, err := x.path(a, sa, h.edge)
	if err != nil {
		return nil, err
	}
	after, err := x.path(sb, b, h.edge)
	if err != nil {
		return nil, err
	}
	step := Step{Reason: Given, From: ta, To: tb, Moment: h.edge}
	if eq.reason != "" {
		step.Reason = eq.reason
	}
	return slices.Concat(before, reversed(in), []Step{step}, out, after), nil
}

// children is the steps that bring each of from to the one in its place in to;
// before gives the term that they are children of.
func (x *Explainer) children(op Op, binders []slot.Name, from, to []Ref, before func() *Tree, limit int) ([]Step, error) {
	steps, err := x.inOrder(op, binders, from, to, limit)
	if err == nil || !x.g.sig.HeadInfo(x.g.sig.Head(op)).Commutative {
		return steps, err
	}
	steps, err = x.inOrder(op, binders, []Ref{from[1], from[0]}, to, limit)
	if err != nil {
		return nil, err
	}
	t := before()
	return append([]Step{{Reason: Commuted, From: t, To: t.swapped()}}, steps...), nil
}

func (x *Explainer) inOrder(op Op, binders []slot.Name, from, to []Ref, limit int) ([]Step, error) {
	var steps []Step
	paths := make([][]Step, len(from))
	for k := range from {
		// Both children of x + x take the same way.
		j := slices.IndexFunc(from[:k], func(r Ref) bool { return r.ID == from[k].ID && len(r.Args) == 0 })
		if j >= 0 && to[j].ID == to[k].ID && len(to[k].Args) == 0 {
			for _, s := range paths[j] {
				paths[k] = append(paths[k], s.copy())
			}
			continue
		}
		var err error
		if paths[k], err = x.path(from[k], to[k], limit); err != nil {
			return nil, err
		}
	}
	for k, s := range paths {
		steps = append(steps, x.inside(op, k, binders, s)...)
	}
	return steps, nil
}

// hop is an edge on a route, with the names at its ends.
type hop struct {
	edge     int
	reverse  bool
	names    map[Pos]slot.Name
	from, to Ref
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

// path is the steps from the term of one class to that of another, by edges
// before limit.
func (x *Explainer) path(from, to Ref, limit int) ([]Step, error) {
	from, to = x.settle(from), x.settle(to)
	if from.ID == to.ID && x.meet(from.Args, to.Args, nil) {
		return nil, nil
	}
	route, err := x.route(from, to, limit)
	if err != nil {
		return nil, err
	}
	var out []Step
	for _, h := range route {
		if x.late() {
			return nil, ErrTime
		}
		s, err := x.cross(h)
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
		if x.steps++; x.steps > maxSteps {
			return nil, fmt.Errorf("the proof has more than %d steps", maxSteps)
		}
	}
	return fewer(out), nil
}

// route is the edges before limit by which one class comes to another.
func (x *Explainer) route(from, to Ref, limit int) ([]hop, error) {
	// Terms that are added meanwhile equal no others.
	if n := ClassID(len(x.at)); from.ID >= n || to.ID >= n {
		return nil, errors.New("a term was added after the explanation began")
	}
	if x.parts().of(from.ID, limit) != x.parts().of(to.ID, limit) {
		return nil, errNoRoute
	}
	if route, ok := x.climb(from, to, limit); ok {
		return route, nil
	}
	return x.search(from, to, limit)
}

// take goes along an edge.
func (x *Explainer) take(i int, from Ref, reverse bool) (hop, bool) {
	e := &x.edges[i]
	av, bv, to := e.av, e.bv, e.b
	if reverse {
		av, bv, to = bv, av, e.a
	}
	h := hop{edge: i, reverse: reverse, names: make(map[Pos]slot.Name), from: from, to: Ref{ID: to}}
	for k, p := range x.g.vecs.Get(av) {
		if p == noSlot {
			continue
		}
		if n, ok := h.names[p]; ok && n != from.Args[k] {
			return h, false
		}
		h.names[p] = from.Args[k]
	}
	// Equations hold for names that differ where theirs do.
	distinct := make([]slot.Name, 0, 8)
	for _, n := range from.Args {
		if slices.Contains(distinct, n) {
			return h, false
		}
		distinct = append(distinct, n)
	}
	for _, p := range x.g.vecs.Get(bv) {
		n, ok := h.names[p]
		if !ok || p == noSlot {
			n = x.wildcard(distinct)
			if p != noSlot {
				h.names[p] = n
			}
		}
		h.to.Args = append(h.to.Args, n)
	}
	return h, true
}

// arrive makes the wildcards of a route what they have to be for it to end at to.
func (x *Explainer) arrive(route []hop, to Ref) bool {
	if len(route) == 0 {
		return false
	}
	end := route[len(route)-1].to
	if end.ID != to.ID {
		return false
	}
	is := make(map[slot.Name]slot.Name)
	for k, n := range end.Args {
		switch m := x.resolve(to.Args[k]); {
		case n == m || m == notKnown:
		case x.wild[n] != nil:
			if old, ok := is[n]; ok && old != m {
				return false
			}
			is[n] = m
		default:
			return false
		}
	}
	for i := range route {
		h := &route[i]
		if !h.distinct(is) {
			return false
		}
	}
	if !x.meet(end.Args, to.Args, is) {
		return false
	}
	for i := range route {
		h := &route[i]
		h.from, h.to = h.from.Rename(renamed(is)), h.to.Rename(renamed(is))
		for p, n := range h.names {
			h.names[p] = renamed(is)(n)
			delete(x.wild, h.names[p])
		}
		// What is still any name stays the one it is.
		for _, n := range h.to.Args {
			delete(x.wild, n)
		}
	}
	return true
}

// meet reports whether names, renamed, are those in to. What was not known of these
// is known then.
func (x *Explainer) meet(names, to []slot.Name, is map[slot.Name]slot.Name) bool {
	for k, n := range names {
		if m := x.resolve(to[k]); m != notKnown && m != renamed(is)(n) {
			return false
		}
	}
	for k, n := range names {
		if x.resolve(to[k]) == notKnown {
			x.open[to[k]] = renamed(is)(n)
		}
	}
	return true
}

// distinct reports whether names stay different when they are renamed.
func (h *hop) distinct(is map[slot.Name]slot.Name) bool {
	all := make(map[slot.Name]slot.Name)
	note := func(n slot.Name) bool {
		m := renamed(is)(n)
		old, ok := all[m]
		all[m] = n
		return !ok || old == n
	}
	for _, n := range slices.Concat(h.from.Args, h.to.Args) {
		if !note(n) {
			return false
		}
	}
	for _, n := range h.names {
		if !note(n) {
			return false
		}
	}
	return true
}

func renamed(is map[slot.Name]slot.Name) func(slot.Name) slot.Name {
	return func(n slot.Name) slot.Name {
		if m, ok := is[n]; ok {
			return m
		}
		return n
	}
}

// climb is the route in the spanning forest.
func (x *Explainer) climb(from, to Ref, limit int) ([]hop, bool) {
	var up, down []int
	a, b := from.ID, to.ID
	for a != b {
		if x.depth[a] >= x.depth[b] {
			if x.up[a] < 0 {
				return nil, false
			}
			up = append(up, x.up[a])
			a = x.edges[x.up[a]].other(a)
		} else {
			down = append(down, x.up[b])
			b = x.edges[x.up[b]].other(b)
		}
	}
	slices.Reverse(down)
	var route []hop
	at := from
	for _, i := range append(up, down...) {
		if i >= limit {
			return nil, false
		}
		h, ok := x.take(i, at, x.edges[i].a != at.ID)
		if !ok {
			return nil, false
		}
		route = append(route, h)
		at = h.to
	}
	return route, x.arrive(route, to)
}

// maxStates bounds a search.
const maxStates = 100_000

// ErrSymmetries says that the search for a proof was given up: a class with many
// symmetries can be reached under very many names.
var ErrSymmetries = fmt.Errorf("no proof was found in %d terms: the classes on the way have many symmetries", maxStates)

// search is a shortest route. Where there are symmetries and lost slots it may
// pass a class more than once, under other names.
func (x *Explainer) search(from, to Ref, limit int) ([]hop, error) {
	type state struct {
		at   Ref
		via  hop
		prev int
	}
	states := []state{{at: from, prev: -1}}
	seen := map[string]bool{x.stateKey(from, to): true}
	for k := 0; k < len(states); k++ {
		switch {
		case len(states) >= maxStates:
			return nil, ErrSymmetries
		case x.late():
			return nil, ErrTime
		}
		s := states[k]
		for _, i := range x.at[s.at.ID] {
			if i >= limit {
				break
			}
			for _, reverse := range []bool{false, true} {
				start := x.edges[i].a
				if reverse {
					start = x.edges[i].b
				}
				if start != s.at.ID {
					continue
				}
				h, ok := x.take(i, s.at, reverse)
				if key := x.stateKey(h.to, to); !ok || seen[key] {
					continue
				} else {
					seen[key] = true
				}
				states = append(states, state{h.to, h, k})
				if h.to.ID != to.ID {
					continue
				}
				route := []hop{h}
				for p := k; states[p].prev >= 0; p = states[p].prev {
					route = append(route, states[p].via)
				}
				slices.Reverse(route)
				for j := range route { // wildcards may be set for this route only
					names := make(map[Pos]slot.Name)
					for p, n := range route[j].names {
						names[p] = n
					}
					route[j].names = names
				}
				if x.arrive(route, to) {
					return route, nil
				}
			}
		}
	}
	return nil, errNoRoute
}

// stateKey tells references apart, but wildcards only by which names of the goal
// they cannot be.
func (x *Explainer) stateKey(r, goal Ref) string {
	var wild []slot.Name
	key := fmt.Sprint(r.ID)
	for _, n := range r.Args {
		not := x.wild[n]
		if not == nil {
			key += fmt.Sprint(" ", n)
			continue
		}
		i := slices.Index(wild, n)
		if i < 0 {
			i = len(wild)
			wild = append(wild, n)
		}
		key += fmt.Sprint(" *", i)
		for _, m := range goal.Args {
			if slices.Contains(not, m) {
				key += fmt.Sprint("!", m)
			}
		}
	}
	return key
}

// cross is the steps along an edge.
func (x *Explainer) cross(h hop) ([]Step, error) {
	a, b := h.from, h.to
	if h.reverse {
		a, b = b, a
	}
	var steps []Step
	var err error
	switch e := &x.edges[h.edge]; {
	case e.rule == byUser && e.data > 0:
		steps, err = x.given(&x.g.proofs.given[e.data-1], h, a, b)
	case e.rule == byUser:
		steps = []Step{{Reason: Given, From: x.tree(a), To: x.tree(b), Moment: h.edge}}
	case e.rule == byCongruence:
		binders := x.binders(x.opOf(a.ID))
		op, own, from := x.term(a, binders)
		_, _, to := x.term(b, binders)
		steps, err = x.children(op, binders, from, to, func() *Tree {
			t := &Tree{Op: op, Own: own, Binders: binders}
			for _, k := range from {
				t.Kids = append(t.Kids, x.tree(k))
			}
			return t
		}, h.edge)
	default:
		steps, err = x.application(h, a, b)
	}
	if h.reverse {
		steps = reversed(steps)
	}
	return steps, err
}
