package term

import (
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/size"
)

// Hint is a name from the source, with its position for choosing among several.
type Hint struct {
	Name  string
	Order int // 0 for the user's files, 1 for the prelude
	Pos   diag.Pos
}

// Before reports whether h is preferred to g: by source position, the user's
// names before those of the prelude.
func (h Hint) Before(g Hint) bool {
	if (h.Name == "") != (g.Name == "") {
		return h.Name != "" // an atom without a name of its own comes last
	}
	if h.Order != g.Order {
		return h.Order < g.Order
	}
	if h.Pos != g.Pos {
		return h.Pos < g.Pos
	}
	return h.Name < g.Name
}

// IndexNames remembers what the source called index variables, by range.
type IndexNames struct {
	byRange map[string][]Hint // the preferred first
}

// maxIndexNames bounds the names that are kept for one range.
const maxIndexNames = 20

// Names lists the names for variables that range over size, the preferred first.
func (n *IndexNames) Names(size size.Size) []string {
	if n == nil {
		return nil
	}
	return slice.Map(n.byRange[size.Key()], func(h Hint) string { return h.Name })
}

// Add adds a name for variables that range over size.
func (n *IndexNames) Add(size size.Size, h Hint) {
	key := size.Key()
	hints := n.byRange[key]
	if i := slices.IndexFunc(hints, func(g Hint) bool { return g.Name == h.Name }); i >= 0 {
		if !h.Before(hints[i]) {
			return
		}
		hints = slices.Delete(hints, i, i+1)
	}
	i := slices.IndexFunc(hints, h.Before)
	if i < 0 {
		i = len(hints)
	}
	hints = slices.Insert(hints, i, h)
	memo.Set(&n.byRange, key, hints[:min(len(hints), maxIndexNames)])
}

// NewHint returns a name for a node of a program that has no text; order decides
// between several.
func NewHint(name string, order int) Hint { return Hint{Name: name, Pos: diag.Pos(order)} }
