package egraph

import "slices"

// Pos is a slot in a row or in a match: a small number, or bound plus the
// position of one of the row's own binders.
type Pos = uint16

// bound marks a Pos that refers to one of the row's own binders.
const bound Pos = 1 << 15

// Vec is an interned list of slots. Equal lists are equal Vecs; the empty list
// is 0. Rows and matches hold Vecs where others would hold maps.
type Vec = uint32

// vecs interns lists of slots.
type vecs struct {
	data  []Pos
	start []uint32 // of list i; its end is start[i+1]
	table []Vec    // open addressing; 0 is free, for the empty list is not in it
	ident []Vec    // identity lists by length
}

func newVecs() *vecs {
	return &vecs{start: []uint32{0, 0}, table: make([]Vec, 64), ident: []Vec{0}}
}

// get returns the slots of v. The result is not to be changed.
func (t *vecs) get(v Vec) []Pos { return t.data[t.start[v]:t.start[v+1]:t.start[v+1]] }

// any reports whether there is a list that is not empty.
func (t *vecs) any() bool { return len(t.data) > 0 }

func (t *vecs) len(v Vec) int { return int(t.start[v+1] - t.start[v]) }

func hashPos(s []Pos) uint64 {
	h := uint64(len(s)) + 0x9e3779b97f4a7c15
	for _, p := range s {
		h = (h ^ uint64(p)) * 0xff51afd7ed558ccd
	}
	return h ^ h>>29
}

// intern returns the Vec of s, which it copies.
func (t *vecs) intern(s []Pos) Vec {
	if len(s) == 0 {
		return 0
	}
	mask := uint64(len(t.table) - 1)
	i := hashPos(s) & mask
	for t.table[i] != 0 {
		if v := t.table[i]; slices.Equal(t.get(v), s) {
			return v
		}
		i = (i + 1) & mask
	}
	v := Vec(len(t.start) - 1)
	t.data = append(t.data, s...)
	t.start = append(t.start, uint32(len(t.data)))
	t.table[i] = v
	if len(t.start)*2 > len(t.table) {
		t.grow()
	}
	return v
}

func (t *vecs) grow() {
	t.table = make([]Vec, 2*len(t.table))
	mask := uint64(len(t.table) - 1)
	for v := 1; v < len(t.start)-1; v++ {
		i := hashPos(t.get(Vec(v))) & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = Vec(v)
	}
}

// identity is [0, 1, …, n-1].
func (t *vecs) identity(n int) Vec {
	for len(t.ident) <= n {
		s := make([]Pos, len(t.ident))
		for i := range s {
			s[i] = Pos(i)
		}
		t.ident = append(t.ident, t.intern(s))
	}
	return t.ident[n]
}

// compose is the list whose element i is args[m[i]].
func (t *vecs) compose(args, m Vec) Vec {
	var buf [16]Pos
	a, p := t.get(args), t.get(m)
	out := buf[:0]
	for _, i := range p {
		out = append(out, a[i])
	}
	return t.intern(out)
}
