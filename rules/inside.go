package rules

import (
	"iter"
	"slices"
)

// Inside lists the patterns right below p: its operands, those in lists, in
// substitutions and in attributes.
func (p *Pattern) Inside() []*Pattern {
	var in insides
	in.items(p.Kids)
	in.bindings(p.Subs)
	for _, a := range append(p.Attrs.Exprs(), p.Lit) {
		in.attr(a)
	}
	p.Types(func(t *TypePat) { in.attr(t.Shape) })
	for _, q := range []*Pattern{p.X, p.Bound, p.Body} {
		in.add(q)
	}
	return in.out
}

// Exprs are the attributes that are no types, in the order of the fields; those that are left out
// are nil.
func (a *Attrs) Exprs() []*AttrExpr {
	return []*AttrExpr{a.Sizes, a.Targets, a.Perm, a.N, a.Lit}
}

// All are p and the patterns in it, each before those in it; of nil there are none.
func (p *Pattern) All() iter.Seq[*Pattern] {
	return func(yield func(*Pattern) bool) {
		Find(p, func(q *Pattern) bool { return !yield(q) })
	}
}

// All are the patterns of a rule and those in them: of its sides, its maps and what it asks for.
func (r *Rule) All() iter.Seq[*Pattern] {
	in := insides{[]*Pattern{r.Lhs, r.Rhs}}
	in.items(r.Maps)
	for _, c := range slices.Concat(r.Conds, r.Assumes) {
		in.out = append(in.out, c.L, c.R, c.Of)
		in.list(c.Ix)
		for _, a := range []*AttrExpr{c.Sizes, c.A, c.B} {
			in.attr(a)
		}
	}
	return func(yield func(*Pattern) bool) {
		for _, p := range in.out {
			for q := range p.All() {
				if !yield(q) {
					return
				}
			}
		}
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

// Types calls f for the types that p itself mentions, and for their parts.
func (p *Pattern) Types(f func(*TypePat)) {
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

// Find is the first pattern in p of which is is true, nil if there is none.
func Find(p *Pattern, is func(*Pattern) bool) *Pattern {
	if p == nil || is(p) {
		return p
	}
	for _, k := range p.Inside() {
		if q := Find(k, is); q != nil {
			return q
		}
	}
	return nil
}
