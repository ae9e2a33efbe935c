package perm

import "egad/internal/memo"

// ID names a group of a [Groups]; 0 is the trivial one.
type ID = uint32

// Groups holds groups, of which there are few, for many e-classes have the same
// symmetries.
type Groups struct {
	// Work bounds the work to extend a group once, counted in slots of permutations.
	Work int

	vecs   *Vecs
	late   func() bool
	groups []*Group
	closed []bool // an extension was too much work: no other is tried
	larger map[extension]ID
	bytes  int
}

// extension is what makes a larger group of one.
type extension struct {
	group ID
	by    Vec
}

// trivial is the group that all tables have.
var trivial = []*Group{{}}[:1:1]

// DefaultWork is enough for all permutations of some hundred slots.
const DefaultWork = 1 << 27

// NewGroups makes a table with the trivial group. Permutations are lists of v. When
// late says so, groups are not extended any more.
func NewGroups(v *Vecs, late func() bool) *Groups {
	return &Groups{Work: DefaultWork, vecs: v, late: late, groups: trivial, closed: []bool{false}}
}

// Get returns a group.
func (s *Groups) Get(id ID) *Group { return s.groups[id] }

// Bytes returns the memory of the groups without their permutations, about.
func (s *Groups) Bytes() int { return s.bytes }

// Has reports whether the permutation p, which is overwritten, is in a group.
func (s *Groups) Has(id ID, p []Pos) bool { return s.groups[id].has(s.vecs, p) }

// Least brings names of slots into the least order that elements of a group give
// them. Names are distinct.
func (s *Groups) Least(id ID, names []Pos) { s.groups[id].least(s.vecs, names) }

// Extend returns the least group with the elements of id and the permutation p. It
// is id itself if p is in it. If the extension is too much work, or it is late, the
// result is id too, and complete is false.
func (s *Groups) Extend(id ID, p Vec) (larger ID, complete bool) {
	var buf [16]Pos
	if s.Has(id, append(buf[:0], s.vecs.Get(p)...)) {
		return id, true
	}
	key := extension{id, p}
	if grown, ok := s.larger[key]; ok {
		return grown, true
	}
	if s.closed[id] || s.late() {
		return id, false
	}
	c := s.groups[id].extended(s.vecs, s.vecs.Get(p), s.Work, s.late)
	if c == nil {
		s.closed[id] = !s.late()
		return id, false
	}
	grown := ID(len(s.groups))
	s.groups, s.closed = append(s.groups, c), append(s.closed, false)
	memo.Set(&s.larger, key, grown)
	s.bytes += c.bytes()
	return grown, true
}
