package native

import (
	"fmt"
	"math"
	"slices"

	"egad/kernel"
	"egad/kernel/plan"
	"egad/kernel/schedule"
	"egad/kernel/vecmath"
	"egad/kernel/wasm"
	"egad/term/ops"
)

// Options say how code is written.
type Options struct {
	Exact    bool // sums are added from the left, and functions are the host's
	Threads  int  // how many goroutines may share a loop
	Products bool // the host multiplies large matrices, if the code is not exact
	// Measured says of a program, and of each step of a loop, whether the host takes the time of its kernels.
	Measured func(p *plan.Planned) bool
}

// Code is a WebAssembly module, and what the host has to know about it.
type Code struct {
	Bytes  []byte                   // as a file of it is
	At     map[*kernel.Array]uint32 // where an array begins in its memory, in bytes
	Moving map[*kernel.Array]uint32 // and in which cell there is by how many bytes it is moved from there
	End    int64                    // of its memory, in bytes
	Hosted []Hosted                 // the kernels that the host interprets, by their numbers
	// Measured are the kernels whose time the host takes, by their numbers.
	Measured []*kernel.Kernel
	Named    []*kernel.Kernel // all that are functions, by the numbers that a cell of the memory has
	Parts    []Part           // of loops, by their numbers
	Threads  int              // how many goroutines share them
	Products []Product        // by their numbers
}

// Hosted is a kernel that is interpreted.
type Hosted struct {
	Kernel *kernel.Kernel
	Zeroed []*kernel.Array // that are to be zeros before
}

// module is a WebAssembly module that is being written: a function for each kernel, one
// that calls them, and one memory with all arrays of the program.
type module struct {
	wasm.Module
	*layout
	Options
	host     [len(HostSignatures)]uint32 // its functions, by their numbers
	library  *vecmath.Library            // functions of reals
	integers map[ops.Sym]uint32          // functions of integers, by their operators
	hosted   []Hosted
	timed    []*kernel.Kernel // whose time the host takes
	room     int64            // for panels, in bytes
	parts    []Part
	named    []*kernel.Kernel // by their numbers
	products []Product
}

// The functions of the host.
const (
	HostAsks      = iota // whether to end
	HostUnary            // computes an operator on a real
	HostBinary           // and on two
	HostCount            // how many steps a loop makes
	HostInterpret        // runs a kernel
	HostMeasure          // begins to measure a kernel, or ends it
	HostFork             // has goroutines share a loop
	HostMultiply         // multiplies matrices
)

// HostName is the module from which the functions of the host are.
const HostName = "egad"

// HostSignatures are the functions of the host, by their numbers.
var HostSignatures = [...]wasm.Import{
	HostAsks:      {Module: HostName, Name: "asks", Results: []wasm.Type{wasm.I32}},
	HostUnary:     {Module: HostName, Name: "unary", Params: []wasm.Type{wasm.I32, wasm.F64}, Results: []wasm.Type{wasm.F64}},
	HostBinary:    {Module: HostName, Name: "binary", Params: []wasm.Type{wasm.I32, wasm.F64, wasm.F64}, Results: []wasm.Type{wasm.F64}},
	HostCount:     {Module: HostName, Name: "count", Params: []wasm.Type{wasm.I64, wasm.I64}, Results: []wasm.Type{wasm.I64}},
	HostInterpret: {Module: HostName, Name: "interpret", Params: []wasm.Type{wasm.I32}},
	HostMeasure:   {Module: HostName, Name: "measure", Params: []wasm.Type{wasm.I32}},
	HostFork:      {Module: HostName, Name: "fork", Params: []wasm.Type{wasm.I32}, Results: []wasm.Type{wasm.I32}},
	HostMultiply:  {Module: HostName, Name: "multiply", Params: slices.Repeat([]wasm.Type{wasm.I32}, 7), Results: []wasm.Type{wasm.I32}},
}

// MainName is the function that computes all kernels.
const MainName = "main"

// Write writes the code of a program.
func Write(p *plan.Planned, how Options) (*Code, error) {
	how.Threads = max(1, how.Threads)
	m := &module{layout: newLayout(p, how.Threads), Options: how, integers: make(map[ops.Sym]uint32)}
	for i, s := range HostSignatures {
		m.host[i] = m.Import(s)
	}
	m.library = vecmath.NewLibrary(&m.Module, m.host[HostUnary], m.host[HostBinary], how.Exact)
	fs := m.kernels(p, schedule.NewScheduler(p.Program, how.Exact, how.Products))
	f := m.Func(MainName, nil, wasm.I32)
	for _, g := range fs {
		f.Call(g)
		ends(f)
	}
	f.I32(0)
	m.Data(roomCell, math.Float64frombits(uint64(m.end)))
	m.end += m.room
	m.Memory(m.end + reserved) // vectors may end after the last array
	if m.end > math.MaxUint32-reserved {
		return nil, fmt.Errorf("the arrays of %s need more than 4 GiB of memory at one time", p.Name)
	}
	return &Code{m.Bytes(), m.at, m.layout.moving, m.end, m.hosted, m.timed, m.named, m.parts, m.Threads, m.products}, nil
}

// kernels writes a function for each kernel of a program. It results in whether the
// process is to end.
func (m *module) kernels(p *plan.Planned, by *schedule.Scheduler) []uint32 {
	var out []uint32
	for i, k := range p.Kernels {
		switch {
		case k.Steps != nil:
			out = append(out, m.steps(k.Steps, p.Loops[k.Steps], by, p.Plan.Zeroed[i]))
		case !k.Calls():
			out = append(out, m.kernel(k, by, p.Plan.Zeroed[i]))
		default: // an operator on whole arrays
			f := m.Func("", nil, wasm.I32)
			f.I32(int32(len(m.hosted)))
			f.Call(m.host[HostInterpret])
			f.I32(0)
			m.hosted = append(m.hosted, Hosted{k, p.Plan.Zeroed[i]})
			out = append(out, f.Index)
		}
		if m.Measured != nil && m.Measured(p) {
			out[i] = m.measure(k, out[i])
		}
	}
	return out
}

// measure writes a function that calls that of a kernel, and has the host measure it.
func (m *module) measure(k *kernel.Kernel, g uint32) uint32 {
	f := m.Func("", nil, wasm.I32)
	f.I32(-1)
	f.Call(m.host[HostMeasure])
	f.Call(g)
	f.I32(int32(len(m.timed)))
	f.Call(m.host[HostMeasure])
	m.timed = append(m.timed, k)
	return f.Index
}

// integer is the function for an operator on integers.
func (m *module) integer(op ops.Sym, operands int) uint32 {
	if n, ok := m.integers[op]; ok {
		return n
	}
	params := []wasm.Type{wasm.I64, wasm.I64}[:operands]
	f := m.Func("", params, wasm.I64)
	m.integers[op] = f.Index
	switch op {
	case ops.SymAbs:
		f.Get(0)
		f.I64(0)
		f.Get(0)
		f.Op(wasm.I64Sub)
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64GtS, wasm.Select)
	case ops.SymSign:
		f.Get(0)
		f.OpI64(wasm.I64GtS, 0)
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64LtS, wasm.I32Sub, wasm.I64ExtendI32S)
	case ops.SymIdiv:
		m.floorDiv(f)
	case ops.SymMod: // a - b * (a div b), and 0 by 0
		f.I64(0)
		f.Get(0)
		f.Get(1)
		f.Get(0)
		f.Get(1)
		f.Call(m.integer(ops.SymIdiv, 2))
		f.Op(wasm.I64Mul, wasm.I64Sub)
		f.Get(1)
		f.Op(wasm.I64Eqz, wasm.Select)
	default:
		panic(fmt.Sprintf("no instructions for %s on integers", ops.Builtin(op).Name))
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
