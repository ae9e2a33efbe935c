// Package kerneltest has what tests of kernels share: programs that are read, all ways to run kernels and
// what compares them with the evaluator, and kernels made at random.
package kerneltest
