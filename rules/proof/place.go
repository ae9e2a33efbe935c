package proof

import (
	"fmt"
	"strings"

	"egad/term"
)

// Place is where a step is made: numbers of operands from the whole term on, as it is
// then. A term that occurs in several places is rewritten in all of them; this is the
// first.
type Place struct {
	Path    []int
	Reverse bool // from right to left
}

func (p Place) String() string {
	if len(p.Path) == 0 {
		return "at the root"
	}
	var at []string
	for _, k := range p.Path {
		at = append(at, fmt.Sprint(k+1))
	}
	return "at " + strings.Join(at, ".")
}

// Walk calls f for every link by a rule, or of an instance, that the last equation rests
// on, once, in the order in which they lead from one side of it to the other, with its
// place and what it leads from. What an instance is of comes before it.
func (p *Proof) Walk(f func(l *Link, from term.Term, path []int)) {
	seen := make([]bool, len(p.Equations))
	var walk func(k int, path []int)
	walk = func(k int, path []int) {
		if seen[k] {
			return
		}
		seen[k] = true
		at := p.Equations[k].From
		for i := range p.Equations[k].Links {
			l := &p.Equations[k].Links[i]
			for operand, e := range l.Kids {
				switch {
				case l.Kind == Instance:
					walk(e, path)
				case e >= 0:
					walk(e, append(path[:len(path):len(path)], operand))
				}
			}
			if l.Kind == ByRule || l.Kind == Instance {
				f(l, at, path)
			}
			at = l.To
		}
	}
	if n := len(p.Equations); n > 0 {
		walk(n-1, nil)
	}
}
