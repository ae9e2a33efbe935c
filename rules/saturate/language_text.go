package saturate

import (
	"fmt"
	"maps"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Text writes terms of a store as they are read. Free variables have the names given, or are called
// w1, w2, …; bound ones are called v1, v2, … from the outside in.
func (l *Language) Text(s *term.Store, free map[slot.Name]string, terms ...term.Term) []string {
	names := maps.Clone(free)
	if names == nil {
		names = make(map[slot.Name]string)
	}
	for _, t := range terms {
		l.NameFree(names, t.Args)
	}
	return l.TextIn(s, names, nil, terms...)
}

// NameFree gives free variables names, w1, w2, …, where they have none.
func (l *Language) NameFree(names map[slot.Name]string, vars []slot.Name) {
	fresh := l.freshNames("w", names)
	for _, n := range vars {
		if names[n] == "" {
			names[n] = fresh()
		}
	}
}

// TextIn writes terms at a place where some variables are bound, which are called v1, v2, …. All
// others have names.
func (l *Language) TextIn(s *term.Store, names map[slot.Name]string, scope []slot.Name, terms ...term.Term) (out []string) {
	bound, fresh := []string(nil), l.freshNames("v", names)
	names = maps.Clone(names)
	call := func(depth int, n slot.Name) string {
		for len(bound) <= depth {
			bound = append(bound, fresh())
		}
		names[n] = bound[depth]
		return names[n]
	}
	for k, n := range scope {
		call(k, n)
	}
	var show func(t term.Term, depth int) *shown
	show = func(t term.Term, depth int) *shown {
		v := s.Open(t)
		x := &shown{op: l.Signature.Operator(v.Op.Sym).Sorted, name: l.called(v.Op)}
		if len(v.Own) > 0 {
			x.name = names[v.Own[0]]
		}
		for k, b := range v.Binders {
			x.binders = append(x.binders, call(depth+k, b))
		}
		for i, k := range v.Kids {
			in := depth
			if l.Signature.Operator(v.Op.Sym).Under(i) {
				in += len(v.Binders)
			}
			x.kids = append(x.kids, show(k, in))
		}
		return x
	}
	return slice.Map(terms, func(t term.Term) string { return show(t, len(scope)).String() })
}

// called is what an operator is called.
func (l *Language) called(op ops.Op) string {
	switch d := l.Signature.Operator(op.Sym).Sorted; {
	case d != nil:
		return d.Text(op)
	case op.Const != nil && op.Type.Kind == types.KSort:
		return op.Const.Fill.String()
	case op.Const != nil:
		return "holds"
	}
	return op.Name // of what is left out of a term in a message
}

// freshNames gives names for variables, a letter with numbers, that are neither those of operators
// nor taken.
func (l *Language) freshNames(letter string, free map[slot.Name]string) func() string {
	taken := make(map[string]bool)
	for _, s := range free {
		taken[s] = true
	}
	number := 0
	return func() string {
		for {
			number++
			s := fmt.Sprint(letter, number)
			if _, op := l.Signature.Lookup(s); !op && !taken[s] {
				return s
			}
		}
	}
}
