package kernel

import (
	"testing"

	"egad/term"
)

// TestNatural: an index that may be below 0 counts from the least that it may be, so that what
// is constant in an address can be an offset.
func TestNatural(t *testing.T) {
	for _, c := range []struct {
		least, konst int64
		natural      bool
		bytes        int64
	}{
		{0, 1, true, 8},
		{-1, 1, true, 0},
		{-3, 7, true, 32},
		{-1 << 40, 7, false, 56},
	} {
		b := newBuilder(nil)
		ix := &Array{Name: "ix", Elem: term.I, Range: term.Range{Lo: c.least, Hi: 9}}
		f := formOf(b.add(b.load(Access{Array: ix}), b.int(c.konst)))
		e := &emitter{variance: newVariance(nil), rows: newVariance(nil), lines: 1}
		if got := natural(f); got != c.natural {
			t.Errorf("from %d: natural is %v", c.least, got)
		}
		if got := e.apart(f, place{}); got != c.bytes {
			t.Errorf("from %d: %d bytes apart, and not %d", c.least, got, c.bytes)
		}
	}
}
