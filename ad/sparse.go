package ad

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
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

// maxUnrolled is how many products of a block are derived one by one, unless they take loops: there are
// as many of these then.
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
// the variable that no element of the value has in common. If an element depends on
// several elements of a variable, whose indices are its own and numbers (as those of a
// stencil do), there is a block for each of them, and those elements of the value
// are in one product whose indices are the same modulo how far the numbers are apart
// (the colouring of Curtis, Powell and Reid, On the Estimation of Sparse Jacobian
// Matrices, 1974).
func JacobianBlocks(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	if _, err := realPart(lib, p); err != nil {
		return nil, err
	}
	wrt, err := Varied(p, opt.Wrt)
	if err != nil {
		return nil, err
	}
	c := &cutter{of: make(map[string]*cut), varied: make(map[string]*types.Type)}
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
					made, values, err := b.blocks(k, x)
					if err != nil {
						return err
					}
					for _, block := range made {
						if block.Rows, _, err = types.ShapeOf(piece.array, types.DefaultMaxElements); err != nil {
							return err
						}
						if block.Cols, _, err = types.ShapeOf(block.By.Type, types.DefaultMaxElements); err != nil {
							return err
						}
						block.Of = piece.of
						found = append(found, block)
					}
					parts, b.all = append(parts, values...), append(b.all, *m)
				}
			}
			l.noteMaps(j, b.all...)
			q.Root = q.Store.SubstVars(q.Store.Apply(ops.SymTuple, parts...), c.terms)
			q.Inputs = q.Inputs[:len(p.Inputs)]
			return nil
		})
	if d != nil {
		d.Blocks = found
	}
	return d, err
}

// Bound makes indices of a block that are out of range -1, and what stands at them 0.
func (b Block) Bound(v *eval.Value[float64]) {
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
func EachEntry[S any](b Block, v *eval.Value[S], f func(row, col int, x S)) {
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
func places(t *types.Type) [][]int {
	if t.Kind != types.KTuple {
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

// componentAt is what is at a place in a value.
func componentAt(s *term.Store, t term.Term, place []int) term.Term {
	for _, i := range place {
		t = s.Proj(i, t)
	}
	return t
}

// sparse makes the blocks of a sparse Jacobian.
type sparse struct {
	s    *term.Store
	j    *Jacobian
	cuts *cutter
	to   [][]*term.Term // the maps, by the place in j.Out and in j.Wrt
	from [][]*term.Term // the same put together forwards, if asked for: by the place in j.Wrt and in j.Out
	read []map[string]*reading
	rows [][]axis // the axes of each j.Out
	all  []term.Term
}

// axis is an axis of an array, with a variable for the index along it.
type axis struct {
	size size.Size
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

func axes(s *term.Store, shape []size.Size) []axis {
	return slice.Map(shape, func(size size.Size) axis { return axis{size, s.Ivar(s.Fresh(), size)} })
}

// forward is the map of number x of j.Wrt to number k of j.Out, put together forwards.
func (b *sparse) forward(x, k int) term.Term {
	if b.from[x] == nil {
		b.from[x] = b.j.From(x)
	}
	return *b.from[x][k]
}

// blocks makes the blocks of array k of the value by number x of what is differentiated
// by, one for each place that an element reads.
func (b *sparse) blocks(k, x int) ([]Block, []term.Term, error) {
	in, rows, read := b.j.Wrt[x], b.rows[k], b.read[k][b.j.Wrt[x].Name]
	own := axes(b.s, in.Type.Shape)
	// The axes of the variable along which any element is read are axes of the block.
	var free []axis
	for i, p := range read.places[0] {
		if p == nil {
			free = append(free, own[i])
		}
	}
	if count(slices.Concat(rows, free)) > types.DefaultMaxElements {
		return nil, nil, diag.Errorf(nil, 0, "a block of the Jacobian by %s has more than %d elements", leafOf(b.cuts, in).Name, types.DefaultMaxElements)
	}
	var product term.Term
	var hot []seed
	back := b.together(rows, read)
	columns := ones(free)
	for i, band := range read.bands {
		if band != nil {
			columns = append(columns, seed{own[i], band.width()}.least())
		}
	}
	reverse := seedCount(back) <= seedCount(columns)
	if reverse {
		hot, product = back, products(b.s, back, rows, b.s.Apply(ops.SymLtranspose, *b.to[k][x]), nil)
	} else {
		hot, product = columns, products(b.s, columns, own, b.forward(x, k), nil)
	}
	var blocks []Block
	var made []term.Term
	for _, p := range read.places {
		index := make([]term.Term, len(p))
		env := make(map[slot.Name]term.Term) // the index of the variable
		for i := range p {
			if index[i] = own[i].at; p[i] != nil {
				index[i] = *p[i]
			}
			env[own[i].name()] = index[i]
		}
		at := slice.Map(hot, func(h seed) term.Term { return h.class(b.s, b.s.Subst(h.at, env)) })
		if reverse {
			at = append(at, index...)
		} else {
			at = append(at, indices(rows)...)
		}
		block, values := b.block(k, in, free, index, product, at)
		blocks, made = append(blocks, block), append(made, values)
	}
	return blocks, made, nil
}

// together are the rows of which a product is of one only, or of one class: those that
// places do not tell apart.
func (b *sparse) together(rows []axis, read *reading) []seed {
	apart := make(map[slot.Name]bool)
	width := make(map[slot.Name]int64)
	for i, p := range read.places[0] {
		if band := read.bands[i]; band != nil {
			if w, ok := width[band.row]; !ok || band.width() < w {
				width[band.row] = band.width()
			}
		} else if p != nil {
			if a, ok := affineOf(b.s, *p); ok {
				for _, r := range rows {
					apart[r.name()] = apart[r.name()] || a.plain(r.name())
				}
			}
		}
	}
	var out []seed
	for _, r := range rows {
		if !apart[r.name()] {
			out = append(out, seed{r, width[r.name()]}.least())
		}
	}
	return out
}

// block makes the block of an array of the value by elements of a variable at an
// index, which has the axes free for itself. Its values are what a product has at
// another index.
func (b *sparse) block(k int, in term.Input, free []axis, index []term.Term, product term.Term, at []term.Term) (Block, term.Term) {
	rows := b.rows[k]
	columns := b.columns(in, index)
	block := Block{By: leafOf(b.cuts, in), Whole: make([]bool, len(columns))}
	var whole []axis
	free = slices.Clone(free)
	for i, c := range columns {
		at := slices.IndexFunc(free, func(a axis) bool {
			return term.TermKey(a.at) == term.TermKey(c) && a.size.Equal(block.By.Type.Shape[i])
		})
		if block.Whole[i] = at >= 0; at >= 0 {
			whole, free = append(whole, free[at]), slices.Delete(free, at, at+1)
		}
	}
	all := slices.Concat(rows, free, whole)
	parts := []term.Term{gather(b.s, all, product, at)}
	if sent := b.cuts.pieces[k].sent; sent != nil {
		block.Sent = len(sent.Kids) - 1
		from := rows[:len(sent.Binders)]
		for _, f := range sent.Kids[1:] {
			f = b.s.Subst(f, bound(sent.Binders, indices(from)))
			parts = append(parts, b.along(from, f))
		}
	}
	for i, c := range columns {
		if !block.Whole[i] {
			parts = append(parts, b.along(all, c))
		}
	}
	return block, b.s.Apply(ops.SymTuple, parts...)
}

// name is the name of the variable of an axis.
func (a axis) name() slot.Name { return a.at.Args[0] }

func indices(axes []axis) []term.Term {
	return slice.Map(axes, func(a axis) term.Term { return a.at })
}

func sizes(axes []axis) []size.Size {
	return slice.Map(axes, func(a axis) size.Size { return a.size })
}

// count is how many elements an array with these axes has, or a large number.
func count(axes []axis) int64 {
	n := int64(1)
	for _, a := range axes {
		if k, ok := a.size.Const(); ok && n <= types.DefaultMaxElements {
			n *= k
		}
	}
	return n
}

// leafOf is the array of the inputs that a variable is read from.
func leafOf(cuts *cutter, in term.Input) term.Input {
	if c := cuts.of[in.Name]; c != nil {
		return c.input
	}
	return in
}

// columns is where an element of a variable is in the array of the inputs.
func (b *sparse) columns(in term.Input, index []term.Term) []term.Term {
	c := b.cuts.of[in.Name]
	if c == nil {
		return index
	}
	env := bound(c.view.Binders, index)
	out := slice.Map(c.view.Kids[1:], func(f term.Term) term.Term { return canonical(b.s, b.s.Subst(f, env)) })
	return append(out, index[len(env):]...)
}

// bound gives variables the first of some indices.
func bound(names []slot.Name, index []term.Term) map[slot.Name]term.Term {
	env := make(map[slot.Name]term.Term)
	for i, n := range names {
		env[n] = index[i]
	}
	return env
}

// seed is an axis of which products of a map take one element each or, with classes,
// all elements whose indices are the same modulo how many there are.
type seed struct {
	axis
	classes int64
}

// ones are axes of which each product takes one element.
func ones(axes []axis) []seed {
	return slice.Map(axes, func(a axis) seed { return seed{axis: a} })
}

// least is without classes if there are no more elements.
func (h seed) least() seed {
	if n, ok := h.size.Const(); ok && n <= h.classes {
		h.classes = 0
	}
	return h
}

// products is how many products there are.
func (h seed) products() size.Size {
	if h.classes > 0 {
		return size.Const(h.classes)
	}
	return h.size
}

// class is the number of the product of an element.
func (h seed) class(s *term.Store, index term.Term) term.Term {
	if h.classes > 0 {
		return s.Apply(ops.SymMod, index, s.LitInt(h.classes))
	}
	return index
}

// shapeOf is how many products there are along each axis.
func shapeOf(hot []seed) []size.Size {
	return slice.Map(hot, seed.products)
}

// seedCount is how many products there are in all, or a large number.
func seedCount(hot []seed) int64 {
	all := make([]axis, len(hot))
	for i, n := range shapeOf(hot) {
		all[i].size = n
	}
	return count(all)
}

// products applies a map to all that are 1 where the axes hot among all have one
// index, or one class, and 0 elsewhere. The result has the axes hot before those of the
// map's, or of what pick takes of each product at its index.
func products(s *term.Store, hot []seed, all []axis, m term.Term, pick func(product term.Term, is []term.Term) term.Term) term.Term {
	var others, first []axis
	classes := false
	for _, h := range hot {
		first, classes = append(first, h.axis), classes || h.classes > 0
	}
	others = slice.Filter(all, func(a axis) bool { return !slices.ContainsFunc(first, a.is) })
	shape := shapeOf(hot)
	apply := func(one term.Term, is []term.Term) term.Term {
		if classes {
			one = s.Gather(sizes(first), one, func(at []term.Term) []term.Term {
				return slice.Make(len(hot), func(i int) term.Term { return hot[i].class(s, at[i]) })
			})
		}
		t := s.Apply(ops.SymLapply, m, transposed(s, slices.Concat(others, first), all, s.ReplicateTo(sizes(others), one)))
		if pick != nil {
			t = pick(t, is)
		}
		return t
	}
	n := seedCount(hot)
	loop := func(t term.Term) bool { return s.Op(t).Sym == ops.SymLstates }
	if n > maxUnrolled || n > 1 && s.Contains(m, loop) {
		return s.Builds(shape, func(is []term.Term) term.Term { return apply(s.OneHot(shape, is), is) })
	}
	if len(hot) == 0 {
		return apply(s.Lit(ops.ScalarR(numeric.Int(1))), nil)
	}
	rows := make([]term.Term, n)
	for i := range rows {
		is := make([]term.Term, len(hot))
		rest := int64(i)
		for k := len(hot) - 1; k >= 0; k-- {
			size, _ := shape[k].Const()
			is[k], rest = s.LitInt(rest%size), rest/size
		}
		one := s.OneHot(shape, is) // of which rules know where it is 0
		if classes {               // and a table is read anywhere
			data := slices.Repeat([]ops.Scalar{ops.ScalarZero(types.R)}, int(n))
			data[i] = ops.ScalarR(numeric.Int(1))
			one = s.LitData(data, shape...)
		}
		rows[i] = apply(one, is)
	}
	return s.Reshape(slices.Concat(shape, s.Type(rows[0]).Shape), s.Apply(ops.SymStack, rows...))
}

func (a axis) is(other axis) bool { return a.name() == other.name() }

// transposed is an array with the axes from, in the order to.
func transposed(s *term.Store, from, to []axis, t term.Term) term.Term {
	return s.Tr(slice.Map(to, func(a axis) int { return slices.IndexFunc(from, a.is) }), t)
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
	return slice.Map(index, func(t term.Term) term.Term { return s.Subst(t, env) })
}

// along is the array of an index, along the first axes up to the last that it depends
// on.
func (b *sparse) along(axes []axis, index term.Term) term.Term {
	for len(axes) > 0 && !index.Has(axes[len(axes)-1].name()) {
		axes = axes[:len(axes)-1]
	}
	return b.s.Builds(sizes(axes), func(is []term.Term) term.Term { return at(b.s, axes, is, []term.Term{index})[0] })
}
