package term

// Reductions along the outer axis, from the left.

func init() {
	describe(SymSum, Operator{
		Name: "sum", Arity: 1, Reduction: true, linear: 1, work: workFold, empty: zeroOf,
		typing: func(t *typing) *Type { return t.reduction(false, R, I) },
		fill: func(c Cells) error {
			n := c.Len(Result)
			for i := range c.Shape(0)[0] {
				if err := c.Combine(SymAdd, 0, 0, i*n, n); err != nil {
					return err
				}
			}
			return nil
		},
		bounds: func(b Bounding) Bounds { return b.sum(counts(b.Kids[0].Type, 1)) },
	})
	describe(SymMaximum, extremum("maximum", SymMax, -1))
	describe(SymMinimum, extremum("minimum", SymMin, 1))
	describe(SymArgmax, Operator{
		Name: "argmax", Arity: 1, Reduction: true, work: workFold, empty: zeroOf,
		typing: func(t *typing) *Type { return t.reduction(true, R) },
		fill: func(c Cells) error {
			n := c.Len(Result)
			for k := range n {
				best := k
				for x := k + n; x < c.Len(0); x += n {
					if !c.NaN(0, best) && (c.NaN(0, x) || c.Less(0, best, x)) {
						best = x
					}
				}
				c.SetInt(k, int64(best/n))
			}
			return nil
		},
	})
}

// extremum is maximum, or minimum; of nothing it is an infinity.
func extremum(name string, of Sym, sign int) Operator {
	nothing := ScalarR(NumInf(sign))
	return Operator{
		Name: name, Arity: 1, Reduction: true, work: workFold, empty: func(*Type) Scalar { return nothing },
		typing: func(t *typing) *Type { return t.reduction(false, R) },
		fill: func(c Cells) error {
			n := c.Len(Result)
			if c.Shape(0)[0] == 0 {
				for k := range n {
					if err := c.SetLiteral(k, nothing); err != nil {
						return err
					}
				}
				return nil
			}
			c.Copy(0, 0, 0, n)
			for i := 1; i < c.Shape(0)[0]; i++ {
				if err := c.Combine(of, 0, 0, i*n, n); err != nil {
					return err
				}
			}
			return nil
		},
		bounds: func(b Bounding) Bounds {
			v := b.Kids[0].Real
			if least, _ := counts(b.Kids[0].Type, 1); least == 0 {
				v = v.Join(pointOfNum(nothing.Num))
			}
			return Bounds{AnyInt, v}
		},
	}
}

// reduction types what takes the outer axis away; the result may be a position.
func (t *typing) reduction(position bool, among ...Elem) *Type {
	a := t.array(0)
	if a == nil {
		return nil
	}
	_, rest, ok := t.u.Split(a.Shape, SizeConst(1))
	if !ok {
		t.fail(0, "%s reduces the outer axis of an array, and this is %s", t.name(), described{a})
		return nil
	}
	if !t.u.ElemIn(a.Elem, among...) {
		t.fail(0, "%s works on elements of type %s, not %s", t.name(), elemList(among), a.Elem)
		return nil
	}
	if position {
		return ArrayOf(I, rest...)
	}
	return ArrayOf(a.Elem, rest...)
}

// counts bounds the number of subarrays along the first axes of an array.
func counts(t *Type, axes int) (least, most float64) {
	if t != nil && t.Kind == KArray && axes <= len(t.Shape) {
		if n, ok := Product(t.Shape[:axes]).Const(); ok {
			return float64(n), float64(n)
		}
	}
	return 0, 1 << 62
}

// sum bounds a sum of from least to most elements of the operand.
func (b Bounding) sum(least, most float64) Bounds {
	if b.Type.Elem != R {
		return Unbounded
	}
	return Bounds{AnyInt, sumInterval(b.Kids[0].Real, least, most)}
}
