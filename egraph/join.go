package egraph

import (
	"errors"
	"slices"

	"egad/internal/memo"
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
	for _, is := range []func(*Pattern) bool{known, c.leaf, func(p *Pattern) bool { return len(c.keys(p)) > 0 }, func(p *Pattern) bool { return p.Kind == PApp }} {
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

// key is a child of an application whose class is known before.
type key struct{ child, reg int }

// keys are the children of an application that are metavariables which are known before.
func (c *compiler) keys(p *Pattern) (out []key) {
	if p.Kind != PApp || p.Class != 0 {
		return nil
	}
	for i, k := range p.Kids {
		if k.Kind == PVar && c.seen[k.Var] {
			out = append(out, key{i, int(c.prog.vars[k.Var])})
		}
	}
	return out
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
	case len(i.keys) > 0:
		return m.using(i)
	}
	return g.index.nodesOfHead(i.head)
}

// use is a class as a child of e-nodes with a head; that of which the class is noClass stands for
// all of these. Children that may change places are one.
type use struct {
	head  HeadID
	child int
	class ClassID
}

const noClass = ^ClassID(0)

// using lists e-nodes that an instruction may accept, by the children that are known: those that have
// one of them, and of these the fewest, unless there are few already. If all children are known there is one
// e-node at most. The graph has an index.
func (m *machine) using(i *instr) (out []NodeID) {
	g := m.g
	if op := g.sig.sole[i.head]; len(i.keys) == int(i.arity) && op != 0 && op != several {
		kids, flat := make([]ClassID, 0, maxFlat), true
		for _, k := range i.keys {
			kids, flat = append(kids, m.cls[k.reg]), flat && m.arg[k.reg] == 0
		}
		if flat {
			return g.index.one(g, op-1, kids)
		}
	}
	for k, key := range i.keys {
		if some := g.index.usesOf(g, i.head, key.child, m.cls[key.reg]); k == 0 || len(some) < len(out) {
			out = some
		}
		if len(out) < manyNodes {
			break
		}
	}
	return out
}

// one lists the e-node op(kids), if there is one. Kids are leaders without slots, and may be sorted.
func (x *index) one(g *Graph, op Op, kids []ClassID) []NodeID {
	if len(kids) == 2 && kids[1] < kids[0] && g.sig.heads[g.sig.ops[op]].Commutative {
		kids[0], kids[1] = kids[1], kids[0]
	}
	if r, ok, _, _, _ := g.lookupFlat(op, kids); ok {
		return []NodeID{r}
	}
	return nil
}

// usesOf lists the e-nodes with a head that have a class as a child. All e-nodes with the head are sorted
// when the first of them are asked for.
func (x *index) usesOf(g *Graph, h HeadID, child int, c ClassID) []NodeID {
	swapped := g.sig.heads[h].Commutative
	if swapped {
		child = 0
	}
	u := use{h, child, noClass}
	if _, sorted := x.uses[u]; !sorted {
		memo.Set(&x.uses, u, nil)
		nodes := x.nodesOfHead(h)
		for _, r := range nodes {
			kids := g.kids(r, g.arity(r))
			u.class = kids[child]
			x.uses[u] = append(x.uses[u], r)
			if swapped && kids[1] != kids[0] {
				u.class = kids[1]
				x.uses[u] = append(x.uses[u], r)
			}
		}
		x.useBytes += useBytes * len(nodes)
	}
	u.class = c
	return x.uses[u]
}

// useBytes is the memory of an e-node in uses, about.
const useBytes = 40
