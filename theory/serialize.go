package theory

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/slot"
)

// Export gives the graph as data; the cost of an e-node is 1.
func (g *Graph) Export(roots []egraph.Ref) *extract.Graph {
	g.Rebuild()
	return extract.ReachAll(g.Graph).Data(g.Graph, roots, func(n *extract.ENode) extract.Node {
		return extract.Node{Op: g.t.byOp[n.Op].Name, Cost: 1}
	}, func(c *extract.EClass) string { return sortName(g.sortOf(c.ID)) })
}

// Import makes a graph of data over the operators of the theory, and gives its
// roots. Literals are numbers of the type of their class.
func (t *Theory) Import(in *extract.Graph) (*Graph, []egraph.Ref, error) {
	im := &importer{g: t.NewGraph(), in: in, classes: make(map[string]*extract.Class), class: make(map[string]string), refs: make(map[string]egraph.Ref), names: make(map[string][]slot.Name), sorts: make(map[slot.Name]*Sort)}
	for i := range in.Classes {
		im.classes[in.Classes[i].ID] = &in.Classes[i]
	}
	for _, n := range in.Nodes {
		im.class[n.ID] = n.Class
	}
	im.nodes()
	if err := im.errs.Err(); err != nil {
		return nil, nil, err
	}
	im.symmetries()
	im.g.Rebuild()
	if err := im.g.Err(); err != nil {
		return nil, nil, err
	}
	var roots []egraph.Ref
	for _, c := range in.Roots {
		roots = append(roots, im.g.FindRef(im.refs[c]))
	}
	return im.g, roots, nil
}

type importer struct {
	g       *Graph
	in      *extract.Graph
	classes map[string]*extract.Class
	class   map[string]string // of a node
	// refs has the classes that are there, with names for their slots and
	// perhaps for others on which they do not depend.
	refs  map[string]egraph.Ref
	names map[string][]slot.Name // for the slots of classes
	sorts map[slot.Name]*Sort
	errs  diag.List
}

// nodes adds nodes when their children are there: a class in a cycle has a node
// outside it.
func (im *importer) nodes() {
	missing := make([]int, len(im.in.Nodes))
	users := make(map[string][]int) // of a class
	var ready []int
	for i := range im.in.Nodes {
		n := &im.in.Nodes[i]
		for _, k := range n.Children {
			missing[i]++
			users[im.class[k]] = append(users[im.class[k]], i)
		}
		if missing[i] == 0 {
			ready = append(ready, i)
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		n := &im.in.Nodes[ready[0]]
		if im.add(n); len(im.errs) > 0 {
			return
		}
		for _, u := range users[n.Class] {
			if missing[u]--; missing[u] == 0 {
				ready = append(ready, u)
			}
		}
		delete(users, n.Class)
	}
	for i := range im.in.Nodes {
		if n := &im.in.Nodes[i]; missing[i] > 0 {
			im.errs.Add(nil, 0, "node %s: the class %s has no term without an end", n.ID, n.Class)
			return
		}
	}
}

// operator is the operator of a node.
func (im *importer) operator(n *extract.Node) *Operator {
	t := im.g.t
	typ := ""
	if c := im.classes[n.Class]; c != nil {
		typ = c.Type
	}
	if n.Slots != nil && len(n.Slots.Own) > 0 {
		if s := t.sorts[typ]; s != nil && s.variable != nil {
			return s.variable
		}
		im.errs.Add(nil, 0, "node %s is a variable of the type %q, which has none", n.ID, typ)
		return nil
	}
	if r, ok := number(n.Op); ok {
		s := t.sorts[typ]
		for _, x := range t.Sorts {
			if s == nil && x.Numbers {
				s = x
			}
		}
		if s != nil && s.Numbers {
			return t.literal(s, r)
		}
	}
	o := t.operators[n.Op]
	if n.Op == t.holds.Name && typ == sortName(t.holds.Sort) {
		o = t.holds
	}
	if o == nil {
		im.errs.Add(nil, 0, "node %s: there is no operator %s%s", n.ID, n.Op, diag.DidYouMean(n.Op, slices.Sorted(maps.Keys(t.operators))))
	}
	return o
}

func (im *importer) add(n *extract.Node) {
	o := im.operator(n)
	if o == nil {
		return
	}
	s := n.Slots
	if s == nil {
		s = &extract.Slots{}
	}
	own := 0
	if o.Sort.variable == o {
		own = 1
	}
	if len(n.Children) != len(o.kids) || len(s.Bind) != len(o.binders) || len(s.Own) != own {
		im.errs.Add(nil, 0, "node %s: %s has %s and %s", n.ID, o.Name, count(len(o.kids), "child"), count(len(o.binders), "binder"))
		return
	}
	formals := im.formals(n.Class)
	names := make(map[string]slot.Name)
	if c := im.classes[n.Class]; c != nil {
		for i, x := range c.Slots {
			names[x] = formals[i]
		}
	}
	for i, x := range s.Bind { // hides a slot of that name
		names[x] = im.g.Fresh()
		im.sorts[names[x]] = o.Operands[o.binders[i]].Sort
	}
	is := func(x slot.Name, s *Sort) {
		was := im.sorts[x]
		if was != nil && s != nil && was != s {
			im.errs.Add(nil, 0, "node %s: a slot is of the sort %s and of %s", n.ID, sortName(was), sortName(s))
		}
		if was == nil {
			im.sorts[x] = s
		}
	}
	all := func(xs []string) []slot.Name {
		var out []slot.Name
		for _, x := range xs {
			if _, ok := names[x]; !ok {
				names[x] = im.g.Fresh()
			}
			out = append(out, names[x])
		}
		return out
	}
	kids := make([]egraph.Ref, len(n.Children))
	for i, k := range n.Children {
		var args []slot.Name
		if i < len(s.Args) {
			args = all(s.Args[i])
		}
		for j, f := range im.formals(im.class[k]) {
			is(args[j], im.sorts[f])
		}
		kids[i] = im.g.FindRef(im.refs[im.class[k]]).RenameFrom(im.formals(im.class[k]), args)
		if got, want := im.g.sortOf(kids[i].ID), o.Operands[o.kids[i]].Sort; got != want {
			im.errs.Add(nil, 0, "node %s: child %d of %s has the sort %s, expected %s", n.ID, i+1, o.Name, sortName(got), sortName(want))
			return
		}
	}
	if own > 0 {
		is(all(s.Own)[0], o.Sort)
	}
	r := im.g.Add(o.op, all(s.Own), all(s.Bind), kids)
	if ref, ok := im.refs[n.Class]; !ok {
		im.refs[n.Class] = r
	} else if got := im.g.sortOf(ref.ID); got != o.Sort {
		im.errs.Add(nil, 0, "node %s has the sort %s, and its class %s", n.ID, sortName(o.Sort), sortName(got))
		return
	} else {
		im.g.Union(ref, r)
	}
	im.drop(n.Class)
}

// formals are the names for the slots of a class.
func (im *importer) formals(class string) []slot.Name {
	c := im.classes[class]
	if c == nil {
		return nil
	}
	if _, ok := im.names[class]; !ok {
		for range c.Slots {
			im.names[class] = append(im.names[class], im.g.Fresh())
		}
	}
	return im.names[class]
}

// drop makes a class independent of what is no slot of it.
func (im *importer) drop(class string) {
	r := im.g.FindRef(im.refs[class])
	formals := im.formals(class)
	other := r.Rename(func(n slot.Name) slot.Name {
		if slices.Contains(formals, n) {
			return n
		}
		return im.g.Fresh()
	})
	im.g.Union(r, other)
	im.refs[class] = im.g.FindRef(r)
}

// symmetries says of classes that their slots may change places.
func (im *importer) symmetries() {
	for _, c := range im.in.Classes {
		formals := im.formals(c.ID)
		for _, p := range c.Symmetries {
			to := make([]slot.Name, len(p))
			for i, k := range p {
				to[i] = formals[k]
			}
			r := im.g.FindRef(im.refs[c.ID])
			im.g.Union(r, r.RenameFrom(formals, to))
		}
	}
}
