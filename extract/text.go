package extract

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"egad/internal/set"
)

// maxLine bounds what stands on a line: a larger part gets a name. Parts with
// slots have none; beyond maxText bytes they are left out, and all of them
// together beyond maxTexts.
const (
	maxLine  = 2000
	maxText  = 1 << 20
	maxTexts = 16 << 20
)

// WriteTerms writes the terms of the roots, each on a line. What is used more than
// once has a name, on a line before. Bound variables are called v1, v2, …
func (p *Problem) WriteTerms(w io.Writer, e *Extraction) {
	x := &writer{p: p, pick: e.pick, slots: make(map[string][]string), text: make(map[int]string), left: maxTexts, taken: make(map[string]bool)}
	for _, c := range p.g.Classes {
		x.slots[c.ID] = c.Slots
		set.Add(x.taken, c.Slots...)
	}
	for i := range p.g.Nodes {
		x.taken[p.g.Nodes[i].Op] = true
	}
	order, _ := p.order(e.pick)
	uses := make(map[int]int)
	for _, c := range order {
		for _, k := range p.states[c].options[e.pick[c]].all {
			uses[k]++
		}
	}
	keep := make(map[int]bool) // what is written at the end
	for _, r := range p.roots {
		keep[r.state] = true
	}
	named := 0
	for _, c := range order { // children first
		if len(x.slots[p.classes[c]]) > 0 {
			continue
		}
		text := x.line(c, nil)
		if strings.HasPrefix(text, "(") && (uses[c] > 1 || len(text) > maxLine) {
			name := x.name("t", &named)
			fmt.Fprintf(w, "%s = %s\n", name, text)
			text = name
		}
		x.text[c] = text
		for _, k := range p.states[c].options[e.pick[c]].kids {
			if uses[k] == 1 && !keep[k] {
				delete(x.text, k)
			}
		}
	}
	for _, r := range p.roots {
		fmt.Fprintln(w, x.line(r.state, x.slots[p.classes[r.state]]))
	}
}

type writer struct {
	strings.Builder
	p     *Problem
	pick  []int
	slots map[string][]string // by class
	text  map[int]string      // of classes without slots
	taken map[string]bool     // names of operators and slots
	bound int                 // variables so far
	left  int                 // of maxTexts
}

// name is the next name with a number that is not taken.
func (x *writer) name(letter string, n *int) string {
	for {
		*n++
		if name := fmt.Sprint(letter, *n); !x.taken[name] {
			return name
		}
	}
}

// line is the text of a class whose slots have the names args.
func (x *writer) line(c int, args []string) string {
	x.Reset()
	x.term(c, args)
	return x.String()
}

func (x *writer) term(c int, args []string) {
	if s, ok := x.text[c]; ok {
		x.WriteString(s)
		return
	}
	choice := &x.p.states[c].options[x.pick[c]]
	n := &x.p.g.Nodes[choice.node]
	slots := x.slots[x.p.classes[c]]
	if len(slots) > 0 {
		x.left -= len(n.Op) + 3
	}
	if x.Len() > maxText || x.left < 0 {
		x.WriteString("…")
		return
	}
	names := make(map[string]string)
	for i, s := range slots {
		names[s] = args[i]
	}
	s := cmp.Or(n.Slots, &Slots{})
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
		names[b] = x.name("v", &x.bound)
	}
	if len(s.Own) > 0 {
		x.WriteString(strings.Join(all(s.Own), " "))
		return
	}
	if len(s.Bind)+len(choice.all) == 0 {
		x.WriteString(operator(n.Op))
		return
	}
	x.WriteString("(" + operator(n.Op))
	for _, b := range all(s.Bind) {
		x.WriteString(" " + b)
	}
	for i, k := range choice.all {
		var pass []string
		if i < len(s.Args) {
			pass = all(s.Args[i])
		}
		x.WriteByte(' ')
		x.term(k, pass)
	}
	x.WriteByte(')')
}

// operator quotes a name that would not stand for itself in a term.
func operator(op string) string {
	bad := func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) || strings.ContainsRune("()\"", r) }
	if op == "" || strings.ContainsFunc(op, bad) {
		return strconv.Quote(op)
	}
	return op
}
