// Package plan says where the arrays of a program lie in memory: which may share a place, as they are
// never in use at the same time or one is made of the other element by element, and which have room
// between their rows.
package plan
