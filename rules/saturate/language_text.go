package saturate

import (
	"fmt"
	"maps"

	"egad/slot"
	"egad/term"
)

// Text writes terms of a store as they are read. Free variables have the names given; bound
// ones, and others, are called v1, v2, … in the order of the text.
func (l *Language) Text(s *term.Store, free map[slot.Name]string, terms ...term.Term) (out []string) {
	names, fresh := maps.Clone(free), l.freshNames(free)
	if names == nil {
		names = make(map[slot.Name]string)
	}
	call := func(n slot.Name) string {
		if names[n] == "" {
			names[n] = fresh()
		}
		return names[n]
	}
	var show func(t term.Term) *shown
	show = func(t term.Term) *shown {
		v := s.Open(t)
		x := &shown{op: l.Signature.Operator(v.Op.Sym).Sorted, name: l.called(v.Op)}
		if len(v.Own) > 0 {
			x.name = call(v.Own[0])
		}
		for _, b := range v.Binders {
			x.binders = append(x.binders, call(b))
		}
		for _, k := range v.Kids {
			x.kids = append(x.kids, show(k))
		}
		return x
	}
	for _, t := range terms {
		out = append(out, show(t).String())
	}
	return out
}

// called is what an operator is called.
func (l *Language) called(op term.Op) string {
	switch d := l.Signature.Operator(op.Sym).Sorted; {
	case d != nil:
		return d.Text(op)
	case op.Const != nil && op.Type.Kind == term.KSort:
		return op.Const.Fill.String()
	case op.Const != nil:
		return "holds"
	}
	return op.Name // of what is left out of a term in a message
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
