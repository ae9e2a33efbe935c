package saturate

import (
	"fmt"
	"maps"

	"egad/egraph"
	"egad/slot"
)

// Text writes a term as it is read. Free variables have the names given; bound ones are
// called v1, v2, … in the order of the text.
func (l *Language) Text(t *egraph.Tree, free map[slot.Name]string) string {
	return l.marked(t, free, nil)
}

// marked is Text with a subterm between « and ».
func (l *Language) marked(t *egraph.Tree, free map[slot.Name]string, mark *egraph.Tree) string {
	names, fresh := maps.Clone(free), l.freshNames(free)
	if names == nil {
		names = make(map[slot.Name]string)
	}
	var show func(t *egraph.Tree) *shown
	show = func(t *egraph.Tree) *shown {
		o := l.info(t.Op)
		x := &shown{op: o.sorted, name: o.name, mark: t == mark}
		if len(t.Own) > 0 {
			x.name = "_" // any variable: the term does not depend on it
			if s, ok := names[t.Own[0]]; ok {
				x.name = s
			}
		}
		for _, b := range t.Binders {
			names[b] = fresh()
			x.binders = append(x.binders, names[b])
		}
		for _, k := range t.Kids {
			x.kids = append(x.kids, show(k))
		}
		return x
	}
	return show(t).String()
}

// freshNames gives names for bound variables, one after the other, that are neither
// those of operators nor of free variables.
func (l *Language) freshNames(free map[slot.Name]string) func() string {
	taken := make(map[string]bool)
	for _, s := range free {
		taken[s] = true
	}
	bound := 0
	return func() string {
		for {
			bound++
			s := fmt.Sprint("v", bound)
			if _, op := l.Signature.Lookup(s); !op && !taken[s] {
				return s
			}
		}
	}
}
