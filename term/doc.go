// Package term has the terms of the array language, and programs made of them: a [Store] makes terms,
// immutable and shared, of the operators of a [Signature]; a [Printer] writes them as texts that read
// back; [Store.Bounds] and [Supposed] say what is known of their values.
//
// The constructors are those of Fig. 7 of "Dual-Numbers Reverse AD for
// Functional Array Languages" (Smeding, Konarski, Peyton Jones, Fitzgibbon
// 2025) with `where`, tuples, further reductions and the linear maps of
// "Automatic differentiation in Coconut" (Ellis, Peyton Jones, Fitzgibbon).
//
// A program goes through four forms: text, a module (parsed and checked once, with sizes as symbols),
// a [Program] (one definition at known sizes, as a term in a [Store]), and whatever an algebra of the
// evaluator makes of the term. The language has a package for each step; each imports only those
// before it, and the last two do not need each other:
//
//	ast       the syntax, with its parser
//	numeric   the numbers
//	size      sizes
//	types     types
//	ops       operators: how they are typed, and what they mean on elements
//	term      terms and programs
//	module    from texts to programs: definitions, checks, the prelude
//	eval      what programs mean
package term
