package raise

import (
	"errors"
	"testing"
)

var errDeep = errors.New("deep")

// depth is n, or an error at the end of it.
func depth(n int) int {
	if n == 0 {
		return Must(0, errDeep)
	}
	return 1 + depth(n-1)
}

// TestCaught: an error ends all that was begun, and what did not go wrong has a result.
func TestCaught(t *testing.T) {
	run := func(n int, fail error) (out int, err error) {
		defer Caught(&err)
		Error(fail)
		return depth(n), nil
	}
	if out, err := run(1000, nil); err != errDeep || out != 0 {
		t.Errorf("%d, %v, want %v", out, err, errDeep)
	}
	first := errors.New("first")
	if _, err := run(1, first); err != first {
		t.Errorf("%v, want %v", err, first)
	}
	if out := Must(2, nil); out != 2 {
		t.Errorf("%d, want 2", out)
	}
}

// TestOtherPanics: what panics otherwise is no error.
func TestOtherPanics(t *testing.T) {
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("recovered %v", r)
		}
	}()
	var err error
	defer Caught(&err)
	panic("other")
}
