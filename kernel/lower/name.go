package lower

import (
	"fmt"
	"slices"

	"egad/kernel"
	"egad/term"
	"egad/term/size"
)

// namer names arrays after what the program calls them.
type namer struct {
	hints map[uint32]term.Hint
	index *term.IndexNames
	used  term.NameSet
	count int
}

func newNamer(p *term.Program, hints map[uint32]term.Hint, used term.NameSet) *namer {
	n := &namer{hints: hints, index: p.Index, used: used}
	for _, leaf := range term.Leaves(p.Inputs) {
		n.used.Use(leaf.Name)
	}
	return n
}

// array is a new name for the array of a node.
func (n *namer) array(id uint32) string {
	if hint := n.hints[id].Name; hint != "" {
		return n.used.Like(hint)
	}
	return n.Fresh()
}

// Fresh is a new name for an array that no program has a name for.
func (n *namer) Fresh() string {
	for {
		n.count++
		if name := fmt.Sprintf("t%d", n.count); !n.used.Has(name) {
			n.used.Use(name)
			return name
		}
	}
}

// Like is a new name, like another one.
func (n *namer) Like(name string) string { return n.used.Like(name) }

// Loops names the variables of nested loops.
func (n *namer) Loops(ls []*kernel.Loop) {
	used := make(map[string]bool)
	for _, l := range ls {
		candidates := slices.Concat(n.index.Names(size.Const(int64(l.N))), []string{"i", "j", "k", "l", "p", "q", "r"})
		for c := 2; l.Name == ""; c++ {
			free := slices.IndexFunc(candidates, func(s string) bool { return !n.used.Has(s) && !used[s] })
			if free >= 0 {
				l.Name = candidates[free]
			}
			candidates = []string{fmt.Sprintf("i%d", c)}
		}
		used[l.Name] = true
	}
}
