package saturate

import (
	"errors"
	"math/big"
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
)

// Clash proves that two different constants of a language are equal. What operators on
// numbers give is computed for terms that have become equal.
func (k Known) Clash(s *term.Store) (out *proof.Proof, err error) {
	err = term.Guard(func() error {
		for {
			c := newClosure(s)
			if err := k.give(c); err != nil {
				return err
			}
			c.g.Rebuild()
			constants := make(map[egraph.ClassID]term.Term)
			for _, t := range c.order {
				if !k.Language.IsConstant(s.Op(t)) {
					continue
				}
				r := c.g.FindRef(c.nodes[t.ID].ref)
				if other, ok := constants[r.ID]; ok {
					if k.before(s.Op(t), s.Op(other)) {
						t, other = other, t
					}
					out, err = c.prove(c.nodes[other.ID].ref, c.nodes[t.ID].ref, k.End)
					return err
				}
				constants[r.ID] = t
			}
			more := c.computed(k.Language, constants)
			if len(more) == 0 {
				return errors.New("no two terms contradict each other by themselves")
			}
			k.Equations = slices.Concat(more, k.Equations)
		}
	})
	return out, err
}

// before is an order of constants: numbers by value, and others as they are declared.
func (k Known) before(a, b term.Op) bool {
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
		i := slices.IndexFunc(l.Folds, func(f rules.Fold) bool { return f.Sym == op.Sym })
		if i < 0 {
			continue
		}
		var kids []slot.Ref
		var args []*big.Rat
		for _, k := range c.store.OpenWith(t, nil).Kids {
			x, known := constants[c.g.Find(c.nodes[k.ID].ref.ID)]
			n, number := (*big.Rat)(nil), false
			if known {
				n, number = l.Number(c.store.Op(x))
			}
			if !number {
				break
			}
			kids, args = append(kids, x), append(args, n)
		}
		if len(args) < len(c.store.Kids(t)) {
			continue
		}
		x, holds, ok := l.Folds[i].Compute(op, args)
		if !ok {
			continue
		}
		value := term.Op{Sym: term.SymConst, Type: c.store.Type(t)}
		switch {
		case !l.Folds[i].Compares():
			value.Const = term.ConstFill(term.ScalarR(term.NumOf(x)))
		case holds:
			value = term.Op{Sym: l.Folds[i].Yes}
		default:
			value = term.Op{Sym: l.Folds[i].No}
		}
		u, v := c.store.MustMake(op, nil, nil, kids), c.store.MustMake(value, nil, nil, nil)
		a, there := c.nodes[u.ID]
		b, also := c.nodes[v.ID]
		if !there || !also || !c.g.Same(a.ref, b.ref) {
			out = append(out, Equation{Kind: proof.Computed, Left: u, Right: v})
		}
	}
	return out
}
