package egad

import (
	"slices"

	"egad/data"
	"egad/diag"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// tree is an array that a program takes or results in, or a tuple of trees.
type tree struct {
	name  string // as in the program
	what  string // in messages
	typ   *types.Type
	pos   diag.Pos
	shape []int // of an array at known sizes
	parts []*tree
	path  []data.Step // from the whole input, to where items of nested slices are structs
	leaf  int         // of an array: its place among the leaves of all trees; -1 for zeros that are not computed
	by    int         // of an input: its place among those that are differentiated by, or -1
}

// newTree makes the tree of an input, and adds its arrays to leaves.
func newTree(what string, in term.Input, pos diag.Pos, leaves *[]*tree) *tree {
	return newPart(what, in, pos, leaves, nil, 0)
}

// newPart makes the tree of a component of an input, within arrays of tuples of some axes.
func newPart(what string, in term.Input, pos diag.Pos, leaves *[]*tree, path []data.Step, axes int) *tree {
	t := &tree{name: in.Name, what: what, typ: in.Type, pos: pos, path: path, by: -1}
	if in.Type.Kind != types.KTuple {
		t.leaf = len(*leaves)
		*leaves = append(*leaves, t)
		return t
	}
	t.parts = make([]*tree, len(in.Type.Parts))
	for i, p := range in.Components() {
		step := data.Step{Depth: axes + in.Type.Rows, I: i, N: len(t.parts)}
		t.parts[i] = newPart(what+p.Name[len(in.Name):], p, pos, leaves, append(slices.Clone(path), step), step.Depth)
	}
	return t
}

// newRealTree is newTree of the real part of an input, in the form of the whole: what is
// not real is 0.
func newRealTree(what string, in term.Input, pos diag.Pos, leaves *[]*tree) *tree {
	var all []*tree
	t := newTree(what, in, pos, &all)
	for _, l := range all {
		l.leaf = -1
		if l.typ.Elem == types.R {
			l.leaf = len(*leaves)
			*leaves = append(*leaves, l)
		}
	}
	return t
}

// size finds the shapes of the leaves, at known sizes.
func size(leaves []*tree) error {
	for _, l := range leaves {
		shape, _, err := types.ShapeOf(l.typ, types.DefaultMaxElements)
		if err != nil {
			return err
		}
		l.shape = shape
	}
	return nil
}

// read takes a Go value for t into the arrays of the leaves, and counts them.
func (f *Func) read(to []data.Array, t *tree, x any) (int, error) {
	if list, ok := x.(*data.Raw); ok && list != nil && t.typ.Rows > 0 {
		columns, err := list.Columns(t.typ)
		if err != nil {
			return 0, f.isNot(t, "value", err.Error())
		}
		x = columns
	}
	if t.parts != nil && data.IsList(x) && t.ofTuples() {
		return f.columns(to, t, len(t.path), x)
	}
	if t.parts != nil {
		n := 0
		for i, p := range t.parts {
			part, ok := data.Part(x, i, len(t.parts))
			if !ok {
				return n, f.isNot(t, "value", data.Describe(x))
			}
			k, err := f.read(to, p, part)
			if err != nil {
				return n, err
			}
			n += k
		}
		return n, nil
	}
	return f.readLeaf(to, t, len(t.path), x)
}

// readLeaf takes a Go value into the array of a leaf: at the end of the first steps to it,
// after which it is a list of what is at the others.
func (f *Func) readLeaf(to []data.Array, t *tree, from int, x any) (int, error) {
	a := &to[t.leaf]
	if err := a.ReadColumn(x, t.typ.Elem, t.path[from:]); err != nil {
		return 0, f.isNot(t, "value", err.Error())
	}
	if t.shape != nil && !a.Has(t.shape) {
		return 0, f.isNot(t, "value", a.String())
	}
	return 1, nil
}

// ofTuples reports whether t is an array of tuples.
func (t *tree) ofTuples() bool { return t.parts != nil && t.parts[0].path[len(t.path)].Depth > 0 }

// columns is read for a list of tuples, at the end of the first steps to t.
func (f *Func) columns(to []data.Array, t *tree, from int, x any) (n int, err error) {
	for _, p := range t.parts {
		k, err := f.columns(to, p, from, x)
		if err != nil {
			return n, err
		}
		n += k
	}
	if t.parts == nil {
		return f.readLeaf(to, t, from, x)
	}
	return n, nil
}

// placeColumns is place for a list of tuples, at the end of the first steps to t.
func (f *Func) placeColumns(c *call, t *tree, from int, x any) error {
	for _, p := range t.parts {
		if err := f.placeColumns(c, p, from, x); err != nil {
			return err
		}
	}
	if t.parts != nil || t.leaf < 0 {
		return nil
	}
	if err := c.out[t.leaf].PlaceColumn(x, t.typ.Elem, t.shape, t.path[from:]); err != nil {
		return f.isNot(t, "place", err.Error())
	}
	return nil
}

// place lets the results of t go to x. Nothing is changed before they are computed.
func (f *Func) place(c *call, t *tree, x any) error {
	if x == nil {
		return nil
	}
	if t.leaf < 0 {
		return f.zeros(c, t, x)
	}
	if t.parts == nil || data.IsList(x) && t.ofTuples() {
		return f.placeColumns(c, t, len(t.path), x)
	}
	if v, ok := x.(*Value); ok && v != nil && v.Elem == types.NoElem && v.Parts == nil {
		whole := Value{Parts: make([]*Value, len(t.parts))}
		for i := range whole.Parts {
			whole.Parts[i] = new(Value)
		}
		c.made = append(c.made, made{v, whole})
		x = &whole
	}
	for i, p := range t.parts {
		part, ok := data.Part(x, i, len(t.parts))
		if !ok {
			return f.isNot(t, "place", data.Describe(x))
		}
		if err := f.place(c, p, part); err != nil {
			return err
		}
	}
	return nil
}

// zeros makes a [Value] the zeros of t; other places of what is not real are left alone.
func (f *Func) zeros(c *call, t *tree, x any) error {
	v, ok := x.(*Value)
	if !ok || v == nil {
		return nil
	}
	zero, err := eval.FloatArrays().New(t.typ)
	if err == nil && v.Elem == types.NoElem && v.Parts == nil {
		c.made = append(c.made, made{v, *zero})
	}
	return err
}

// isNot is the error of a value or a place that does not fit.
func (f *Func) isNot(t *tree, noun, is string) error {
	return f.errorf(t.pos, t.typ.String(), "%s: %s, and its %s is %s", t.what, t.typ, noun, is)
}
