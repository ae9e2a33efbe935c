// Package lower reads kernels from programs.
//
// Package fusion writes a program as its kernels compute it, by rules: arrays that are built
// of scalars, and lets of what is kept in memory. [Lower] reads a [kernel.Program] from that: an
// array for every term that is kept, and kernels that fill it, which [improve.Improve] has
// take less time. A rule in the set elements changes the kernels.
//
// What is kept is found by [Keep], which makes kernels on trial: everything that is not kept
// is computed where it is used, through the element view (the element of a transposed,
// replicated, reshaped or gathered array is an element of the array below it at other
// indices, and the element of an elementwise operation is the operation on elements).
// The policy never computes an element more often than the evaluator does.
package lower
