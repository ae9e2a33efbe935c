package machine

import (
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"egad/kernel"
	"egad/kernel/gemm"
	"egad/kernel/inplace"
	"egad/kernel/schedule"
	"egad/kernel/steps"
)

// Native says how machine code is made.
type Native struct {
	// Exact code gives what the interpreter gives, bit for bit.
	Exact bool
	// Threads are how many goroutines may share a run, 1 if it is 0. Results do not
	// depend on it.
	Threads int
}

// Compile is [CompileNative] with these choices.
func (n Native) Compile(p *kernel.Program) (*Machine, error) {
	if n.Threads < 0 || n.Threads > MaxThreads {
		return nil, fmt.Errorf("%d threads: expected 1 to %d", n.Threads, MaxThreads)
	}
	if _, err := host(); p != nil && err == nil {
		if !n.Exact {
			p = inplace.Updated(p)
			if n.products() {
				p = schedule.Contracted(p)
			}
			p = schedule.Partial(p, n.Threads)
		}
		p = steps.Joined(p, n.Exact)
	}
	m, err := Compile(p, kernel.DefaultBlock)
	if err == nil {
		err = m.makeNative(n)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// products reports whether the host multiplies matrices.
func (n Native) products() bool { return !n.Exact && gemm.Available() }

// MaxThreads is how many threads there may be: each has memory of its own.
const MaxThreads = 256

// forked is the function of the host that has goroutines share a loop.
func forked(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	ended, err := x.team.share(ctx, x.native.Parts[api.DecodeU32(stack[0])])
	if err != nil {
		panic(err)
	}
	stack[0] = 0
	if ended || x.stop.Requested() {
		stack[0] = 1
	}
}
