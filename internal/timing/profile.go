package timing

import (
	"time"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/estimate"
	"egad/kernel/machine"
)

// Kernel is what was measured of a kernel.
type Kernel struct {
	Times         // of all its runs in one run of the program
	Runs      int // in one run of the program
	Estimated time.Duration
	// Shared says that the times are a share of those of the loop that the kernel is in, by the
	// estimates of its kernels: its steps are shorter than measuring them.
	Shared bool
}

// profile has the kernels of a program and of its loops, but those that are part of others.
type profile map[*kernel.Kernel]*Kernel

// Profile measures the kernels in so many runs of the program: loops as a whole first, then the
// kernels of their steps, which divide the time of the loop. It has nothing of a kernel that is
// part of another one.
func (t *Program) Profile(native *machine.Native, runs int) (map[*kernel.Kernel]*Kernel, error) {
	o, err := calibrate(native)
	if err != nil {
		return nil, err
	}
	whole, err := t.profile(native, runs, false)
	if err != nil {
		return nil, err
	}
	out, err := t.profile(native, runs, true)
	if err != nil {
		return nil, err
	}
	for _, k := range t.Kernels.Kernels {
		if p := out[k]; p != nil {
			p.Times = o.off(whole[k].Times, p.Runs, 0)
			out.divide(k, o)
		}
	}
	return out, nil
}

// profile measures the kernels of the program, and those of its loops if inside is set, with what
// measuring them takes.
func (t *Program) profile(native *machine.Native, runs int, inside bool) (profile, error) {
	mach, p, err := machine.CompileProfiled(t.Kernels, native, inside)
	if err != nil {
		return nil, err
	}
	if err := mach.Allow(t.allowed); err != nil {
		return nil, err
	}
	took, before := make(map[*kernel.Kernel]Times), make(map[*kernel.Kernel]time.Duration)
	for range runs {
		if err := mach.RunInto(t.Results, t.session.In); err != nil {
			return nil, err
		}
		for k := range p.Run {
			took[k] = append(took[k], p.Times[k]-before[k])
			before[k] = p.Times[k]
		}
	}
	out := make(profile)
	for k, now := range p.Run {
		n := p.Runs[k] / max(runs, 1)
		out[k] = &Kernel{Times: took[k], Runs: n, Estimated: time.Duration(n) * estimate.Kernel(t.Kernels, now, mach.Compiled(now), mach.Products())}
	}
	return out, nil
}

// divide divides the time of a loop among the kernels of its steps: by what was measured of them
// without what measuring adds, or by their estimates if that is more than the loop takes.
func (p profile) divide(loop *kernel.Kernel, o overhead) {
	if loop.Steps == nil {
		return
	}
	var parts []*kernel.Kernel
	all, estimated := time.Duration(0), time.Duration(0)
	for _, k := range loop.Steps.Step.Kernels {
		if m := p[k]; m != nil {
			parts = append(parts, k)
			m.Times = o.off(m.Times, m.Runs, p.within(k))
			all, estimated = all+m.Median(), estimated+m.Estimated
		}
	}
	took := p[loop]
	shared := o.around*float64(p.within(loop)) > float64(took.Median())
	for _, k := range parts {
		m := p[k]
		switch {
		case shared:
			m.Shared, m.Times = true, took.scaled(float64(m.Estimated)/float64(max(estimated, 1)))
		case all > took.Median():
			m.Times = m.scaled(float64(took.Median()) / float64(all))
		}
		p.divide(k, o)
	}
}

// within is how often kernels of a loop ran.
func (p profile) within(loop *kernel.Kernel) int {
	n := 0
	if loop.Steps != nil {
		for _, k := range loop.Steps.Step.Kernels {
			if m := p[k]; m != nil {
				n += m.Runs + p.within(k)
			}
		}
	}
	return n
}

// scaled is a share of the times.
func (t Times) scaled(share float64) Times {
	return slice.Map(t, func(d time.Duration) time.Duration { return time.Duration(share * float64(d)) })
}
