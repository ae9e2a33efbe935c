// Package proof explains why terms are equal in an e-graph, and checks such
// explanations without one.
//
// [Write] has a graph write a [History] while it works: the terms of its classes, and the
// matches to which rules were applied. Nothing is looked up in it meanwhile. Afterwards
// [History.Explain] makes a [Proof] of two terms. Each match says of two terms that they are
// equal: the left side of its rule and the right side, for what the variables stand for. These
// equations go into a second e-graph, a [Closure], in which every term has an e-node of its own;
// what follows from them there is proved by them.
//
// A proof is a list of equations, each a chain of links. A link is a [Step], an application of a
// rule, or says that the children of two terms are equal, by equations before: what is equal in
// many places is proved once. If a = b was given, f(a) and f(b) have the proof
//
//	a = b          given
//	f(a) = f(b)    as a = b
//
// [Proof.Check] checks a proof. It knows terms and rules and nothing of graphs: a step says
// what the variables of its rule stand for, and the checker puts that into both sides.
//
// What is proved by a closure is found as follows. The unions are the edges of a graph of
// terms; the way from one term to the other is nearly always a way in a spanning forest of
// it (Nieuwenhuis and Oliveras, 2005). An edge by congruence, f(a) — f(b), rests on the way from a
// to b, by edges that were there before it; so all ways end. Where classes have
// symmetries, or slots that do not matter, the way is looked for term by term, with names that
// are not known yet.
package proof
