package kernel

import (
	"testing"

	"egad/term"
)

// TestMaxValues: a program is refused when its kernels have too many scalars.
func TestMaxValues(t *testing.T) {
	made := maxValues - 2
	b := newBuilder(&made)
	err := term.Guard(func() error {
		for i := range int64(9) {
			b.int(i % 2)
		}
		return nil
	})
	if err != nil {
		t.Error("equal scalars are counted once:", err)
	}
	err = term.Guard(func() error { b.int(2); return nil })
	if err == nil || err.Error() != "the kernels compute more than 2097152 different scalars" {
		t.Error(err)
	}
}
