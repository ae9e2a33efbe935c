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
	p := new(Pattern)
	s.walk(spelled{m.prog.source, []*Pattern{p}, 0})
	a.Left = nil
	p.each(func(q *Pattern) {
		if q.Kind != PVar {
			a.Left = append(a.Left, s.terms[q])
		}
	})
	r := a.Rule.spelled[string(key)]
	if r == nil {
		r = new(Rule)
		*r = *a.Rule
		r.Lhs, r.spelled, r.of = &Program{source: p, vars: make([]uint16, len(a.Vars)), bound: len(a.Bound)}, nil, a.Rule.Of()
		if a.Rule.spelled == nil {
			a.Rule.spelled = make(map[string]*Rule)
		}
		a.Rule.spelled[string(key)] = r
	}
	a.Rule = r
}

// spelled is a pattern, what it becomes, and the place in a spread.
type spelled struct {
	p     *Pattern
	to    []*Pattern
	place int
}

// walk spells out a pattern in the order in which it is matched, which is that of the
// terms of the match.
func (s *speller) walk(first spelled) {
	m := s.m
	for queue := []spelled{first}; len(queue) > 0; queue = queue[1:] {
		p, to, place := queue[0].p, queue[0].to, queue[0].place
		switch p.Kind {
		case PVar:
			*to[0] = *p
		case PElem:
			*to[0] = Pattern{Kind: PVar, Var: s.base[p.Var] + place}
		case PEither:
			s.walk(spelled{p.Kids[m.chosen[m.prog.parts[p]]], to, place})
		case PEach:
			for k := range to {
				s.walk(spelled{p.Kids[0], to[k : k+1], k})
			}
		case PList:
			for k, q := range to {
				*q = Pattern{Kind: PVar, Var: s.base[p.Var] + k}
			}
		case PSlots:
			for k, q := range to {
				*q = Pattern{Kind: PSlot, Var: s.bound[p.Var] + k}
				s.note(q)
			}
		default:
			q := to[0]
			*q = *p
			s.note(q)
			q.Kids, q.Binders, q.Rest = nil, slices.Clone(p.Binders), 0
			if p.Rest > 0 {
				for k := range m.lists[p.Rest-1].n {
					q.Binders = append(q.Binders, s.bound[p.Rest-1]+k)
				}
			}
			for _, kid := range p.Kids {
				from := len(q.Kids)
				for range s.len(kid) {
					q.Kids = append(q.Kids, new(Pattern))
				}
				queue = append(queue, spelled{kid, q.Kids[from:], place})
			}
		}
	}
}

// note notes the term that a part of the pattern has matched, the next one.
func (s *speller) note(q *Pattern) { s.terms[q] = s.m.terms[len(s.terms)] }

// len is how many children a pattern stands for.
func (s *speller) len(p *Pattern) int {
	m := s.m
	switch p.Kind {
	case PList:
		return m.Len(p.Var)
	case PSlots:
		return m.lists[p.Var].n
	case PEach:
		return m.spans[m.prog.spreads[m.prog.parts[p]].span].n
	}
	return 1
}
