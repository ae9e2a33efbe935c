package egad

import (
	"maps"
	"slices"
	"strings"

	"egad/data"
	"egad/diag"
	"egad/kernel/machine"
	"egad/term/types"
)

// In gives the inputs of a definition their values, by name: numbers and truth values,
// slices and arrays of them, nested for more axes, pointers to these, vectors and
// matrices of gonum, [Value], and what package data reads from files. A tuple is given as a struct, whose exported
// fields are its components in order, as []any, or by its components, as "p.0" and
// "p.1", and an array of tuples as a slice of structs too. Integers may be given for reals. A size that no input tells is given by its
// name, as a whole number. Values are only read; they must not be changed during a call.
type In map[string]any

// Into gives derivatives their places, by the name of the input: slices of the right
// length, pointers to numbers or to slices (which are made if they have another
// length), vectors and matrices of gonum, pointers to structs for tuples, slices
// of structs for arrays of tuples, and [Value]. What has no place is not kept.
type Into map[string]any

// request is what a call asks for.
type request struct {
	mode mode
	in   In
	dir  In
	ct   any
	// own and dirs are the values of what is differentiated by and of the directions,
	// in the order of wrt, if they are not in in and dir.
	own, dirs []any
	// value is the place of the value, and moved that of its change. Those of the
	// derivatives, and of their changes, are in to and change in the order of wrt,
	// or by name in into and by.
	value      any
	moved      any
	to, change []any
	into, by   Into
	blocks     *JacobianBlocks // places for the blocks of a Jacobian
}

// call is what one call needs, and the next one again.
type call struct {
	in, more, out []data.Array
	given         []int64 // by size of the definition, or -1
	made          []made
}

// made is what a place is to be, once all is computed.
type made struct {
	to *Value
	is Value
}

var errNoFunc = plain("there is no function: Compile makes one")

// run does what is asked for. It gives the value if that is a real scalar and has no
// place.
func (f *Func) run(r *request) (value float64, err error) {
	if !f.made() {
		return 0, errNoFunc
	}
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	c := f.calls.Take()
	if c == nil {
		c = f.newCall()
	}
	value, err = f.runIn(c, r)
	c.forget()
	f.calls.Give(c)
	return value, f.ended(err)
}

// ended is an error, or that of the context if it is done.
func (f *Func) ended(err error) error {
	if err != nil && f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	return err
}

func (f *Func) newCall() *call {
	return &call{in: make([]data.Array, len(f.leaves)), given: make([]int64, len(f.info.Sizes))}
}

// forget lets go of what belongs to the caller.
func (c *call) forget() {
	for _, arrays := range [...][]data.Array{c.in, c.more, c.out} {
		for i := range arrays {
			arrays[i].Forget()
		}
	}
	clear(c.made)
	c.made = c.made[:0]
}

func (f *Func) runIn(c *call, r *request) (value float64, err error) {
	s, err := f.bind(c, r)
	if err != nil {
		return 0, err
	}
	p, err := f.get(s, r.mode)
	if err != nil {
		return 0, err
	}
	c.more, c.out = resize(c.more, len(p.inputs)), resize(c.out, len(p.outputs))
	switch r.mode {
	case modeJVP, modeHVP:
		err = f.directions(c, p, r)
	case modeVJP:
		_, err = f.read(c.more, p.more[0], r.ct)
	}
	if err != nil {
		return 0, err
	}
	var blocks *JacobianBlocks
	if r.blocks != nil {
		blocks = r.blocks.fitting(p.blocks)
		r.to = blocks.places
	}
	if err := f.places(c, p, r); err != nil {
		return 0, err
	}
	m, err := p.machine.Take()
	if err != nil {
		return 0, f.about(err)
	}
	if err = f.compute(c, s, m); err == nil {
		if blocks != nil {
			blocks.bound()
			*r.blocks = *blocks
		}
		if t := p.results[0]; r.value == nil && t.typ.IsScalar(types.R) {
			value = m.Out[0].R[0]
		}
	}
	m.Give()
	return value, err
}

// compute runs a program on the inputs of a call, and puts its results in their places.
func (f *Func) compute(c *call, s *sized, m *machine.Session) error {
	feed(m, 0, c.in)
	feed(m, len(c.in), c.more)
	if err := f.strictly(s, m.In); err != nil {
		return err
	}
	if err := m.Run(f.ctx); err != nil {
		return f.about(err)
	}
	for i := range c.out {
		if err := c.out[i].Fits(m.Out[i].N); err != nil {
			return f.about(err)
		}
	}
	for i := range c.out {
		c.out[i].Store(m.Out[i].R, m.Out[i].N)
	}
	for _, m := range c.made {
		*m.to = m.is
	}
	return nil
}

// feed gives a session inputs, from number n on: where they lie, or in its memory.
func feed(m *machine.Session, n int, arrays []data.Array) {
	for i := range arrays {
		if r, k, ok := arrays[i].Lies(); ok {
			m.Bind(n+i, machine.Elements{R: r, N: k})
		} else {
			to := m.Room(n + i)
			arrays[i].Fill(to.R, to.N)
		}
	}
}

// strictly reports an index that is out of range, by the elements of the leaves, if the
// function is strict.
func (f *Func) strictly(s *sized, from []machine.Elements) error {
	if !f.opt.strict {
		return nil
	}
	env := make(Env, len(f.leaves))
	for i, l := range f.leaves {
		env[l.name] = &Value{Elem: l.typ.Elem, Shape: s.shapes[i], R: from[i].R, N: from[i].N}
	}
	p, err := f.program(s)
	if err == nil {
		err = checkIndices(f.ctx, p, env)
	}
	if err != nil {
		return f.about(err)
	}
	return nil
}

func resize(a []data.Array, n int) []data.Array {
	return slices.Grow(a, max(0, n-len(a)))[:n]
}

// bind reads the inputs of a call, and finds the definition at their sizes.
func (f *Func) bind(c *call, r *request) (*sized, error) {
	leaves, names := 0, 0
	for _, p := range f.params {
		var n, k int
		var err error
		if r.own != nil && p.by >= 0 {
			if _, twice := r.in[p.name]; twice {
				return nil, f.errorf(p.pos, p.typ.String(), "%s is given twice, among the parameters and beside them", p.what)
			}
			n, err = f.read(c.in, p, r.own[p.by])
		} else {
			n, k, err = f.named(c.in, p, p, r.in)
		}
		if err != nil {
			return nil, err
		}
		leaves, names = leaves+n, names+k
	}
	for i, name := range f.info.Sizes {
		c.given[i] = -1
		x, ok := r.in[name]
		if !ok || slices.ContainsFunc(f.params, func(p *tree) bool { return p.name == name }) {
			continue
		}
		names++
		size, ok := asSize(x)
		switch {
		case !ok:
			return nil, f.errorf(f.info.Pos, "size", "the size %s of %s is a whole number that is not negative, and what is given is %s", name, f.info.Name, data.Describe(x))
		case size < 0:
			return nil, f.errorf(f.info.Pos, "size", "the size %s of %s is a whole number that is not negative, and is given as %d", name, f.info.Name, size)
		}
		c.given[i] = size
	}
	if leaves < len(f.leaves) || names < len(r.in) {
		return nil, f.unbound(c, r.in)
	}
	if s := f.latest.Load(); s != nil && s.fits(c) {
		return s, nil
	}
	s, ok := f.programs.Find(func(s *sized) bool { return s.fits(c) })
	if !ok {
		var err error
		if s, err = f.size(c); err != nil {
			return nil, err
		}
	}
	f.latest.Store(s)
	return s, nil
}

// asSize is a whole number that is given as a size.
func asSize(x any) (int64, bool) {
	if n, ok := x.(int); ok {
		return int64(n), true
	}
	var a data.Array
	if err := a.Read(x, types.I); err != nil || len(a.Shape) > 0 {
		return 0, false
	}
	_, n := a.Elements()
	return n[0], true
}

// named reads what in has for p, itself or components of it, as values for t, and
// counts leaves and names.
func (f *Func) named(to []data.Array, t, p *tree, in In) (leaves, names int, err error) {
	if x, ok := in[p.name]; ok {
		leaves, err = f.read(to, t, x)
		return leaves, 1, err
	}
	for i, part := range p.parts {
		n, k, err := f.named(to, t.parts[i], part, in)
		leaves, names = leaves+n, names+k
		if err != nil {
			return leaves, names, err
		}
	}
	return leaves, names, nil
}

// unbound is the error of a call that has not all inputs, or others.
func (f *Func) unbound(c *call, in In) error {
	var others []string
	for _, name := range slices.Sorted(maps.Keys(in)) {
		known := slices.Contains(f.info.Sizes, name)
		for _, p := range f.params {
			known = known || p.has(name)
		}
		if !known {
			others = append(others, name)
		}
	}
	_, err := f.solve(c, others)
	if err == nil { // a component beside the tuple that it is of
		err = f.errorf(f.info.Pos, "", "a component of an input of %s is given beside the whole", f.info.Name)
	}
	return err
}

// has reports whether a name is that of t or of a component.
func (t *tree) has(name string) bool {
	return t.name == name || slices.ContainsFunc(t.parts, func(p *tree) bool { return p.has(name) })
}

// directions reads the directions of a call; those that are not given are 0.
func (f *Func) directions(c *call, p *compiled, r *request) error {
	for _, l := range p.inputs {
		c.more[l.leaf].Zero(l.typ.Elem, l.shape)
	}
	if r.dirs != nil {
		for i, x := range r.dirs {
			if _, err := f.read(c.more, p.more[i], x); err != nil {
				return err
			}
		}
		return nil
	}
	names := 0
	for i, w := range f.wrt {
		_, k, err := f.named(c.more, p.more[i], w, r.dir)
		if err != nil {
			return err
		}
		names += k
	}
	if names == len(r.dir) {
		return nil
	}
	return f.notBy(slices.Sorted(maps.Keys(r.dir)), "direction")
}

// notBy reports the first of some names that is not among what is differentiated by.
func (f *Func) notBy(names []string, what string) error {
	for _, name := range names {
		if !slices.ContainsFunc(f.wrt, func(w *tree) bool { return w.has(name) }) {
			hint := ""
			if !slices.Contains(f.info.Sizes, name) && !slices.ContainsFunc(f.params, func(p *tree) bool { return p.has(name) }) {
				hint = diag.DidYouMean(name, f.opt.ad.Wrt)
			}
			return f.errorf(f.info.Pos, "", "a %s is given for %s, and the derivative is with respect to %s%s", what, name, strings.Join(f.opt.ad.Wrt, ", "), hint)
		}
	}
	return f.errorf(f.info.Pos, "", "a %s is given for a component and for the whole", what)
}

// places lets the results of a call go where it says.
func (f *Func) places(c *call, p *compiled, r *request) error {
	for i := range c.out {
		c.out[i].Forget()
	}
	if err := f.place(c, p.results[0], r.value); err != nil {
		return err
	}
	if r.moved != nil {
		if err := f.place(c, p.results[1], r.moved); err != nil {
			return err
		}
	}
	for i, to := range r.to {
		if err := f.place(c, p.results[1+i], to); err != nil {
			return err
		}
	}
	for i, to := range r.change {
		if err := f.place(c, p.results[1+len(f.wrt)+i], to); err != nil {
			return err
		}
	}
	if err := f.placesNamed(c, p.results[1:], r.into); err != nil {
		return err
	}
	if r.by == nil {
		return nil
	}
	return f.placesNamed(c, p.results[1+len(f.wrt):], r.by)
}

func (f *Func) placesNamed(c *call, results []*tree, into Into) error {
	names := 0
	for i, w := range f.wrt {
		if len(into) == 0 {
			return nil
		}
		n, err := f.placeNamed(c, results[i], w, into)
		if err != nil {
			return err
		}
		names += n
	}
	if names == len(into) {
		return nil
	}
	return f.notBy(slices.Sorted(maps.Keys(into)), "place")
}

// placeNamed lets results go where into says for p, itself or components of it, and
// counts names.
func (f *Func) placeNamed(c *call, t, p *tree, into Into) (names int, err error) {
	if x, ok := into[p.name]; ok {
		return 1, f.place(c, t, x)
	}
	for i, part := range p.parts {
		if i < len(t.parts) {
			n, err := f.placeNamed(c, t.parts[i], part, into)
			if err != nil {
				return names, err
			}
			names += n
		}
	}
	return names, nil
}
