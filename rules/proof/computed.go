package proof

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"egad/rules"
	"egad/term"
)

// computed checks that an operator on numbers gives a value, or that constants differ.
func (c *checker) computed(from, to term.Term) error {
	s, l := c.p.Store, c.o.Language
	if l == nil {
		return errors.New("nothing is computed of arrays")
	}
	v, is := s.Open(from), s.Op(to)
	if d := l.Distinct(); d != nil && v.Op.Sym == d.Sym {
		a, b := s.Op(v.Kids[0]), s.Op(v.Kids[1])
		if !l.IsConstant(a) || !l.IsConstant(b) || a.Key() == b.Key() || !s.IsTrue(to) {
			return errors.New("these are not different constants")
		}
		return nil
	}
	i := slices.IndexFunc(l.Folds, func(f rules.Fold) bool { return f.Sym == v.Op.Sym })
	if i < 0 {
		return errors.New("the operator is not computed")
	}
	var args []*big.Rat
	for _, k := range v.Kids {
		x, ok := l.Number(s.Op(k))
		if !ok {
			return errors.New("an operand is no number")
		}
		args = append(args, x)
	}
	x, holds, ok := l.Folds[i].Compute(v.Op, args)
	want := l.Folds[i].No
	if holds {
		want = l.Folds[i].Yes
	}
	switch got, number := l.Number(is); {
	case !ok:
		return errors.New("it has no value")
	case l.Folds[i].Compares() && is.Sym != want:
		return errors.New("the comparison gives something else")
	case !l.Folds[i].Compares() && (!number || got.Cmp(x) != 0):
		return fmt.Errorf("the value is %s", x.RatString())
	}
	return nil
}
