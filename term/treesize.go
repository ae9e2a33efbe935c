package term

import (
	"math"

	"egad/internal/memo"
)

// TreeSizes counts the nodes of terms of a store as trees, in which what is shared counts
// wherever it stands.
type TreeSizes struct {
	s  *Store
	of map[uint32]int64 // by node
}

// TreeSizes returns a counter, which remembers what it has counted.
func (s *Store) TreeSizes() *TreeSizes { return &TreeSizes{s, make(map[uint32]int64)} }

// MostTree is where counting the nodes of a tree ends.
const MostTree = math.MaxInt64

// Of returns how many nodes a term has, at most [MostTree].
func (c *TreeSizes) Of(t Term) int64 {
	return memo.Of(c.of, t.ID, func() int64 {
		n := int64(1)
		for _, k := range c.s.Kids(t) {
			if n += c.Of(Term{ID: k.ID}); n < 0 {
				n = MostTree
			}
		}
		return n
	})
}
