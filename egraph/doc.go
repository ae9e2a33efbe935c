// Package egraph is a general e-graph engine with binders: it keeps classes of
// equal terms, matches patterns in them, and adds what rewrite rules say. Import it
// for a language of your own.
//
// An e-node is an operator with e-classes as children, and an e-class is a set of
// e-nodes that are equal. If f(a) and f(b) are e-nodes and a and b are united, the
// two become one e-node when the graph is rebuilt.
//
// Binders are first class, after Slotted E-Graphs (Schneider et al., PLDI 2025): a
// class has parameters, its slots; a child refers to a class together with the names
// it passes for those slots; alpha-equivalent terms are one e-node; "i does not occur
// in t" is "the class has no slot for i", which sees through equality.
//
// The package knows no language. A [Signature] says which operators there are; what
// else an operator carries (sizes, literals) are static terms, which are interned: what
// they mean is known to whoever made it. Classes, e-nodes and slot arguments live in a few
// arrays of integers.
//
// Below it are egraph/perm, the groups of symmetries that classes have, and
// egraph/proof, which records a graph and explains why terms are equal. The page
// docs/engine.md of the project has examples of all of this, and a picture of how
// the matcher works.
package egraph
