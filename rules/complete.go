package rules

import (
	"slices"

	"egad/slot"
	"egad/term"
)

// Found is a match of the structure of a left side that an e-graph found: what
// is left are attributes, literals and conditions.
type Found struct {
	Root  slot.Ref
	Terms []FoundTerm
	Sites []Site
}

// FoundTerm is the value of a term metavariable, or of a list of them. One that
// occurs below several binders of one name is there for each, in the names of the
// first.
type FoundTerm struct {
	Name string
	Ref  slot.Ref
	Refs []slot.Ref // of a list; not nil even if it is empty
}

// Site is an application or a literal of the left side with the operator found
// there and the names of its binders.
type Site struct {
	P       *Pattern
	Op      term.Op
	Binders []slot.Name
	Ref     slot.Ref // of a literal
}

// Complete checks what Found leaves open. It is false if the match does not
// count.
func Complete(s Space, r *Rule, f *Found) (m *Match, ok bool, err error) {
	mt := &matcher{space: s, m: &Match{Rule: r, Root: f.Root}}
	defer func() {
		if e := recover(); e != nil {
			x, is := e.(failure)
			if !is {
				panic(e)
			}
			ok, err = false, &Mistake{r, x.msg}
		}
	}()
	for _, t := range f.Terms {
		if old := mt.m.get(t.Name); old == nil {
			mt.m.vars = append(mt.m.vars, binding{name: t.Name, ref: t.Ref, refs: t.Refs})
		} else if !mt.sameTerm(old, t) {
			return nil, false, nil
		}
	}
	var sites func(i int) bool
	sites = func(i int) bool {
		if i == len(f.Sites) {
			if !mt.conditions(r.Conds) || !mt.sizesFit() {
				return true
			}
			m = &Match{Rule: r, Root: f.Root, vars: slices.Clone(mt.m.vars)}
			return false
		}
		return mt.site(&f.Sites[i], func() bool { return sites(i + 1) })
	}
	sites(0)
	return m, m != nil, nil
}

func (mt *matcher) sameTerm(b *binding, t FoundTerm) bool {
	if t.Refs == nil {
		return mt.space.Same(b.ref, t.Ref)
	}
	return slices.EqualFunc(b.refs, t.Refs, mt.space.Same)
}

func (mt *matcher) site(s *Site, k func() bool) bool {
	p := s.P
	if p.Kind != PApp {
		return mt.literalNode(p, s.Op, s.Ref, k)
	}
	v := term.View{Op: s.Op, Binders: s.Binders}
	rest := func() bool {
		return mt.attributes(p, s.Op, func() bool { return mt.binders(p, v, func(term.View) bool { return k() }) })
	}
	if p.Name == "" {
		return rest()
	}
	if b := mt.m.get(p.Name); b != nil {
		if b.op.Sym != s.Op.Sym || b.op.N != s.Op.N {
			return true
		}
		return rest()
	}
	return mt.with(binding{name: p.Name, op: s.Op}, rest)
}
