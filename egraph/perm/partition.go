package perm

// Partition says which of some small numbers belong together: each has another
// one that it belongs to, which is less, or itself.
type Partition []Pos

// NewPartition returns the partition of n numbers of which none belong together.
func NewPartition(n int) Partition {
	p := make(Partition, n)
	for i := range p {
		p[i] = Pos(i)
	}
	return p
}

// First returns the least number that x belongs together with.
func (p Partition) First(x Pos) Pos {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// JoinAll says that what a permutation takes to each other belongs together.
func (p Partition) JoinAll(permutation []Pos) {
	for x, y := range permutation {
		a, b := p.First(Pos(x)), p.First(y)
		p[max(a, b)] = min(a, b)
	}
}
