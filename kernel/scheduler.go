package kernel

// scheduler says how machine code runs the kernels of a program.
type scheduler struct {
	weights *Weights
	zeroes  *zeroes
	exact   bool // sums are added in the order in which they are written
}

// scheduler is that of a program.
func (p *Program) scheduler(exact bool) *scheduler { return &scheduler{p.costs(), newZeroes(p), exact} }

// inside is the scheduler of the steps of a loop in the program, by the same weights.
func (x *scheduler) inside(step *Program) *scheduler {
	return &scheduler{x.weights, newZeroes(step), x.exact}
}

// ready is a kernel that does the same with less to ask and to divide in its loops.
func (x *scheduler) ready(k *Kernel) *Kernel {
	return k.strict(x.exact).powered(x.exact).quotients().clamped()
}

// pieces are the kernels that machine code has in the place of one, which come one after the other.
func (x *scheduler) pieces(k *Kernel) []*Kernel { return x.weights.pieces(x.ready(k), x.exact) }

// whole is the kernel that machine code has in the place of one if that is to be one function.
func (x *scheduler) whole(k *Kernel) *Kernel {
	return &Kernel{Body: x.weights.interior(x.ready(k).Body, x.exact)}
}

// schedule says how a piece is run, by an estimate of the time of all choices.
func (x *scheduler) schedule(k *Kernel) *schedule {
	return newSchedule(x.weights, x.zeroes, k, x.exact)
}

// shared is the loop of a piece that goroutines may share, if that pays, or nil.
func (x *scheduler) shared(s *schedule) *Loop { return s.parted(x.weights.of[costShare]) }
