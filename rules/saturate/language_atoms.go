package saturate

import (
	"fmt"

	"egad/egraph"
	"egad/internal/memo"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// atoms follows symbols through a graph, and notices where atoms, symbols or numbers,
// become equal. A fact is 1 + the operator of a symbol in a class, the first that was
// declared of those of which it is known from what they differ if there are any, or aNumber if there is only a number, or 0.
type atoms struct{ k *known }

const aNumber = -1

// MakeOp looks at the operator.
func (a atoms) MakeOp(_ *egraph.Column[int], op egraph.Op, _ []egraph.ClassID) int {
	switch o := a.k.l.info(op); {
	case o.number:
		return aNumber
	case o.symbol:
		return 1 + int(op)
	}
	return 0
}

func (a atoms) Merge(x, y int) (int, error) {
	switch {
	case x == 0 || x == y:
		return y, nil
	case y == 0:
		return x, nil
	}
	a.k.merged++
	if x == aNumber || y == aNumber {
		return max(x, y), nil
	}
	if v := a.valued(x); v != a.valued(y) {
		if v {
			return x, nil
		}
		return y, nil
	}
	return min(x, y), nil
}

// valued reports whether it is known from what the symbol of a fact differs.
func (a atoms) valued(fact int) bool { return a.k.l.info(egraph.Op(fact - 1)).valued }

// Equal reports whether two facts are the same.
func (atoms) Equal(x, y int) bool { return x == y }

// known is what is known of the classes of a graph of a language.
type known struct {
	l         *Language
	constants *egraph.Column[int] // nil if nobody asks for them
	atoms     *egraph.Column[int]
	told      [][2]egraph.Op // atoms that a condition has told apart
	toldOf    map[[2]egraph.Op]bool
	merged    int // how often classes with atoms have become one
	sure      int // merged, when what was told was last looked at
}

// follow attaches what the language asks for to a graph.
func (k *known) follow(g *egraph.Graph) {
	if k.l.columns {
		f := &folding{l: k.l}
		f.column = egraph.AttachOp(g, f)
		k.constants = f.column
	}
	if k.l.atoms {
		k.atoms = egraph.AttachOp(g, atoms{k})
	}
}

// constant is the constant that a class equals; it is false if none is known.
func (k *known) constant(r egraph.Ref) (egraph.Op, bool) {
	c := constantIn(k.constants.Get(r.ID))
	return egraph.Op(c - 1), c > 0
}

// symbol is a symbol that is in the class; it is false if there is none.
func (k *known) symbol(r egraph.Ref) (egraph.Op, bool) {
	s := k.atoms.Get(r.ID)
	return egraph.Op(s - 1), s > 0
}

// isConstant reports whether a class equals a constant.
func (k *known) isConstant(c egraph.ClassID) bool {
	_, is := k.constant(egraph.Ref{ID: c})
	return is
}

// apart reports whether two atoms of a sort, numbers or symbols, are different. That symbols
// differ is remembered: if they turn out to be equal, that is a contradiction.
func (k *known) apart(x, y egraph.Op) bool {
	if !k.l.Differ(k.l.lang.terms[x], k.l.lang.terms[y]) {
		return false
	}
	if !k.l.ops[x].constant || !k.l.ops[y].constant {
		k.tell(x, y)
	}
	return true
}

// atom is the constant that a class equals, or if none is known of which it is known from what it
// differs a symbol in it; it is false if there is none.
func (k *known) atom(r egraph.Ref) (egraph.Op, bool) {
	if c, is := k.constant(r); is && k.l.ops[c].valued {
		return c, true
	}
	return k.symbol(r)
}

// tell remembers that a condition rests on two atoms being different.
func (k *known) tell(a, b egraph.Op) {
	pair := [2]egraph.Op{a, b}
	if k.toldOf[pair] {
		return
	}
	memo.Set(&k.toldOf, pair, true)
	k.told = append(k.told, pair)
}

// confused is a pair of atoms that a condition took for different, and that are equal;
// it is false if there is none.
func (g *Graph) confused() (pair [2]egraph.Op, ok bool) {
	k := g.known
	if k == nil || k.merged == k.sure {
		return pair, false // there are none, or what was told apart was so then
	}
	for _, p := range k.told {
		a, okA := g.Graph.Lookup(p[0], nil, nil, nil)
		b, okB := g.Graph.Lookup(p[1], nil, nil, nil)
		if okA && okB && g.Same(a, b) {
			return p, true
		}
	}
	k.sure = k.merged
	return pair, false
}

// Contradicts says what the rules contradict that the engine knows nothing of, and at
// the end of a run also what is said to differ from itself, of which text makes a text;
// "" if there is nothing.
func (g *Graph) Contradicts(atEnd bool, text func(distinct ops.Sym, side egraph.Ref) string) string {
	if p, ok := g.confused(); ok {
		return fmt.Sprintf("%s = %s, and a condition rests on their being different", g.language.called(g.TermOp(p[0])), g.language.called(g.TermOp(p[1])))
	}
	if !atEnd {
		return ""
	}
	if r, ok := g.irreflexive(); ok {
		return text(g.language.distinct.Sym, r)
	}
	return ""
}

// irreflexive is a term that is != to itself; it is false if there is none.
func (g *Graph) irreflexive() (side egraph.Ref, ok bool) {
	if g.language == nil || g.language.selfDistinct == nil {
		return side, false
	}
	g.Matches(&egraph.Rule{Lhs: g.language.selfDistinct}, func(m *egraph.Match) bool {
		if ok = g.isTrue(m.Root()); ok {
			side = m.Var(0)
		}
		return !ok
	})
	return side, ok
}

// isTrue reports whether a term of the sort of facts holds, or of arrays a truth value,
// or all of an array of them.
func (g *Graph) isTrue(r egraph.Ref) bool {
	if g.language == nil {
		x := g.fills.Get(r.ID)
		return x != nil && x.Elem == types.B && x.IsInt(1)
	}
	h, ok := g.Graph.Lookup(g.language.holds, nil, nil, nil)
	return ok && g.Same(r, h)
}

// Fact reports whether a fact of a language is known, or a truth value: that it is true. Of the
// relation !=, constants differ, and it is symmetric.
func (f *Finder) Fact(t term.Term) bool {
	g := f.g
	r, ok := f.Find(t)
	if ok && g.isTrue(r) {
		return true
	}
	if g.language == nil || g.language.distinct == nil || f.s.Op(t).Sym != g.language.distinct.Sym {
		return false
	}
	v := f.s.OpenWith(t, nil)
	a, okA := f.Find(v.Kids[0])
	b, okB := f.Find(v.Kids[1])
	return okA && okB && g.differ(a, b)
}

// differ reports whether two classes are known to differ by what != is: constants do, and it is
// symmetric.
func (g *Graph) differ(a, b egraph.Ref) bool {
	x, okX := g.known.constant(a)
	y, okY := g.known.constant(b)
	if okX && okY && x != y {
		return true
	}
	m, ok := g.Lookup(ops.Op{Sym: g.language.distinct.Sym}, nil, nil, []egraph.Ref{b, a})
	return ok && g.isTrue(m)
}
