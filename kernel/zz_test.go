package kernel

import "testing"

func TestZZ(t *testing.T) {
	for _, seed := range []int64{4576, 16574} {
		if err := checkRandomKernel(seed); err != nil {
			t.Error(err)
		}
	}
}
