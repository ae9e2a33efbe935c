package timing

import (
	"slices"
	"time"

	"egad/diag"
	"egad/fusion"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// overhead is how many nanoseconds measuring one run of a kernel adds to what is measured of
// it, and of each loop around it.
type overhead struct{ own, around float64 }

// nothing is a program that does next to nothing in each step of a loop, whose state is so large
// that it is no loop of one kernel.
const nothing = "def nothing(x: R[100]): R[100] = iterate 1000 (\\x -> -x) x"

// calibrate measures what measuring takes.
func calibrate(native *machine.Native) (o overhead, err error) {
	mod, err := module.Load(term.NewSignature(), &diag.Source{Name: "nothing.egad", Text: nothing})
	if err != nil {
		return o, err
	}
	p, err := mod.Instantiate("", nil)
	if err != nil {
		return o, err
	}
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		return o, err
	}
	mach, profile, err := machine.CompileProfiled(k, native, true)
	if err != nil {
		return o, err
	}
	loop := k.Kernels[slices.IndexFunc(k.Kernels, func(k *kernel.Kernel) bool { return k.Steps != nil })]
	step := loop.Steps.Step.Kernels[0]
	env := eval.Env[*eval.Value[float64]]{"x": {Elem: types.R, Shape: []int{100}, R: make([]float64, 100)}}
	const runs = 51
	var own, around Times
	for range runs {
		own0, around0 := profile.Times[step], profile.Times[loop]
		if _, err := mach.Run(env); err != nil {
			return o, err
		}
		own, around = append(own, profile.Times[step]-own0), append(around, profile.Times[loop]-around0)
	}
	steps := float64(profile.Runs[step]) / runs
	return overhead{float64(own.Median()) / steps, float64(around.Median()) / steps}, nil
}

// off is what is left of the times of a kernel without what measuring has added: so many runs of
// itself, and runs of kernels within it.
func (o overhead) off(took Times, runs, within int) Times {
	added := time.Duration(o.own*float64(runs) + o.around*float64(within))
	return slice.Map(took, func(d time.Duration) time.Duration { return max(0, d-added) })
}
