package saturate

import (
	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// Matcher matches the left sides of rules, as they are compiled for e-graphs, with one
// reference of a space at a time. It is for rules for arrays.
type Matcher struct {
	reading
	ops map[uint32]egraph.Op // of terms, by id; nil if references are no terms
	err error
}

// NewMatcher returns a matcher for the terms of a store.
func NewMatcher(s match.Terms) *Matcher {
	return &Matcher{reading: reading{space: s, lang: newLang(s.Signature(), false)}, ops: make(map[uint32]egraph.Op)}
}

// Matches calls f for every way in which the left side of a rule matches root and its
// conditions hold, until f returns false. If opaque is set, the left side does not look
// inside atoms below the root. A mistake in the rule is an error.
func (x *Matcher) Matches(r *rules.Rule, root slot.Ref, opaque bool, f func(*match.Application) bool) error {
	form, err := x.lang.formOf(r, opaque)
	if err != nil {
		return err
	}
	conds := slice.Make(len(r.Conds), func(i int) *rules.Cond { return &r.Conds[i] })
	x.err = nil
	p := form.prog.Pattern()
	if t, ok := x.space.(match.Terms); ok && p.Kind == egraph.PApp && p.Class == 0 && p.Head != x.lang.eng.Head(x.op(root, t.Op(root), len(t.Kids(root)))) {
		return x.err
	}
	s := &egraph.Search{Space: x, Statics: egraph.Statics{Sig: x.lang.eng, Constants: x.in(form)}}
	if opaque {
		s.Atom = x.space.Named
	}
	s.Matches(form.prog, root, func() bool {
		m, ok, err := form.match(&x.reading, s, conds)
		if err != nil {
			x.err = err
			return false
		}
		if !ok {
			return true
		}
		a := &match.Application{Match: m.Clone()}
		a.Ops = append(a.Ops, slice.Map(s.Ops, func(o egraph.Op) ops.Op { return x.lang.terms[o] })...)
		return f(a)
	})
	return x.err
}

// op is the operator of a node for the engine.
func (x *Matcher) op(r slot.Ref, op ops.Op, kids int) egraph.Op {
	o, ok := x.ops[r.ID]
	if !ok {
		var err error
		if o, err = x.lang.op(op, kids); err != nil && x.err == nil {
			x.err = err
		}
		if x.ops != nil {
			x.ops[r.ID] = o
		}
	}
	return o
}

// Nodes calls f for every node that r stands for.
func (x *Matcher) Nodes(r slot.Ref, f func(egraph.Node) bool) {
	x.space.Nodes(r, func(v term.View) bool {
		return f(egraph.Node{Op: x.op(r, v.Op, len(v.Kids)), Own: v.Own, Binders: v.Binders, Kids: v.Kids})
	})
}

// Same reports whether two references are known to be equal.
func (x *Matcher) Same(a, b slot.Ref) bool { return x.space.Same(a, b) }
