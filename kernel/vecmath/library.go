package vecmath

import (
	"slices"

	"egad/kernel/wasm"
	"egad/term/ops"
)

// Library is the functions of reals of a module, each written when it is first asked for.
type Library struct {
	module *wasm.Module
	exact  bool
	host   [2]uint32 // functions of the host that compute an operator on one real and on two
	funcs  map[key]uint32
}

// key tells functions apart: by [HostCode] and how many vectors they compute; those that compute
// several by their names.
type key struct {
	code int32
	wide int
	name string
}

// NewLibrary is for a module that has the host compute an operator on one real by the function
// unary, whose parameters are the [HostCode] and the real, and on two by binary. If it is exact, the
// host computes all functions, as values have to be those of package math.
func NewLibrary(module *wasm.Module, unary, binary uint32, exact bool) *Library {
	return &Library{module, exact, [2]uint32{unary, binary}, make(map[key]uint32)}
}

// HostCode is how an operator, with its attribute, is told to the host.
func HostCode(op ops.Sym, n int) int32 { return int32(op) | int32(n)<<16 }

// Function returns the number of the function for an operator on reals, with its attribute, on so
// many vectors at once. Its parameters are those of the first operand, then those of the second.
func (l *Library) Function(op ops.Sym, n, operands, wide int) uint32 {
	return l.function(key{code: HostCode(op, n), wide: wide}, operands, 1, func(v Vectors) []Value {
		if write := Functions[op]; write != nil && !l.exact {
			return []Value{write(v, v.Param(0), v.Param(1))}
		}
		return []Value{v.byHost()}
	})
}

// Several returns the number of a function of one operand that has so many results, which write makes;
// functions of one name are one.
func (l *Library) Several(name string, results, wide int, write func(v Vectors) []Value) uint32 {
	return l.function(key{name: name, wide: wide}, 1, results, write)
}

func (l *Library) function(k key, operands, results int, write func(v Vectors) []Value) uint32 {
	if n, ok := l.funcs[k]; ok {
		return n
	}
	v := Vectors{Library: l, Wide: k.wide, code: k.code}
	v.Func = l.module.Func("", slices.Repeat([]wasm.Type{wasm.V128}, operands*v.Wide), slices.Repeat([]wasm.Type{wasm.V128}, results*v.Wide)...)
	l.funcs[k] = v.Func.Index
	for _, y := range write(v) {
		for u := range v.Wide {
			y(u)
		}
	}
	return v.Func.Index
}
