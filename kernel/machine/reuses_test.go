package machine

import (
	"testing"

	"egad/kernel"
	"egad/kernel/plan"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestReuses: a chain of arrays takes the memory of one if each is made of the one before
// element by element, and of two if it is made of neighbours.
func TestReuses(t *testing.T) {
	for _, c := range []struct {
		step  int64
		bytes int64
		last  float64
	}{{0, 8 * 104, 20}, {1, 8 * 208, 0}} {
		p := &kernel.Program{}
		for i := range 20 {
			p.Arrays = append(p.Arrays, &kernel.Array{Elem: types.R, Shape: []int{104}, Role: kernel.Temp})
			v := &kernel.Value{Kind: kernel.Var, Elem: types.I, Range: ops.Range{Hi: 103}}
			x := &kernel.Value{Kind: kernel.Lit, Elem: types.R, Const: ops.ScalarR(numeric.Int(1))}
			var body []kernel.Stmt
			if i > 0 {
				at := v
				if c.step > 0 {
					at = &kernel.Value{Kind: kernel.Linear, Elem: types.I, Const: ops.ScalarI(c.step), Coef: []int64{1}, Args: []*kernel.Value{v}, Range: ops.Range{Lo: c.step, Hi: 103 + c.step}}
				}
				from := &kernel.Value{Kind: kernel.Load, Elem: types.R, Access: kernel.Access{Array: p.Arrays[i-1], At: []*kernel.Value{at}, Checked: c.step > 0}}
				body = []kernel.Stmt{&kernel.Let{Value: from}}
				if c.step == 0 {
					x = &kernel.Value{Kind: kernel.Compute, Elem: types.R, Op: ops.SymAdd, Args: []*kernel.Value{from, x}}
					body = append(body, &kernel.Let{Value: x})
				} else {
					x = from
				}
			}
			body = append(body, &kernel.Store{Access: kernel.Access{Array: p.Arrays[i], At: []*kernel.Value{v}}, Value: x})
			p.Kernels = append(p.Kernels, &kernel.Kernel{Body: []kernel.Stmt{&kernel.Loop{Var: v, N: 104, Body: body}}})
		}
		p.Result.Array = p.Arrays[19]
		if plan.Memory(p) != c.bytes {
			t.Errorf("step %d: %d bytes", c.step, plan.Memory(p))
		}
		for _, compile := range []func() (*Machine, error){
			func() (*Machine, error) { return Compile(p, kernel.DefaultBlock) },
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
