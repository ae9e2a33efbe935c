package machine

import (
	"context"
	"time"

	"github.com/tetratelabs/wazero/api"

	"egad/kernel"
	"egad/kernel/inplace"
	"egad/kernel/plan"
	"egad/kernel/schedule"
	"egad/kernel/steps"
)

// Profile has how long runs took in each kernel, and how often they ran. The time of
// a loop of the program has that of the kernels of its steps in it. Where a step adds to the
// state where it lies, that of kernels that make the sums is in that of the one that adds them.
type Profile struct {
	Times map[*kernel.Kernel]time.Duration
	Runs  map[*kernel.Kernel]int
	// Run has the kernel that runs in the place of each one of the program and of its loops, mostly
	// itself. It has none for kernels that are part of others.
	Run map[*kernel.Kernel]*kernel.Kernel

	followed map[*kernel.Kernel]bool // by others in the place of the same kernel
	begun    []time.Time             // of the kernels that are running, the innermost one last
}

// CompileProfiled is [Compile], or to machine code if how is not nil, to a machine whose
// runs, one at a time, are added up in a profile. They take longer: 0.2 µs for each
// kernel that is measured, which is in the times of the loops around it. Those of loops are
// measured only if inside is set.
func CompileProfiled(p *kernel.Program, how *Native, inside bool) (*Machine, *Profile, error) {
	profile := &Profile{Times: make(map[*kernel.Kernel]time.Duration), Runs: make(map[*kernel.Kernel]int), Run: make(map[*kernel.Kernel]*kernel.Kernel), followed: make(map[*kernel.Kernel]bool)}
	_, err := host()
	native := p != nil && how != nil && err == nil
	if native && !how.Exact {
		p = inplace.Updated(p)
	}
	profile.runs(p)
	if native && how.products() {
		p = schedule.Contracted(p)
		profile.parts(p)
	}
	if native && !inside {
		p = steps.Joined(p, how.Exact)
	}
	m, err := Compile(p, kernel.DefaultBlock)
	if err != nil {
		return nil, nil, err
	}
	m.measure(profile, inside)
	if how != nil {
		err = m.makeNative(Native{Exact: how.Exact}) // loops that threads share are not measured
	}
	return m, profile, err
}

// measure has a machine fill a profile, and those of its loops if inside is set.
func (m *Machine) measure(p *Profile, inside bool) {
	m.profile = p
	if inside {
		for _, sub := range m.loops {
			sub.measure(p, true)
		}
	}
}

// measured reports whether a program, or a step of its loops, is measured.
func (m *Machine) measured(p *plan.Planned) bool {
	if m.prog == p {
		return m.profile != nil
	}
	for _, sub := range m.loops {
		if sub.measured(p) {
			return true
		}
	}
	return false
}

// runs notes in the place of which kernels those of a program run.
func (p *Profile) runs(of *kernel.Program) {
	if of == nil {
		return
	}
	for _, k := range of.Kernels {
		p.Run[k.Original()] = k
		if k.Steps != nil {
			p.runs(k.Steps.Step)
		}
	}
}

// parts notes which kernels are in the place of one with others: the last of them is counted as a run of it.
func (p *Profile) parts(of *kernel.Program) {
	for i, k := range of.Kernels {
		p.followed[k] = i+1 < len(of.Kernels) && of.Kernels[i+1].Original() == k.Original()
		if k.Steps != nil {
			p.parts(k.Steps.Step)
		}
	}
}

func (p *Profile) begin() { p.begun = append(p.begun, time.Now()) }

func (p *Profile) end(k *kernel.Kernel) {
	of := k.Original()
	last := len(p.begun) - 1
	p.Times[of] += time.Since(p.begun[last])
	if !p.followed[k] {
		p.Runs[of]++
	}
	p.begun = p.begun[:last]
}

// timed makes a step of a kernel one that is measured, if there is a profile.
func (p *Profile) timed(k *kernel.Kernel, s step) step {
	if p == nil {
		return s
	}
	return func(n int) {
		p.begin()
		s(n)
		p.end(k)
	}
}

// measureNow begins to measure a kernel, or ends it and says which it was.
func measureNow(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	if i := api.DecodeI32(stack[0]); i >= 0 {
		x.profile.end(x.native.Measured[i])
	} else {
		x.profile.begin()
	}
}
