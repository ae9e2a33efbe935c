// Package inplace has the steps of loops change their states where they lie.
//
// [Split], [CopyStates] and [ReadFirst] make the kernels of a step so that the next state may lie where
// the one before does, and [Updated] has them add to it, where code need not be exact, rather than
// to arrays of their own.
package inplace
