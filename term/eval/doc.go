// Package eval is the evaluator, which says what programs mean. It is written once, over an [Algebra]:
// [Arrays] of floats or of rationals are values, [Terms] are programs, [Counting] counts operations.
// [Interpret] evaluates a term, and a [Runner] one that is evaluated again and again.
package eval
