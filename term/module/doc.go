// Package module makes programs of texts. A [Module] has the definitions of some texts, which are checked
// once, with sizes as symbols, and [Module.Instantiate] makes a [term.Program] of one at known sizes:
// calls are inlined, and derivatives that a program asks for are derived.
//
// Checking and making terms is one walk over the syntax, over types or over terms: walk.go and the
// files of the forms of expressions. [Declare] checks an operator that a rule file declares, and
// [Checking] what is not written as a text but in Go. Definitions that all programs have are in
// prelude.egad.
package module
