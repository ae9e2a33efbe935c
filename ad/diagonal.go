package ad

import (
	"errors"
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
)

// HessianDiagonal derives the program that computes the value of p, which must be a real
// scalar, its gradient, and the second derivatives by each element of an input twice,
// of the types of the inputs: (value, gradient by the first input, …, diagonal by the
// first input, …). It takes one product of the Hessian with a direction for all
// elements of an input no two of which the gradient by one of them depends on, as
// follows from where operators read: one in all if the Hessian is diagonal, and if it
// is a band, one more than that is wide to one side (see [JacobianBlocks]). The
// [Derived.Notes] say how many more than one it takes by which inputs.
func HessianDiagonal(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	return ofGradient(lib, p, opt, func(g *term.Program, opt Options) (*Derived, error) {
		var notes []string
		d, err := derive(lib, g, opt, true, func(l *pipeline, j *Jacobian, q *term.Program) error {
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
				var hot []seed
				var others []axis
				for i, n := range classes(s, readsOf(s, j.Out[k], rows)[in.Name], rows) {
					switch size, _ := rows[i].size.Const(); {
					case n == 1:
						others = append(others, rows[i])
					case 0 < n && n < size:
						hot, others = append(hot, seed{rows[i], n}), append(others, rows[i])
					default:
						hot = append(hot, seed{axis: rows[i]})
					}
				}
				if n := seedCount(hot); n > 1 {
					if n > MaxDense/count(rows) {
						return diag.Errorf(nil, 0, "the diagonal of the Hessian by %s takes %d products, each of %d elements; the bound is %d in all", in.Name, n, count(rows), MaxDense)
					}
					notes = append(notes, fmt.Sprintf("the diagonal by %s takes %d products of the Hessian with directions", in.Name, n))
				}
				// Of each product what it is by itself.
				picked := products(s, hot, rows, *m, func(product term.Term, is []term.Term) term.Term {
					env := make(map[slot.Name]term.Term)
					for i, h := range hot {
						if h.classes == 0 {
							env[h.name()] = is[i]
						}
					}
					index := indices(rows)
					for i, t := range index {
						index[i] = s.Subst(t, env)
					}
					return gather(s, others, product, index)
				})
				index := slice.Map(hot, func(h seed) term.Term { return h.class(s, h.at) })
				byLeaf[in.Name] = gather(s, rows, picked, append(index, indices(others)...))
			}
			l.noteMaps(j, maps...)
			diagonals := slice.Map(l.wrt, func(in term.Input) term.Term { return assemble(s, in, byLeaf) })
			q.Root = s.Apply(ops.SymTuple, slices.Concat(components(s, q.Root), diagonals)...)
			return nil
		})
		if d != nil {
			d.Notes = notes
		}
		if large, ok := errors.AsType[*overflow.Error](err); ok {
			err = diag.Errorf(nil, 0, "the diagonal of the Hessian of %s: %w; the whole Hessian, and its products with directions, may do with fewer", p.Name, large)
		}
		return d, err
	})
}

// classes tells for each axis of a term, whose elements read an input of the same shape, how
// far apart two elements of the input must be along it for none to be read by the element
// that is at the place of the other; 0 if no number is known.
func classes(s *term.Store, read *reading, rows []axis) []int64 {
	out := make([]int64, len(rows))
	for i, r := range rows {
		for _, p := range read.places {
			if p[i] == nil {
				out[i] = 0
				break
			}
			a, ok := affineOf(s, *p[i])
			if !ok || !a.plain(r.name()) {
				out[i] = 0
				break
			}
			out[i] = max(out[i], 1+a.c, 1-a.c)
		}
	}
	return out
}
