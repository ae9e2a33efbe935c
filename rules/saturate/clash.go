package saturate

import (
	"errors"
	"slices"

	"egad/egraph"
	explain "egad/egraph/proof"
	"egad/rules"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
)

// ErrNoClash says that no two terms contradict each other by themselves: what is known of a
// term may come from several.
var ErrNoClash = errors.New("no two terms contradict each other by themselves")

// How often a clash is looked for, how many terms of a class say different things, and how
// many proofs are made to take the shortest.
const (
	maxRounds = 100
	maxSaid   = 8
	maxPairs  = 20
)

// Clash proves that two terms are equal that by themselves cannot be: different constants of
// a language, or symbols that mean different values, or arrays with different literals or ranges. What operators give is computed
// for terms that have become equal. Of some proofs it is one with the fewest steps.
func (k Known) Clash(s *term.Store) (out *proof.Proof, err error) {
	err = overflow.Guard(func() error {
		var facts []term.Term
		for _, x := range k.Assumed {
			if s.IsTrue(x.B) {
				facts = append(facts, x.A)
			}
		}
		x := &clash{Known: k, ranges: s.Supposing(false, facts...)}
		var others []term.Term
		steps := 0 // of the proof
		for range maxRounds {
			x.closure, x.said = newClosure(s), make(map[egraph.ClassID][]term.Term)
			for _, t := range others {
				x.enter(t)
			}
			if err := x.Known.give(x.closure); err != nil {
				return err
			}
			x.Graph.Rebuild()
			pairs := x.pairs()
			for _, p := range pairs[:min(len(pairs), maxPairs)] {
				pr, e := x.prove(x.at(p[0]), x.at(p[1]), k.End)
				if e == nil {
					if n := len(pr.Chain(pr.Last()).Steps); out == nil || n < steps {
						out, steps = pr, n
					}
				} else if err = e; e != nil && out == nil && e == explain.ErrTime {
					return e
				}
			}
			if out != nil {
				return nil
			}
			before := len(others) + len(x.Equations)
			if k.Language == nil {
				others = append(others, x.others()...)
			} else {
				constants := make(map[egraph.ClassID]term.Term)
				for c, said := range x.said {
					if i := slices.IndexFunc(said, func(t term.Term) bool { return x.Language.IsConstant(x.store.Op(t)) }); i >= 0 {
						constants[c] = said[i]
					}
				}
				x.Equations = slices.Concat(x.computed(k.Language, constants), x.Equations)
			}
			if len(others)+len(x.Equations) == before {
				break
			}
		}
		return ErrNoClash
	})
	return out, err
}

// clash looks for terms that are equal and cannot be.
type clash struct {
	Known
	*closure
	ranges *term.Supposed
	said   map[egraph.ClassID][]term.Term // by class: terms that say different things of it
}

// at is the e-node of a term.
func (x *clash) at(t term.Term) slot.Ref {
	n := x.nodes[t.ID]
	return n.ref.RenameFrom(n.names, t.Args)
}

// says is what a term says by itself: nothing, or a constant of a language or a symbol with a
// known value, or a range.
func (x *clash) says(t term.Term) (b ops.Bounds, something bool) {
	if x.Language != nil {
		return b, x.Language.Says(x.store.Op(t))
	}
	b = x.ranges.Bounds(t)
	return b, b != ops.Unbounded || x.literal(t) != nil
}

// literal is the element of a literal, nil if a term is none.
func (x *clash) literal(t term.Term) *ops.Scalar {
	if op := x.store.Op(t); op.Sym == ops.SymConst && op.Const.Data == nil {
		return &op.Const.Fill
	}
	return nil
}

// apart reports whether two terms cannot be equal by what they say.
func (x *clash) apart(t, u term.Term) bool {
	if x.Language != nil {
		return x.Language.Contradict(x.store.Op(t), x.store.Op(u))
	}
	a, _ := x.says(t)
	b, _ := x.says(u)
	_, ranges := boundsLattice{}.Merge(a, b)
	p, q := x.literal(t), x.literal(u)
	return ranges != nil || p != nil && q != nil && p.Key() != q.Key()
}

// pairs lists terms that are equal and cannot be, and notes what others say.
func (x *clash) pairs() (out [][2]term.Term) {
	for _, t := range x.order {
		b, something := x.says(t)
		if !something {
			continue
		}
		r := x.Graph.FindRef(x.at(t))
		news := true
		for _, u := range x.said[r.ID] {
			u = x.like(u, r)
			switch c, _ := x.says(u); {
			case x.apart(u, t):
				pair := [2]term.Term{u, t}
				if x.Language != nil && x.before(x.store.Op(t), x.store.Op(u)) {
					pair = [2]term.Term{t, u}
				}
				out = append(out, pair)
			case x.Language == nil && b == c && (x.literal(t) == nil || x.literal(u) != nil):
				news = false
			}
		}
		if news && len(x.said[r.ID]) < maxSaid {
			x.said[r.ID] = append(x.said[r.ID], t)
		}
	}
	return out
}

// others lists terms as there are, with operands of which more is known.
func (x *clash) others() (out []term.Term) {
	for _, t := range x.order {
		v, changed := x.store.Open(t), false
		for i, kid := range v.Kids {
			best, r := kid, x.Graph.FindRef(x.at(kid))
			for _, u := range x.said[r.ID] {
				if x.more(u, best) {
					best, changed = x.like(u, r), true
				}
			}
			v.Kids[i] = best
		}
		if !changed {
			continue
		}
		if u, err := x.store.Make(v.Op, v.Own, v.Binders, v.Kids); err == nil {
			if _, known := x.nodes[u.ID]; !known {
				out = append(out, u)
			}
		}
	}
	return out
}

// more reports whether a term says more than another one.
func (x *clash) more(t, u term.Term) bool {
	if p, q := x.literal(t), x.literal(u); p != nil || q != nil {
		return q == nil
	}
	a, _ := x.says(t)
	b, _ := x.says(u)
	both, err := boundsLattice{}.Merge(a, b)
	return err == nil && both == a && a != b
}

// before is an order of constants: numbers by value, and others as they are declared.
func (k Known) before(a, b ops.Op) bool {
	x, isX := k.Language.Number(a)
	y, isY := k.Language.Number(b)
	if isX && isY {
		return x.Cmp(y) < 0
	}
	return a.Sym < b.Sym
}

// computed are equations for terms whose operands equal numbers, as far as they are news.
func (c *closure) computed(l *rules.Language, constants map[egraph.ClassID]term.Term) (out []Equation) {
	for _, t := range c.order {
		op := c.store.Op(t)
		if l.FoldOf(op.Sym) == nil {
			continue
		}
		var kids []slot.Ref
		var operands []ops.Op
		for _, k := range c.store.OpenWith(t, nil).Kids {
			if x, known := constants[c.Graph.Find(c.nodes[k.ID].ref.ID)]; known {
				kids, operands = append(kids, x), append(operands, c.store.Op(x))
			}
		}
		if len(kids) < len(c.store.Kids(t)) {
			continue
		}
		value, err := l.Folded(op, operands)
		if err != nil {
			continue
		}
		u, v := c.store.MustMake(op, nil, nil, kids), c.store.MustMake(value, nil, nil, nil)
		a, there := c.nodes[u.ID]
		b, also := c.nodes[v.ID]
		if !there || !also || !c.Graph.Same(a.ref, b.ref) {
			out = append(out, Equation{Kind: proof.Computed, Left: u, Right: v})
		}
	}
	return out
}
