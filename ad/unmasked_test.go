package ad

import (
	"math"
	"slices"
	"testing"

	"egad/internal/defs"
	"egad/term/eval"
	"egad/term/types"
)

// unmasked are functions of x at points where a factor is infinite by which nothing is
// multiplied, as a sum, a scatter or a read of cotangents holds it back.
var unmasked = []function{
	{`let h = build n (\i -> relu (x[i] * x[i - 1])) in sum (build n (\i -> relu (-h[i] - h[i - 1])))`, []float64{1, math.Inf(1), 2}, []float64{0, 0, 0}, nil},
	{`let h = x * x in sum (build n (\i -> sum (build n (\k -> if x[k] < 0 then h[i] * x[k] else 0))))`, []float64{1, math.Inf(1)}, []float64{0, 0}, nil},
	{`let y = scatter [2] (x * x) (\[i] -> [if x[i] > 5 then 7 else i]) in sum (y * y)`, []float64{1, 2, math.Inf(1)}, []float64{4, 32, 0}, nil},
	{`let c = cumsum (x * x) in sum (build n (\i -> if i < 1 then c[i] * c[i] else 0))`, []float64{1, math.Inf(1)}, []float64{4, 0}, nil},
}

// TestUnmasked: without masks an element is what it is with them, or NaN, and it says so.
func TestUnmasked(t *testing.T) {
	for i, c := range slices.Concat(unmasked, guarded) {
		lib, p := defs.Last(t, "def g[n](x: R[n]): R = "+c.body+"\ndef f(x: R["+string(rune('0'+len(c.x)))+"]): R = g x")
		d, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		u, err := d.Unmasked()
		if err != nil {
			t.Fatal(err)
		}
		if u == nil && i >= len(unmasked) {
			continue
		}
		d = u
		v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env{"x": {Elem: types.R, Shape: []int{len(c.x)}, R: c.x}})
		if err != nil {
			t.Fatal(err)
		}
		differs := false
		for k, want := range c.grad {
			got := v.Parts[1].R[k]
			if math.IsNaN(got) {
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
	lib, p := defs.Last(t, "def g[n](x: R[n]): R = "+unmasked[1].body+"\ndef f(x: R[2]): R = g x")
	at := env{"x": {Elem: types.R, Shape: []int{2}, R: unmasked[1].x}}
	h, err := Hessian(lib, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h, err = h.Unmasked(); err != nil || h == nil {
		t.Fatal(h, err)
	}
	v, err := eval.Interpret(h.Program.Store, h.Program.Root, eval.FloatArrays(), at)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Parts[1].R; got[0] != 0 || got[1] != 0 {
		t.Errorf("the gradient is %v", got)
	}
	task := Task{Mode: "grad"}
	d, err := task.Derive(lib, p, Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	if u, err := d.Unmasked(); err != nil || u == nil {
		t.Fatal(u, err)
	}
	proof, err := d.Prove(task)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(lib, p, proof); err != nil {
		t.Error(err)
	}
}
