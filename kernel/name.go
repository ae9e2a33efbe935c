package kernel

import (
	"fmt"
	"slices"
	"strings"

	"egad/term"
)

// namer names arrays after what the program calls them.
type namer struct {
	hints map[uint32]term.Hint
	index *term.IndexNames
	used  map[string]bool
	count int
}

func newNamer(p *term.Program, hints map[uint32]term.Hint) *namer {
	n := &namer{hints: hints, index: p.Index, used: make(map[string]bool)}
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			n.used[leaf.Name] = true
		}
	}
	return n
}

// array is a new name for the array of a node.
func (n *namer) array(id uint32) string {
	name := n.hints[id].Name
	for k := 2; name != "" && n.used[name]; k++ {
		name = fmt.Sprintf("%s%d", strings.TrimRight(n.hints[id].Name, "0123456789"), k)
	}
	for name == "" || n.used[name] {
		n.count++
		name = fmt.Sprintf("t%d", n.count)
	}
	n.used[name] = true
	return name
}

// loops names the variables of nested loops.
func (n *namer) loops(ls []*Loop) {
	used := make(map[string]bool)
	for _, l := range ls {
		candidates := slices.Concat(n.index.Names(term.SizeConst(int64(l.N))), []string{"i", "j", "k", "l", "p", "q", "r"})
		for c := 2; l.Name == ""; c++ {
			free := slices.IndexFunc(candidates, func(s string) bool { return !n.used[s] && !used[s] })
			if free >= 0 {
				l.Name = candidates[free]
			}
			candidates = []string{fmt.Sprintf("i%d", c)}
		}
		used[l.Name] = true
	}
}
