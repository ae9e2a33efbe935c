// Package chad differentiates functional programs by "Efficient CHAD" (Smeding and Vákár,
// POPL 2024; here 002): program transformations from the core of package fun to target
// languages with linear types, the basic one (Fig. 2) and the monadic one (Fig. 7), and one
// interface of linear types (Fig. 3) with four implementations, from that of Fig. 4, which
// is simple, to that of Section 5, of which the paper proves the cost. Steps are counted in
// a run by the paper's cost model (Appendix B), so that both sides of its theorems can be
// looked at ([Measure]).
//
// The paper's proof in Agda is not here; tests on random programs stand in for it.
package chad
