// Package kernel is the language between extraction and the machine: loop nests
// over arrays, with scalar bodies in single-assignment form.
//
// [Lower] turns a closed term into a [Program]: an array for every term that is
// kept in memory, and kernels that fill it. Everything else is computed where it
// is used, through the element view: the element of a transposed, replicated,
// reshaped or gathered array is an element of the array below it at other
// indices, and the element of an elementwise operation is the operation on
// elements. What is kept in memory follows one policy, which never computes an
// element more often than the evaluator does: see [Lower].
//
// [Program.Run] runs the kernels block by block. Its results are bit for bit
// those of the evaluator (term.Interpret with term.FloatArrays).
package kernel
