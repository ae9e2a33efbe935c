package interchange

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxLine bounds what stands on a line: a larger part gets a name. Parts with
// slots have none; beyond maxText bytes they are left out.
const (
	maxLine = 2000
	maxText = 1 << 20
)

// WriteTerms writes the terms of the roots, each on a line. What is used more than
// once has a name, on a line before. Bound variables are called v1, v2, …
func (e *Extraction) WriteTerms(w io.Writer) {
	x := &writer{p: e.p, pick: e.pick, slots: make(map[string][]string), text: make(map[int]string)}
	for _, c := range e.p.g.Classes {
		x.slots[c.ID] = c.Slots
	}
	order, _ := e.p.order(e.pick)
	uses := make(map[int]int)
	for _, c := range order {
		for _, k := range e.p.nodes[c][e.pick[c]].all {
			uses[k]++
		}
	}
	named := 0
	for _, c := range order { // children first
		if len(x.slots[e.p.classes[c]]) > 0 {
			continue
		}
		x.size = 0
		text := x.term(c, nil)
		if strings.HasPrefix(text, "(") && (uses[c] > 1 || len(text) > maxLine) {
			named++
			fmt.Fprintf(w, "t%d = %s\n", named, text)
			text = fmt.Sprint("t", named)
		}
		x.text[c] = text
	}
	for _, r := range e.p.Roots {
		x.size = 0
		fmt.Fprintln(w, x.term(r, x.slots[e.p.classes[r]]))
	}
}

type writer struct {
	p     *Problem
	pick  []int
	slots map[string][]string // by class
	text  map[int]string      // of classes without slots
	bound int                 // variables so far
	size  int
}

// term is the text of a class whose slots have the names args.
func (x *writer) term(c int, args []string) string {
	if s, ok := x.text[c]; ok {
		return s
	}
	choice := &x.p.nodes[c][x.pick[c]]
	n := &x.p.g.Nodes[choice.node]
	if x.size += len(n.Op) + 3; x.size > maxText {
		return "…"
	}
	names := make(map[string]string)
	for i, s := range x.slots[x.p.classes[c]] {
		names[s] = args[i]
	}
	s := n.Slots
	if s == nil {
		s = &Slots{}
	}
	all := func(xs []string) []string {
		var out []string
		for _, y := range xs {
			if _, ok := names[y]; !ok {
				names[y] = "_" // anything: the class does not depend on it
			}
			out = append(out, names[y])
		}
		return out
	}
	for _, b := range s.Bind {
		x.bound++
		names[b] = fmt.Sprint("v", x.bound)
	}
	if len(s.Own) > 0 {
		return strings.Join(all(s.Own), " ")
	}
	parts := append([]string{n.Op}, all(s.Bind)...)
	for i, k := range choice.all {
		var pass []string
		if i < len(s.Args) {
			pass = all(s.Args[i])
		}
		parts = append(parts, x.term(k, slices.Clone(pass)))
	}
	if len(parts) == 1 {
		return n.Op
	}
	return "(" + strings.Join(parts, " ") + ")"
}
