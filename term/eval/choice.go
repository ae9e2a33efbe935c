package eval

// cond prepares a choice between two operands, which have both been evaluated.
func (a Arrays[S]) cond(operands []*Value[S]) (*Value[S], Step) {
	r := operands[1].room()
	return r, func() {
		if operands[0].N[0] != 0 {
			r.follow(operands[1])
		} else {
			r.follow(operands[2])
		}
	}
}
