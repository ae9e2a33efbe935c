// Package kernel is the language between extraction and the machine: loop nests
// over arrays, with scalar bodies in single-assignment form.
//
// Beside the language it has what makes kernels take less time ([improve.Improve]), estimates of how
// long they take, by [cost.Weights], and how machine code runs them best (a [schedule.Schedule]).
//
// Package [egad/kernel/lower] reads kernels from programs, and [egad/kernel/machine] runs them, block
// by block or as machine code, which [egad/kernel/native] writes.
package kernel
