package egraph

// partition says which of some small numbers belong together: each has another
// one that it belongs to, which is less, or itself.
type partition []Pos

func newPartition(n int) partition {
	p := make(partition, n)
	for i := range p {
		p[i] = Pos(i)
	}
	return p
}

// first is the least number that x belongs together with.
func (p partition) first(x Pos) Pos {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// joinAll says that what a permutation takes to each other belongs together.
func (p partition) joinAll(permutation []Pos) {
	for x, y := range permutation {
		a, b := p.first(Pos(x)), p.first(y)
		p[max(a, b)] = min(a, b)
	}
}
