package egraph

import (
	"slices"

	"egad/internal/memo"
)

// field is a place in e-nodes with a head by which they are looked for.
type field struct {
	kind fieldKind
	at   int // the number of a child or of an element, or where the rest of a list begins
	slot int // of the static term that it is, or in which it is
}

type fieldKind uint8

const (
	childField   fieldKind = iota // the class of a child
	staticField                   // a static term
	elementField                  // an element of one
	restField                     // a list of elements of one, up to the last
)

// key is a field of which it is known before what stands there.
type key struct {
	field
	reg    int            // of a child
	static *StaticPattern // of the others: a variable or a constant
}

// Few e-nodes share a child, more what a variable stands for, and very many a constant.
func (k key) child() bool    { return k.kind == childField }
func (k key) variable() bool { return !k.child() && k.static.Kind == StaticVar }
func (k key) constant() bool { return !k.child() && k.static.Kind == StaticIs }

// keys are the children and the static terms of an application that are known before.
func (c *compiler) keys(p *Pattern) (out []key) {
	if p.Kind != PApp || p.Class != 0 {
		return nil
	}
	for i, k := range p.Kids {
		if k.Kind == PVar && c.seen[k.Var] {
			out = append(out, key{field: field{at: i}, reg: int(c.prog.vars[k.Var])})
		}
	}
	for _, s := range p.Statics {
		out = c.staticKeys(out, s, field{kind: staticField, slot: s.Slot})
	}
	return out
}

// staticKeys appends what is known of a static term.
func (c *compiler) staticKeys(out []key, s *StaticPattern, in field) []key {
	switch {
	case s.Kind == StaticVar && c.staticSeen[s.Var], s.Kind == StaticIs && len(s.Is) == 1:
		out = append(out, key{field: in, static: s})
	case in.kind == elementField:
	case s.Kind == StaticList:
		for i, k := range s.Kids {
			out = c.staticKeys(out, k, field{elementField, in.at + i, in.slot})
		}
	case s.Kind == StaticJoin && s.Kids[0].Kind == StaticList:
		out = c.staticKeys(out, s.Kids[0], in)
		out = c.staticKeys(out, s.Kids[1], field{restField, in.at + len(s.Kids[0].Kids), in.slot})
	}
	return out
}

// keyed tells patterns of which something of a kind is known before.
func (c *compiler) keyed(is func(key) bool) func(*Pattern) bool {
	return func(p *Pattern) bool { return slices.ContainsFunc(c.keys(p), is) }
}

// sees notes that the variables of patterns for static terms are known from now on.
func (c *compiler) sees(ps []*StaticPattern) {
	for _, p := range ps {
		if p.Kind == StaticVar {
			c.staticSeen[p.Var] = true
		}
		c.sees(p.Kids)
	}
}

// of is what an e-node has in a field. It is false if there is nothing.
func (x field) of(g *Graph, r NodeID) (uint32, bool) {
	if x.kind == childField {
		return g.kids(r, g.arity(r))[x.at], true
	}
	s := g.sig.carries(g.op(r), x.slot)
	if x.kind == staticField {
		return uint32(s), true
	}
	switch l := g.sig.at(s); {
	case !l.list() || x.at > l.n || x.kind == elementField && x.at == l.n:
		return 0, false
	case x.kind == elementField:
		_, s = g.sig.split(s, x.at)
		return uint32(g.sig.at(s).first), true
	}
	_, s = g.sig.split(s, x.at)
	return uint32(s), true
}

// sought is what has to stand in a field. It is false if a variable turns out to stand for nothing yet.
func (m *machine) sought(k *key) (uint32, bool) {
	switch s := k.static; {
	case s == nil:
		return m.cls[k.reg], true
	case s.Kind == StaticIs:
		return uint32(m.statics.Constants[s.Is[0]]), true
	default:
		return uint32(m.statics.Vars[s.Var]), m.statics.Vars[s.Var] != 0
	}
}

// use is what stands in a field of e-nodes with a head; nothing stands for all of these. Children that may
// change places are one.
type use struct {
	head HeadID
	field
	is uint32
}

const nothing = ^uint32(0)

// using lists those e-nodes among some that an instruction may accept, by the fields that are known: those that
// have what is known in one of them, and of these the fewest, unless there are few already. If all children are known of an
// operator that carries nothing, there is one e-node at most. The graph has an index.
func (m *machine) using(i *instr, out []NodeID) []NodeID {
	g := m.g
	if r, ok := m.one(i); ok {
		return r
	}
	for k := range i.keys {
		if len(out) < manyNodes {
			break
		}
		is, ok := m.sought(&i.keys[k])
		if !ok {
			continue
		}
		if some := g.index.usesOf(g, use{i.head, i.keys[k].field, is}); len(some) < len(out) {
			out = some
		}
	}
	return out
}

// one looks an e-node up whose operator and children are known. It is false if they are not.
func (m *machine) one(i *instr) (out []NodeID, ok bool) {
	g := m.g
	op := g.sig.sole[i.head]
	if len(i.keys) == 0 || len(i.keys) < int(i.arity) || op == 0 || op == several {
		return nil, false
	}
	kids := make([]ClassID, 0, maxFlat)
	for _, k := range i.keys[:i.arity] {
		if k.kind != childField || m.arg[k.reg] != 0 {
			return nil, false
		}
		kids = append(kids, m.cls[k.reg])
	}
	if len(kids) == 2 && kids[1] < kids[0] && g.sig.heads[i.head].Commutative {
		kids[0], kids[1] = kids[1], kids[0]
	}
	if r, ok, _, _, _ := g.lookupFlat(op-1, kids); ok {
		out = []NodeID{r}
	}
	return out, true
}

// usesOf lists the e-nodes with a head that have something in a field. All e-nodes with the head are sorted
// when the first of them are asked for.
func (x *index) usesOf(g *Graph, u use) []NodeID {
	swapped := u.kind == childField && g.sig.heads[u.head].Commutative
	if swapped {
		u.at = 0
	}
	all := use{u.head, u.field, nothing}
	if _, sorted := x.uses[all]; !sorted {
		memo.Set(&x.uses, all, nil)
		nodes := x.nodesOfHead(u.head)
		enter := func(c field, r NodeID) {
			if is, ok := c.of(g, r); ok {
				v := use{u.head, u.field, is}
				if list := x.uses[v]; len(list) == 0 || list[len(list)-1] != r {
					x.uses[v] = append(list, r)
				}
			}
		}
		for _, r := range nodes {
			enter(u.field, r)
			if swapped {
				enter(field{at: 1}, r)
			}
		}
		x.useBytes += useBytes * len(nodes)
	}
	return x.uses[u]
}

// useBytes is the memory of an e-node in uses, about.
const useBytes = 40
