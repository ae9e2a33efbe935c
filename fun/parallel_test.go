package fun

import "testing"

// TestPartsPanic: a panic in a part is one of the caller, whichever goroutine it is in.
func TestPartsPanic(t *testing.T) {
	defer func() {
		if r := recover(); r != "a defect" {
			t.Errorf("recovered %v", r)
		}
	}()
	m := &Machine{Domain: Floats(), Threads: NewThreads(4, 1)}
	m.Parts(8, func(*Machine, int) { panic("a defect") })
	t.Error("no panic")
}
