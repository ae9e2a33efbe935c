// Package maps reads what the routes of functional programs make as linear maps, terms of
// package linmap's language, over one environment: CHAD's C[t] (002) takes a cotangent of the
// result to those of the inputs, the meaning h of a Delta (003, Section 9) and ∇[t] (004) take
// changes of the inputs to that of the result. In this language the routes are one: C[t] is
// ∇[t]ᵀ, h of the Delta is ∇[t], and what evaluation does with a Let is what CHAD does with
// let. [Maps.Prove] proves this on an e-graph.
//
// A type A has the changes T[A]: R those of a real; a pair and a sum those of both parts, where
// a value of a sum has none of the side that it is not; an array arrays, one for each real in
// an element; and what has no reals has none.
package maps
