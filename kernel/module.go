package kernel

import (
	"fmt"
	"math"

	"egad/kernel/vecmath"
	"egad/kernel/wasm"
	"egad/term"
)

// module is a WebAssembly module that is being written: a function for each kernel, one
// that calls them, and one memory with all arrays of the program.
type module struct {
	wasm.Module
	*layout
	weights  *Weights
	exact    bool                        // sums are added from the left, and functions are the host's
	host     [len(hostSignatures)]uint32 // its functions, by their numbers
	library  *vecmath.Library            // functions of reals
	integers map[term.Sym]uint32         // functions of integers, by their operators
	hosted   []hosted
	// measured are the kernels whose time the host takes.
	measured []*Kernel
	room     int64 // for panels, in bytes
	threads  int
	parts    []part    // of loops, that goroutines share
	named    []*Kernel // by their numbers
}

// hosted is a kernel of a machine that is interpreted.
type hosted struct {
	of     *Machine
	kernel int
}

// The functions of the host.
const (
	hostAsks      = iota // whether to end
	hostUnary            // computes an operator on a real
	hostBinary           // and on two
	hostCount            // how many steps a loop makes
	hostInterpret        // runs a kernel
	hostMeasure          // begins to measure a kernel, or ends it
	hostFork             // has goroutines share a loop
)

const hostName = "egad"

var hostSignatures = [...]wasm.Import{
	hostAsks:      {Module: hostName, Name: "asks", Results: []wasm.Type{wasm.I32}},
	hostUnary:     {Module: hostName, Name: "unary", Params: []wasm.Type{wasm.I32, wasm.F64}, Results: []wasm.Type{wasm.F64}},
	hostBinary:    {Module: hostName, Name: "binary", Params: []wasm.Type{wasm.I32, wasm.F64, wasm.F64}, Results: []wasm.Type{wasm.F64}},
	hostCount:     {Module: hostName, Name: "count", Params: []wasm.Type{wasm.I64, wasm.I64}, Results: []wasm.Type{wasm.I64}},
	hostInterpret: {Module: hostName, Name: "interpret", Params: []wasm.Type{wasm.I32}},
	hostMeasure:   {Module: hostName, Name: "measure", Params: []wasm.Type{wasm.I32}},
	hostFork:      {Module: hostName, Name: "fork", Params: []wasm.Type{wasm.I32}, Results: []wasm.Type{wasm.I32}},
}

// mainName is the function that computes all kernels.
const mainName = "main"

// newModule writes the module of a machine's program.
func newModule(x *Machine, how Native) (*module, error) {
	m := &module{layout: newLayout(x, how.Threads), weights: x.prog.costs(), exact: how.Exact, threads: max(1, how.Threads), integers: make(map[term.Sym]uint32)}
	for i, s := range hostSignatures {
		m.host[i] = m.Import(s)
	}
	m.library = vecmath.NewLibrary(&m.Module, m.host[hostUnary], m.host[hostBinary], how.Exact)
	fs := m.kernels(x)
	f := m.Func(mainName, nil, wasm.I32)
	for _, g := range fs {
		f.Call(g)
		ends(f)
	}
	f.I32(0)
	m.Data(roomCell, math.Float64frombits(uint64(m.end)))
	m.end += m.room
	m.Memory(m.end + reserved) // vectors may end after the last array
	if m.end > math.MaxUint32-reserved {
		return nil, fmt.Errorf("the arrays of %s need more than 4 GiB of memory at one time", x.prog.Name)
	}
	return m, nil
}

// kernels writes a function for each kernel of a program. It results in whether the
// process is to end.
func (m *module) kernels(x *Machine) []uint32 {
	var out []uint32
	z := newZeroes(x.prog)
	for i, k := range x.prog.Kernels {
		switch {
		case k.Steps != nil:
			out = append(out, m.steps(k.Steps, x.loops[k.Steps], x.plan.zeroed[i]))
		case !k.calls():
			out = append(out, m.kernel(k, z, x.plan.zeroed[i]))
		default: // an operator on whole arrays
			f := m.Func("", nil, wasm.I32)
			f.I32(int32(len(m.hosted)))
			f.Call(m.host[hostInterpret])
			f.I32(0)
			m.hosted = append(m.hosted, hosted{x, i})
			out = append(out, f.Index)
		}
		out[i] = m.timed(x, i, out[i])
	}
	return out
}

// integer is the function for an operator on integers.
func (m *module) integer(op term.Sym, operands int) uint32 {
	if n, ok := m.integers[op]; ok {
		return n
	}
	params := []wasm.Type{wasm.I64, wasm.I64}[:operands]
	f := m.Func("", params, wasm.I64)
	m.integers[op] = f.Index
	switch op {
	case term.SymAbs:
		f.Get(0)
		f.I64(0)
		f.Get(0)
		f.Op(wasm.I64Sub)
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64GtS, wasm.Select)
	case term.SymSign:
		f.Get(0)
		f.OpI64(wasm.I64GtS, 0)
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64LtS, wasm.I32Sub, wasm.I64ExtendI32S)
	case term.SymIdiv:
		m.floorDiv(f)
	case term.SymMod: // a - b * (a div b), and 0 by 0
		f.I64(0)
		f.Get(0)
		f.Get(1)
		f.Get(0)
		f.Get(1)
		f.Call(m.integer(term.SymIdiv, 2))
		f.Op(wasm.I64Mul, wasm.I64Sub)
		f.Get(1)
		f.Op(wasm.I64Eqz, wasm.Select)
	default:
		panic(fmt.Sprintf("no instructions for %s on integers", term.Builtin(op).Name))
	}
	return f.Index
}

// floorDiv writes the quotient rounded down, which is 0 by 0.
func (m *module) floorDiv(f *wasm.Func) {
	q := f.Local(wasm.I64)
	f.Get(1)
	f.Op(wasm.I64Eqz)
	f.If(func() {
		f.I64(0)
		f.Op(wasm.Return)
	})
	// The least integer by -1 would trap, and wraps in the language.
	f.Get(1)
	f.OpI64(wasm.I64Eq, -1)
	f.If(func() {
		f.I64(0)
		f.Get(0)
		f.Op(wasm.I64Sub, wasm.Return)
	})
	f.On(wasm.I64DivS, 0, 1)
	f.Tee(q)
	// One less if there is a rest and the signs differ.
	f.On(wasm.I64Mul, q, 1)
	f.Get(0)
	f.Op(wasm.I64Ne)
	f.On(wasm.I64Xor, 0, 1)
	f.I64(0)
	f.Op(wasm.I64LtS, wasm.I32And, wasm.I64ExtendI32U, wasm.I64Sub)
}
