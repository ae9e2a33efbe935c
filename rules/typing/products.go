package typing

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/size"
)

// assumed compares types under the assumption that pairs of shapes have equally
// many elements.
type assumed struct {
	ops.Equality
	products [][2][]size.Size
}

// Products compares numbers of elements under the assumptions.
func (a assumed) Products(x, y []size.Size) bool {
	known := slice.Map(a.products, func(p [2][]size.Size) [2]size.Size { return [2]size.Size{size.Product(p[0]), size.Product(p[1])} })
	return follows(known, size.Product(x), size.Product(y))
}

// So many products, of so many factors, are looked at to see that two are equal.
const maxProducts, maxFactors = 100, 30

// follows reports whether products are equal where known ones are: both become one
// if factors are replaced by equal ones.
func follows(known [][2]size.Size, x, y size.Size) bool {
	xs := replaced(known, x)
	return slices.ContainsFunc(replaced(known, y), func(s size.Size) bool { return slices.ContainsFunc(xs, s.Equal) })
}

// replaced are products that a product is equal to, itself among them.
func replaced(known [][2]size.Size, s size.Size) []size.Size {
	out := []size.Size{s}
	for i := 0; i < len(out) && len(out) < maxProducts; i++ {
		for _, p := range known {
			for _, q := range [][2]size.Size{p, {p[1], p[0]}} {
				if q[0].IsConst(1) { // which is a factor of all
					continue
				}
				r, ok := replaceFactor(out[i], q[0], q[1])
				if _, names, _ := r.Factors(); ok && len(names) < maxFactors && !slices.ContainsFunc(out, r.Equal) {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// replaceFactor is s with the factor from replaced by to.
func replaceFactor(s, from, to size.Size) (size.Size, bool) {
	c, fs, ok1 := s.Factors()
	d, gs, ok2 := from.Factors()
	if !ok1 || !ok2 || d == 0 || c%d != 0 {
		return s, false
	}
	rest := slices.Clone(fs)
	for _, g := range gs {
		i := slices.Index(rest, g)
		if i < 0 {
			return s, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	out := to.Mul(size.Const(c / d))
	for _, r := range rest {
		out = out.Mul(size.Var(r))
	}
	return out, true
}
