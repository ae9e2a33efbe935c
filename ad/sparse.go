package ad

import (
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// Block is a part of a sparse Jacobian: the derivatives of an array of the value by an
// array of the inputs, of each element only by those elements of the input that it
// depends on in one way. Derivatives of what a scatter adds into the array are those of
// the elements that it is added to.
type Block struct {
	// Of is the place of the array in the value, a component of a tuple each.
	Of []int
	// Rows is the shape of the array.
	Rows []int
	// Sent is for how many of its first axes the block has arrays of indices: that many
	// if a scatter adds what is differentiated into the array, and else none.
	Sent int
	// By is the array of the inputs, and Cols its shape.
	By   term.Input
	Cols []int
	// Whole tells for each axis of By whether all of it is there. If not, the block has
	// an array of indices along it.
	Whole []bool
}

// maxUnrolled is how many products of a block are derived one by one.
const maxUnrolled = 16

// JacobianBlocks derives the program that computes the value of p and its partial
// derivatives where they can differ from 0: (value, (values, indices, …), …), a
// tuple for each of the [Derived.Blocks]. Values has the axes of the array of the
// value, then others, the last of them the axes of the input that are there as a
// whole. For each other axis of the input, indices is an array of the index along
// it: its axes are the first of those of values, and if one is out of range there is
// no such derivative. Where an element depends on an element of the input in
// several ways, their derivatives are to be added. Where a scatter adds into an array of
// the value, and this takes fewer elements, values has the axes of what is added
// in place of those of the array that it is added along, and before the other indices
// there are arrays of the index along each of these.
//
// What an element depends on follows from where operators read: gather and index at
// other elements, reductions along axes, most operators nowhere else. Each gather of
// an input is a variable of its own, by which the program is differentiated, in the
// direction that takes fewer products of the map: all elements of the value that
// have no element of the variable in common are in one product, and all elements of
// the variable that no element of the value has in common.
func JacobianBlocks(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	if err := given(lib, p); err != nil {
		return nil, err
	}
	if p.Store.Type(p.Root).RealPart() == nil {
		return nil, noRealPart(p)
	}
	wrt, err := Varied(p, opt.Wrt)
	if err != nil {
		return nil, err
	}
	c := &cutter{of: make(map[string]*cut), varied: make(map[string]*term.Type)}
	var found []Block
	d, err := deriveCut(lib, p, opt, true, func(p *term.Program) (*term.Program, []string) {
		q, names := c.gathers(p, wrt)
		c.scatters(q)
		return q, names
	},
		func(l *pipeline, j *Jacobian, q *term.Program) error {
			b := newSparse(q.Store, j, c)
			parts := []term.Term{c.value}
			for k, piece := range c.pieces {
				for x := range j.Wrt {
					m := b.to[k][x]
					if m == nil {
						continue
					}
					block, values, err := b.block(k, x)
					if err != nil {
						return err
					}
					if block.Rows, _, err = term.ShapeOf(piece.array, term.DefaultMaxElements); err != nil {
						return err
					}
					if block.Cols, _, err = term.ShapeOf(block.By.Type, term.DefaultMaxElements); err != nil {
						return err
					}
					block.Of = piece.of
					found, parts, b.all = append(found, block), append(parts, values), append(b.all, *m)
				}
			}
			if err := l.noteMaps(j, b.all...); err != nil {
				return err
			}
			q.Root = q.Store.SubstVars(q.Store.Apply(term.SymTuple, parts...), c.terms)
			q.Inputs = q.Inputs[:len(p.Inputs)]
			return nil
		})
	if d != nil {
		d.Blocks = found
	}
	return d, err
}

// Bound makes indices of a block that are out of range -1, and what stands at them 0.
func (b Block) Bound(v *term.Value[float64]) {
	index := v.Parts[1:]
	within := func(n int) {
		for i, c := range index[0].N {
			if c < 0 || c >= int64(n) {
				index[0].N[i] = -1
				part := len(v.Parts[0].R) / len(index[0].N)
				clear(v.Parts[0].R[i*part : (i+1)*part])
			}
		}
		index = index[1:]
	}
	for _, n := range b.Rows[:b.Sent] {
		within(n)
	}
	for a, n := range b.Cols {
		if !b.Whole[a] {
			within(n)
		}
	}
}

// EachEntry goes through the derivatives of a block, as the program computes it: by the
// number of the element of the value and that of the input, row-major, where there is
// one.
func EachEntry[S any](b Block, v *term.Value[S], f func(row, col int, x S)) {
	values := v.Parts[0]
	first := len(values.Shape) // the first axis that is there as a whole
	for _, w := range b.Whole {
		if w {
			first--
		}
	}
	at := make([]int, len(values.Shape))
	own := 0 // the first axis of values that is one of the array
	if b.Sent > 0 {
		own = len(v.Parts[1].Shape)
	}
entries:
	for i, x := range values.R {
		for k, rest := len(at)-1, i; k >= 0; k-- {
			at[k], rest = rest%values.Shape[k], rest/values.Shape[k]
		}
		row, col, plain, whole, index := 0, 0, own, first, 1
		indexed := func(to *int, n int) bool {
			along := v.Parts[index]
			index++
			c := int(along.N[position(at[:len(along.Shape)], values.Shape)])
			*to = *to*n + c
			return 0 <= c && c < n
		}
		for a, n := range b.Rows {
			if a >= b.Sent {
				row, plain = row*n+at[plain], plain+1
			} else if !indexed(&row, n) {
				continue entries
			}
		}
		for a, n := range b.Cols {
			if b.Whole[a] {
				col, whole = col*n+at[whole], whole+1
			} else if !indexed(&col, n) {
				continue entries
			}
		}
		f(row, col, x)
	}
}

// position is the number of an element by its index, row-major.
func position(at, shape []int) int {
	n := 0
	for i, x := range at {
		n = n*shape[i] + x
	}
	return n
}

// places lists where in a value the real arrays with elements are.
func places(t *term.Type) [][]int {
	if t.Kind != term.KTuple {
		if t.Differentiable() && !t.HasEmptyAxis() {
			return [][]int{nil}
		}
		return nil
	}
	var out [][]int
	for i, p := range t.Parts {
		for _, at := range places(p) {
			out = append(out, append([]int{i}, at...))
		}
	}
	return out
}

// sparse makes the blocks of a sparse Jacobian.
type sparse struct {
	s    *term.Store
	j    *Jacobian
	cuts *cutter
	to   [][]*term.Term // the maps, by the place in j.Out and in j.Wrt
	from [][]*term.Term // the same put together forwards, if asked for: by the place in j.Wrt and in j.Out
	read []map[string]place
	rows [][]axis // the axes of each j.Out
	all  []term.Term
}

// axis is an axis of an array, with a variable for the index along it.
type axis struct {
	size term.Size
	at   term.Term
}

func newSparse(s *term.Store, j *Jacobian, c *cutter) *sparse {
	b := &sparse{s: s, j: j, cuts: c, from: make([][]*term.Term, len(j.Wrt))}
	for k, out := range j.Out {
		b.to = append(b.to, j.To(k))
		rows := axes(s, s.Type(out).Shape)
		b.rows = append(b.rows, rows)
		b.read = append(b.read, readsOf(s, out, rows))
	}
	return b
}

func axes(s *term.Store, shape []term.Size) []axis {
	out := make([]axis, len(shape))
	for i, size := range shape {
		out[i] = axis{size, s.Ivar(s.Fresh(), size)}
	}
	return out
}

// forward is the map of number x of j.Wrt to number k of j.Out, put together forwards.
func (b *sparse) forward(x, k int) term.Term {
	if b.from[x] == nil {
		b.from[x] = b.j.From(x)
	}
	return *b.from[x][k]
}

// block makes the block of array k of the value by number x of what is differentiated by.
func (b *sparse) block(k, x int) (Block, term.Term, error) {
	in, rows := b.j.Wrt[x], b.rows[k]
	// The axes of the variable along which any element is read are axes of the block.
	// Rows that differ along the others have no element of the variable in common, if
	// the index tells which row it is.
	own := axes(b.s, in.Type.Shape)
	var free, together []axis
	var index []term.Term
	apart := make(map[slot.Name]bool)
	for i, p := range b.read[k][in.Name] {
		if p == nil {
			index, free = append(index, own[i].at), append(free, own[i])
			continue
		}
		index = append(index, *p)
		if a, ok := affineOf(b.s, *p); ok {
			for _, r := range rows {
				apart[r.name()] = apart[r.name()] || a.plain(r.name())
			}
		}
	}
	for _, r := range rows {
		if !apart[r.name()] {
			together = append(together, r)
		}
	}
	leaf, columns := b.columns(in, index)
	block := Block{By: leaf, Whole: make([]bool, len(columns))}
	var whole []axis
	for i, c := range columns {
		at := slices.IndexFunc(free, func(a axis) bool {
			return term.TermKey(a.at) == term.TermKey(c) && a.size.Equal(leaf.Type.Shape[i])
		})
		if block.Whole[i] = at >= 0; at >= 0 {
			whole, free = append(whole, free[at]), slices.Delete(free, at, at+1)
		}
	}
	free = append(free, whole...)
	all := slices.Concat(rows, free)
	if count(all) > term.DefaultMaxElements {
		return Block{}, term.Term{}, diag.Errorf(nil, 0, "a block of the Jacobian by %s has more than %d elements", leaf.Name, term.DefaultMaxElements)
	}
	var values term.Term
	if count(together) <= count(free) {
		back := b.s.Apply(term.SymLtranspose, *b.to[k][x])
		values = gather(b.s, all, products(b.s, together, rows, back, nil), slices.Concat(indices(together), index))
	} else {
		values = gather(b.s, all, products(b.s, free, own, b.forward(x, k), nil), slices.Concat(indices(free), indices(rows)))
	}
	parts := []term.Term{values}
	if sent := b.cuts.pieces[k].sent; sent != nil {
		block.Sent = len(sent.Kids) - 1
		from := rows[:len(sent.Binders)]
		for _, f := range sent.Kids[1:] {
			f = b.s.Subst(f, bound(sent.Binders, indices(from)))
			parts = append(parts, loops(b.s, sizes(from), func(is []term.Term) term.Term { return at(b.s, from, is, []term.Term{f})[0] }))
		}
	}
	for i, c := range columns {
		if !block.Whole[i] {
			parts = append(parts, b.along(all, c))
		}
	}
	return block, b.s.Apply(term.SymTuple, parts...), nil
}

// name is the name of the variable of an axis.
func (a axis) name() slot.Name { return a.at.Args[0] }

func indices(axes []axis) []term.Term {
	out := make([]term.Term, len(axes))
	for i, a := range axes {
		out[i] = a.at
	}
	return out
}

func sizes(axes []axis) []term.Size {
	out := make([]term.Size, len(axes))
	for i, a := range axes {
		out[i] = a.size
	}
	return out
}

// count is how many elements an array with these axes has, or a large number.
func count(axes []axis) int64 {
	n := int64(1)
	for _, a := range axes {
		if k, ok := a.size.Const(); ok && n <= term.DefaultMaxElements {
			n *= k
		}
	}
	return n
}

// columns is the array of the inputs that a variable is read from, and where an
// element of the variable is in it.
func (b *sparse) columns(in term.Input, index []term.Term) (term.Input, []term.Term) {
	c := b.cuts.of[in.Name]
	if c == nil {
		return in, index
	}
	env := bound(c.view.Binders, index)
	var out []term.Term
	for _, f := range c.view.Kids[1:] {
		out = append(out, canonical(b.s, b.s.Subst(f, env)))
	}
	return c.input, append(out, index[len(env):]...)
}

// bound gives variables the first of some indices.
func bound(names []slot.Name, index []term.Term) map[slot.Name]term.Term {
	env := make(map[slot.Name]term.Term)
	for i, n := range names {
		env[n] = index[i]
	}
	return env
}

// products applies a map to all that are 1 where the axes hot among all have one index,
// and 0 elsewhere. The result has the axes hot before those of the map's, or of what
// pick takes of each product at its index.
func products(s *term.Store, hot, all []axis, m term.Term, pick func(product term.Term, is []term.Term) term.Term) term.Term {
	var others []axis
	for _, a := range all {
		if !slices.ContainsFunc(hot, a.is) {
			others = append(others, a)
		}
	}
	apply := func(one term.Term, is []term.Term) term.Term {
		t := s.Apply(term.SymLapply, m, transposed(s, slices.Concat(others, hot), all, s.ReplicateTo(sizes(others), one)))
		if pick != nil {
			t = pick(t, is)
		}
		return t
	}
	n := count(hot)
	if n > maxUnrolled {
		return loops(s, sizes(hot), func(is []term.Term) term.Term { return apply(oneHot(s, sizes(hot), is), is) })
	}
	if len(hot) == 0 {
		return apply(s.Lit(term.ScalarR(term.NumInt(1))), nil)
	}
	rows := make([]term.Term, n)
	for i := range rows {
		data, is := make([]term.Scalar, n), make([]term.Term, len(hot))
		for k := range data {
			data[k] = term.ScalarZero(term.R)
		}
		data[i] = term.ScalarR(term.NumInt(1))
		rest := int64(i)
		for k := len(hot) - 1; k >= 0; k-- {
			size, _ := hot[k].size.Const()
			is[k], rest = s.LitInt(rest%size), rest/size
		}
		rows[i] = apply(s.LitData(data, sizes(hot)...), is)
	}
	shape := slices.Concat(sizes(hot), s.Type(rows[0]).Shape)
	return s.Reshape(shape, s.Apply(term.SymStack, rows...))
}

func (a axis) is(other axis) bool { return a.name() == other.name() }

// transposed is an array with the axes from, in the order to.
func transposed(s *term.Store, from, to []axis, t term.Term) term.Term {
	perm := make([]int, len(to))
	for i, a := range to {
		perm[i] = slices.IndexFunc(from, a.is)
	}
	return s.Tr(perm, t)
}

// gather is the array with the given axes of the elements of t at an index.
func gather(s *term.Store, axes []axis, t term.Term, index []term.Term) term.Term {
	return s.Gather(sizes(axes), t, func(is []term.Term) []term.Term { return at(s, axes, is, index) })
}

// at is an index where the axes have the indices is.
func at(s *term.Store, axes []axis, is, index []term.Term) []term.Term {
	env := make(map[slot.Name]term.Term)
	for i, a := range axes {
		env[a.name()] = is[i]
	}
	out := make([]term.Term, len(index))
	for i, t := range index {
		out[i] = s.Subst(t, env)
	}
	return out
}

// along is the array of an index, along the first axes up to the last that it depends
// on.
func (b *sparse) along(axes []axis, index term.Term) term.Term {
	for len(axes) > 0 && !index.Has(axes[len(axes)-1].name()) {
		axes = axes[:len(axes)-1]
	}
	return loops(b.s, sizes(axes), func(is []term.Term) term.Term { return at(b.s, axes, is, []term.Term{index})[0] })
}
