package extract

import "math/bits"

// ranks is a set of small numbers of which the least is found at once. A bit of a
// level says that a word of the level below is not 0.
type ranks [][]uint64

func newRanks(n int) ranks {
	var r ranks
	for {
		n = (n + 63) / 64
		r = append(r, make([]uint64, max(n, 1)))
		if n <= 1 {
			return r
		}
	}
}

func (r ranks) add(i int) {
	for _, level := range r {
		level[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (r ranks) remove(i int) {
	for _, level := range r {
		level[i/64] &^= 1 << (i % 64)
		if level[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// first is the least number, -1 if there is none.
func (r ranks) first() int {
	if r[len(r)-1][0] == 0 {
		return -1
	}
	i := 0
	for l := len(r) - 1; l >= 0; l-- {
		i = i*64 + bits.TrailingZeros64(r[l][i])
	}
	return i
}
