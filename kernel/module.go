package kernel

import (
	"fmt"
	"math"

	"egad/kernel/wasm"
	"egad/term"
)

// module is a WebAssembly module that is being written: a function for each kernel,
// and one memory with all arrays of the program.
type module struct {
	wasm.Module
	at      map[*Array]uint32 // where an array begins, in bytes
	bytes   int64             // of its memory
	exact   bool              // sums are added from the left, and functions are the host's
	asks    uint32            // the function of the host that says whether to end
	unary   uint32            // that which computes an operator on a real
	helpers map[int32]uint32  // functions, by hostCode
}

// The functions of the host.
const hostName = "egad"

var hostSignatures = []wasm.Import{
	{Module: hostName, Name: "asks", Results: []wasm.Type{wasm.I32}},
	{Module: hostName, Name: "unary", Params: []wasm.Type{wasm.I32, wasm.F64}, Results: []wasm.Type{wasm.F64}},
}

// reserved is the memory before the arrays: a 0, for what is out of range.
const reserved = 64

// newModule begins a module for a program whose temporary arrays are planned.
func newModule(p *Program, pl *plan, exact bool) (*module, error) {
	m := &module{at: make(map[*Array]uint32), exact: exact, helpers: make(map[int32]uint32)}
	next := int64(reserved)
	reals := next
	ints := reals + 8*pl.reals.end
	next = ints + 8*pl.ints.end
	for _, a := range p.Arrays {
		from, planned := pl.at[a]
		at := int64(from)
		switch {
		case !planned:
			at = next
			next += 8 * int64(a.Len())
		case a.Elem == term.R:
			at = reals + 8*at
		default:
			at = ints + 8*at
		}
		if next > math.MaxUint32-reserved {
			return nil, fmt.Errorf("the arrays of %s need more than 4 GiB of memory at one time", p.Name)
		}
		m.at[a] = uint32(at)
	}
	m.bytes = next + reserved // vectors may end after the last array
	m.Memory(m.bytes)
	m.asks, m.unary = m.Import(hostSignatures[0]), m.Import(hostSignatures[1])
	return m, nil
}

// integer is the function for an operator on integers.
func (m *module) integer(op term.Sym, operands int) uint32 {
	if n, ok := m.helpers[hostCode(op, 0)]; ok {
		return n
	}
	params := []wasm.Type{wasm.I64, wasm.I64}[:operands]
	f := m.Func("", params, wasm.I64)
	m.helpers[hostCode(op, 0)] = f.Index
	choose := func(than wasm.Op) { // the first if it compares so
		f.Get(0)
		f.Get(1)
		f.Get(0)
		f.Get(1)
		f.Op(than)
		f.Op(wasm.Select)
	}
	switch op {
	case term.SymMin:
		choose(wasm.I64LtS)
	case term.SymMax:
		choose(wasm.I64GtS)
	case term.SymAbs:
		f.Get(0)
		f.I64(0)
		f.Get(0)
		f.Op(wasm.I64Sub)
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64GtS)
		f.Op(wasm.Select)
	case term.SymSign:
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64GtS)
		f.Get(0)
		f.I64(0)
		f.Op(wasm.I64LtS)
		f.Op(wasm.I32Sub)
		f.Op(wasm.I64ExtendI32S)
	case term.SymIdiv:
		m.floorDiv(f)
	case term.SymMod: // a - b * (a div b), and 0 by 0
		f.I64(0)
		f.Get(0)
		f.Get(1)
		f.Get(0)
		f.Get(1)
		f.Call(m.integer(term.SymIdiv, 2))
		f.Op(wasm.I64Mul)
		f.Op(wasm.I64Sub)
		f.Get(1)
		f.Op(wasm.I64Eqz)
		f.Op(wasm.Select)
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
	f.I64(-1)
	f.Op(wasm.I64Eq)
	f.If(func() {
		f.I64(0)
		f.Get(0)
		f.Op(wasm.I64Sub)
		f.Op(wasm.Return)
	})
	f.Get(0)
	f.Get(1)
	f.Op(wasm.I64DivS)
	f.Tee(q)
	// One less if there is a rest and the signs differ.
	f.Get(q)
	f.Get(1)
	f.Op(wasm.I64Mul)
	f.Get(0)
	f.Op(wasm.I64Ne)
	f.Get(0)
	f.Get(1)
	f.Op(wasm.I64Xor)
	f.I64(0)
	f.Op(wasm.I64LtS)
	f.Op(wasm.I32And)
	f.Op(wasm.I64ExtendI32U)
	f.Op(wasm.I64Sub)
}

// sequence writes a function that calls others, as long as the process is not to end.
func (m *module) sequence(name string, fs []uint32) {
	f := m.Func(name, nil)
	for _, g := range fs {
		f.Call(g)
		f.If(func() { f.Op(wasm.Return) })
	}
}
