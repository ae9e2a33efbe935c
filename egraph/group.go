package egraph

import "slices"

// groupID names a group of permutations of slots; 0 is the trivial one.
type groupID = uint32

// groups holds permutation groups. A permutation p of a class c says
// c(args) = c(args∘p).
type groups struct {
	chains []*chain
	closed []bool // an extension was too much work: no other is tried
	// larger has the extensions that have been made, for many classes have the
	// same symmetries.
	larger map[extension]groupID
	work   int // bounds what is done to extend a group once
	bytes  int // the memory of the groups, about
}

type extension struct {
	group groupID
	by    Vec
}

// trivial is the group that all graphs have.
var trivial = []*chain{{}}[:1:1]

// maxGroupWork bounds the work to extend a group, counted in slots of
// permutations. It is enough for all permutations of some hundred slots.
const maxGroupWork = 1 << 27

func newGroups() *groups {
	return &groups{chains: trivial, closed: []bool{false}, work: maxGroupWork}
}

// extend is the least group with the elements of id and the permutation p; it
// is id itself if p is in it. It is id too if the extension is too much work,
// which merges less and is sound; the graph is lossy then.
func (g *Graph) extend(id groupID, p Vec) groupID {
	s := g.groups
	var buf [16]Pos
	if s.chains[id].has(g.vecs, append(buf[:0], g.vecs.get(p)...)) {
		return id
	}
	if s.closed[id] {
		g.lossy = true
		return id
	}
	key := extension{id, p}
	if grown, ok := s.larger[key]; ok {
		return grown
	}
	if g.hurried() {
		g.lossy = true
		return id
	}
	c := s.chains[id].extended(g.vecs, g.vecs.get(p), s.work, g.hurried)
	if c == nil && g.hurried() {
		g.lossy = true
		return id
	}
	if c == nil {
		s.closed[id], g.lossy = true, true
		return id
	}
	grown := groupID(len(s.chains))
	s.chains, s.closed = append(s.chains, c), append(s.closed, false)
	if s.larger == nil {
		s.larger = make(map[extension]groupID)
	}
	s.larger[key] = grown
	s.bytes += c.bytes()
	return grown
}

// hurried reports whether a run has to end now: then symmetries are not worked out,
// which merges less and is sound.
func (g *Graph) hurried() bool { return g.late != nil && g.late() }

// orbit reports which slots a symmetry of the class maps to one that is marked.
// It marks them too and reports whether it marked anything new.
func (g *Graph) orbit(c ClassID, marked []bool) bool {
	grew := false
	for _, p := range g.symmetriesOf(c) {
		for k, i := range g.vecs.get(p) {
			if marked[i] != marked[k] {
				marked[i], marked[k] = true, true
				grew = true
			}
		}
	}
	return grew
}

// restrict is the group of c on the slots in keep, which its elements permute
// among themselves.
func (g *Graph) restrict(c ClassID, keep []Pos) groupID {
	var out groupID
	buf := make([]Pos, len(keep))
	for _, p := range g.symmetriesOf(c) {
		m := g.vecs.get(p)
		for k, old := range keep {
			buf[k] = Pos(slices.Index(keep, m[old]))
		}
		out = g.extend(out, g.vecs.intern(buf))
	}
	return out
}

// sameUpTo reports whether an element of a group makes names x, which are
// distinct, into y.
func sameUpTo[T comparable](g *Graph, id groupID, x, y []T) bool {
	if id == 0 {
		return slices.Equal(x, y)
	}
	var buf [16]Pos
	p := buf[:0]
	for _, n := range y {
		i := slices.Index(x, n)
		if i < 0 {
			return false
		}
		p = append(p, Pos(i))
	}
	return g.groups.chains[id].has(g.vecs, p)
}
