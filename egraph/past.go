package egraph

// Words appends what there is to know of a match to a list, for [Past].
func (m *Match) Words(to []uint32) []uint32 { return m.save(to, true) }

// update has the match speak of the classes that there are by now. What Apply computes of
// a class may be another term when the class has become part of another one.
func (m *Match) update() {
	for _, r := range m.prog.vars {
		m.cls[r], m.arg[r] = m.g.find(m.cls[r], m.arg[r])
	}
	for k, x := range m.items {
		m.items[k].class, m.items[k].args = m.g.find(x.class, x.args)
	}
}

// Past reads matches that [Match.Words] wrote.
type Past struct{ m *machine }

// Past returns what reads matches in the graph. Classes that they speak of are those that
// there were, whatever has become of them.
func (g *Graph) Past() *Past {
	p := &Past{g.machine()}
	p.m.past = true
	return p
}

// Match returns a match of a rule, which is valid until the next one is read, and the words
// after it.
func (p *Past) Match(r *Rule, words []uint32) (m *Match, rest []uint32) {
	if p.m.rule != r {
		p.m.load(r)
	}
	rest = p.m.restore(words, true)
	return &p.m.Match, rest
}
