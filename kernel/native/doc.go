// Package native writes kernels as a WebAssembly module: a function for each kernel, one that calls
// them all, and one memory with the arrays of the program. How a kernel is run, its [schedule.Schedule]
// says; this package writes instruction by instruction what that means.
//
// [Write] makes the [Code] of a program, with what the host of the module has to know of it: where
// arrays lie, and which kernels it has to do itself. Package [egad/kernel/machine] is that host.
package native
