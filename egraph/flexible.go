package egraph

import "slices"

// flexible is a name for a slot that an e-node has and its class has not. What the e-node
// stands for is in the class whatever the name is: so it may be taken for any name
// that is known where the e-node is, as long as the names of the e-node stay distinct.
type flexible struct {
	name  Pos
	is    Pos    // what it is taken for, or itself
	scope uint64 // bound variables that it may be taken for, by number
}

// maxScope is how many bound variables of a pattern a flexible name can be taken
// for.
const maxScope = 64

// maxUnify bounds the ways that are tried to make the arguments of two classes
// equal, and those to take names for each other in one match. A match that is not
// found then is noted in [Graph.lossy].
const maxUnify = 1 << 12

// loosen makes names of an e-node flexible: those that were given out from first on.
// Binders are the names of what the e-node binds.
func (m *machine) loosen(i *instr, op Op, free []Pos, first Pos) {
	for n := first; n < m.next; n++ {
		m.flex = append(m.flex, flexible{name: n, is: n, scope: i.scope})
	}
	node := slices.Clone(free)
	for k := range m.g.sig.Binders(op) {
		node = append(node, m.binder(i, k))
	}
	m.apart = append(m.apart, node)
}

// tighten forgets the flexible names of later e-nodes.
func (m *machine) tighten(flex, apart int) { m.flex, m.apart = m.flex[:flex], m.apart[:apart] }

// flexibleAt is the place of a flexible name that is not taken for another, -1 for
// other names.
func (m *machine) flexibleAt(p Pos) int {
	return slices.IndexFunc(m.flex, func(f flexible) bool { return f.name == p })
}

// actual is what a name is taken for.
func (m *machine) actual(p Pos) Pos {
	for {
		i := m.flexibleAt(p)
		if i < 0 || m.flex[i].is == p {
			return p
		}
		p = m.flex[i].is
	}
}

// canBe reports whether a flexible name can be taken for another name at all.
func (m *machine) canBe(p, q Pos) bool {
	i, j := m.flexibleAt(p), m.flexibleAt(q)
	if j < 0 && !m.known(q, m.flex[i].scope) {
		return false
	}
	return !slices.ContainsFunc(m.apart, func(node []Pos) bool { return m.mentions(node, p) && m.mentions(node, q) })
}

// take makes two names equal, if that can be, and goes on with then. It returns
// false if then did.
func (m *machine) take(p, q Pos, then func() bool) bool {
	p, q = m.actual(p), m.actual(q)
	if p == q {
		return then()
	}
	i, j := m.flexibleAt(p), m.flexibleAt(q)
	if i < 0 {
		p, q, i, j = q, p, j, i
	}
	if i < 0 || !m.canBe(p, q) {
		return true
	}
	m.flex[i].is = q
	var scope uint64
	if j >= 0 {
		scope = m.flex[j].scope
		m.flex[j].scope &= m.flex[i].scope
	}
	ok := then()
	m.flex[i].is = p
	if j >= 0 {
		m.flex[j].scope = scope
	}
	return ok
}

// known reports whether a name that is not flexible is one of the root's class, or
// of a bound variable of a scope.
func (m *machine) known(p Pos, scope uint64) bool {
	if int(p) < m.g.vecs.Len(m.arg[0]) {
		return true
	}
	for b, n := range m.names {
		if b < maxScope && scope>>b&1 != 0 && n == p {
			return true
		}
	}
	for l, x := range m.lists {
		if b := len(m.names) + l; b < maxScope && scope>>b&1 != 0 && x.first <= p && p < x.first+Pos(x.n) {
			return true
		}
	}
	return false
}

// mentions reports whether one of the names is taken for p.
func (m *machine) mentions(names []Pos, p Pos) bool {
	return slices.ContainsFunc(names, func(n Pos) bool { return m.actual(n) == p })
}

// unify makes the arguments x and y of class c equal, in all ways that names can be
// taken for others and its symmetries allow, and goes on with then.
func (m *machine) unify(c ClassID, x, y Vec, then func() bool) bool {
	if x == y {
		return then()
	}
	g := m.g
	xs, ys := g.vecs.Get(x), g.vecs.Get(y)
	group, tries := g.groupOf(c), 0
	perm := make([]Pos, 0, len(ys)) // y[k] is x[perm[k]]
	var at func(k int) bool
	at = func(k int) bool {
		if k == len(ys) {
			return group != 0 && !g.groups.Has(group, slices.Clone(perm)) || then()
		}
		for i, p := range xs {
			if group == 0 && i != k || slices.Contains(perm, Pos(i)) {
				continue
			}
			if tries++; tries > maxUnify {
				g.lossy = true
				return true
			}
			if !m.looked() {
				return false
			}
			perm = append(perm, Pos(i))
			ok := m.take(p, ys[k], func() bool { return at(k + 1) })
			perm = perm[:k]
			if !ok {
				return false
			}
		}
		return true
	}
	return at(0)
}

// complete calls found for a match: with the flexible names as names of their own,
// and with each taken for each other name that its right side can speak of.
func (m *machine) complete() bool {
	if !slices.ContainsFunc(m.flex, func(f flexible) bool { return f.is == f.name }) {
		return m.matched()
	}
	var open, others []Pos // flexible names that may be taken for others, and what for
	note := func(p Pos) {
		p = m.actual(p)
		switch {
		case slices.Contains(open, p) || slices.Contains(others, p):
		case m.flexibleAt(p) >= 0:
			open = append(open, p)
		default:
			others = append(others, p)
		}
	}
	for v, reg := range m.prog.vars {
		if m.used(v) {
			for _, p := range m.g.vecs.Get(m.arg[reg]) {
				note(p)
			}
		}
	}
	for _, reg := range m.prog.lists {
		s := m.spans[reg]
		for k := range s.n {
			for _, p := range m.g.vecs.Get(m.at(s, k).args) {
				note(p)
			}
		}
	}
	if len(open) == 0 {
		return m.matched()
	}
	for _, n := range m.names {
		note(n)
	}
	for _, x := range m.lists {
		for k := range x.n {
			note(x.first + Pos(k))
		}
	}
	var kinds map[Pos]Op // made when they are needed
	tries := 0
	// at takes names for those that are open from k on. It is false if found was; fits is whether the
	// guard may accept a match in which more names are taken for others.
	var at func(k int) (more, fits bool)
	at = func(k int) (more, fits bool) {
		if k == len(open) {
			more = m.matched()
			return more, !m.refused || !m.rule.Apart
		}
		if more, fits = at(k + 1); !more || !fits {
			return more, fits
		}
		p := open[k]
		for _, q := range slices.Concat(others, open[:k]) {
			if m.actual(q) != q || !m.canBe(p, q) {
				continue // it is one of those that come, too; or it cannot be
			}
			if kinds == nil {
				kinds = m.kinds()
			}
			if kinds[p] != kinds[q] {
				continue
			}
			if tries++; tries > maxUnify {
				m.g.lossy = true
				return true, true
			}
			taken := func() bool { more, _ := at(k + 1); return more }
			if !m.looked() || !m.take(p, q, taken) {
				return false, true
			}
		}
		return true, true
	}
	more, _ := at(0)
	return more
}

// matched calls found with what the names are taken for.
func (m *machine) matched() bool {
	if !slices.ContainsFunc(m.flex, func(f flexible) bool { return f.is != f.name }) {
		return m.found()
	}
	args, items := slices.Clone(m.arg), slices.Clone(m.items)
	for _, reg := range m.prog.vars {
		m.arg[reg] = m.g.mapped(m.arg[reg], m.actual)
	}
	for i := range m.items {
		m.items[i].args = m.g.mapped(m.items[i].args, m.actual)
	}
	ok := m.found()
	copy(m.arg, args)
	copy(m.items, items)
	return ok
}

// used reports whether what the rule says of a match speaks of metavariable v.
func (m *machine) used(v int) bool {
	r := m.rule
	return r.Guard != nil || r.Apply != nil || r.Rhs.mentions(v) || r.From.mentions(v)
}

// mentions reports whether a template has metavariable v.
func (t *Template) mentions(v int) bool {
	return t != nil && (int(t.out) == v || slices.ContainsFunc(t.nodes, func(r templateNode) bool { return slices.Contains(r.kids, operand(v)) }))
}

// kinds tells for the names of a match of which operator they are variables: a
// name can be taken for one of its own kind only.
func (m *machine) kinds() map[Pos]Op {
	out := make(map[Pos]Op)
	note := func(c ClassID, args Vec) {
		for k, p := range m.g.vecs.Get(args) {
			p = m.actual(p)
			if _, ok := out[p]; !ok {
				out[p] = m.g.slotKind(c, k)
			}
		}
	}
	for reg, c := range m.cls {
		note(c, m.arg[reg])
	}
	for _, x := range m.items {
		note(x.class, x.args)
	}
	for _, t := range []*Template{m.rule.Rhs, m.rule.From} {
		if t == nil {
			continue
		}
		for _, r := range t.nodes {
			for _, b := range r.own {
				if b < len(m.names) {
					out[m.names[b]] = r.op
				}
			}
		}
	}
	return out
}
