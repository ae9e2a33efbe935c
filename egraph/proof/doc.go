// Package proof explains why terms are equal in an e-graph, and checks such
// explanations without one.
//
// [Keep] has a graph write a [Log] while it works: terms, and for every union the
// two terms that it united and why. Afterwards [Explainer.Explain] makes a [Proof] of two
// terms: a chain of terms, in which a rule is applied once at one position from each
// to the next. If a = b was given, f(a) and f(b) have the proof
//
//	f(a)
//	f(b)    given, at position 1
//
// [Proof.Check] replays a proof. It knows terms and rules and nothing of graphs, and
// shares no code with what made the proof.
//
// A proof is found as follows. The unions are the edges of a graph of terms; the way
// from one term to the other is nearly always a way in a spanning forest of it
// (Nieuwenhuis and Oliveras, 2005). An edge by congruence, f(a) — f(b), is replaced
// by the way from a to b, by edges that were there before it; so all ways end. Where
// classes have symmetries, or slots that do not matter, the way is looked for term by
// term, with names that are not known yet. In the end, what leads back to a term that
// was there before is cut out.
package proof
