package term

import (
	"egad/diag"
	"egad/term/ast"
	"egad/term/types"
)

// Functional types and lowers the functional programs of a module: definitions with sums,
// functions as values, or calls of themselves (package fun).
type Functional interface {
	// Check types a definition, and lists what is wrong with it.
	Check(d *ast.Def) diag.List
	// Lower makes an array program of a definition at the sizes.
	Lower(d *ast.Def, sizes map[string]int64, inputs []Input, result *types.Type) (*Program, error)
}

// Definitions are those of a module, in which functional programs call each other.
type Definitions interface {
	// Defs lists the names of the user's definitions.
	Defs() []string
	// Find returns what a name means in the text of a definition, nil if it is none.
	Find(name string, from *ast.Def) *ast.Def
}
