// Package term is the array language: types, terms, printer, type checker, and the
// evaluator that defines what programs mean. Below it are the syntax, in package ast with
// its parser, and the numbers, in package numeric.
//
// The constructors are those of Fig. 7 of "Dual-Numbers Reverse AD for
// Functional Array Languages" (Smeding, Konarski, Peyton Jones, Fitzgibbon
// 2025) with `where`, tuples, further reductions and the linear maps of
// "Automatic differentiation in Coconut" (Ellis, Peyton Jones, Fitzgibbon).
//
// What types the operators have, and to which classes they belong, is declared in
// rules/files/operators.rules. What that cannot say stands in the descriptor of an operator,
// an [ops.Operator]: those of the built-in ones are in the files op_*.go, by families.
//
// A program goes through four forms: text, [module.Module] (parsed and checked once,
// with sizes as symbols), [Program] (one definition at known sizes, as a term
// in a [Store]), and whatever an [eval.Algebra] makes of the term.
package term
