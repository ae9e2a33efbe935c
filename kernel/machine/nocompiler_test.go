package machine

import (
	"testing"

	"github.com/tetratelabs/wazero"

	"egad/kernel"
	"egad/term/eval"
	"egad/term/types"
)

// TestNoCompiler: where there is no compiler for the machine, kernels are interpreted.
func TestNoCompiler(t *testing.T) {
	real := host
	defer func() { host = real }()
	host = func() (wazero.Runtime, error) { return nil, errNoCompiler }

	a, x := &kernel.Array{Name: "a", Elem: types.R, Role: kernel.Input}, &kernel.Array{Name: "x", Elem: types.R, Role: kernel.Temp}
	v := &kernel.Value{Kind: kernel.Load, Elem: types.R, Access: kernel.Access{Array: a}}
	k := &kernel.Kernel{Body: []kernel.Stmt{&kernel.Let{Value: v}, &kernel.Store{Access: kernel.Access{Array: x}, Value: v}}}
	p := &kernel.Program{Name: "p", Arrays: []*kernel.Array{a, x}, Kernels: []*kernel.Kernel{k}, Result: kernel.Result{Array: x}}
	m, err := CompileNative(p, false)
	if err != nil {
		t.Fatal(err)
	}
	if m.Native() || m.Compiled(k) {
		t.Error("there is machine code")
	}
	got, err := m.Run(eval.Env[*concrete]{"a": {Elem: types.R, R: []float64{3}}})
	if err != nil || got.R[0] != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if m, _, err := CompileProfiled(p, &Native{}, true); err != nil || m.Native() {
		t.Errorf("profiled: %v", err)
	}
}
