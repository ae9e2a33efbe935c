package egraph

import (
	"errors"
	"slices"

	"egad/internal/memo"
)

// errJoined says what can be joined.
var errJoined = errors.New("what is joined is operators, without lists and variables, applied to metavariables")

// join compiles patterns that match one class: that of a metavariable among them that is known, or
// else any class of the graph with an e-node for one of them.
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
	known := func(p *Pattern) bool { return p.Kind == PVar && c.seen[p.Var] }
	first := -1
	for _, is := range []func(*Pattern) bool{known, c.leaf, func(p *Pattern) bool { return c.keyed(p) > 0 }, func(p *Pattern) bool { return p.Kind == PApp }} {
		if first = slices.IndexFunc(ps, is); first >= 0 {
			break
		}
	}
	if first < 0 {
		return errJoined
	}
	j := job{p: ps[first], scope: scope}
	if known(j.p) {
		j.in = int(c.prog.vars[j.p.Var])
	} else {
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

// keyed is 1 + the number of a child of an application that is a metavariable which is known
// before, 0 if there is none, or if the children may change places.
func (c *compiler) keyed(p *Pattern) int {
	if p.Kind != PApp || p.Class != 0 || c.sig.heads[p.Head].Commutative {
		return 0
	}
	return 1 + slices.IndexFunc(p.Kids, func(k *Pattern) bool { return k.Kind == PVar && c.seen[k.Var] })
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
	case i.key > 0:
		return m.using(i)
	}
	return g.index.nodesOfHead(i.head)
}

// use is a class as a child of e-nodes with a head; that of which the class is noClass stands for
// all of these.
type use struct {
	head  HeadID
	child int
	class ClassID
}

const noClass = ^ClassID(0)

// using lists the e-nodes of an instruction that have the child that is known. All e-nodes with
// its head are sorted when the first of them are asked for. The graph has an index.
func (m *machine) using(i *instr) []NodeID {
	g, x := m.g, m.g.index
	u := use{i.head, i.key - 1, noClass}
	if _, sorted := x.uses[u]; !sorted {
		memo.Set(&x.uses, u, nil)
		nodes := x.nodesOfHead(i.head)
		for _, r := range nodes {
			u.class = g.kids(r, g.arity(r))[u.child]
			x.uses[u] = append(x.uses[u], r)
		}
		x.useBytes += useBytes * len(nodes)
	}
	u.class = m.cls[i.keyReg]
	return x.uses[u]
}

// useBytes is the memory of an e-node in uses, about.
const useBytes = 40
