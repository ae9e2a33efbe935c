package egraph

import "slices"

// groupID names a group of permutations of slots; 0 is the trivial one.
type groupID = uint32

// groups holds permutation groups as lists of their elements without the
// identity. A permutation p of a class c says c(args) = c(args∘p).
type groups struct {
	lists [][]Vec
}

// maxGroup bounds the elements of a group. A symmetry that would make a group
// larger is not recorded, which merges less and is sound.
const maxGroup = 720

func newGroups() *groups { return &groups{lists: [][]Vec{nil}} }

func (s *groups) elements(id groupID) []Vec { return s.lists[id] }

func (s *groups) add(list []Vec) groupID {
	if len(list) == 0 {
		return 0
	}
	s.lists = append(s.lists, list)
	return groupID(len(s.lists) - 1)
}

// extend is the least group with the elements of id and the permutation p; it
// is id itself if p is in it, or if the group would grow too large.
func (g *Graph) extend(id groupID, p Vec) groupID {
	old := g.groups.elements(id)
	if p == g.vecs.identity(g.vecs.len(p)) || slices.Contains(old, p) {
		return id
	}
	generators := append(slices.Clone(old), p)
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
	return g.groups.add(list)
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
