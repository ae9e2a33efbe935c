package rules

import (
	"egad/diag"
	"egad/term"
)

// sorted is the sort of an operator of a language applied to operands.
func (n *typing) sorted(p *Pattern, d *term.Sorted) *term.Type {
	if p.Binders != nil {
		for i, h := range p.Binders.Heads {
			want := d.Binders[i].Type
			have, met := n.metas[h], n.locals[h]
			if have == nil {
				have = met
			}
			if have == nil {
				n.locals[h], n.leftLocals[h] = want, want
				continue
			}
			n.need(p.Pos, n.Types(have, want), "%s has the sort %s, expected %s", h, n.sortName(have), SortName(want))
		}
	}
	for i, e := range p.Kids {
		want := d.Child(i).Type
		if e.Kind == ESplice { // all elements of a list have one sort
			n.ofSort(e.List.Pos, n.metas[e.List.Name], want)
		} else {
			n.ofSort(e.Pat.Pos, n.term(e.Pat, want), want)
		}
	}
	return d.Result
}

func (n *typing) ofSort(pos diag.Pos, t, want *term.Type) {
	n.need(pos, n.Types(t, want), "this has the sort %s, expected %s", n.sortName(t), SortName(want))
}

func (n *typing) sortName(t *term.Type) string { return SortName(n.Resolve(t)) }

// number gives a number its sort: the one that is expected, or the only one that has
// numbers.
func (n *typing) number(p *Pattern, want *term.Type) *term.Type {
	l := n.rule.Language
	if want != nil {
		want = n.Resolve(want)
	}
	if want == nil || want.Kind == term.KVar {
		want = nil
		for _, t := range l.Sorts {
			if l.numbers[t] {
				n.need(p.Pos, want == nil, "numbers are of several sorts: which one %s has is not clear here", p.Value)
				want = t
			}
		}
		n.need(p.Pos, want != nil, "no sort has numbers")
	}
	n.need(p.Pos, l.numbers[want], "the sort %s has no numbers", SortName(want))
	if l.elem[want] == term.I {
		n.need(p.Pos, p.Kind != PLit, "the values of the sort %s are integers, and an attribute may be a fraction", SortName(want))
		n.need(p.Pos, p.Kind != PNumber || l.HasNumber(want, p.Value), "the values of the sort %s are integers of 64 bits, and %s is none", SortName(want), p.Value)
	}
	p.Sort = want
	return want
}

// sorts finds the sorts of the metavariables and bound variables of a rule of a
// language, and reports where terms have other sorts than they must.
func (f *fileParser) sorts(r *Rule) {
	var root *term.Type
	n, bad, _ := attempt(func() *typing {
		n := newTyping(f.sig, r, false, nil)
		n.left()
		n.right()
		if root = n.Resolve(n.root); root.Kind == term.KVar {
			n.fail(r.Lhs.Pos, "the sort of %s is not clear", r.Lhs.Name)
		}
		return n
	})
	if bad != nil {
		f.errs.Add(f.src, bad.pos, "%s", bad.msg)
		return
	}
	r.Vars.types = n.locals
	for name, t := range n.metas {
		r.Vars.types[name] = n.Resolve(t)
	}
	for i := range r.Conds {
		switch k := &r.Conds[i]; {
		case k.Kind == CondLiteral && !f.lang.numbers[r.Vars.types[k.L.Name]]:
			f.errs.Add(f.src, k.Pos, "the sort %s has no numbers", SortName(r.Vars.types[k.L.Name]))
		case k.Kind == CondVariable && !f.lang.bound[r.Vars.types[k.L.Name]]:
			f.errs.Add(f.src, k.Pos, "no operator binds variables of the sort %s", SortName(r.Vars.types[k.L.Name]))
		}
	}
}
