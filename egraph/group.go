package egraph

import "slices"

// groupID names a group of permutations of slots; 0 is the trivial one.
type groupID = uint32

// groups holds permutation groups as lists of their elements without the
// identity. A permutation p of a class c says c(args) = c(args∘p).
type groups struct {
	lists [][]Vec
	gens  [][]Vec // generators
	fails []uint8 // how many extensions were too large
}

// maxGroup bounds the elements of a group. A symmetry that would make a group
// larger is not recorded, which merges less and is sound.
const maxGroup = 720

// maxFails is how many extensions of a group are tried in vain: the forms of a row
// may have thousands of symmetries.
const maxFails = 50

func newGroups() *groups { return &groups{lists: [][]Vec{nil}, gens: [][]Vec{nil}, fails: []uint8{0}} }

func (s *groups) elements(id groupID) []Vec { return s.lists[id] }

func (s *groups) add(list, gens []Vec) groupID {
	s.lists, s.gens, s.fails = append(s.lists, list), append(s.gens, gens), append(s.fails, 0)
	return groupID(len(s.lists) - 1)
}

// bytes is the memory of the groups, about.
func (s *groups) bytes() int {
	n := 0
	for i := range s.lists {
		n += 4 * (len(s.lists[i]) + len(s.gens[i]))
	}
	return n
}

// extend is the least group with the elements of id and the permutation p; it
// is id itself if p is in it, or if the group would grow too large.
func (g *Graph) extend(id groupID, p Vec) groupID {
	old := g.groups.elements(id)
	if p == g.vecs.identity(g.vecs.len(p)) || slices.Contains(old, p) {
		return id
	}
	// A larger group has at least twice the elements.
	if 2*(len(old)+1) > maxGroup || g.groups.fails[id] >= maxFails {
		return id
	}
	generators := append(slices.Clone(g.groups.gens[id]), p)
	have := map[Vec]bool{g.vecs.identity(g.vecs.len(p)): true}
	queue := []Vec{g.vecs.identity(g.vecs.len(p))}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		for _, q := range generators {
			y := g.vecs.compose(x, q)
			if have[y] {
				continue
			}
			if len(have) >= maxGroup {
				g.groups.fails[id]++
				return id
			}
			have[y] = true
			queue = append(queue, y)
		}
	}
	delete(have, g.vecs.identity(g.vecs.len(p)))
	list := make([]Vec, 0, len(have))
	for v := range have {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Vec) int { return slices.Compare(g.vecs.get(a), g.vecs.get(b)) })
	return g.groups.add(list, generators)
}

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
