package perm

import "slices"

// Pos is a slot: a small number.
type Pos = uint16

// Vec is an interned list of slots. Equal lists are equal Vecs; the empty list
// is 0.
type Vec = uint32

// Vecs interns lists of slots.
type Vecs struct {
	data  []Pos
	start []uint32 // of list i; its end is start[i+1]
	table []Vec    // open addressing; 0 is free, for the empty list is not in it
	ident []Vec    // identity lists by length
}

// NewVecs makes a table with the empty list.
func NewVecs() *Vecs {
	return &Vecs{start: []uint32{0, 0}, table: make([]Vec, 64), ident: []Vec{0}}
}

// Get returns the slots of v. The result is not to be changed.
func (t *Vecs) Get(v Vec) []Pos { return t.data[t.start[v]:t.start[v+1]:t.start[v+1]] }

// Any reports whether there is a list that is not empty.
func (t *Vecs) Any() bool { return len(t.data) > 0 }

// Len returns the number of slots of v.
func (t *Vecs) Len(v Vec) int { return int(t.start[v+1] - t.start[v]) }

func hashPos(s []Pos) uint64 {
	h := uint64(len(s)) + 0x9e3779b97f4a7c15
	for _, p := range s {
		h = (h ^ uint64(p)) * 0xff51afd7ed558ccd
	}
	return h ^ h>>29
}

// Intern returns the Vec of s, which it copies.
func (t *Vecs) Intern(s []Pos) Vec {
	if len(s) == 0 {
		return 0
	}
	mask := uint64(len(t.table) - 1)
	i := hashPos(s) & mask
	for t.table[i] != 0 {
		if v := t.table[i]; slices.Equal(t.Get(v), s) {
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

func (t *Vecs) grow() {
	t.table = make([]Vec, 2*len(t.table))
	mask := uint64(len(t.table) - 1)
	for v := 1; v < len(t.start)-1; v++ {
		i := hashPos(t.Get(Vec(v))) & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = Vec(v)
	}
}

// Identity returns [0, 1, …, n-1].
func (t *Vecs) Identity(n int) Vec {
	for len(t.ident) <= n {
		s := make([]Pos, len(t.ident))
		for i := range s {
			s[i] = Pos(i)
		}
		t.ident = append(t.ident, t.Intern(s))
	}
	return t.ident[n]
}

// Compose returns the list whose element i is args[m[i]].
func (t *Vecs) Compose(args, m Vec) Vec {
	var buf [16]Pos
	a, p := t.Get(args), t.Get(m)
	out := buf[:0]
	for _, i := range p {
		out = append(out, a[i])
	}
	return t.Intern(out)
}

// Memory returns the slices that grow with the table, for those who count memory.
func (t *Vecs) Memory() (slots []Pos, starts []uint32, table []Vec) { return t.data, t.start, t.table }
