// Package sparsity finds what of the kernels of a program need not be done.
//
// A [Bounder] knows where values are 0 whatever the data and which elements nobody reads, as [Limits]:
// conditions on indices, which are noted at loops, so that other runs are left out. [Zeroes] know which
// masks can be left out, as what they choose is 0 anyway, and a [Knower] which choices are decided.
package sparsity
