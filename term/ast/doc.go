// Package ast is the syntax of programs: expressions, patterns, types and definitions as they stand
// in a text, and a [Parser] that reads them. Rules share it, and have forms of their own in it. What
// a program means is for others to say; here a name is only a word.
//
// A text of another language is met with what one writes here in place of its words and signs.
package ast
