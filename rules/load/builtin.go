package load

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/files"
	"egad/term"
)

// builtinFiles lists the rule files that come with egad, in order.
var builtinFiles = []string{"bot", "digits", "nabla", "linear", "arrays", "scalars", "masks", "gathers", "steps", "systems", "grammars", "schedules"}

// Sources returns the rule files that come with egad.
func Sources() []*diag.Source {
	return slice.Map(builtinFiles, files.Source)
}

// builtin reads the rules that come with egad, once: nothing changes them.
var builtin = sync.OnceValue(func() *rules.Library {
	lib := rules.NewLibrary()
	if err := read(lib, nil, term.NewSignature(), Sources(), true); err != nil {
		panic(fmt.Sprintf("embedded rules: %v", err))
	}
	return lib
})

// Builtin gives the rules that come with egad and those of a user's files.
func Builtin(sig *term.Signature, user ...*diag.Source) (*rules.Library, error) {
	lib := builtin().With(&rules.Library{})
	if err := read(lib, nil, sig, user, false); err != nil {
		return nil, err
	}
	return lib, nil
}

// Limited reports whether schedules that come with egad have other limits in the library.
func Limited(l *rules.Library) bool {
	return slices.ContainsFunc(builtin().Schedules, func(s *rules.Schedule) bool {
		return !maps.Equal(s.Limits, l.Schedule(s.Name).Limits)
	})
}
