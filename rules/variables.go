package rules

import "egad/term"

// Variables is what is known of the metavariables of a rule.
type Variables struct {
	Sort  map[string]Sort // of metavariables and of the left side's bound variables
	Order []string        // in order of first occurrence on the left
	// Scope lists the bound variables that a term metavariable may mention:
	// those in scope at every occurrence on the left, without those that a
	// condition excludes.
	Scope map[string][]string
	Class map[string][]Class // of operator variables
	Lets  []string           // let-bound variables, of both sides
	// Variable has the metavariables that stand for variables of a language.
	Variable map[string]bool
	// Types are the sorts of metavariables and of bound variables of a language.
	Types map[string]*term.Type
}
