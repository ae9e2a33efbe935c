package kernel

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"egad/internal/interrupt"
	"egad/kernel/wasm"
	"egad/term"
)

// native is the machine code of a program: a WebAssembly module that is compiled.
type native struct {
	code   wazero.CompiledModule
	module *module
	// runs are how many kernels, from one on, a function of the module computes.
	runs map[int]int
}

// from is how many kernels, from number i on, are one call.
func (n *native) from(i int) int {
	if n == nil {
		return 0
	}
	return n.runs[i]
}

func callName(i int) string { return fmt.Sprintf("from%d", i) }

// ErrNoCompiler says that no machine code can be made here.
var ErrNoCompiler = errors.New("there is no compiler for this machine")

// host is the runtime of all modules.
var host = sync.OnceValues(func() (r wazero.Runtime, err error) {
	defer func() { // where there is no compiler
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrNoCompiler, p)
		}
	}()
	if one := [2]byte{1}; binary.NativeEndian.Uint16(one[:]) != 1 {
		return nil, fmt.Errorf("%w: its memory is big-endian", ErrNoCompiler)
	}
	ctx := context.Background()
	r = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler())
	b := r.NewHostModuleBuilder(hostName)
	number := map[wasm.Type]api.ValueType{wasm.I32: api.ValueTypeI32, wasm.F64: api.ValueTypeF64}
	types := func(ts []wasm.Type) []api.ValueType {
		var out []api.ValueType
		for _, t := range ts {
			out = append(out, number[t])
		}
		return out
	}
	for i, f := range []api.GoFunc{
		func(_ context.Context, stack []uint64) {
			stack[0] = 0
			if interrupt.Requested() {
				stack[0] = 1
			}
		},
		func(_ context.Context, stack []uint64) {
			code := api.DecodeI32(stack[0])
			f := term.FloatUnary(term.Sym(code&0xffff), int(code>>16))
			stack[0] = api.EncodeF64(f(api.DecodeF64(stack[1])))
		},
	} {
		s := hostSignatures[i]
		b.NewFunctionBuilder().WithGoFunction(f, types(s.Params), types(s.Results)).Export(s.Name)
	}
	_, err = b.Instantiate(ctx)
	return r, err
})

// compileNative writes the kernels of a program as a module, and compiles it. Kernels
// that call operators, or run loops of the program, are not in it.
func compileNative(p *Program, pl *plan, exact bool) (*native, error) {
	r, err := host()
	if err != nil {
		return nil, err
	}
	m, err := newModule(p, pl, exact)
	if err != nil {
		return nil, err
	}
	n := &native{module: m, runs: make(map[int]int)}
	for i := 0; i < len(p.Kernels); i += max(1, n.runs[i]) {
		var fs []uint32
		for j := i; j < len(p.Kernels) && m.canDo(p.Kernels[j]); j++ {
			fs = append(fs, m.kernel(p.Kernels[j], pl.zeroed[j]))
			n.runs[i]++
		}
		if len(fs) > 0 {
			m.sequence(callName(i), fs)
		}
	}
	if n.code, err = r.CompileModule(context.Background(), m.Bytes()); err != nil {
		return nil, fmt.Errorf("internal error: the kernels of %s are no WebAssembly: %w", p.Name, err)
	}
	runtime.AddCleanup(n, func(code wazero.CompiledModule) { code.Close(context.Background()) }, n.code)
	return n, nil
}

// canDo reports whether there are instructions for all that a kernel does.
func (m *module) canDo(k *Kernel) bool {
	yes := k.Steps == nil
	walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Call:
			yes = false
		case *Let:
			yes = yes && (s.Value.Kind != Compute || m.emits(s.Value))
		}
	})
	return yes
}

// attach makes an instance of the module for x, whose arrays are in its memory.
func (n *native) attach(x *instance, p *Program) error {
	r, err := host()
	if err != nil {
		return err
	}
	mod, err := r.InstantiateModule(context.Background(), n.code, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return err
	}
	runtime.AddCleanup(x, func(m api.Module) { m.Close(context.Background()) }, mod)
	x.native, x.code = n, mod
	bytes, ok := mod.Memory().Read(0, mod.Memory().Size())
	if !ok || len(bytes) == 0 || uintptr(unsafe.Pointer(&bytes[0]))%8 != 0 {
		return errors.New("internal error: the memory of a module is not there")
	}
	for _, a := range p.Arrays {
		x.memory[a] = view(bytes, n.module.at[a], a)
	}
	return nil
}

// view is an array in the memory of a module.
func view(bytes []byte, at uint32, a *Array) *Elements {
	n := a.Len()
	if a.Elem == term.R {
		return &Elements{R: unsafe.Slice((*float64)(unsafe.Pointer(&bytes[at])), n)}
	}
	return &Elements{N: unsafe.Slice((*int64)(unsafe.Pointer(&bytes[at])), n)}
}

// call makes a step that runs the kernels from number i on that are one function.
func (x *instance) call(i int) step {
	f := x.code.ExportedFunction(callName(i))
	stack := make([]uint64, 1)
	return func(int) {
		if err := f.CallWithStack(context.Background(), stack); err != nil {
			panic(fmt.Sprintf("internal error: machine code: %v", err))
		}
		poll()
	}
}
