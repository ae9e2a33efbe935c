package egraph

import (
	"fmt"
	"slices"

	"egad/egraph/perm"
	"egad/internal/interrupt"
	"egad/slot"
)

// ClassID numbers classes; a class keeps its number when it is merged into
// another, and [Graph.Find] gives the class it belongs to now.
type ClassID = uint32

// NodeID is the place of an e-node in the arena. It is valid until the next rebuild.
type NodeID = uint32

// Ref is a class with the names it is passed for its slots.
type Ref = slot.Ref

// An e-node lies in the arena as
//
//	op and flags, class, stamp, child classes …
//	and if it is slotted: cmap, own, child arguments …
//	and if it is recorded: its term, and if it is slotted: names of the term's slots
//
// where cmap lists for each slot of the class the slot of the e-node. An e-node that
// mentions no slot has nothing of the second line. The stamp tells when the e-node
// was made, or last changed in a way that may let it match where it did not.
const (
	nodeOp = iota
	nodeClass
	nodeStamp
	nodeKids
)

const (
	opMask     = 1<<28 - 1
	flagSlots  = 1 << 31 // the e-node is slotted
	flagDead   = 1 << 30 // the e-node equals another one
	flagPassed = 1 << 29 // a directed run has rewritten the e-node
)

// Graph is an e-graph. It is not safe for concurrent use.
type Graph struct {
	state
	// Owner is what the graph is a part of, for the guards of rules that several graphs
	// have. The engine does not look at it.
	Owner any
	// Stop, if it is not nil, tells runs to end.
	Stop     *interrupt.Stop
	sig      *Signature
	vecs     *perm.Vecs
	groups   *perm.Groups
	grown    []uint32  // by class: the stamp when it last had more symmetries
	pending  []ClassID // classes whose parents have to be brought up to date
	analyses []analysis
	stale    bool // facts of an analysis changed since the last rebuild

	recorder     Recorder // nil if there is none
	tracer       Tracer   // the same, if it is one
	snapshots    []int    // those of which this is a later state
	nextSnapshot int
	restored     int // how often

	rounds   int    // in this rebuild: scans of all e-nodes that changed little
	patience int    // how many rounds there may be before parents are listed
	rebuilt  int    // e-nodes that have been looked at to rebuild
	scans    int    // in this pass of Modify: scans of all e-nodes
	scanning bool   // a rebuild goes over all e-nodes: lists do not last
	current  bool   // nothing changed since the last rebuild
	index    *index // &spare, or nil if it has to be built
	spare    index
	links    *links // lists kept up to date, for directed runs

	late func() bool // whether a run has to end now; nil if there is none

	scratch  canon
	formWork int // bounds the search for the least form of an e-node
}

// state is what a [Snapshot] has of a graph.
type state struct {
	arena []uint32
	live  int // e-nodes that are not dead
	table table

	// By class:
	unionFind []ClassID // the class it was merged into, or itself
	// By class, as far as there is something to say: it is 0 for the others.
	unionArgs []Vec     // for each slot of that class the slot of this class
	slots     []uint16  // number of slots
	group     []perm.ID // symmetries of the slots

	classes int // leaders
	stamp   uint32
	next    slot.Name
	journal journal
	err     error  // the first contradiction
	passed  bool   // some e-nodes are passed over that the last run has rewritten
	met     NodeID // the e-node that was last to be added and was there
	lossy   bool   // a bound on symmetries was hit: there may be equalities that were not found
}

// copyTo makes to the same state, in the memory that it has. They share nothing that
// changes.
func (s *state) copyTo(to *state) {
	old := *to
	*to = *s
	to.arena, to.table.entries = append(old.arena[:0], s.arena...), append(old.table.entries[:0], s.table.entries...)
	to.unionFind, to.unionArgs = append(old.unionFind[:0], s.unionFind...), append(old.unionArgs[:0], s.unionArgs...)
	to.slots, to.group = append(old.slots[:0], s.slots...), append(old.group[:0], s.group...)
	to.journal = journal{slices.Clone(s.journal.entries), slices.Clip(s.journal.losers)}
}

// New returns an empty e-graph over sig. Operators may be added to sig later.
func New(sig *Signature) *Graph {
	vecs := perm.NewVecs()
	g := &Graph{
		state: state{arena: make([]uint32, 2, 256), table: newTable(), stamp: 1, next: 1 << 16},
		sig:   sig, vecs: vecs,
		patience: 12, // lists cost as much as that, about
		formWork: maxFormWork,
	}
	g.groups = perm.NewGroups(vecs, g.hurried)
	return g
}

// Signature returns the operators of the e-graph.
func (g *Graph) Signature() *Signature { return g.sig }

// Vecs returns the lists of slots that a [Recorder] is told of.
func (g *Graph) Vecs() *perm.Vecs { return g.vecs }

// Size returns the number of e-nodes.
func (g *Graph) Size() int { return g.live }

// Classes returns the number of classes.
func (g *Graph) Classes() int { return g.classes }

// ClassIDs returns how many class numbers have been given; classes that were merged
// keep theirs.
func (g *Graph) ClassIDs() int { return len(g.unionFind) }

// Err returns the first contradiction that an analysis found, nil if there is none.
func (g *Graph) Err() error { return g.err }

// Fresh returns a name that differs from all others it has given. Names below
// 65536 are never given.
func (g *Graph) Fresh() slot.Name {
	g.next++
	return g.next
}

// FreshN is [Graph.Fresh] for n names.
func (g *Graph) FreshN(n int) []slot.Name {
	if n == 0 {
		return nil
	}
	out := make([]slot.Name, n)
	for i := range out {
		out[i] = g.Fresh()
	}
	return out
}

// Slots returns the number of slots of a class.
func (g *Graph) Slots(c ClassID) int { return g.slotsOf(g.Find(c)) }

// Find returns the class that c belongs to, without regard to slots.
func (g *Graph) Find(c ClassID) ClassID { return g.leader(c) }

// leader is the class that c belongs to, in a graph or in a snapshot of it.
func (s *state) leader(c ClassID) ClassID {
	for s.unionFind[c] != c {
		c = s.unionFind[c]
	}
	return c
}

// chase is Find along a chain, which it makes shorter: between two rebuilds chains
// may grow as long as there are classes. Find, which is everywhere, has to be so
// small that it is inlined.
func (g *Graph) chase(c ClassID) ClassID {
	for g.unionFind[c] != c {
		p := g.unionFind[c]
		if next := g.unionFind[p]; next != p && g.unionArgsOf(c) == 0 {
			// If c passes p nothing, it passes nothing to what p is part of.
			g.unionFind[c] = next
		}
		c = g.unionFind[c]
	}
	return c
}

// FindRef returns r in terms of the class that r.ID belongs to.
func (g *Graph) FindRef(r Ref) Ref {
	if g.unionFind[r.ID] == r.ID {
		return r
	}
	if len(r.Args) == 0 {
		return Ref{ID: g.chase(r.ID)}
	}
	for g.unionFind[r.ID] != r.ID {
		m := g.vecs.Get(g.unionArgsOf(r.ID))
		args := make([]slot.Name, len(m))
		for k, i := range m {
			args[k] = r.Args[i]
		}
		r = Ref{ID: g.unionFind[r.ID], Args: args}
	}
	if len(r.Args) == 0 {
		r.Args = nil
	}
	return r
}

// find is FindRef for interned arguments.
func (g *Graph) find(c ClassID, args Vec) (ClassID, Vec) {
	if args == 0 {
		return g.chase(c), 0
	}
	for g.unionFind[c] != c {
		args = g.vecs.Compose(args, g.unionArgsOf(c))
		c = g.unionFind[c]
	}
	return c, args
}

// Same reports whether two references are known to be equal.
func (g *Graph) Same(a, b Ref) bool {
	a, b = g.FindRef(a), g.FindRef(b)
	if a.ID != b.ID {
		return false
	}
	return slices.Equal(a.Args, b.Args) || sameUpTo(g, g.groupOf(a.ID), a.Args, b.Args)
}

// sameArgs is Same for interned arguments of one leader.
func (g *Graph) sameArgs(c ClassID, a, b Vec) bool {
	id := g.groupOf(c)
	return a == b || id != 0 && sameUpTo(g, id, g.vecs.Get(a), g.vecs.Get(b))
}

// newClass makes a class with n slots.
func (g *Graph) newClass(n int) ClassID {
	c := ClassID(len(g.unionFind))
	g.unionFind = append(g.unionFind, c)
	if n > 0 {
		set(&g.slots, c, uint16(n))
	}
	g.classes++
	if g.links != nil {
		g.links.newClass()
	}
	return c
}

// changed says that the graph has to be rebuilt before it is searched.
func (g *Graph) changed() { g.current, g.index = false, nil }

// column is what a list says of a class.
func column[T any](list []T, c ClassID) T {
	if int(c) < len(list) {
		return list[c]
	}
	var zero T
	return zero
}

// set makes a list say x of a class.
func set[T any](list *[]T, c ClassID, x T) {
	*list = lengthen(*list, int(c)+1)
	(*list)[c] = x
}

func (g *Graph) slotsOf(c ClassID) int { return int(column(g.slots, c)) }

func (g *Graph) unionArgsOf(c ClassID) Vec { return column(g.unionArgs, c) }

func (g *Graph) groupOf(c ClassID) perm.ID { return column(g.group, c) }

// symmetriesOf lists generators of the symmetries of a class.
func (g *Graph) symmetriesOf(c ClassID) []Vec {
	if id := g.groupOf(c); id != 0 {
		return g.groups.Get(id).Generators()
	}
	return nil
}

// Parts of e-nodes.

func (g *Graph) op(r NodeID) Op { return Op(g.arena[r] & opMask) }

func (g *Graph) arity(r NodeID) int { return int(g.sig.arity[g.op(r)]) }

func (g *Graph) kids(r NodeID, n int) []ClassID {
	return g.arena[r+nodeKids : r+nodeKids+NodeID(n) : r+nodeKids+NodeID(n)]
}

func (g *Graph) slotted(r NodeID) bool { return g.arena[r]&flagSlots != 0 }

// cmap lists for each slot of the e-node's class the slot of the e-node.
func (g *Graph) cmap(r NodeID, n int) Vec {
	if !g.slotted(r) {
		return 0
	}
	return g.arena[r+nodeKids+NodeID(n)]
}

func (g *Graph) own(r NodeID, n int) Vec {
	if !g.slotted(r) {
		return 0
	}
	return g.arena[r+nodeKids+NodeID(n)+1]
}

// arg lists the slots that the e-node passes to child k.
func (g *Graph) arg(r NodeID, n, k int) Vec {
	if !g.slotted(r) {
		return 0
	}
	return g.arena[r+nodeKids+NodeID(n)+2+NodeID(k)]
}

// nodeLen is the number of words of an e-node with n children.
func (g *Graph) nodeLen(n int, slotted bool) int {
	size, term := nodeKids+n, 1
	if slotted {
		size, term = nodeKids+2*n+2, 2
	}
	if g.tracer == nil {
		return size
	}
	return size + term
}

// eachNode calls f for every e-node that is not dead.
func (g *Graph) eachNode(f func(r NodeID, n int)) {
	for r := NodeID(2); int(r) < len(g.arena); {
		n := g.arity(r)
		if g.arena[r]&flagDead == 0 {
			f(r, n)
		}
		r += NodeID(g.nodeLen(n, g.slotted(r)))
	}
}

// nodeSlots is the number of free slots of an e-node.
func (g *Graph) nodeSlots(r NodeID, n int) int {
	if !g.slotted(r) {
		return 0
	}
	m := -1
	note := func(v Vec) {
		for _, p := range g.vecs.Get(v) {
			if p&bound == 0 {
				m = max(m, int(p))
			}
		}
	}
	note(g.own(r, n))
	for k := range n {
		note(g.arg(r, n, k))
	}
	return m + 1
}

// Node is an e-node taken apart: an operator, the slots it names itself, the names
// of its binders, and its children.
type Node struct {
	ID      NodeID
	Op      Op
	Own     []slot.Name
	Binders []slot.Name
	Kids    []Ref
}

// open takes e-node r apart, given its class, a leader, with the names it is passed.
// Slots of the e-node that the class does not have get fresh names: any would do.
func (g *Graph) open(r NodeID, class Ref) Node { return g.openIn(r, class, nil) }

// openIn is open with the children in the memory of kids.
func (g *Graph) openIn(r NodeID, class Ref, kids []Ref) Node {
	g.updateClass(r)
	n := g.arity(r)
	nd := Node{ID: r, Op: g.op(r), Kids: slices.Grow(kids[:0], n)[:n]}
	if !g.slotted(r) {
		for k, c := range g.kids(r, n) {
			nd.Kids[k] = Ref{ID: c}
		}
		nd.Binders = g.FreshN(g.sig.Binders(nd.Op))
		return nd
	}
	free := g.FreshN(g.nodeSlots(r, n))
	for k, p := range g.vecs.Get(g.cmap(r, n)) {
		free[p] = class.Args[k]
	}
	nd.Binders = g.FreshN(g.sig.Binders(nd.Op))
	nd.Own = g.Names(g.own(r, n), free, nd.Binders)
	for k, c := range g.kids(r, n) {
		nd.Kids[k] = Ref{ID: c, Args: g.Names(g.arg(r, n, k), free, nd.Binders)}
	}
	return nd
}

// AnyOp returns the operator of some e-node of a class.
func (g *Graph) AnyOp(c ClassID) Op {
	c = g.Find(c)
	if g.index == nil && g.links != nil && !g.scanning {
		return g.op(g.links.first(g, c)) // without a look at all the others
	}
	return g.op(g.nodesOf(c)[0])
}

// Nodes calls f for every e-node of the class of r, until f returns false.
func (g *Graph) Nodes(r Ref, f func(Node) bool) {
	r = g.FindRef(r)
	for _, node := range g.nodesOf(r.ID) {
		if !f(g.open(node, r)) {
			return
		}
	}
}

// OpenNodes is [Graph.Nodes] without the e-nodes that the last run has rewritten, if it is a directed one.
func (g *Graph) OpenNodes(r Ref, f func(Node) bool) {
	r = g.FindRef(r)
	for _, node := range g.nodesOf(r.ID) {
		if g.arena[node]&flagPassed == 0 && !f(g.open(node, r)) {
			return
		}
	}
}

// Directed reports whether the last run was a directed one, so that [Graph.OpenNodes] are fewer.
func (g *Graph) Directed() bool { return g.passed }

// Reachable counts the e-nodes of the classes that terms of some classes are made of.
func (g *Graph) Reachable(roots []Ref) int {
	g.Rebuild()
	seen := make([]bool, len(g.unionFind))
	var queue []ClassID
	need := func(c ClassID) {
		if c = g.Find(c); !seen[c] {
			seen[c] = true
			queue = append(queue, c)
		}
	}
	for _, r := range roots {
		need(r.ID)
	}
	n := 0
	for ; len(queue) > 0; queue = queue[1:] {
		for _, r := range g.nodesOf(queue[0]) {
			n++
			for _, k := range g.kids(r, g.arity(r)) {
				need(k)
			}
		}
	}
	return n
}

// updateClass rewrites the class of an e-node as the one it belongs to now.
func (g *Graph) updateClass(r NodeID) {
	c := g.arena[r+nodeClass]
	if g.unionFind[c] == c {
		return
	}
	g.arena[r+nodeStamp] = g.stamp
	n := g.arity(r)
	if !g.slotted(r) {
		g.arena[r+nodeClass] = g.Find(c)
		return
	}
	at := r + nodeKids + NodeID(n)
	g.arena[r+nodeClass], g.arena[at] = g.find(c, g.arena[at])
}

// Contradict notes the first contradiction.
func (g *Graph) Contradict(c ClassID, err error) {
	if g.err == nil {
		g.err = fmt.Errorf("contradiction in class %d: %w", c, err)
	}
}
