package egraph

import (
	"encoding/binary"
	"slices"
)

// A recorder knows patterns without lists and alternatives: it is told of an application
// of the rule that the match spells out.

// speller spells out the pattern of a match.
type speller struct {
	m     *Match
	base  []int // by list: the metavariable that its first element is
	bound []int // by list of bound variables: the first of them
	terms map[*Pattern]Term
}

// spell makes an application one of the rule that the match spells out.
func (m *Match) spell(a *Application) {
	s := &speller{m: m, terms: make(map[*Pattern]Term)}
	var key []byte
	note := func(n int) { key = binary.AppendUvarint(key, uint64(n)) }
	for i := range m.prog.lists {
		s.base = append(s.base, len(a.Vars))
		x := m.spans[m.prog.lists[i]]
		for k := range x.n {
			v := m.at(x, k)
			a.Vars = append(a.Vars, Term{v.class, v.args})
		}
		note(x.n)
	}
	a.Bound = slices.Clone(a.Bound)
	for _, l := range m.lists {
		s.bound = append(s.bound, len(a.Bound))
		for k := range l.n {
			a.Bound = append(a.Bound, l.first+Pos(k))
		}
		note(l.n)
	}
	for _, l := range m.prog.spreads {
		note(m.spans[l.span].n)
	}
	for _, k := range m.chosen {
		note(int(k))
	}
	p := s.pattern(m.prog.source, 0)
	a.Left = a.Left[:0:0]
	p.each(func(q *Pattern) {
		if q.Kind != PVar {
			a.Left = append(a.Left, s.terms[q])
		}
	})
	r := a.Rule.spelled[string(key)]
	if r == nil {
		r = new(Rule)
		*r = *a.Rule
		r.Lhs, r.spelled = &Program{source: p, vars: make([]uint16, len(a.Vars)), bound: len(a.Bound)}, nil
		if a.Rule.spelled == nil {
			a.Rule.spelled = make(map[string]*Rule)
		}
		a.Rule.spelled[string(key)] = r
	}
	a.Rule = r
}

// pattern spells out a pattern at a place of a spread.
func (s *speller) pattern(p *Pattern, place int) *Pattern {
	m := s.m
	part := m.prog.parts[p]
	switch p.Kind {
	case PEither:
		return s.pattern(p.Kids[m.chosen[part]], place)
	case PElem:
		return &Pattern{Kind: PVar, Var: s.base[p.Var] + place}
	}
	q := *p
	if p.Kind != PVar {
		s.terms[&q] = m.termAt(part, place)
	}
	q.Kids, q.Binders, q.Rest = nil, slices.Clone(p.Binders), 0
	if p.Rest > 0 {
		for k := range m.lists[p.Rest-1].n {
			q.Binders = append(q.Binders, s.bound[p.Rest-1]+k)
		}
	}
	for _, kid := range p.Kids {
		switch kid.Kind {
		case PList:
			for k := range m.Len(kid.Var) {
				q.Kids = append(q.Kids, &Pattern{Kind: PVar, Var: s.base[kid.Var] + k})
			}
		case PSlots:
			for k := range m.lists[kid.Var].n {
				v := &Pattern{Kind: PSlot, Var: s.bound[kid.Var] + k}
				s.terms[v] = m.terms[m.spans[m.prog.slots[m.prog.parts[kid]]].from+k]
				q.Kids = append(q.Kids, v)
			}
		case PEach:
			for k := range m.spans[m.prog.spreads[m.prog.parts[kid]].span].n {
				q.Kids = append(q.Kids, s.pattern(kid.Kids[0], k))
			}
		default:
			q.Kids = append(q.Kids, s.pattern(kid, place))
		}
	}
	return &q
}

// termAt is the term that an instruction has found, at a place of a spread.
func (m *Match) termAt(node, place int) Term {
	for _, l := range m.prog.spreads {
		if k := node - l.node; k >= 0 && k < l.nodes {
			return m.terms[m.spans[l.terms].from+place*l.nodes+k]
		}
	}
	return m.terms[node]
}
