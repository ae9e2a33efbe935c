// Package size is the algebra of sizes, the lengths of axes: polynomials in named sizes, with quotients
// that are rounded down, and the smaller and the larger of two. A [Size] is read from the syntax of
// programs, and printed so; [Tell] finds sizes from those of arrays. Integers of a program of which
// something is known are polynomials too: see [IntegerMark].
package size
