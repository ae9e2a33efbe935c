package data

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/size"
	"egad/term/types"
)

func tuple(parts ...*eval.Value[float64]) *eval.Value[float64] {
	return &eval.Value[float64]{Parts: parts}
}

func TestWriteJSON(t *testing.T) {
	var b strings.Builder
	err := WriteJSON(&b, []Result{
		{Name: "x", Value: real(nil, 0.1)},
		{Name: "special", Value: real([]int{6}, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 5e-324, math.MaxFloat64)},
		{Name: "plain", Value: real([]int{6}, 1e20, 1e21, 1e-6, 9.9e-7, 100, -1.5)},
		{Name: "i", Value: whole([]int{2}, math.MinInt64, math.MaxInt64)},
		{Name: "b", Value: truths([]int{2}, 0, 1)},
		{Name: "m", Value: real([]int{2, 2}, 1, 2, 3, 4)},
		{Name: "a", Value: real([]int{2, 1, 2}, 1, 2, 3, 4)},
		{Name: "none", Value: real([]int{0, 3})},
		{Name: "nothing", Value: real([]int{2, 0})},
		{Name: "p", Value: tuple(real(nil, 1), tuple(truths(nil, 1), real([]int{1, 1}, 2)), tuple())},
		{Name: "an \"odd\" name", Value: real(nil, 1)},
		{Name: "g", Group: []Result{{Name: "v", Value: real([]int{2}, 1, 2)}, {Name: "none", Group: []Result{}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "x": 0.1,
  "special": ["NaN", "Infinity", "-Infinity", -0, 5e-324, 1.7976931348623157e+308],
  "plain": [100000000000000000000, 1e+21, 0.000001, 9.9e-07, 100, -1.5],
  "i": [-9223372036854775808, 9223372036854775807],
  "b": [false, true],
  "m": [
    [1, 2],
    [3, 4]
  ],
  "a": [
    [
      [1, 2]
    ],
    [
      [3, 4]
    ]
  ],
  "none": [],
  "nothing": [
    [],
    []
  ],
  "p": [
    1,
    [
      true,
      [
        [2]
      ]
    ],
    []
  ],
  "an \"odd\" name": 1,
  "g": {
    "v": [1, 2],
    "none": {}
  }
}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := WriteJSON(&b, nil); err != nil || b.String() != "{}\n" {
		t.Errorf("no results are %q, %v", b.String(), err)
	}
	b.Reset()
	if err := WriteJSONValue(&b, real([]int{1, 2}, 1, 2)); err != nil || b.String() != "[\n  [1, 2]\n]\n" {
		t.Errorf("a value is %q, %v", b.String(), err)
	}
}

func TestWriteJSONErrors(t *testing.T) {
	for want, v := range map[string]*eval.Value[float64]{
		"x has no value": nil,
		"x.0 is a linear map, which cannot be written as data":       tuple(&eval.Value[float64]{Map: 1}),
		"x: an array of shape [100000, 100000, 0] cannot be written": real([]int{100_000, 100_000, 0}),
		"x has 1 element for the shape [2]":                          real([]int{2}, 1),
	} {
		var b strings.Builder
		if err := WriteJSON(&b, []Result{{Name: "x", Value: v}}); err == nil || err.Error() != want || b.Len() > 0 {
			t.Errorf("got %v and %q, want %s", err, b.String(), want)
		}
	}
}

// TestRoundTrip writes random values and reads them back.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		typ, v := randomValue(rng, 2)
		var b strings.Builder
		if err := WriteJSON(&b, []Result{{Name: "x", Value: v}}); err != nil {
			t.Fatal(err)
		}
		in, err := ReadJSON(&diag.Source{Name: "x.json", Text: b.String()})
		if err != nil {
			t.Fatalf("%s\n%v", b.String(), err)
		}
		info := module.DefInfo{Name: "f", Params: []term.Input{{Name: "x", Type: typ}}}
		_, values, err := Bind(info, in, nil)
		if err != nil {
			t.Fatalf("%s\n%v", b.String(), err)
		}
		for _, leaf := range info.Params[0].Leaves() {
			if want := component(v, strings.Split(leaf.Name, ".")[1:]); !sameBits(values[leaf.Name], want) {
				t.Fatalf("%s\n%s is %+v, want %+v", b.String(), leaf.Name, values[leaf.Name], want)
			}
		}
	}
}

func component(v *eval.Value[float64], path []string) *eval.Value[float64] {
	for _, s := range path {
		v = v.Parts[s[0]-'0']
	}
	return v
}

// randomValue is a value with its type, a tuple of at most the given depth.
func randomValue(rng *rand.Rand, depth int) (*types.Type, *eval.Value[float64]) {
	if depth > 0 && rng.IntN(3) == 0 {
		t, v := types.TupleOf(), tuple()
		for range 1 + rng.IntN(3) {
			pt, pv := randomValue(rng, depth-1)
			t.Parts = append(t.Parts, pt)
			v.Parts = append(v.Parts, pv)
		}
		return t, v
	}
	v := &eval.Value[float64]{Elem: []types.Elem{types.R, types.I, types.B}[rng.IntN(3)], Shape: []int{}}
	var axes []size.Size
	n := 1
	for range rng.IntN(4) {
		d := rng.IntN(4)
		v.Shape = append(v.Shape, d)
		axes = append(axes, size.Const(int64(d)))
		n *= d
	}
	for range n {
		switch v.Elem {
		case types.R:
			v.R = append(v.R, randomReal(rng))
		case types.I:
			v.N = append(v.N, int64(rng.Uint64())>>rng.IntN(64))
		case types.B:
			v.N = append(v.N, int64(rng.IntN(2)))
		}
	}
	return types.ArrayOf(v.Elem, axes...), v
}

func randomReal(rng *rand.Rand) float64 {
	switch rng.IntN(4) {
	case 0:
		return float64(rng.IntN(100))
	case 1:
		return []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1 << 53, 1<<63 - 1, -1 << 63, 1e-320}[rng.IntN(9)]
	case 2:
		return rng.NormFloat64()
	}
	f := math.Float64frombits(rng.Uint64())
	if math.IsNaN(f) {
		return math.NaN() // a NaN loses its payload
	}
	return f
}
