package proof

import (
	"errors"
	"fmt"

	"egad/internal/slice"
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
	value, err := l.Folded(v.Op, slice.Map(v.Kids, s.Op))
	if err != nil || value.Key() == is.Key() {
		return err
	}
	if x, number := l.Number(value); number {
		return fmt.Errorf("the value is %s", x.RatString())
	}
	return errors.New("the comparison gives something else")
}
