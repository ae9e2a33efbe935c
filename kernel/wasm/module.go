package wasm

import (
	"encoding/binary"
	"math"
)

// Type is the type of a local, an operand, a parameter or a result.
type Type byte

// The types of values.
const (
	I32  Type = 0x7f
	I64  Type = 0x7e
	F64  Type = 0x7c
	V128 Type = 0x7b // two float64, or two int64
)

// Module is a module that is being written. Its memory, if it has one, is exported
// as "memory", and each of its functions that has a name by that.
type Module struct {
	imports []Import
	funcs   []*Func
	pages   uint32
	data    []data
}

// Import is a function that the host gives.
type Import struct {
	Module, Name string
	Params       []Type
	Results      []Type
}

// data is what lies in memory from the start.
type data struct {
	at    uint32
	bytes []byte
}

// Page is the number of bytes by which a memory is counted.
const Page = 1 << 16

// Memory gives the module a memory of so many bytes, which never grows.
func (m *Module) Memory(bytes int64) { m.pages = uint32((bytes + Page - 1) / Page) }

// Data puts numbers into memory at a place.
func (m *Module) Data(at uint32, xs ...float64) {
	var out []byte
	for _, x := range xs {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	m.data = append(m.data, data{at, out})
}

// Import adds a function of the host and gives its number. All imports come before
// the first function.
func (m *Module) Import(i Import) uint32 {
	m.imports = append(m.imports, i)
	return uint32(len(m.imports) - 1)
}

// Func adds a function.
func (m *Module) Func(name string, params []Type, results ...Type) *Func {
	f := &Func{Name: name, Index: uint32(len(m.imports) + len(m.funcs)), params: params, results: results}
	m.funcs = append(m.funcs, f)
	return f
}

// The sections of a module, in their order.
const (
	typeSection   = 1
	importSection = 2
	funcSection   = 3
	memorySection = 5
	exportSection = 7
	codeSection   = 10
	dataSection   = 11
)

// Bytes is the module in the binary format.
func (m *Module) Bytes() []byte {
	out := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	// Each function has a type of its own: equal ones may be there twice.
	types := uleb(nil, uint64(len(m.imports)+len(m.funcs)))
	imports := uleb(nil, uint64(len(m.imports)))
	for i, f := range m.imports {
		types = signature(types, f.Params, f.Results)
		imports = name(name(imports, f.Module), f.Name)
		imports = uleb(append(imports, 0), uint64(i))
	}
	funcs, code := uleb(nil, uint64(len(m.funcs))), uleb(nil, uint64(len(m.funcs)))
	var exports []byte
	exported := uint64(0)
	if m.pages > 0 {
		exports = append(name(exports, "memory"), 2, 0)
		exported++
	}
	for _, f := range m.funcs {
		types = signature(types, f.params, f.results)
		funcs = uleb(funcs, uint64(f.Index))
		body := f.body()
		code = append(uleb(code, uint64(len(body))), body...)
		if f.Name != "" {
			exports = uleb(append(name(exports, f.Name), 0), uint64(f.Index))
			exported++
		}
	}
	out = section(out, typeSection, types)
	out = section(out, importSection, imports)
	out = section(out, funcSection, funcs)
	if m.pages > 0 {
		pages := uint64(m.pages)
		out = section(out, memorySection, uleb(uleb([]byte{1, 1}, pages), pages))
	}
	out = section(out, exportSection, append(uleb(nil, exported), exports...))
	out = section(out, codeSection, code)
	if len(m.data) > 0 {
		all := uleb(nil, uint64(len(m.data)))
		for _, d := range m.data {
			all = append(sleb(append(all, 0, byte(i32Const)), int64(int32(d.at))), byte(end))
			all = append(uleb(all, uint64(len(d.bytes))), d.bytes...)
		}
		out = section(out, dataSection, all)
	}
	return out
}

func section(out []byte, id byte, content []byte) []byte {
	return append(uleb(append(out, id), uint64(len(content))), content...)
}

func signature(out []byte, params, results []Type) []byte {
	return types(types(append(out, 0x60), params), results)
}

func types(out []byte, ts []Type) []byte {
	out = uleb(out, uint64(len(ts)))
	for _, t := range ts {
		out = append(out, byte(t))
	}
	return out
}

func name(out []byte, s string) []byte { return append(uleb(out, uint64(len(s))), s...) }

// uleb and sleb are the encodings of integers, LEB128.
func uleb(out []byte, x uint64) []byte { return binary.AppendUvarint(out, x) }

func sleb(out []byte, x int64) []byte {
	for {
		b := byte(x & 0x7f)
		x >>= 7
		if x == 0 && b&0x40 == 0 || x == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
