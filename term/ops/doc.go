// Package ops has the operators of the array language. An [Op] is an operator with its attributes, as
// a node of a term has it; an [Operator] is the descriptor, which says what is known of it whatever
// these are.
//
// What types the operators have, and to which classes they belong, is declared in
// rules/files/operators.rules, which language.go and the files scheme*.go read. What that cannot say
// is said here, in a file for each family: choice, column, elementwise and function, index, leaf,
// linear, matrix, move, reduce, scatter and states. A meaning is told over [Cells], so that it is the
// same for all numbers. [InferType] types an operator on operands, and [BoundsOf] bounds what it
// results in.
package ops
