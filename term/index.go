package term

import "egad/diag"

// Indexing is where the text of a program has the indices of an operator that reads or
// adds at them: its own positions, one for each index.
type Indexing struct {
	Src *diag.Source
	At  []diag.Pos
}
