package machine_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/machine"
	"egad/term/ops"
	"egad/term/types"
)

// TestTrap: where machine code ends in a trap, which is a defect, the error names the kernel.
func TestTrap(t *testing.T) {
	a := &kernel.Array{Name: "a", Elem: types.R, Shape: []int{100}, Role: kernel.Input}
	b := &kernel.Array{Name: "b", Elem: types.R, Shape: []int{100}, Role: kernel.Temp}
	i := &kernel.Value{Kind: kernel.Var, Elem: types.I, Range: ops.Range{Hi: 99}}
	far := &kernel.Value{Kind: kernel.Linear, Elem: types.I, Const: ops.ScalarI(1 << 25), Coef: []int64{1}, Args: []*kernel.Value{i}}
	x := &kernel.Value{Kind: kernel.Load, Elem: types.R, Access: kernel.Access{Array: a, At: []*kernel.Value{far}}} // and says that it is in range
	p := &kernel.Program{Arrays: []*kernel.Array{a, b}, Result: kernel.Result{Array: b}, Kernels: []*kernel.Kernel{{Body: []kernel.Stmt{
		&kernel.Loop{Name: "i", Var: i, N: 100, Body: []kernel.Stmt{
			&kernel.Let{Value: x}, &kernel.Store{Access: kernel.Access{Array: b, At: []*kernel.Value{i}}, Value: x}}}}}}}
	m, err := machine.CompileNative(p, false)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Native() {
		t.Skip("there is no compiler")
	}
	err = m.RunInto([]machine.Elements{{R: make([]float64, 100)}}, []machine.Elements{{R: make([]float64, 100)}})
	if err == nil || !strings.Contains(err.Error(), "internal error: machine code of the kernel of b: wasm error: out of bounds") {
		t.Errorf("got %v", err)
	}
}
