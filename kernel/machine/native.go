package machine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/gemm"
	"egad/kernel/native"
	"egad/kernel/wasm"
	"egad/term/ops"
)

// compiled is the machine code of a program: a WebAssembly module that is compiled.
type compiled struct {
	*native.Code
	module wazero.CompiledModule
}

// errNoCompiler says that no machine code can be made here.
var errNoCompiler = errors.New("there is no compiler for this machine")

// host is the runtime of all modules.
var host = sync.OnceValues(func() (wazero.Runtime, error) { return newHost(wazero.NewRuntimeConfigCompiler()) })

// newHost makes a runtime that has the functions of the host.
func newHost(how wazero.RuntimeConfig) (r wazero.Runtime, err error) {
	defer func() { // where there is no compiler
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errNoCompiler, p)
		}
	}()
	if one := [2]byte{1}; binary.NativeEndian.Uint16(one[:]) != 1 {
		return nil, fmt.Errorf("%w: its memory is big-endian", errNoCompiler)
	}
	ctx := context.Background()
	r = wazero.NewRuntimeWithConfig(ctx, how)
	b := r.NewHostModuleBuilder(native.HostName)
	for i, f := range hostFunctions {
		s := native.HostSignatures[i]
		b.NewFunctionBuilder().WithGoFunction(f, valueTypes(s.Params), valueTypes(s.Results)).Export(s.Name)
	}
	_, err = b.Instantiate(ctx)
	return r, err
}

func valueTypes(ts []wasm.Type) []api.ValueType {
	return slice.Map(ts, func(t wasm.Type) api.ValueType { return api.ValueType(t) })
}

// hostFunctions are the functions of the host. A panic in one ends a run: see call.
var hostFunctions = [...]api.GoFunc{
	native.HostAsks: func(ctx context.Context, stack []uint64) {
		stack[0] = 0
		if ctx.Value(instanceKey{}).(*instance).stop.Requested() {
			stack[0] = 1
		}
	},
	native.HostUnary: func(_ context.Context, stack []uint64) {
		code := api.DecodeI32(stack[0])
		f := ops.FloatUnary(ops.Sym(code&0xffff), int(code>>16))
		stack[0] = api.EncodeF64(f(api.DecodeF64(stack[1])))
	},
	native.HostBinary: func(_ context.Context, stack []uint64) {
		f := ops.FloatBinary(ops.Sym(api.DecodeI32(stack[0])))
		stack[0] = api.EncodeF64(f(api.DecodeF64(stack[1]), api.DecodeF64(stack[2])))
	},
	native.HostCount: func(_ context.Context, stack []uint64) {
		n, err := ops.StepCount(int64(stack[0]), int64(stack[1]))
		if err != nil {
			panic(failure{err})
		}
		stack[0] = uint64(n)
	},
	native.HostInterpret: func(ctx context.Context, stack []uint64) {
		ctx.Value(instanceKey{}).(*instance).hosted[api.DecodeU32(stack[0])](1)
	},
	native.HostMeasure:  measureNow,
	native.HostFork:     forked,
	native.HostMultiply: multiplied,
}

// instanceKey is the key of a context by which functions of the host find the instance
// that calls them.
type instanceKey struct{}

// compileNative writes the kernels of a machine's program as a module, and compiles it.
func compileNative(x *Machine, how Native) (*compiled, error) {
	r, err := host()
	if err != nil {
		return nil, err
	}
	c, err := native.Write(x.prog, native.Options{Exact: how.Exact, Threads: how.Threads, Products: how.products(), Measured: x.measured})
	if err != nil {
		return nil, err
	}
	m, err := r.CompileModule(experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0)), c.Bytes)
	if err != nil {
		return nil, fmt.Errorf("internal error: the kernels of %s are no WebAssembly: %w", x.prog.Name, err)
	}
	n := &compiled{c, m}
	runtime.AddCleanup(n, func(m wazero.CompiledModule) { m.Close(context.Background()) }, m)
	return n, nil
}

// attach makes an instance of the module for x, whose arrays are in its memory.
func (n *compiled) attach(x *instance) error {
	r, err := host()
	if err != nil {
		return err
	}
	mod, err := r.InstantiateModule(context.Background(), n.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return err
	}
	runtime.AddCleanup(x, func(m api.Module) { m.Close(context.Background()) }, mod)
	x.native = n
	bytes, ok := mod.Memory().Read(0, mod.Memory().Size())
	if !ok || len(bytes) == 0 || uintptr(unsafe.Pointer(&bytes[0]))%8 != 0 {
		return errors.New("internal error: the memory of a module is not there")
	}
	x.bytes = bytes
	for a, at := range n.At {
		x.memory[a] = view(bytes, at, a)
	}
	for _, h := range n.Code.Hosted {
		x.hosted = append(x.hosted, x.interpret(h, bytes))
	}
	x.stopped = x.stop.Requested
	x.packed = make([]packing, n.Threads)
	for i := range x.packed {
		x.packed[i].kept = make([][2]gemm.Kept, len(n.Products))
	}
	if len(n.Parts) > 0 {
		x.team = newTeam(n.Threads, n.Parts, mod.ExportedFunction)
	}
	x.steps = []step{x.call(mod.ExportedFunction(native.MainName))}
	return nil
}

// running says which kernel ran last.
func (x *instance) running() string {
	named := x.native.Named
	if len(named) == 0 {
		return "a loop"
	}
	k := named[binary.LittleEndian.Uint64(x.bytes[native.NameCell:])]
	names := slice.Map(k.Writes(), func(a *kernel.Array) string { return a.Name })
	return "the kernel of " + strings.Join(names, ", ")
}

// interpret makes a step that interprets a kernel in the memory of the module.
func (x *instance) interpret(h native.Hosted, bytes []byte) step {
	k, n := h.Kernel, x.native
	run, zeroed := x.compile(k, kernel.DefaultBlock), x.clears(h.Zeroed)
	moving := slice.Filter(append(k.Reads(), k.Writes()...), func(a *kernel.Array) bool {
		_, ok := n.Moving[a]
		return ok
	})
	return func(lanes int) {
		for _, a := range moving {
			*x.memory[a] = *view(bytes, n.At[a]+uint32(binary.LittleEndian.Uint64(bytes[n.Moving[a]:])), a)
		}
		zeroed(lanes)
		run(lanes)
	}
}

// call makes a step that runs the kernels.
func (x *instance) call(f api.Function) step {
	stack := make([]uint64, 1)
	ctx := context.WithValue(context.Background(), instanceKey{}, x)
	return func(int) {
		if err := f.CallWithStack(ctx, stack); err != nil {
			if f := (failure{}); errors.As(err, &f) {
				panic(f)
			}
			if errors.Is(err, interrupt.ErrEnded) {
				panic(interrupt.ErrEnded)
			}
			panic(failure{fmt.Errorf("internal error: machine code of %s: %w", x.running(), err)})
		}
		x.poll()
	}
}
