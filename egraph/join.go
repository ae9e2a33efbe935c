package egraph

import (
	"errors"
	"slices"
)

// errJoined says what can be joined.
var errJoined = errors.New("what is joined is operators, without lists and variables, applied to metavariables")

// join compiles patterns that match one class: that of one among them which is known, or else any
// class of the graph with an e-node for one of them.
func (c *compiler) join(ps []*Pattern) error {
	c.joining = true
	var scope uint64 // what they bind may mention what they mention
	for _, p := range ps {
		p.each(func(q *Pattern) {
			switch {
			case q.Kind == PVar && c.seen[q.Var]:
				scope |= c.scopes[q.Var]
			case q.Kind == PSlot:
				scope |= 1 << q.Var
			}
		})
	}
	known := func(p *Pattern) bool { return c.known(p) >= 0 }
	first := -1
	for _, is := range []func(*Pattern) bool{known, c.leaf, c.keyed(key.child), c.keyed(key.variable), c.keyed(key.constant), func(p *Pattern) bool { return p.Kind == PApp }} {
		if first = slices.IndexFunc(ps, is); first >= 0 {
			break
		}
	}
	if first < 0 {
		return errJoined
	}
	j := job{p: ps[first], scope: scope}
	if j.in = c.known(j.p); j.in < 0 {
		j.in, j.find = int(c.register()), true
		if err := c.walk(j); err != nil {
			return err
		}
	}
	for i, p := range ps {
		if i == first {
			continue
		}
		if err := c.walk(job{p: p, in: j.in, scope: scope}); err != nil {
			return err
		}
	}
	return nil
}

// known is the register of what a pattern matches if that has been matched before, -1 if not.
func (c *compiler) known(p *Pattern) int {
	if p.Kind == PVar && c.seen[p.Var] {
		return int(c.prog.vars[p.Var])
	}
	if at := c.metBefore(p); at >= 0 {
		return c.met[at].in
	}
	return -1
}

// metBefore is the place of a pattern among those that are looked for, -1 if it is none of these.
func (c *compiler) metBefore(p *Pattern) int {
	return slices.IndexFunc(c.met, func(j job) bool { return p.plain() && p.follows(j.p) })
}

// find goes on with each e-node that an instruction accepts, whatever its class. The slots of the
// class are other variables than those that are known, or any of these.
func (m *machine) find(i *instr, pc int) bool {
	g := m.g
	nodes := m.candidates(i)
	m.spent += len(nodes)
	for _, r := range nodes {
		if !m.accepts(i, r) || m.tooOld(r, pc) {
			continue
		}
		c, saved, flex, apart := g.arena[r+nodeClass], m.next, len(m.flex), len(m.apart)
		m.cls[i.in], m.arg[i.in] = c, 0
		if n := g.slotsOf(c); n > 0 {
			names := make([]Pos, n)
			for k := range names {
				names[k] = m.next + Pos(k)
				m.flex = append(m.flex, flexible{name: names[k], is: names[k], scope: i.scope})
			}
			m.next += Pos(n)
			m.arg[i.in], m.apart = g.vecs.Intern(names), append(m.apart, names)
		}
		ok := m.bind(i, r, m.arg[i.in], pc+1)
		m.next = saved
		m.tighten(flex, apart)
		if !ok {
			return false
		}
	}
	return true
}

// candidates lists the e-nodes that an instruction that finds e-nodes may accept.
func (m *machine) candidates(i *instr) (out []NodeID) {
	g := m.g
	switch {
	case g.index == nil: // a directed run, in which the graph is small
		g.eachNode(func(r NodeID, n int) {
			if g.sig.ops[g.op(r)] == i.head {
				g.updateClass(r)
				out = append(out, r)
			}
		})
		return out
	}
	return m.using(i, g.index.nodesOfHead(i.head))
}
