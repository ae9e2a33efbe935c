// Package improve has the kernels of a program take less time. [Improve] does all that is done before it is
// known how they are run, in its order: what has a package of its own, as that loops are shared, and
// what is here, as that arrays are copied with zeros around them, or that loops which have nothing
// to do are asked first.
package improve
