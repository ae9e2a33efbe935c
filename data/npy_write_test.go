package data

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/types"

	"github.com/sbinet/npyio/npy"
)

// TestWriteNPY: what is written is read as it was, and NumPy aligns what follows its headers.
func TestWriteNPY(t *testing.T) {
	many := make([]int, 64)
	for i := range many {
		many[i] = 1
	}
	for _, v := range []*eval.Value[float64]{
		real([]int{}, 0.1),
		real([]int{3}, math.Copysign(0, -1), math.Inf(-1), 5e-324),
		real([]int{2, 3}, 1, 2, 3, 4, 5, 6),
		real([]int{0, 3}),
		real(many, 7),
		whole([]int{2}, math.MaxInt64, math.MinInt64),
		truths([]int{2, 1}, 1, 0),
	} {
		var b bytes.Buffer
		if err := WriteNPY(&b, v); err != nil {
			t.Fatal(err)
		}
		if at := b.Len() - v.Len()*map[types.Elem]int{types.R: 8, types.I: 8, types.B: 1}[v.Elem]; at%64 != 0 {
			t.Errorf("%v: the elements begin at byte %d", v.Shape, at)
		}
		got, err := bindNPY(b.Bytes(), arrayType(v.Elem, slice.Map(v.Shape, func(n int) int64 { return int64(n) })...))
		if err != nil || !sameBits(got, v) {
			t.Errorf("got %+v, want %+v (%v)", got, v, err)
		}
	}
	var b bytes.Buffer
	if err := WriteNPY(&b, real([]int{2, 2}, 1, 2, 3, 4)); err != nil {
		t.Fatal(err)
	}
	r, err := npy.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	var flat []float64
	if err := r.Read(&flat); err != nil || len(flat) != 4 || flat[2] != 3 || len(r.Header.Descr.Shape) != 2 {
		t.Errorf("another reader has %v %v (%v)", flat, r.Header, err)
	}
}

func TestWriteNPYErrors(t *testing.T) {
	for _, c := range []struct {
		v    *eval.Value[float64]
		want string
	}{
		{nil, "the value has no value"},
		{tuple(real(nil, 1)), "a .npy file holds one array, and the value is none"},
		{real([]int{2}, 1), "the value has 1 element for the shape [2]"},
	} {
		var b strings.Builder
		if err := WriteNPY(&b, c.v); err == nil || err.Error() != c.want || b.Len() > 0 {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}
