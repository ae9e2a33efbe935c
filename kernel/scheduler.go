package kernel

// Scheduler says how machine code runs the kernels of a program.
type Scheduler struct {
	weights *Weights
	zeroes  *zeroes
	exact   bool // sums are added in the order in which they are written
	runs    int  // of the program, in a loop
}

// Scheduler is that of a program.
func (p *Program) Scheduler(exact bool) *Scheduler {
	return &Scheduler{p.costs(), newZeroes(p), exact, 1}
}

// Inside is the scheduler of the steps of a loop in the program, by the same weights.
func (x *Scheduler) Inside(s *Steps, step *Program) *Scheduler {
	return &Scheduler{x.weights, newZeroes(step), x.exact, runsIn(x.runs, s.N)}
}

// Pieces are the kernels that machine code has in the place of one, which come one after the other.
func (x *Scheduler) Pieces(k *Kernel) []*Kernel {
	return x.weights.pieces(reduced(k, x.exact), x.exact, x.runs)
}

// Whole is the kernel that machine code has in the place of one if that is to be one function.
func (x *Scheduler) Whole(k *Kernel) *Kernel {
	return &Kernel{Body: x.weights.interior(reduced(k, x.exact).Body, x.exact, x.runs)}
}

// Schedule says how a piece is run, by an estimate of the time of all choices.
func (x *Scheduler) Schedule(k *Kernel) *Schedule {
	return newSchedule(x.weights, x.zeroes, k, x.exact)
}

// Shared is the loop of a piece that goroutines may share, if that pays, or nil.
func (x *Scheduler) Shared(s *Schedule) *Loop { return s.parted(x.weights.of[costShare]) }
