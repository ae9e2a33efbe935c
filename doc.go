// Package egad differentiates array programs by rewriting them with an e-graph.
//
// A program is text: arrays with sizes in their types, build, sum and indexing.
// [Load] reads and checks it, [Module.Instantiate] takes one definition at known
// sizes, [Module.Grad], [Module.VJP], [Module.JVP], [Module.HVP], [Module.Hessian]
// and [Module.Jacobian] derive programs of the same language, and [Run] runs them.
// docs/language.md describes the language and docs/rules.md the rules, which are
// data; examples/README.md has examples, and the command is cmd/egad.
//
// Goroutines may share modules, programs, derivatives, views of stages and machines,
// and get the answers that one alone would get: what is done to a program is done
// in a copy. Results never share memory with inputs or with each other, and inputs
// may be changed between runs, not during one. What takes a term.Store rather than a program, or the maps of an
// ad.Jacobian, makes terms there: one goroutine at a time.
//
// This package is the face of the library. The work is done in the packages
// below it: term (the language), rules, egraph, saturate (rules on the e-graph),
// extract, bot, linmap, ad, simplify, data (input and output) and props (checks).
package egad
