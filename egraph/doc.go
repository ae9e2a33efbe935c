// Package egraph is a general e-graph engine with binders: it keeps classes of
// equal terms, matches patterns in them, and adds what rewrite rules say.
//
// Binders are first class, after Slotted E-Graphs (Schneider et al., PLDI 2025):
// a class has parameters, its slots; a child refers to a class together with the
// names it passes for those slots; alpha-equivalent terms are one e-node; "i does
// not occur in t" is "the class has no slot for i", which sees through equality.
//
// The package knows no language. A [Signature] says which operators there are;
// what else an operator carries (sizes, literals) is known to whoever made it.
// Classes, e-nodes and slot arguments live in a few arrays of integers.
package egraph
