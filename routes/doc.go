// Package routes holds the ways from a program to its derivative, side by side. A route
// takes a program and inputs, and gives the gradient and what it took: how many Delta
// terms it made, how often it looked at one, how many operations it did. All routes
// have one table of derivatives, the rule set nabla, and one meaning of programs, that
// of package eval over an algebra.
//
// The routes over scalars are those of the dual-numbers paper (Smeding, Konarski,
// Peyton Jones, Fitzgibbon 2025), Sections 2 and 4.1: reals are dual numbers, a value
// beside a Delta, which describes how it changes with the inputs. They differ in how a
// Delta is evaluated.
package routes
