package rules

import "iter"

// inside lists the patterns right below p: its operands, those in lists, in
// substitutions and in attributes.
func (p *Pattern) inside() []*Pattern {
	var in insides
	in.items(p.Kids)
	in.bindings(p.Subs)
	for _, a := range []*AttrExpr{p.Attrs.Sizes, p.Attrs.Targets, p.Attrs.Perm, p.Attrs.N, p.Attrs.Lit, p.Lit} {
		in.attr(a)
	}
	p.types(func(t *TypePat) { in.attr(t.Shape) })
	for _, q := range []*Pattern{p.X, p.Bound, p.Body} {
		in.add(q)
	}
	return in.out
}

// all are p and the patterns in it, each before those in it; of nil there are none.
func (p *Pattern) all() iter.Seq[*Pattern] {
	return func(yield func(*Pattern) bool) {
		find(p, func(q *Pattern) bool { return !yield(q) })
	}
}

type insides struct{ out []*Pattern }

func (in *insides) add(p *Pattern) {
	if p != nil {
		in.out = append(in.out, p)
	}
}

func (in *insides) items(es []Elem) {
	for _, e := range es {
		in.add(e.Pat)
		in.list(e.List)
	}
}

func (in *insides) bindings(bs []Binding) {
	for _, b := range bs {
		in.add(b.By)
		in.list(b.ByL)
	}
}

func (in *insides) list(l *ListPat) {
	if l == nil {
		return
	}
	in.items(l.Elems)
	in.attr(l.Perm)
	in.attr(l.Sizes)
	in.list(l.Arg)
	in.add(l.Index)
	in.bindings(l.Subs)
}

func (in *insides) attr(a *AttrExpr) {
	if a == nil {
		return
	}
	in.add(a.Term)
	in.list(a.List)
	for _, b := range a.Args {
		in.attr(b)
	}
}

// types calls f for the types that p itself mentions, and for their parts.
func (p *Pattern) types(f func(*TypePat)) {
	var visit func(t *TypePat)
	visit = func(t *TypePat) {
		if t == nil {
			return
		}
		f(t)
		for _, u := range t.Parts {
			visit(u)
		}
	}
	visit(p.Attrs.Type)
	visit(p.Attrs.Type2)
	visit(p.LitFor)
}
