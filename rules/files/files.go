// Package files has the rule files that come with egad, which all other packages read.
package files

import (
	"embed"
	"fmt"

	"egad/diag"
)

//go:embed *.rules
var files embed.FS

// Source returns the file of the given name, without its ending.
func Source(name string) *diag.Source {
	b, err := files.ReadFile(name + ".rules")
	if err != nil {
		panic(fmt.Sprintf("embedded file: %v", err))
	}
	return &diag.Source{Name: name + ".rules", Text: string(b)}
}
