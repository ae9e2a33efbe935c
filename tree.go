package egad

import (
	"egad/data"
	"egad/diag"
	"egad/term"
)

// tree is an array that a program takes or results in, or a tuple of trees.
type tree struct {
	name  string // as in the program
	what  string // in messages
	typ   *term.Type
	pos   diag.Pos
	shape []int // of an array at known sizes
	parts []*tree
	leaf  int // of an array: its place among the leaves of all trees; -1 for zeros that are not computed
	by    int // of an input: its place among those that are differentiated by, or -1
}

// newTree makes the tree of an input, and adds its arrays to leaves.
func newTree(what string, in term.Input, pos diag.Pos, leaves *[]*tree) *tree {
	t := &tree{name: in.Name, what: what, typ: in.Type, pos: pos, by: -1}
	if in.Type.Kind != term.KTuple {
		t.leaf = len(*leaves)
		*leaves = append(*leaves, t)
		return t
	}
	t.parts = make([]*tree, len(in.Type.Parts))
	for i, p := range in.Components() {
		t.parts[i] = newTree(what+p.Name[len(in.Name):], p, pos, leaves)
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
		if l.typ.Elem == term.R {
			l.leaf = len(*leaves)
			*leaves = append(*leaves, l)
		}
	}
	return t
}

// size finds the shapes of the leaves, at known sizes.
func size(leaves []*tree) error {
	for _, l := range leaves {
		shape, _, err := term.ShapeOf(l.typ, term.DefaultMaxElements)
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
	a := &to[t.leaf]
	if err := a.Read(x, t.typ.Elem); err != nil {
		return 0, f.isNot(t, "value", err.Error())
	}
	if t.shape != nil && !a.Has(t.shape) {
		return 0, f.isNot(t, "value", a.String())
	}
	return 1, nil
}

// place lets the results of t go to x. Nothing is changed before they are computed.
func (f *Func) place(c *call, t *tree, x any) error {
	if x == nil {
		return nil
	}
	if t.leaf < 0 {
		return f.zeros(c, t, x)
	}
	if t.parts == nil {
		if err := c.out[t.leaf].Place(x, t.typ.Elem, t.shape); err != nil {
			return f.isNot(t, "place", err.Error())
		}
		return nil
	}
	if v, ok := x.(*Value); ok && v != nil && v.Elem == term.NoElem && v.Parts == nil {
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
	zero, err := term.FloatArrays().New(t.typ)
	if err == nil && v.Elem == term.NoElem && v.Parts == nil {
		c.made = append(c.made, made{v, *zero})
	}
	return err
}

// isNot is the error of a value or a place that does not fit.
func (f *Func) isNot(t *tree, noun, is string) error {
	return f.errorf(t.pos, t.typ.String(), "%s: %s, and its %s is %s", t.what, t.typ, noun, is)
}
