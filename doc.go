// Package egad differentiates array programs by rewriting them with an e-graph.
//
// A program is text: arrays with sizes in their types, build, sum and indexing.
// [Compile] checks it and gives a definition as a [Func], which is called with Go
// values: [Func.Value], [Func.Grad], [Func.JVP], [Func.VJP], [Func.HVP],
// [Func.Jacobian], [Func.Hessian]. Sizes come from the values, and each program is
// derived and compiled when it is first called for. [For] makes a function of
// parameters that are a struct, [Func.Vector] one of a vector, for optimizers.
//
// A definition may be written in Go instead: see [Module.Define] and package define.
//
// Below that are programs. [Load] reads and checks files, [Module.Instantiate] takes one
// definition at known sizes, [Module.Grad] and its like derive programs of the same
// language, and [Run] runs them. docs/go.md shows all of this, docs/language.md
// describes the language and docs/rules.md the rules, which are data;
// examples/README.md has examples, and the command is cmd/egad.
//
// Goroutines may share functions, modules, programs, derivatives, views of stages and
// machines, and get the answers that one alone would get: what is done to a program
// is done in a copy. Results never share memory with inputs or with each other, but
// for places that the caller gives, and inputs may be changed between calls, not
// during one. What takes a term.Store rather than a program, or the maps of an
// ad.Jacobian, makes terms there: one goroutine at a time.
//
// This package is the face of the library. The work is done in the packages
// below it: term (the language), rules, egraph, saturate (rules on the e-graph),
// extract, bot, linmap, ad, kernel (loops), data (input and output) and props (checks).
package egad
