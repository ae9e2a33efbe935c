package saturate

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Graph is an e-graph over the array language. It is a [match.Space].
type Graph struct {
	*egraph.Graph
	// Brief says that a saturation is for a shorter program, and not for a proof: rules do not look, below
	// their root, into a literal that was found in more than 16 ways. Everything times 0 is 0, and sums and
	// products of these are: rules that look into two of them would take all pairs.
	Brief bool

	lang   *lang
	types  *egraph.Column[*types.Type]
	bounds *egraph.Column[ops.Bounds]
	fills  *egraph.Column[*ops.Scalar]
	names  *egraph.Column[nameFact]
	sizes  *egraph.Column[int]       // of the least term of the class
	births *egraph.Column[int]       // when the first row of the class was made
	shared *egraph.Column[bool]      // used more than once when saturation began
	atom   func(egraph.ClassID) bool // what the rules of opaque sets do not look into
	substs map[string]rebuilt
	// replacing are the classes in which variables are being replaced.
	replacing map[egraph.ClassID]bool

	compiled  map[ruleOf]*egraph.Rule
	reading   reading
	found     completed
	made      *types.Type // of the e-node that is being added
	typings   map[typed]*types.Type
	finite    bool            // the reals among the inputs are taken for finite
	supposing bool            // ranges are narrowed by what is assumed
	record    *recorder       // nil unless applications of rules are recorded
	leftOut   map[string]bool // rules that are not used
	assumed   []Assumption
	withheld  map[*rules.Cond]*rules.Rule // what is not known to be finite, for want of which alone a match is none
	mistake   error                       // of a rule, that has shown itself while rules were matched
	keptOut   diag.List

	// Of a language of its own:
	language *Language
	known    *known
	conds    conds
}

var _ match.Space = (*Graph)(nil)

// New returns an empty e-graph.
func New(sig *term.Signature) *Graph {
	l := newLang(sig, false)
	g := &Graph{Graph: egraph.New(l.eng), lang: l, substs: make(map[string]rebuilt), compiled: make(map[ruleOf]*egraph.Rule), withheld: make(map[*rules.Cond]*rules.Rule), typings: make(map[typed]*types.Type)}
	g.Owner, g.reading = g, reading{space: g, lang: l}
	g.types = egraph.AttachOp(g.Graph, typeLattice{g})
	g.fills = egraph.AttachOp(g.Graph, fillLattice{g})
	g.bounds = egraph.Attach(g.Graph, boundsLattice{g})
	g.bounds.Asked()
	g.names = egraph.AttachOp(g.Graph, nameLattice{g})
	g.leastTerms()
	g.shared = egraph.AttachOp(g.Graph, sharedLattice{})
	return g
}

// New returns an empty e-graph over the language.
func (l *Language) New() *Graph {
	g := &Graph{Graph: egraph.New(l.lang.eng), lang: l.lang, language: l, substs: make(map[string]rebuilt), withheld: make(map[*rules.Cond]*rules.Rule), replacing: make(map[egraph.ClassID]bool)}
	g.Owner, g.reading = g, reading{space: g, lang: l.lang}
	g.known = &known{l: l}
	g.known.follow(g.Graph)
	if l.opaque {
		g.shared = egraph.AttachOp(g.Graph, sharedLattice{})
	}
	if l.least {
		g.leastTerms()
	}
	if l.substitutes {
		g.sizes.Asked() // in a smaller term there may be more to find
	}
	return g
}

// leastTerms has the least terms of classes followed.
func (g *Graph) leastTerms() {
	g.sizes = egraph.AttachOp(g.Graph, sizeLattice{})
	g.births = egraph.AttachOp(g.Graph, &birthLattice{})
}

// Signature returns the operators of the language.
func (g *Graph) Signature() *term.Signature { return g.lang.sig }

// TermOp is the operator of a node.
func (g *Graph) TermOp(o egraph.Op) ops.Op { return g.lang.terms[o] }

// typeLattice: all rows of a class have one type.
type typeLattice struct{ g *Graph }

// MakeOp is nil where types do not fit: [Graph.Make] has checked them, but they
// may not after a contradiction.
func (l typeLattice) MakeOp(c *egraph.Column[*types.Type], op egraph.Op, kids []egraph.ClassID) *types.Type {
	if l.g.made != nil {
		return l.g.made
	}
	types := slice.Map(kids, c.Get)
	return l.g.typeOf(op, types)
}

// typed is an operator with the types of its operands, which are few.
type typed struct {
	op   egraph.Op
	kids [3]*types.Type
}

// typeOf is the type of an e-node, nil if types do not fit.
func (g *Graph) typeOf(op egraph.Op, types []*types.Type) *types.Type {
	key := typed{op: op}
	few := copy(key.kids[:], types) == len(types)
	if t, ok := g.typings[key]; ok && few {
		return t
	}
	t, err := ops.TypeOf(g.lang.sig.Operator(g.lang.terms[op].Sym), g.lang.terms[op], types)
	if err != nil {
		t = nil
	}
	if few {
		g.typings[key] = t
	}
	return t
}

func (typeLattice) Merge(a, b *types.Type) (*types.Type, error) {
	if a == nil || b == nil || a.Equal(b) {
		return a, nil
	}
	return a, fmt.Errorf("types %s and %s are united", a, b)
}

func (typeLattice) Equal(a, b *types.Type) bool { return true }

// fillLattice: the literal that all elements of a class are, nil if there is none.
// Two are a contradiction. What is not finite says nothing, as rules over the
// reals do not hold of it.
type fillLattice struct{ g *Graph }

// MakeOp looks at the operator.
func (l fillLattice) MakeOp(_ *egraph.Column[*ops.Scalar], o egraph.Op, _ []egraph.ClassID) *ops.Scalar {
	op := &l.g.lang.terms[o]
	if op.Sym != ops.SymConst || op.Const.Data != nil || op.Const.Fill.Elem == types.R && op.Const.Fill.Num.Rat() == nil {
		return nil
	}
	return &op.Const.Fill
}

func (fillLattice) Merge(a, b *ops.Scalar) (*ops.Scalar, error) {
	switch {
	case a == nil:
		return b, nil
	case b != nil && a.Key() != b.Key():
		return a, fmt.Errorf("%s and %s are united", a, b)
	}
	return a, nil
}

// Equal: no row rests on the literals of its children.
func (fillLattice) Equal(a, b *ops.Scalar) bool { return true }

// nameFact is the name an atom has in the source.
type nameFact struct {
	named bool
	hint  term.Hint
}

// nameLattice: the first name in the source counts. The array of an atom that
// depends on an index variable is an atom: its let moves out of the build
// (Fig. 9, third rule, of the dual-numbers paper).
type nameLattice struct{ g *Graph }

// MakeOp looks at the child of a build.
func (l nameLattice) MakeOp(c *egraph.Column[nameFact], op egraph.Op, kids []egraph.ClassID) nameFact {
	if l.g.lang.terms[op].Sym == ops.SymBuild {
		return c.Get(kids[0])
	}
	return nameFact{}
}

func (nameLattice) Merge(a, b nameFact) (nameFact, error) {
	if !a.named || b.named && b.hint.Before(a.hint) {
		return b, nil
	}
	return a, nil
}

func (nameLattice) Equal(a, b nameFact) bool { return a == b }

// sizeLattice: the number of nodes of the least term, up to maxTermSize. Without
// a small bound, each change in a program would change the sizes of all that is
// computed from it.
type sizeLattice struct{}

const maxTermSize = 500

// MakeOp adds up the sizes of the children.
func (sizeLattice) MakeOp(c *egraph.Column[int], _ egraph.Op, kids []egraph.ClassID) int {
	s := 1
	for _, k := range kids {
		s = min(s+c.Get(k), maxTermSize)
	}
	return s
}

func (sizeLattice) Merge(a, b int) (int, error) { return min(a, b), nil }

func (sizeLattice) Equal(a, b int) bool { return a == b }

// birthLattice numbers rows in the order in which they are made; the first row of
// a class counts.
type birthLattice struct{ rows int }

// MakeOp gives the next number.
func (l *birthLattice) MakeOp(*egraph.Column[int], egraph.Op, []egraph.ClassID) int {
	l.rows++
	return l.rows
}

func (*birthLattice) Merge(a, b int) (int, error) { return min(a, b), nil }

// Equal: no row rests on the births of its children.
func (*birthLattice) Equal(a, b int) bool { return true }

// sharedLattice: a class is shared if one that was united with it is.
type sharedLattice struct{}

// MakeOp knows nothing.
func (sharedLattice) MakeOp(*egraph.Column[bool], egraph.Op, []egraph.ClassID) bool { return false }

func (sharedLattice) Merge(a, b bool) (bool, error) { return a || b, nil }

func (sharedLattice) Equal(a, b bool) bool { return a == b }

// markShared finds the classes that are used more than once.
func (g *Graph) markShared() {
	if g.shared == nil {
		return
	}
	g.atom = g.shared.Get
	g.Rebuild()
	uses := make(map[egraph.ClassID]int)
	for _, r := range g.Roots() {
		g.Graph.Nodes(r, func(n egraph.Node) bool {
			for _, k := range n.Kids {
				if uses[k.ID]++; uses[k.ID] == 2 {
					g.shared.Set(k.ID, true)
				}
			}
			return true
		})
	}
}

// Roots lists the classes, each with names 0, 1, … for its slots.
func (g *Graph) Roots() []slot.Ref {
	var out []slot.Ref
	for c := range egraph.ClassID(g.ClassIDs()) {
		if g.Find(c) != c {
			continue
		}
		r := slot.Ref{ID: c}
		for i := range g.Slots(c) {
			r.Args = append(r.Args, slot.Name(i))
		}
		out = append(out, r)
	}
	return out
}

// Type is the type of a class.
func (g *Graph) Type(r slot.Ref) *types.Type {
	if g.types == nil {
		return g.sortOf(r.ID)
	}
	return g.types.Get(r.ID)
}

// Arrays reports whether the graph is over arrays.
func (g *Graph) Arrays() bool { return g.language == nil }

// Sort is the sort of a language of that name of which there are variables; it is false if
// there is none.
func (g *Graph) Sort(name string) (*types.Type, bool) {
	if g.language == nil {
		return nil, false
	}
	t := g.language.Sort(name)
	return t, t != nil && g.language.Bound[t]
}

// NumberSort is the sort of a language of that name, or if the name is of none the first
// sort, that has numbers; it is false if there is none.
func (g *Graph) NumberSort(name string) (*types.Type, bool) {
	if g.language == nil {
		return nil, false
	}
	if t := g.language.Sort(name); t != nil {
		return t, g.language.Numbers[t]
	}
	i := slices.IndexFunc(g.language.Sorts, func(t *types.Type) bool { return g.language.Numbers[t] })
	if i < 0 {
		return nil, false
	}
	return g.language.Sorts[i], true
}

// HasNumber reports whether a number is among the values of a sort of the language.
func (g *Graph) HasNumber(t *types.Type, n numeric.Num) bool { return g.language.HasNumber(t, n) }

// Uses reports whether there may be a node with an operator.
func (g *Graph) Uses(sym ops.Sym) bool { return g.lang.made[sym] }

// Named reports whether the class has a name from the source.
func (g *Graph) Named(r slot.Ref) bool { return g.names.Get(r.ID).named }

// Hint is the name of a class in the source.
func (g *Graph) Hint(c egraph.ClassID) (term.Hint, bool) {
	n := g.names.Get(c)
	return n.hint, n.named
}

// SetName gives a class a name.
func (g *Graph) SetName(c egraph.ClassID, h term.Hint) { g.names.Set(c, nameFact{true, h}) }

// Nodes calls f for every node of the class of r.
func (g *Graph) Nodes(r slot.Ref, f func(term.View) bool) {
	g.Graph.Nodes(r, func(n egraph.Node) bool {
		return f(term.View{Op: g.TermOp(n.Op), Own: n.Own, Binders: n.Binders, Kids: n.Kids})
	})
}

// Make adds a node.
func (g *Graph) Make(op ops.Op, own, binders []slot.Name, kids []slot.Ref) (slot.Ref, *ops.TypeError) {
	if g.language != nil { // its terms have the sorts that they should have
		o, err := g.language.op(op, len(kids))
		if err != nil {
			return slot.Ref{}, &ops.TypeError{Kid: -1, Msg: err.Error()}
		}
		return g.Add(o, own, binders, kids), nil
	}
	op.Perm = ops.CanonPerm(op.Perm)
	ts := slice.Map(kids, g.Type)
	t, terr := ops.TypeOf(g.lang.sig.Operator(op.Sym), op, ts)
	if terr != nil {
		return slot.Ref{}, terr
	}
	if t.Kind == types.KArray && t.HasEmptyAxis() {
		return slot.Ref{}, &ops.TypeError{Kid: -1, Msg: fmt.Sprintf("an array %s, with an empty axis, cannot enter the e-graph", t)}
	}
	o, err := g.lang.op(op, len(kids))
	if err != nil {
		return slot.Ref{}, &ops.TypeError{Kid: -1, Msg: err.Error()}
	}
	g.made = t
	r := g.Add(o, own, binders, kids)
	g.made = nil
	return r, nil
}

// AddTerm adds a term of a store, with the names of its atoms.
func (g *Graph) AddTerm(s *term.Store, t term.Term, names map[uint32]term.Hint) (slot.Ref, error) {
	var err error
	f := &Finder{g: g, s: s, node: func(id uint32, v term.View) (slot.Ref, bool) {
		r, terr := g.Make(v.Op, v.Own, v.Binders, v.Kids)
		if terr != nil {
			err = terr
			return r, false
		}
		if h, ok := names[id]; ok {
			g.SetName(r.ID, h)
		}
		return r, true
	}}
	r, _ := f.Find(t)
	return r, err
}

// Finder finds terms of a store in a graph. It remembers the classes of subterms, which
// stay where they are as long as the graph grows.
type Finder struct {
	g *Graph
	s *term.Store
	// node is the class of an e-node, false if there is none.
	node func(id uint32, v term.View) (slot.Ref, bool)
	memo map[uint32]named // of e-nodes with children, over names of their own
}

// Finder returns what finds terms of a store in the graph.
func (g *Graph) Finder(s *term.Store) *Finder {
	return &Finder{g: g, s: s, node: func(_ uint32, v term.View) (slot.Ref, bool) { return g.Lookup(v.Op, v.Own, v.Binders, v.Kids) }}
}

// Find is the class of a term, which it does not add: it is false if the term is not in
// the graph. A literal array that is not there itself is found as an array of literals, or as a replicated one.
func (f *Finder) Find(t term.Term) (slot.Ref, bool) {
	if len(f.s.Kids(t)) == 0 {
		for r := range f.leaf(t, nil) {
			return r, true
		}
		return slot.Ref{}, false
	}
	of, known := f.memo[t.ID]
	if !known {
		of.names = f.g.FreshN(len(t.Args))
		v := f.s.OpenWith(term.Term{ID: t.ID, Args: of.names}, f.g.FreshN(f.s.Binders(t)))
		var ok bool
		for i, k := range v.Kids {
			if v.Kids[i], ok = f.Find(k); !ok {
				return slot.Ref{}, false
			}
		}
		if of.ref, ok = f.node(t.ID, v); !ok {
			return slot.Ref{}, false
		}
		memo.Set(&f.memo, t.ID, of)
	}
	return f.g.FindRef(of.ref).RenameFrom(of.names, t.Args), true
}

// found is the class of a term, if it has one.
type found struct {
	ref slot.Ref
	ok  bool
}

// first is the first class of a term without operands; it is remembered.
func (f *Finder) first(t term.Term, known map[uint32]found) (slot.Ref, bool) {
	out := memo.Of(known, t.ID, func() found {
		for r := range f.leaf(t, known) {
			return found{r, true}
		}
		return found{}
	})
	return out.ref, out.ok
}

// leaf gives the classes of a term without operands: for a literal array those in which it is made of others, too. The
// first of those of others are remembered in known, if there is one.
func (f *Finder) leaf(t term.Term, known map[uint32]found) iter.Seq[slot.Ref] {
	return func(yield func(slot.Ref) bool) {
		if r, ok := f.node(t.ID, f.s.OpenWith(t, nil)); ok && !yield(r) {
			return
		}
		for _, v := range f.s.Forms(t) {
			if known == nil {
				known = make(map[uint32]found)
			}
			ok := true
			for i, k := range v.Kids {
				if v.Kids[i], ok = f.first(k, known); !ok {
					break
				}
			}
			if !ok {
				continue
			}
			if r, ok := f.g.Lookup(v.Op, nil, nil, v.Kids); ok && !yield(r) {
				return
			}
		}
	}
}

// Equal reports whether two terms are in the graph, and equal.
func (f *Finder) Equal(a, b term.Term) bool {
	for x := range f.each(a) {
		for y := range f.each(b) {
			if f.g.Same(x, y) {
				return true
			}
		}
	}
	return false
}

// each gives the class of a term, or those of a literal array.
func (f *Finder) each(t term.Term) iter.Seq[slot.Ref] {
	if len(f.s.Kids(t)) == 0 {
		return f.leaf(t, nil)
	}
	return func(yield func(slot.Ref) bool) {
		if r, ok := f.Find(t); ok {
			yield(r)
		}
	}
}

// Lookup is the class of an e-node that is in the graph.
func (g *Graph) Lookup(op ops.Op, own, binders []slot.Name, kids []slot.Ref) (slot.Ref, bool) {
	op.Perm = ops.CanonPerm(op.Perm)
	o, ok := g.lang.ops[g.lang.keyOf(op, len(kids))]
	if !ok {
		return slot.Ref{}, false
	}
	return g.Graph.Lookup(o, own, binders, kids)
}

// Subst replaces variables in a class. Where a variable is replaced by another of
// the same type, the whole class is renamed; otherwise the least
// term of the class is rebuilt, once for each class and replacement as long as it is the least.
func (g *Graph) Subst(r slot.Ref, env map[slot.Name]match.Replacement) slot.Ref {
	r = g.FindRef(r)
	if to, ok := g.renaming(r, env); ok {
		return to
	}
	if g.record != nil {
		return g.record.subst(r, env)
	}
	out, _ := g.rebuild(r, env, nil)
	return out
}

// rebuilt is what a class becomes by a substitution in its least term, of so many nodes, and where
// proofs are kept that term.
type rebuilt struct {
	out  slot.Ref
	size int
	in   named
}

// rebuild replaces variables in the least term of a class. Where proofs are kept it returns that,
// too, in the names of the store.
func (g *Graph) rebuild(r slot.Ref, env map[slot.Name]match.Replacement, name func(slot.Name) slot.Name) (out slot.Ref, in term.Term) {
	r = g.FindRef(r)
	c, args := g.record, r.Args
	if c != nil {
		args = r.Rename(name).Args
	}
	if to, ok := g.renaming(r, env); ok {
		if c != nil {
			in = c.term(slot.Ref{ID: r.ID, Args: args})
		}
		return g.FindRef(to), in
	}
	key := g.substKey(r, env)
	size := g.sizes.Get(r.ID)
	if x, ok := g.substs[key]; ok && x.size <= size {
		return g.FindRef(x.out), x.in.ref.RenameFrom(x.in.names, args)
	}
	n, done := g.entered(r)
	defer done()
	op := g.TermOp(n.Op)
	kids, terms := make([]slot.Ref, len(n.Kids)), make([]term.Term, len(n.Kids))
	for i, k := range n.Kids {
		kids[i], terms[i] = g.rebuild(k, env, name)
	}
	if len(n.Own) > 0 {
		out = env[n.Own[0]].By
	} else {
		var err *ops.TypeError
		if out, err = g.Make(op, nil, n.Binders, kids); err != nil {
			panic(fmt.Sprintf("substitution in a class makes an ill-typed term: %s", err.Msg))
		}
	}
	if c != nil {
		names := func(ns []slot.Name) []slot.Name { return slot.Ref{Args: ns}.Rename(name).Args }
		in = c.store.MustMake(op, names(n.Own), names(n.Binders), terms)
	}
	g.substs[key] = rebuilt{out, size, named{in, args}}
	return out, in
}

// renaming is r with variables renamed, if env only does that and keeps the
// names of r distinct.
func (g *Graph) renaming(r slot.Ref, env map[slot.Name]match.Replacement) (slot.Ref, bool) {
	if !slices.ContainsFunc(r.Args, func(n slot.Name) bool { _, ok := env[n]; return ok }) {
		return r, true
	}
	out := slot.Ref{ID: r.ID, Args: make([]slot.Name, len(r.Args))}
	for i, n := range r.Args {
		out.Args[i] = n
		x, ok := env[n]
		if !ok {
			continue
		}
		found := false
		g.Nodes(x.By, func(v term.View) bool {
			of, ok := v.Op.Variable()
			if found = ok && of.Equal(x.Of); found {
				out.Args[i] = v.Own[0]
			}
			return !found
		})
		if !found {
			return slot.Ref{}, false
		}
	}
	for i, n := range out.Args {
		for _, m := range out.Args[:i] {
			if n == m {
				return slot.Ref{}, false
			}
		}
	}
	return out, true
}

func (g *Graph) substKey(r slot.Ref, env map[slot.Name]match.Replacement) string {
	b := binary.AppendUvarint(nil, uint64(r.ID))
	for _, n := range r.Args {
		x, ok := env[n]
		if !ok {
			b = binary.AppendUvarint(append(b, 0), uint64(n))
			continue
		}
		by := g.FindRef(x.By)
		b = binary.AppendUvarint(append(b, 1), uint64(by.ID))
		for _, m := range by.Args {
			b = binary.AppendUvarint(append(b, 2), uint64(m))
		}
	}
	return string(b)
}

// entered is the node of a class in which variables are replaced, until done. Rules of a
// language compute: what a directed run has rewritten it would have to rewrite again, and
// where a function is what it gives when it is applied, \x -> f x, f x would be made of it
// for ever. Inside of such a node the class itself is entered by its least term.
func (g *Graph) entered(r slot.Ref) (n egraph.Node, done func()) {
	if g.language == nil || g.replacing[r.ID] {
		return g.least(r), func() {}
	}
	g.replacing[r.ID] = true
	done = func() { delete(g.replacing, r.ID) }
	n, ok := g.leastOf(r, g.Graph.OpenNodes)
	if !ok { // of large terms, any that is not rewritten
		g.Graph.OpenNodes(r, func(open egraph.Node) bool {
			n, ok = open, true
			return false
		})
	}
	if !ok {
		n = g.least(r)
	}
	return n, done
}

// least is the node of the least term of a class; of large terms, a node whose
// children were there before the class, as there always is one.
func (g *Graph) least(r slot.Ref) egraph.Node {
	n, _ := g.leastOf(r, g.Graph.Nodes)
	return n
}

// leastOf is the same among some nodes, of which there may be none.
func (g *Graph) leastOf(r slot.Ref, nodes func(slot.Ref, func(egraph.Node) bool)) (best egraph.Node, ok bool) {
	bestSize := maxTermSize + 1
	nodes(r, func(n egraph.Node) bool {
		s := g.sizes.Of(n)
		if s < bestSize && (s < maxTermSize || g.elder(r, n)) {
			best, bestSize, ok = n, s, true
		}
		return true
	})
	return best, ok
}

// elder reports whether the children of a node are older than the class of r.
func (g *Graph) elder(r slot.Ref, n egraph.Node) bool {
	return !slices.ContainsFunc(n.Kids, func(k slot.Ref) bool { return g.births.Get(k.ID) >= g.births.Get(r.ID) })
}
