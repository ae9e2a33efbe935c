// Package defs takes the definitions of a module at small sizes, for tests.
package defs

import (
	"testing"

	"egad/term"
)

// Each calls f with every definition of a module: its first size is from, the
// next ones are one more each.
func Each(t testing.TB, m *term.Module, from int64, f func(name string, p *term.Program)) {
	t.Helper()
	for _, name := range m.Defs() {
		info, err := m.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sizes := make(map[string]int64)
		for i, s := range info.Sizes {
			sizes[s] = from + int64(i)
		}
		p, err := m.Instantiate(name, sizes)
		if err != nil {
			t.Fatal(err)
		}
		f(name, p)
	}
}
