// Package krawiec holds the routes of Krawiec, Krishnaswami, Peyton Jones, Ellis,
// Fitzgibbon and Eisenberg, "Provably Correct, Asymptotically Efficient, Higher-Order
// Reverse-Mode Automatic Differentiation": from forward mode to reverse mode in four steps,
// each a transformation of terms of the functional language (package fun) to a target
// language, which is checked, printed and run as the source is. In all of them a real
// becomes a pair of it and of how it changes; they differ in what that is.
package krawiec
