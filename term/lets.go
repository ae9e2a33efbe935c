package term

import "egad/slot"

// Instance is a use of a node with particular index variables. The instances of
// a term form a DAG; [PlaceLets] turns it into a tree with lets.
type Instance struct {
	Term Term
	View View
	Kids []*Instance
	Body *LetScope // what is bound inside the binders, if the node has any
	Uses int       // how many children this instance is
	Most int       // the most uses of an instance of this node
	Home *LetScope // the outermost scope in which it can be computed
	Tail bool      // it is what a binder's body results in
	Let  bool      // it is computed once, by a let of its home
}

// LetScope is the body of a binder, or the whole term: a list of lets in an
// order in which they can be computed.
type LetScope struct {
	Lets  []*Instance
	depth int
}

// PlaceLets finds the instances in a closed term and puts a let for each that
// keep asks for, inside the innermost binder of its variables: what does not
// depend on a loop is bound outside it. It returns the root and its scope. Keep
// is asked children first.
func PlaceLets(s *Store, root Term, keep func(*Instance) bool) (*Instance, *LetScope) {
	p := &placer{
		store: s.reading(), keep: keep, top: &LetScope{},
		byKey: make(map[string]*Instance), scopes: make(map[slot.Name]*LetScope),
	}
	r := p.visit(root)
	most := make(map[uint32]int)
	for _, in := range p.order {
		most[in.Term.ID] = max(most[in.Term.ID], in.Uses)
	}
	for _, in := range p.order { // children first: lets come before their uses
		in.Most = most[in.Term.ID]
		if in.Let = in != r && keep(in); in.Let {
			in.Home.Lets = append(in.Home.Lets, in)
		}
	}
	return r, p.top
}

type placer struct {
	store  *Store
	keep   func(*Instance) bool
	top    *LetScope
	byKey  map[string]*Instance
	scopes map[slot.Name]*LetScope // the scope of an index variable
	order  []*Instance
}

func (p *placer) visit(t Term) *Instance {
	key := TermKey(t)
	if in, ok := p.byKey[key]; ok {
		in.Uses++
		return in
	}
	in := &Instance{Term: t, View: p.store.Open(t), Home: p.top, Uses: 1}
	p.byKey[key] = in
	for _, n := range t.Args {
		if s := p.scopes[n]; s != nil && s.depth > in.Home.depth {
			in.Home = s
		}
	}
	o := p.store.sig.ops[in.View.Op.Sym]
	if o.Binds() {
		in.Body = &LetScope{depth: in.Home.depth + 1}
		for _, n := range in.View.Binders {
			p.scopes[n] = in.Body
		}
	}
	for i, k := range in.View.Kids {
		kid := p.visit(k)
		kid.Tail = kid.Tail || o.Under(i)
		in.Kids = append(in.Kids, kid)
	}
	p.order = append(p.order, in)
	return in
}

// Leaf reports whether the instance has no children: naming it gains nothing.
func (in *Instance) Leaf() bool { return len(in.View.Kids) == 0 }
