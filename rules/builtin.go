package rules

import (
	"fmt"
	"sync"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/files"
	"egad/term"
)

// builtinFiles lists the rule files that come with egad, in order.
var builtinFiles = []string{"bot", "digits", "nabla", "linear", "arrays", "scalars", "masks", "gathers", "steps", "systems", "grammars", "schedules"}

// BuiltinSources returns the rule files that come with egad.
func BuiltinSources() []*diag.Source {
	return slice.Map(builtinFiles, files.Source)
}

// builtin reads the rules that come with egad, once: nothing changes them.
var builtin = sync.OnceValue(func() *Library {
	lib := &Library{byName: make(map[string]*Set), rules: make(map[string]*Rule)}
	if err := lib.read(nil, term.NewSignature(), BuiltinSources(), true); err != nil {
		panic(fmt.Sprintf("embedded rules: %v", err))
	}
	return lib
})

// Builtin gives the rules that come with egad and those of a user's files.
func Builtin(sig *term.Signature, user ...*diag.Source) (*Library, error) {
	lib := builtin().With(&Library{})
	if err := lib.read(nil, sig, user, false); err != nil {
		return nil, err
	}
	return lib, nil
}
