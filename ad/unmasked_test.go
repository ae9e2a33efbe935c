package ad

import (
	"math"
	"testing"

	"egad/internal/defs"
	"egad/term"
)

// unmasked are functions of x at points where a factor is infinite by which nothing is
// multiplied, as a sum, a scatter or a read of cotangents holds it back.
var unmasked = []struct {
	body string // of x: R[n]
	x    []float64
	grad []float64
}{
	{`let h = build n (\i -> relu (x[i] * x[i - 1])) in sum (build n (\i -> relu (-h[i] - h[i - 1])))`, []float64{1, math.Inf(1), 2}, []float64{0, 0, 0}},
	{`let h = x * x in sum (build n (\i -> sum (build n (\k -> if x[k] < 0 then h[i] * x[k] else 0))))`, []float64{1, math.Inf(1)}, []float64{0, 0}},
	{`let y = scatter [2] (x * x) (\[i] -> [if x[i] > 5 then 7 else i]) in sum (y * y)`, []float64{1, 2, math.Inf(1)}, []float64{4, 32, 0}},
	{`let c = cumsum (x * x) in sum (build n (\i -> if i < 1 then c[i] * c[i] else 0))`, []float64{1, math.Inf(1)}, []float64{4, 0}},
}

// TestUnmasked: without masks an element is what it is with them, or NaN, and it says so.
func TestUnmasked(t *testing.T) {
	cases := unmasked
	for _, c := range guarded {
		cases = append(cases, struct {
			body string
			x    []float64
			grad []float64
		}{c.body, c.x, c.grad})
	}
	for i, c := range cases {
		lib, p := defs.Last(t, "def g[n](x: R[n]): R = "+c.body+"\ndef f(x: R["+string(rune('0'+len(c.x)))+"]): R = g x")
		d, err := Grad(lib, p, Options{Unmasked: true})
		if err != nil {
			t.Fatal(err)
		}
		v, err := term.Interpret(d.Program.Store, d.Program.Root, term.FloatArrays(), env{"x": {Elem: term.R, Shape: []int{len(c.x)}, R: c.x}})
		if err != nil {
			t.Fatal(err)
		}
		differs := false
		for k, want := range c.grad {
			got := v.Parts[1].R[k]
			if math.IsNaN(got) && d.Unmasked {
				differs = true
			} else if got != want && !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%s at %v: %v, want %v", c.body, c.x, v.Parts[1].R, c.grad)
				break
			}
		}
		if i < len(unmasked) && !differs {
			t.Errorf("%s: no mask was left out of\n%s", c.body, d.Program.Text("g"))
		}
	}
}

// TestMaskedAgain: what is differentiated again has all masks, and so has what is recorded.
func TestMaskedAgain(t *testing.T) {
	lib, p := defs.Last(t, "def f(x: R[3]): R = let y = log x in y[0] + y[2]")
	at := env{"x": {Elem: term.R, Shape: []int{3}, R: []float64{1, 0, 4}}}
	h, err := Hessian(lib, p, Options{Unmasked: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Grad(lib, p, Options{Unmasked: true, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Derived{h, r} {
		v, err := term.Interpret(d.Program.Store, d.Program.Root, term.FloatArrays(), at)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Parts[1].R; got[0] != 1 || got[1] != 0 || got[2] != 0.25 {
			t.Errorf("the gradient is %v", got)
		}
	}
	if r.Unmasked {
		t.Error("what was recorded has not all masks")
	}
}
