package extract

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
)

// Methods returns the ways to choose, by name: trees, the least trees; shared, trees in
// which the cost of what is shared is divided among its uses; greedy, the least DAGs
// with the choices made so far; and exact, the least DAG.
func Methods() []string {
	return slice.Map(methods, func(m method) string { return m.name })
}

// byShares is the method of the stages.
const byShares = "shared"

// method is a way to choose.
type method struct {
	name   string
	choose func(*Choices, Budget) *Extraction
}

var methods = []method{
	{"trees", func(c *Choices, _ Budget) *Extraction { return c.Trees() }},
	{byShares, func(c *Choices, _ Budget) *Extraction { return c.Shared() }},
	{"greedy", (*Choices).Greedy},
	{"exact", (*Choices).Exact},
}

// Choosing says how a choice is made. The zero value is by shared costs.
type Choosing struct {
	Method string // of [Methods]
	Budget
}

// By makes a choice in the given way. It is nil if a root has no term.
func (c *Choices) By(h Choosing) *Extraction {
	for _, m := range methods {
		if m.name == h.Method && h.Method != byShares && c.derives(c.least().pick) {
			return m.choose(c, h.Budget)
		}
	}
	return c.Shared()
}

// Check returns an error if there is no such method.
func (h Choosing) Check() error {
	if slices.Contains(Methods(), h.Method) {
		return nil
	}
	return fmt.Errorf("%s: the methods are %s%s", h.Method, strings.Join(Methods(), ", "), diag.DidYouMean(h.Method, Methods()))
}
