package ad

import (
	"fmt"
	"slices"
	"time"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

// HessianDiagonal derives the program that computes the value of p, which must be a real
// scalar, its gradient, and the second derivatives by each element of an input twice,
// of the types of the inputs: (value, gradient by the first input, …, diagonal by the
// first input, …). It takes one product of the Hessian with a direction for all
// elements of an input no two of which the gradient by one of them depends on, as
// follows from where operators read: one in all if the Hessian is diagonal. The
// [Derived.Notes] say how many more it takes by which inputs.
func HessianDiagonal(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	start := time.Now()
	g, err := Grad(lib, p, opt)
	if err != nil {
		return g, err
	}
	return after(g, func() (*Derived, error) {
		var notes []string
		d, err := derive(lib, g.Program, opt.from(start), true, func(l *pipeline, j *Jacobian, q *term.Program) error {
			s := q.Store
			byLeaf := make(map[string]term.Term)
			var maps []term.Term
			for x, in := range j.Wrt {
				k := 1 + x // after the value
				m := j.From(x)[k]
				if m == nil {
					byLeaf[in.Name] = s.Zeros(in.Type)
					continue
				}
				maps = append(maps, *m)
				rows := axes(s, in.Type.Shape)
				var hot, others []axis
				for i, at := range readsOf(s, j.Out[k], rows)[in.Name] {
					if at != nil && at.Equal(rows[i].at) {
						others = append(others, rows[i])
					} else {
						hot = append(hot, rows[i])
					}
				}
				if n := count(hot); n > 1 {
					if n > MaxDense/count(rows) {
						return diag.Errorf(nil, 0, "the diagonal of the Hessian by %s takes %d products, each of %d elements; the bound is %d in all", in.Name, n, count(rows), MaxDense)
					}
					notes = append(notes, fmt.Sprintf("the diagonal by %s takes %d products of the Hessian with directions", in.Name, n))
				}
				byLeaf[in.Name] = transposed(s, slices.Concat(hot, others), rows, products(s, hot, rows, *m, func(product term.Term, is []term.Term) term.Term {
					index := at(s, hot, is, indices(rows))
					return gather(s, others, product, index)
				}))
			}
			if err := l.noteMaps(j, maps...); err != nil {
				return err
			}
			parts := components(s, q.Root)
			for _, in := range l.wrt {
				parts = append(parts, assemble(s, in, byLeaf))
			}
			q.Root = s.Apply(term.SymTuple, parts...)
			return nil
		})
		if d != nil {
			d.Notes = notes
		}
		return d, err
	})
}
