package timing

import (
	"testing"
	"time"

	"egad/kernel"
)

// TestOverhead: what measuring adds is taken off, of a loop also what it adds to the kernels
// of its steps and of loops in them, and no time is negative.
func TestOverhead(t *testing.T) {
	inner := &kernel.Kernel{}
	loop := &kernel.Kernel{Steps: &kernel.Steps{Step: &kernel.Program{Kernels: []*kernel.Kernel{inner}}}}
	beside := &kernel.Kernel{}
	outer := &kernel.Kernel{Steps: &kernel.Steps{Step: &kernel.Program{Kernels: []*kernel.Kernel{beside, loop}}}}
	runs := map[*kernel.Kernel]int{inner: 40, loop: 10, beside: 10, outer: 1}
	o := overhead{own: 70.5, around: 200}
	for _, c := range []struct {
		kernel     *kernel.Kernel
		took, want time.Duration
	}{
		{inner, 3000, 3000 - 2820},
		{inner, 2000, 0},
		{loop, 9000, 9000 - 705 - 40*200},
		{outer, 20000, 20000 - 70 - 60*200},
	} {
		if got := o.off(c.took, c.kernel, runs); got != c.want {
			t.Errorf("of %v are left %v, wanted %v", c.took, got, c.want)
		}
	}
}

// TestCalibrate: measuring takes time, and more of it lies within a loop than within its kernel.
func TestCalibrate(t *testing.T) {
	for _, native := range []*kernel.Native{nil, {}} {
		o, err := calibrate(native)
		if err != nil || o.own <= 0 || o.around < o.own {
			t.Errorf("native %v: %+v, %v", native, o, err)
		}
	}
}
