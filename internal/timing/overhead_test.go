package timing

import (
	"slices"
	"testing"

	"egad/kernel/machine"
)

// TestOff: what measuring adds is taken off, and no time is negative.
func TestOff(t *testing.T) {
	o := overhead{own: 70.5, around: 200}
	for _, c := range []struct {
		took         Times
		runs, within int
		want         Times
	}{
		{Times{3000, 2000}, 40, 0, Times{3000 - 2820, 0}},
		{Times{9000}, 10, 40, Times{9000 - 705 - 40*200}},
	} {
		if got := o.off(c.took, c.runs, c.within); !slices.Equal(got, c.want) {
			t.Errorf("of %v are left %v, wanted %v", c.took, got, c.want)
		}
	}
}

// TestCalibrate: measuring takes time, and more of it lies within a loop than within its kernel.
func TestCalibrate(t *testing.T) {
	for _, native := range []*machine.Native{nil, {}} {
		o, err := calibrate(native)
		if err != nil || o.own <= 0 || o.around < o.own {
			t.Errorf("native %v: %+v, %v", native, o, err)
		}
	}
}
