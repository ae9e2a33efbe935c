// Package machine runs kernels: [Compile] and [Native.Compile] prepare a program as a [Machine], which
// many goroutines can run, each in memory of its own (a [Session]).
//
// A machine interprets kernels block by block, with results that are bit for bit those of the evaluator
// (eval.Interpret with eval.FloatArrays), or runs them as machine code: package
// [egad/kernel/native] writes a WebAssembly module, and wazero compiles it. Goroutines may share the
// loops of a run, and a [Profile] tells how long each kernel took.
package machine
