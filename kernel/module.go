package kernel

import (
	"fmt"
	"math"

	"egad/kernel/vecmath"
	"egad/kernel/wasm"
	"egad/term"
)

// options say how code is written.
type options struct {
	exact   bool // sums are added from the left, and functions are the host's
	threads int  // how many goroutines may share a loop
	// measured says of a program, and of each step of a loop, whether the host takes the time of its kernels.
	measured func(p *planned) bool
}

// code is a WebAssembly module, and what the host has to know about it.
type code struct {
	bytes  []byte            // as a file of it is
	at     map[*Array]uint32 // where an array begins in its memory, in bytes
	moving map[*Array]uint32 // and in which cell there is by how many bytes it is moved from there
	end    int64             // of its memory, in bytes
	hosted []hosted          // the kernels that the host interprets, by their numbers
	// measured are the kernels whose time the host takes, by their numbers.
	measured []*Kernel
	named    []*Kernel // all that are functions, by the numbers that a cell of the memory has
	parts    []part    // of loops, by their numbers
	threads  int       // how many goroutines share them
}

// hosted is a kernel that is interpreted.
type hosted struct {
	kernel *Kernel
	zeroed []*Array // that are to be zeros before
}

// module is a WebAssembly module that is being written: a function for each kernel, one
// that calls them, and one memory with all arrays of the program.
type module struct {
	wasm.Module
	*layout
	options
	host     [len(hostSignatures)]uint32 // its functions, by their numbers
	library  *vecmath.Library            // functions of reals
	integers map[term.Sym]uint32         // functions of integers, by their operators
	hosted   []hosted
	timed    []*Kernel // whose time the host takes
	room     int64     // for panels, in bytes
	parts    []part
	named    []*Kernel // by their numbers
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

// hostName is the module from which the functions of the host are.
const hostName = "egad"

// hostSignatures are the functions of the host, by their numbers.
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

// write writes the code of a program.
func write(p *planned, how options) (*code, error) {
	how.threads = max(1, how.threads)
	m := &module{layout: newLayout(p, how.threads), options: how, integers: make(map[term.Sym]uint32)}
	for i, s := range hostSignatures {
		m.host[i] = m.Import(s)
	}
	m.library = vecmath.NewLibrary(&m.Module, m.host[hostUnary], m.host[hostBinary], how.exact)
	fs := m.kernels(p, p.scheduler(how.exact))
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
		return nil, fmt.Errorf("the arrays of %s need more than 4 GiB of memory at one time", p.Name)
	}
	return &code{m.Bytes(), m.at, m.layout.moving, m.end, m.hosted, m.timed, m.named, m.parts, m.threads}, nil
}

// kernels writes a function for each kernel of a program. It results in whether the
// process is to end.
func (m *module) kernels(p *planned, by *scheduler) []uint32 {
	var out []uint32
	for i, k := range p.Kernels {
		switch {
		case k.Steps != nil:
			out = append(out, m.steps(k.Steps, p.loops[k.Steps], by, p.plan.zeroed[i]))
		case !k.calls():
			out = append(out, m.kernel(k, by, p.plan.zeroed[i]))
		default: // an operator on whole arrays
			f := m.Func("", nil, wasm.I32)
			f.I32(int32(len(m.hosted)))
			f.Call(m.host[hostInterpret])
			f.I32(0)
			m.hosted = append(m.hosted, hosted{k, p.plan.zeroed[i]})
			out = append(out, f.Index)
		}
		if m.measured != nil && m.measured(p) {
			out[i] = m.measure(k, out[i])
		}
	}
	return out
}

// measure writes a function that calls that of a kernel, and has the host measure it.
func (m *module) measure(k *Kernel, g uint32) uint32 {
	f := m.Func("", nil, wasm.I32)
	f.I32(-1)
	f.Call(m.host[hostMeasure])
	f.Call(g)
	f.I32(int32(len(m.timed)))
	f.Call(m.host[hostMeasure])
	m.timed = append(m.timed, k)
	return f.Index
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
