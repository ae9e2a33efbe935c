package saturate

import (
	"egad/egraph"
	"egad/internal/memo"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term/types"
)

// reading makes matches of rules of what left sides have found in a space.
type reading struct {
	space     match.Space
	lang      *lang
	reader    match.Reader
	constants map[*form][]egraph.Static
	statics   egraph.Statics // of the match that is being read
	told      []bool         // by variable for static terms: whether the reader knows it
}

// finding is what a left side has found.
type finding interface {
	Root() slot.Ref
	Var(i int) slot.Ref
	List(i int) []slot.Ref
	Bound(i int) slot.Name
	BoundList(i int) []slot.Name
	Static(i int) egraph.Static
}

// in are the constants of a rule.
func (x *reading) in(f *form) []egraph.Static {
	c, ok := x.constants[f]
	if !ok {
		c = f.in(x.lang)
		memo.Set(&x.constants, f, c)
	}
	return c
}

// match is the match of a rule that a left side has found. It is false if one of some
// conditions does not hold, or what is only seen when all is known.
func (f *form) match(x *reading, m finding, conds []*rules.Cond) (full *match.Match, ok bool, err error) {
	c := &x.reader
	c.Begin(x.space, f.rule)
	s := &x.statics
	s.Sig, s.Constants = x.lang.eng, nil
	s.Vars, x.told = append(s.Vars[:0], make([]egraph.Static, len(f.statics))...), append(x.told[:0], make([]bool, len(f.statics))...)
	for i := range f.prog.Statics() {
		s.Vars[i] = m.Static(i)
	}
	ask := f.open || len(conds) > 0
	if ask {
		s.Constants = x.in(f)
		for i, v := range s.Vars { // lists of which nothing said how long their parts are
			if j := f.statics[i].join; j == nil || v == 0 {
				continue
			}
			if s.Vars[i] = 0; !s.Match(f.statics[i].join, v) || s.Vars[i] != 0 {
				return nil, false, nil
			}
		}
	}
	f.tell(x, m)
	for i, name := range f.metaNames {
		c.Bind(match.Variable{Name: name, Ref: m.Var(i)})
	}
	for i, name := range f.lists {
		c.Bind(match.Variable{Name: name, Terms: m.List(i)})
	}
	if f.rule.Language != nil {
		for i, name := range f.boundNames[:f.left] {
			c.Bind(match.Variable{Name: name, Index: m.Bound(i), Type: f.rule.SortOf(name)})
		}
	}
	for _, p := range f.permuted {
		if !c.Permuted(p.perm, p.was, m.List(p.list)) {
			return nil, false, nil
		}
	}
	return c.End(m.Root(), ask, conds, func(k *rules.Cond, t *types.Type) bool {
		if !s.Match(f.types[k], x.lang.statics.typ(t)) {
			return false
		}
		f.tell(x, m)
		return true
	})
}

// tell tells the reader what variables for static terms stand for, as far as it does not
// know.
func (f *form) tell(x *reading, m finding) {
	for i := range f.statics {
		s, v := &f.statics[i], x.statics.Vars[i]
		if v == 0 || x.told[i] || s.join != nil {
			continue
		}
		x.told[i] = true
		is := *x.lang.statics.value(v)
		is.Name, is.Size = s.name, s.size
		switch {
		case s.bound > 0:
			is.Index = m.Bound(s.bound - 1)
		case s.list > 0:
			is.Names = m.BoundList(s.list - 1)
		}
		x.reader.Bind(is)
	}
}
