package kernel

import (
	"testing"

	"github.com/tetratelabs/wazero"

	"egad/term"
)

// TestNoCompiler: where there is no compiler for the machine, kernels are interpreted.
func TestNoCompiler(t *testing.T) {
	real := host
	defer func() { host = real }()
	host = func() (wazero.Runtime, error) { return nil, errNoCompiler }

	a, x := &Array{Name: "a", Elem: term.R, Role: Input}, &Array{Name: "x", Elem: term.R, Role: Temp}
	v := &Value{Kind: Load, Elem: term.R, Access: Access{Array: a}}
	k := &Kernel{Body: []Stmt{&Let{Value: v}, &Store{Access: Access{Array: x}, Value: v}}}
	p := &Program{Name: "p", Arrays: []*Array{a, x}, Kernels: []*Kernel{k}, Result: Result{Array: x}}
	m, err := CompileNative(p, false)
	if err != nil {
		t.Fatal(err)
	}
	if m.Native() || m.Compiled(k) {
		t.Error("there is machine code")
	}
	got, err := m.Run(term.Env[*concrete]{"a": {Elem: term.R, R: []float64{3}}})
	if err != nil || got.R[0] != 3 {
		t.Errorf("%v, %v", got, err)
	}
	if m, _, err := CompileProfiled(p, &Native{}, true); err != nil || m.Native() {
		t.Errorf("profiled: %v", err)
	}
}
