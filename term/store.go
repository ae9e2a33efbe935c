package term

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Term is a term of a [Store]: a node and the names it passes for the node's
// free slots, all distinct. A closed term has no names.
type Term = slot.Ref

// Store holds terms as a hash-consed DAG in alpha-canonical form: two terms are
// alpha-equivalent exactly if they are the same node with the same names.
// Nodes are never changed or removed.
//
// Making terms, opening them and [Store.Range] change a Store, which one goroutine
// at a time may do, and while nobody reads. What is given a [Program] works on a
// [Store.Clone] of its own.
type Store struct {
	sig   *Signature
	nodes []node
	byKey map[string]uint32
	ops   []ops.Op
	opID  map[string]uint32
	types map[string]*types.Type
	// typeID numbers the types of the store.
	typeID map[*types.Type]uint32
	next   slot.Name
	places map[uint32]Place
	// bounds remembers what interval analysis found.
	bounds map[uint32]ops.Bounds

	// AsWritten keeps arrays of literals and replicated literals, and tuples of all the
	// components of one, as they are, instead of making literals, and that one, of them.
	AsWritten bool
	// MaxNodes bounds the number of nodes; reaching it is an [*overflow.Error].
	MaxNodes int
	// Unify compares types: [ops.Equality], unless terms are checked under
	// assumptions about sizes.
	Unify ops.Unifier
	// Stop, if it is not nil, tells work in the store to end, and in copies of it.
	Stop *interrupt.Stop
}

type node struct {
	op    uint32
	own   []slot.Pos
	kids  []slot.Kid
	typ   *types.Type
	vars  []ops.VarType // what each free slot stands for
	depth int32
}

// MaxDepth bounds how deep terms nest, so that recursion over them is safe.
const MaxDepth = 100_000

// MaxFree is how many free variables a term can have.
const MaxFree = 200

// DefaultMaxNodes is the bound on nodes of a new Store.
const DefaultMaxNodes = 4_000_000

// NewStore returns an empty store over sig.
func NewStore(sig *Signature) *Store {
	return &Store{
		sig:      sig,
		nodes:    make([]node, 1), // id 0 is no node
		byKey:    make(map[string]uint32),
		opID:     make(map[string]uint32),
		types:    make(map[string]*types.Type),
		typeID:   make(map[*types.Type]uint32),
		MaxNodes: DefaultMaxNodes,
		Unify:    ops.Equality{},
	}
}

// Clone returns a store of its own that begins with the terms of s: what is made in
// one is not in the other. It takes time in proportion to the nodes, a small part
// of what making them took.
func (s *Store) Clone() *Store {
	c := s.reading()
	c.byKey, c.opID, c.types = maps.Clone(s.byKey), maps.Clone(s.opID), maps.Clone(s.types)
	c.typeID, c.places = maps.Clone(s.typeID), maps.Clone(s.places)
	return c
}

// reading is s with fresh names and ranges of its own, for those who look at its
// terms and make none.
func (s *Store) reading() *Store {
	c := *s
	// Nodes that are added to one of them are not those of the other.
	c.nodes, c.ops, c.bounds = slices.Clip(s.nodes), slices.Clip(s.ops), nil
	return &c
}

// Signature returns the operators that the store knows.
func (s *Store) Signature() *Signature { return s.sig }

// Len returns the number of nodes.
func (s *Store) Len() int { return len(s.nodes) - 1 }

// Fresh returns a name that no term has yet.
func (s *Store) Fresh() slot.Name {
	s.next++
	return s.next
}

// FreshN returns n fresh names.
func (s *Store) FreshN(n int) []slot.Name {
	return slice.Make(n, func(int) slot.Name { return s.Fresh() })
}

// Make applies op to children. Binders names the variables it binds, in the
// children that [ops.Operator.Under] tells; own names the slots of a variable.
// It fails if the result has no type. Arrays of literals and replicated literals are
// literals, and (t.0, …, t.n) with all the components of t is t, but for [Store.AsWritten].
func (s *Store) Make(op ops.Op, own, binders []slot.Name, kids []Term) (Term, *ops.TypeError) {
	op.Perm = ops.CanonPerm(op.Perm)
	if !s.AsWritten {
		if t, ok := s.fold(op, kids); ok {
			return t, nil
		}
	}
	source := slot.Source{Own: own, Kids: kids, Binders: binders}
	if len(binders) > 0 {
		source.Under = s.sig.ops[op.Sym].Under
	}
	row := slot.Canonicalise(source)
	if n := max(len(row.Free), len(binders)); n > MaxFree {
		panic(&overflow.Error{Msg: fmt.Sprintf("a term has more than %d variables", MaxFree)})
	}
	id := s.internOp(op)
	key := rowKey(id, row)
	if n, ok := s.byKey[string(key)]; ok {
		return Term{ID: n, Args: row.Free}, nil
	}
	n := node{op: id, own: row.Own, kids: row.Kids}
	if err := s.typeNode(&n, op, len(row.Free)); err != nil {
		return Term{}, err
	}
	if s.Stop.Left() {
		panic(interrupt.ErrEnded)
	}
	if len(s.nodes) > s.MaxNodes {
		panic(&overflow.Error{Msg: fmt.Sprintf("the program has more than %d distinct terms", s.MaxNodes)})
	}
	if n.depth > MaxDepth {
		panic(&overflow.Error{Msg: fmt.Sprintf("terms nest more than %d deep", MaxDepth)})
	}
	s.nodes = append(s.nodes, n)
	s.byKey[string(key)] = uint32(len(s.nodes) - 1)
	return Term{ID: uint32(len(s.nodes) - 1), Args: row.Free}, nil
}

// MustMake does what [Store.Make] does, of terms known to be well typed.
func (s *Store) MustMake(op ops.Op, own, binders []slot.Name, kids []Term) Term {
	t, err := s.Make(op, own, binders, kids)
	if err != nil {
		panic(fmt.Sprintf("ill-typed %s: %s", s.sig.Operator(op.Sym).Name, err.Msg))
	}
	return t
}

// typeNode fills in type, what slots stand for and depth, and checks that binders
// stand for what their variables say.
func (s *Store) typeNode(n *node, op ops.Op, free int) *ops.TypeError {
	n.vars = make([]ops.VarType, free)
	seen := make([]bool, free)
	set := func(p slot.Pos, v ops.VarType) *ops.TypeError {
		if p&slot.Bound != 0 {
			if want := s.sig.ops[op.Sym].BinderType(op, int(p&^slot.Bound)); !want.Equal(v) {
				return &ops.TypeError{Kid: -1, Msg: fmt.Sprintf("a variable that %s is bound to one that %s", v, want)}
			}
			return nil
		}
		if seen[p] && !n.vars[p].Equal(v) {
			return &ops.TypeError{Kid: -1, Msg: fmt.Sprintf("one variable %s and %s", v, n.vars[p])}
		}
		seen[p], n.vars[p] = true, v
		return nil
	}
	for _, p := range n.own {
		v, _ := op.Variable()
		if err := set(p, v); err != nil {
			return err
		}
	}
	kinds := make([]*types.Type, len(n.kids))
	for i, k := range n.kids {
		kid := &s.nodes[k.ID]
		kinds[i] = kid.typ
		n.depth = max(n.depth, kid.depth+1)
		for j, p := range k.Args {
			if err := set(p, kid.vars[j]); err != nil {
				return err
			}
		}
	}
	t, err := ops.InferType(s.Unify, s.sig.Operator(op.Sym), op, kinds)
	if err != nil {
		return err
	}
	n.typ = s.internType(t)
	return nil
}

func (s *Store) internOp(op ops.Op) uint32 {
	key := op.Key()
	if id, ok := s.opID[key]; ok {
		return id
	}
	if op.Type != nil {
		op.Type = s.internType(op.Type)
	}
	s.ops = append(s.ops, op)
	s.opID[key] = uint32(len(s.ops) - 1)
	return uint32(len(s.ops) - 1)
}

// internType is the type of the store that is equal to t. Types are told apart by
// the numbers of their parts: of the maps on a tuple of many arrays, each is as
// cheap as another.
func (s *Store) internType(t *types.Type) *types.Type {
	if _, ok := s.typeID[t]; ok {
		return t
	}
	key := ""
	if t.Kind == types.KArray || t.Kind == types.KVar || t.Kind == types.KSort {
		key = t.Key()
	} else {
		b := append(make([]byte, 0, 64), '(', byte(t.Kind))
		for _, p := range t.Parts {
			b = binary.AppendUvarint(b, uint64(s.typeID[s.internType(p)]))
		}
		key = string(b)
	}
	if u, ok := s.types[key]; ok {
		return u
	}
	s.types[key] = t
	s.typeID[t] = uint32(len(s.types))
	return t
}

func rowKey(op uint32, r slot.Row) []byte {
	b := make([]byte, 0, 64)
	b = binary.AppendUvarint(b, uint64(op))
	b = appendPos(b, r.Own)
	for _, k := range r.Kids {
		b = binary.AppendUvarint(b, uint64(k.ID))
		b = appendPos(b, k.Args)
	}
	return b
}

func appendPos(b []byte, ps []slot.Pos) []byte {
	b = binary.AppendUvarint(b, uint64(len(ps)))
	for _, p := range ps {
		b = binary.AppendUvarint(b, uint64(p))
	}
	return b
}

// Ops lists the operators of the terms that have been made.
func (s *Store) Ops() []ops.Op { return s.ops }

// Op returns the operator of t.
func (s *Store) Op(t Term) ops.Op { return s.ops[s.nodes[t.ID].op] }

// OpNumber is where the operator of a node stands in Ops.
func (s *Store) OpNumber(t Term) int { return int(s.nodes[t.ID].op) }

// Type returns the type of t.
func (s *Store) Type(t Term) *types.Type { return s.nodes[t.ID].typ }

// Vars tells what the free slots of t stand for, in the order of t.Args.
func (s *Store) Vars(t Term) []ops.VarType { return s.nodes[t.ID].vars }

// Binders returns how many variables the operator of t binds.
func (s *Store) Binders(t Term) int { return s.sig.Binders(s.Op(t)) }

// Depth returns how deep t nests; a leaf has depth 0.
func (s *Store) Depth(t Term) int { return int(s.nodes[t.ID].depth) }

// View is a term taken apart: its operator, the names its binders were given,
// and its children in those names and the term's own.
type View struct {
	Op      ops.Op
	Own     []slot.Name
	Binders []slot.Name
	Kids    []Term
}

// Renamed returns v with other names for its binders.
func (v View) Renamed(binders []slot.Name) View {
	if slices.Equal(v.Binders, binders) {
		return v
	}
	v.Binders, v.Kids = binders, slice.Map(v.Kids, func(k Term) Term { return k.RenameFrom(v.Binders, binders) })
	return v
}

// Open takes t apart, with fresh names for its binders.
func (s *Store) Open(t Term) View {
	return s.OpenWith(t, s.FreshN(s.Binders(t)))
}

// OpenWith takes t apart and gives its binders the given names.
func (s *Store) OpenWith(t Term, binders []slot.Name) View {
	n := &s.nodes[t.ID]
	return View{
		Op:      s.ops[n.op],
		Own:     slot.Names(n.own, t.Args, nil),
		Binders: binders,
		Kids:    slot.Open(n.kids, t.Args, binders),
	}
}

// Kids returns the stored children of t, in the numbering of t's node.
func (s *Store) Kids(t Term) []slot.Kid { return s.nodes[t.ID].kids }

// Subst replaces free variables of t by terms.
func (s *Store) Subst(t Term, env map[slot.Name]Term) Term {
	sub := &substitution{store: s, env: env, kept: make(map[slot.Name]bool), memo: make(map[string]substituted)}
	for _, by := range env {
		for _, n := range by.Args {
			sub.kept[n] = true
		}
	}
	return sub.apply(t)
}

// substitution remembers what became of each node, up to the names of the
// variables that it does not touch: a node that occurs in several loops is
// visited once.
type substitution struct {
	store *Store
	env   map[slot.Name]Term
	kept  map[slot.Name]bool // the free variables of replacements
	memo  map[string]substituted
}

type substituted struct {
	term Term
	free []slot.Name // names of its own, in the place of variables that stay
}

func (s *substitution) apply(t Term) Term {
	key := binary.AppendUvarint(make([]byte, 0, 32), uint64(t.ID))
	touched := false
	var stay []slot.Name
	for _, n := range t.Args {
		// A variable that also occurs in a replacement goes by its name.
		tag := uint64(0)
		if _, replaced := s.env[n]; replaced {
			touched, tag = true, 1+uint64(n)
		} else if s.kept[n] {
			tag = 1 + uint64(n)
		} else {
			stay = append(stay, n)
		}
		key = binary.AppendUvarint(key, tag)
	}
	if !touched {
		return t
	}
	r, ok := s.memo[string(key)]
	if !ok {
		r.free = s.store.FreshN(len(stay))
		v := s.store.Open(t.RenameFrom(stay, r.free))
		if len(v.Own) > 0 {
			r.term = s.env[v.Own[0]]
		} else {
			for i, k := range v.Kids {
				v.Kids[i] = s.apply(k)
			}
			r.term = s.store.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		}
		s.memo[string(key)] = r
	}
	return r.term.RenameFrom(r.free, stay)
}

// TermKey returns a string that is equal for equal terms and differs otherwise.
func TermKey(t Term) string {
	b := binary.AppendUvarint(make([]byte, 0, 16), uint64(t.ID))
	for _, n := range t.Args {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return string(b)
}

// SubstVars replaces the named inputs of t that env mentions by closed terms of
// the same types.
func (s *Store) SubstVars(t Term, env map[string]Term) Term {
	r, _ := s.Rewrite(t, func(_ Term, v View) (Term, bool) {
		if v.Op.Sym != ops.SymVar {
			return Term{}, false
		}
		by, ok := env[v.Op.Name]
		return by, ok
	})
	return r
}

// Replace replaces nodes from the root down: where by is true of a term, what it gives
// stands in its place, and nothing in it is looked at. A term is asked about once, over
// names of its own.
func (s *Store) Replace(t Term, by func(Term) (Term, bool)) Term {
	of, _ := s.Replacer(func(at Term, replaced func() View) Term {
		if r, ok := by(at); ok {
			return r
		}
		return s.Remade(replaced())
	})
	return of(t)
}

// renamed is t with other names for variables. Two variables may become one: a term of
// which a part was replaced by one with a variable that occurs elsewhere in the whole.
func (s *Store) renamed(t Term, from, to []slot.Name) Term {
	out := t.RenameFrom(from, to)
	once := make(map[slot.Name]bool)
	for _, n := range out.Args {
		once[n] = true
	}
	if len(once) == len(out.Args) {
		return out
	}
	env := make(map[slot.Name]Term)
	for i, n := range t.Args {
		if out.Args[i] != n {
			env[n] = s.Variable(out.Args[i], s.Vars(t)[i])
		}
	}
	return s.Subst(t, env)
}

// Rewrite replaces nodes from the leaves up: by is given a node and its view with
// children that have been replaced. It also returns what became of the nodes
// that changed, each over names of its own.
func (s *Store) Rewrite(t Term, by func(at Term, v View) (Term, bool)) (Term, map[uint32]Term) {
	of, became := s.Rewriter(by)
	return of(t), became
}

// Rewriter is Rewrite for several terms; each node is looked at once.
func (s *Store) Rewriter(by func(at Term, v View) (Term, bool)) (func(Term) Term, map[uint32]Term) {
	return s.Replacer(func(at Term, replaced func() View) Term {
		v := replaced()
		if r, ok := by(at, v); ok {
			return r
		}
		if !s.AsWritten {
			if r, ok := s.fold(v.Op, v.Kids); ok {
				return r
			}
		}
		if s.views(at, v) {
			return at
		}
		return s.Remade(v)
	})
}

// views reports whether v, of the operator and the variables of t, is a view of t still.
func (s *Store) views(t Term, v View) bool {
	for i, k := range s.nodes[t.ID].kids {
		if v.Kids[i].ID != k.ID {
			return false
		}
		for j, p := range k.Args {
			if v.Kids[i].Args[j] != slot.At(p, t.Args, v.Binders) {
				return false
			}
		}
	}
	return true
}

// Remade is the term of a view.
func (s *Store) Remade(v View) Term { return s.MustMake(v.Op, v.Own, v.Binders, v.Kids) }

// Replacer replaces nodes by what by gives, which may ask for the view of a node with children
// that have been replaced. It also returns what became of the nodes, each over names of its own.
func (s *Store) Replacer(by func(at Term, replaced func() View) Term) (func(Term) Term, map[uint32]Term) {
	memo := make(map[uint32]Term) // the result for a node over names of its own
	names := make(map[uint32][]slot.Name)
	var walk func(id uint32) Term
	walk = func(id uint32) Term {
		if r, ok := memo[id]; ok {
			return r
		}
		names[id] = s.FreshN(len(s.nodes[id].vars))
		at := Term{ID: id, Args: names[id]}
		r := by(at, func() View {
			v := s.Open(at)
			for i, k := range v.Kids {
				v.Kids[i] = s.renamed(walk(k.ID), names[k.ID], k.Args)
			}
			return v
		})
		memo[id] = r
		return r
	}
	return func(t Term) Term {
		r := walk(t.ID)
		return s.renamed(r, names[t.ID], t.Args)
	}, memo
}
