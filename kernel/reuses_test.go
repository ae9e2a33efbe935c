package kernel

import (
	"testing"

	"egad/term"
	"egad/term/numeric"
)

// TestReuses: a chain of arrays takes the memory of one if each is made of the one before
// element by element, and of two if it is made of neighbours.
func TestReuses(t *testing.T) {
	for _, c := range []struct {
		step  int64
		bytes int64
		last  float64
	}{{0, 8 * 104, 20}, {1, 8 * 208, 0}} {
		p := &Program{}
		for i := range 20 {
			p.Arrays = append(p.Arrays, &Array{Elem: term.R, Shape: []int{104}, Role: Temp})
			v := &Value{Kind: Var, Elem: term.I, Range: term.Range{Hi: 103}}
			x := &Value{Kind: Lit, Elem: term.R, Const: term.ScalarR(numeric.Int(1))}
			var body []Stmt
			if i > 0 {
				at := v
				if c.step > 0 {
					at = &Value{Kind: Linear, Elem: term.I, Const: term.ScalarI(c.step), Coef: []int64{1}, Args: []*Value{v}, Range: term.Range{Lo: c.step, Hi: 103 + c.step}}
				}
				from := &Value{Kind: Load, Elem: term.R, Access: Access{Array: p.Arrays[i-1], At: []*Value{at}, Checked: c.step > 0}}
				body = []Stmt{&Let{Value: from}}
				if c.step == 0 {
					x = &Value{Kind: Compute, Elem: term.R, Op: term.SymAdd, Args: []*Value{from, x}}
					body = append(body, &Let{Value: x})
				} else {
					x = from
				}
			}
			body = append(body, &Store{Access: Access{Array: p.Arrays[i], At: []*Value{v}}, Value: x})
			p.Kernels = append(p.Kernels, &Kernel{Body: []Stmt{&Loop{Var: v, N: 104, Body: body}}})
		}
		p.Result.Array = p.Arrays[19]
		if p.Memory() != c.bytes {
			t.Errorf("step %d: %d bytes", c.step, p.Memory())
		}
		for _, compile := range []func() (*Machine, error){
			func() (*Machine, error) { return Compile(p, DefaultBlock) },
			func() (*Machine, error) { return CompileNative(p, false) },
		} {
			m, err := compile()
			if err != nil {
				t.Fatal(err)
			}
			v, err := m.Run(nil)
			if err != nil || v.R[99] != c.last {
				t.Errorf("step %d: %v, %v", c.step, v, err)
			}
		}
	}
}
