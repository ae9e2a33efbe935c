// Package wasm writes WebAssembly modules: functions made instruction by instruction,
// one memory, and functions that the host gives. It knows the binary format (the
// WebAssembly Core Specification 2.0, chapter 5) and what the kernels need of it:
// numbers, vectors of two float64, structured control.
//
// A [Func] takes the instructions in the order of the stack machine:
//
//	f := m.Func("double", []wasm.Type{wasm.F64}, wasm.F64)
//	f.Get(0)
//	f.F64(2)
//	f.Op(wasm.F64Mul)
//
// What is written is not checked here; who compiles the module does that. Instructions of
// which its code would be wrong are written as others.
package wasm
