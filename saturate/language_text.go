package saturate

import (
	"maps"

	"egad/egraph"
	"egad/slot"
	"egad/term"
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
	var show func(t *egraph.Tree) *term.Shown
	show = func(t *egraph.Tree) *term.Shown {
		o := l.info(t.Op)
		x := &term.Shown{Op: o.sorted, Name: o.name, Mark: t == mark}
		if len(t.Own) > 0 {
			x.Name = "_" // any variable: the term does not depend on it
			if s, ok := names[t.Own[0]]; ok {
				x.Name = s
			}
		}
		for _, b := range t.Binders {
			names[b] = fresh()
			x.Binders = append(x.Binders, names[b])
		}
		for _, k := range t.Kids {
			x.Kids = append(x.Kids, show(k))
		}
		return x
	}
	return show(t).String()
}

func (l *Language) freshNames(free map[slot.Name]string) func() string {
	return term.FreshNames(l.Signature, free)
}
