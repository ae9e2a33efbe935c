package typing

// chooser runs through all sequences of choices, whose number and bounds may
// depend on earlier choices.
type chooser struct {
	picks, bounds []int
	turn          int
	rank          int             // the greatest rank and length of a list
	pick          func(n int) int // chooses at random if it is not nil
}

// choose picks one of n; it gives up on the sequence if there is none.
func (c *chooser) choose(n int) int {
	if n == 0 {
		panic(giveUp{})
	}
	if c.pick != nil {
		return c.pick(n)
	}
	if c.turn == len(c.picks) {
		c.picks = append(c.picks, 0)
		c.bounds = append(c.bounds, n)
	}
	c.turn++
	return c.picks[c.turn-1]
}

// next moves to the next sequence.
func (c *chooser) next() bool {
	c.picks, c.bounds = c.picks[:c.turn], c.bounds[:c.turn]
	for i := len(c.picks) - 1; i >= 0; i-- {
		if c.picks[i]++; c.picks[i] < c.bounds[i] {
			c.picks, c.bounds = c.picks[:i+1], c.bounds[:i+1]
			return true
		}
	}
	return false
}

// giveUp leaves a sequence of choices that does not lead to an instance.
type giveUp struct{}
