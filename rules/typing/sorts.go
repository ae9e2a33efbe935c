package typing

import (
	"maps"

	"egad/diag"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// sorted is the sort of an operator of a language applied to operands.
func (n *unifier) sorted(p *rules.Pattern, d *ops.Sorted) *types.Type {
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
			n.need(p.Pos, n.Types(have, want), "%s has the sort %s, expected %s", h, n.sortName(have), rules.SortName(want))
		}
	}
	for i, e := range p.Kids {
		want := d.Child(i).Type
		if e.Kind == rules.ESplice { // all elements of a list have one sort
			n.ofSort(e.List.Pos, n.metas[e.List.Name], want)
		} else {
			n.ofSort(e.Pat.Pos, n.term(e.Pat, want), want)
		}
	}
	return d.Result
}

func (n *unifier) ofSort(pos diag.Pos, t, want *types.Type) {
	n.need(pos, n.Types(t, want), "this has the sort %s, expected %s", n.sortName(t), rules.SortName(want))
}

func (n *unifier) sortName(t *types.Type) string { return rules.SortName(n.Resolve(t)) }

// number gives a number its sort: the one that is expected, or the only one that has
// numbers.
func (n *unifier) number(p *rules.Pattern, want *types.Type) *types.Type {
	l := n.rule.Language
	if want != nil {
		want = n.Resolve(want)
	}
	if want == nil || want.Kind == types.KVar {
		want = nil
		for _, t := range l.Sorts {
			if l.Numbers[t] {
				n.need(p.Pos, want == nil, "numbers are of several sorts: which one %s has is not clear here", p.Value)
				want = t
			}
		}
		n.need(p.Pos, want != nil, "no sort has numbers")
	}
	n.need(p.Pos, l.Numbers[want], "the sort %s has no numbers", rules.SortName(want))
	if l.Elem[want] == types.I {
		n.need(p.Pos, p.Kind != rules.PLit, "the values of the sort %s are integers, and an attribute may be a fraction", rules.SortName(want))
		n.need(p.Pos, p.Kind != rules.PNumber || l.HasNumber(want, p.Value), "the values of the sort %s are integers of 64 bits, and %s is none", rules.SortName(want), p.Value)
	}
	p.Sort = want
	return want
}

// meant is the type of what an operator means. That its operands are of the right number
// follows from the sorts of the rule.
func (n *unifier) meant(p *rules.Pattern) *types.Type {
	for i, e := range p.Kids {
		want := p.Meant.Kid(i)
		for _, t := range n.items([]rules.Elem{e}, want) {
			n.need(p.Pos, n.Types(ofItem(t), want), "this is %s, not %s", n.shown(t), want)
		}
	}
	if a := p.Attrs.Sizes; a != nil {
		n.attr(a, rules.SortSizes)
	}
	if a := p.Attrs.Perm; a != nil {
		n.attr(a, rules.SortPerm)
	}
	if a := p.Attrs.Lit; a != nil {
		l := n.attr(a, rules.SortLit).lit
		n.need(p.Pos, l.number || n.ElemIn(l.elem, types.R), "this is no real number")
	}
	return types.ArrayOf(p.Meant.Result)
}

// InferSorts notes the sorts of the metavariables and bound variables of a rule of a
// language. The error says where a term has another sort than it must.
func InferSorts(sig *term.Signature, r *rules.Rule) *diag.Error {
	n, bad, _ := attempt(func() *unifier {
		n := newUnifier(sig, r, false, nil)
		n.left()
		n.right()
		if n.Resolve(n.root).Kind == types.KVar {
			n.fail(r.Lhs.Pos, "the sort of %s is not clear", r.Lhs.Name)
		}
		return n
	})
	if bad != nil {
		return diag.Errorf(r.Src, bad.pos, "%s", bad.msg)
	}
	r.Vars.Types = n.locals
	for name, t := range n.metas {
		r.Vars.Types[name] = n.Resolve(t)
	}
	return nil
}

// CheckSort finds the sorts of numbers in a term without metavariables, beside those of a
// rule, given the sorts of its variables. The error says where a term has another sort than it
// must, which is want of the term itself unless that is nil.
func CheckSort(sig *term.Signature, r *rules.Rule, vars map[string]*types.Type, p *rules.Pattern, want *types.Type) *diag.Error {
	_, bad, _ := attempt(func() *unifier {
		n := newUnifier(sig, r, false, nil)
		maps.Copy(n.locals, vars)
		if t := n.term(p, want); want != nil {
			n.ofSort(p.Pos, t, want)
		}
		return n
	})
	if bad != nil {
		return diag.Errorf(r.Src, bad.pos, "%s", bad.msg)
	}
	return nil
}
