package schedule

import (
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/sparsity"
)

// Scheduler says how machine code runs the kernels of a program.
type Scheduler struct {
	weights *cost.Weights
	zeroes  *sparsity.Zeroes
	exact   bool // sums are added in the order in which they are written
	// products says that the host multiplies matrices.
	products bool
	runs     int // of the program, in a loop
}

// NewScheduler makes the scheduler of a program. If products is set, the host multiplies large matrices.
func NewScheduler(p *kernel.Program, exact, products bool) *Scheduler {
	return &Scheduler{p.Costs(), sparsity.NewZeroes(p), exact, products, 1}
}

// Inside is the scheduler of the steps of a loop in the program, by the same weights.
func (x *Scheduler) Inside(s *kernel.Steps, step *kernel.Program) *Scheduler {
	return &Scheduler{x.weights, sparsity.NewZeroes(step), x.exact, x.products, runsIn(x.runs, s.N)}
}

// Pieces are the kernels that machine code has in the place of one, which come one after the other.
func (x *Scheduler) Pieces(k *kernel.Kernel) []*kernel.Kernel {
	return pieces(x.weights, x.reduced(k), x.exact, x.runs)
}

// Whole is the kernel that machine code has in the place of one if that is to be one function.
func (x *Scheduler) Whole(k *kernel.Kernel) *kernel.Kernel {
	return &kernel.Kernel{Body: Interior(x.weights, x.reduced(k).Body, x.exact, x.runs)}
}

// Schedule says how a piece is run, by an estimate of the time of all choices.
func (x *Scheduler) Schedule(k *kernel.Kernel) *Schedule {
	return newSchedule(x.weights, x.zeroes, k, x.exact, x.products)
}

// Shared is the loop of a piece that goroutines may share, if that pays, or nil.
func (x *Scheduler) Shared(s *Schedule) *kernel.Loop { return s.parted(x.weights.Of[cost.Share]) }
