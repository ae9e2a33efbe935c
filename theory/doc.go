// Package theory is equational logic over languages that are data: a file
// declares sorts, operators (with literals and binders), rewrite rules with
// conditions, and tests; the e-graph of package egraph runs them. It knows
// nothing of arrays. docs/languages.md is the reference.
package theory
