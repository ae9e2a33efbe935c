// Package types has the types of the array language: arrays of reals, integers and truth values with
// their sizes, tuples, sums, functions and linear maps. [ElemVars] are what a checker knows of element
// types that it has yet to find.
package types
