package egraph

import (
	"fmt"
	"slices"

	"egad/internal/memo"
	"egad/slot"
)

// Lists of children are matched by instructions of their own: an operator whose
// pattern has lists among its children has them all put on a stack, and the stack is
// divided among the items of the pattern, in all ways if there are several. A register for
// a list is a part of the stack.

// item is one of the children of a pattern, or a list of them.
type item struct {
	list  bool
	reg   uint16 // of the child, or of the list among those for lists
	known uint16 // 1 + the register of a list that is as long, 0 if there is none
	names uint16 // 1 + the list of bound variables that is as long, 0 if there is none
}

// span is a list on the stack: each stride of it holds an element.
type span struct{ from, n, stride int }

// loop is what an iEach, up to its iNext, collects at each place.
type loop struct {
	lists []collected
	known []uint16 // registers of lists that are as long
	reg   int      // the first register that is written at each place
	regs  int      // how many there are
	first int      // position
	ops   int      // how many positions there are
	span  uint16
}

// collected is the register that holds the element of a list, and the register of the list.
type collected struct {
	list int
	reg  uint16
	span uint16
}

// names are the names of the variables of a list: n of them from first on.
type names struct {
	first Pos
	n     int
}

// span is a new register for a list.
func (c *compiler) span() uint16 {
	c.prog.spans++
	return uint16(c.prog.spans - 1)
}

// items says what the children of a pattern are, and how many there are at least.
func (c *compiler) items(kids []*Pattern) (out []item, least uint16) {
	var own []collected // how long these are is not known before the children are divided
	for _, k := range kids {
		var it item
		switch k.Kind {
		default:
			it.reg = c.register()
			least++
		case PList:
			it = item{list: true, reg: c.span(), known: uint16(c.lengths[k.Var])}
			own = append(own, collected{list: k.Var, span: it.reg})
		case PSlots:
			it = item{list: true, reg: c.span(), names: uint16(1 + k.Var)}
		case PEach:
			it = item{list: true, reg: c.span()}
			k.each(func(q *Pattern) {
				if q.Kind == PElem {
					if it.known == 0 {
						it.known = uint16(c.lengths[q.Var])
					}
					own = append(own, collected{list: q.Var, span: it.reg})
				}
			})
		}
		out = append(out, it)
	}
	for _, x := range own {
		c.lengths[x.list] = 1 + int(x.span)
	}
	return out, least
}

// list compiles what is matched by instructions for lists and alternatives.
func (c *compiler) list(j job) error {
	in, v := uint16(j.in), j.p.Var
	switch j.p.Kind {
	case PEither:
		return c.either(j)
	case PEach:
		return c.each(j)
	case PSlots:
		c.both(instr{kind: iSlots, in: in, out: uint16(v)})
		return nil
	case PList:
		if c.optional && !c.listSeen[v] || c.spread != nil {
			return fmt.Errorf("list %d is in an alternative, or among the children of each of a list", v)
		}
		if c.listSeen[v] {
			c.both(instr{kind: iSame, in: in, out: c.prog.lists[v]})
		}
	case PElem:
		if c.spread == nil || c.optional {
			return fmt.Errorf("an element of list %d is not in a pattern for each of some children", v)
		}
		for _, x := range c.spread.lists {
			if x.list == v {
				c.both(instr{kind: iCompare, in: in, out: x.reg})
				return nil
			}
		}
		if c.listSeen[v] {
			c.spread.known = append(c.spread.known, c.prog.lists[v])
			c.both(instr{kind: iElem, in: in, out: c.prog.lists[v]})
			return nil
		}
		x := collected{v, in, c.span()}
		c.spread.lists = append(c.spread.lists, x)
		in = x.span
	}
	if !c.listSeen[v] {
		c.listSeen[v], c.prog.lists[v] = true, in
	}
	return nil
}

// either compiles alternatives, one after the other.
func (c *compiler) either(j job) error {
	outer, code := c.optional, &c.prog.full.code
	c.optional = true
	var jumps []int
	number := uint16(c.prog.choices)
	memo.Set(&c.prog.parts, j.p, c.prog.choices)
	c.prog.choices++
	for k, p := range j.p.Kids {
		last, at := k == len(j.p.Kids)-1, len(*code)
		if !last {
			c.both(instr{kind: iEither, out: uint16(k), spread: number})
		}
		if err := c.walk(job{p: p, in: j.in, scope: j.scope}); err != nil {
			return err
		}
		if !last {
			jumps = append(jumps, len(*code))
			c.both(instr{kind: iJump})
			(*code)[at].to = uint16(len(*code))
		}
	}
	for _, at := range jumps {
		(*code)[at].to = uint16(len(*code))
	}
	c.optional = outer
	return nil
}

// each compiles a pattern that each class of a list matches.
func (c *compiler) each(j job) error {
	if c.spread != nil {
		return fmt.Errorf("a pattern for each of some children is in another one")
	}
	begin, number, element := len(c.prog.full.code), uint16(len(c.prog.spreads)), c.register()
	first := int(element)
	memo.Set(&c.prog.parts, j.p, int(number))
	s := loop{span: c.span()}
	j.p.each(func(q *Pattern) {
		if q.Kind == PApp {
			if s.ops == 0 {
				s.first = q.Position
			}
			s.first = min(s.first, q.Position)
			s.ops++
		}
	})
	c.spread = &s
	c.prog.spreads = append(c.prog.spreads, s)
	c.both(instr{kind: iEach, in: uint16(j.in), out: element, spread: number})
	if err := c.walk(job{p: j.p.Kids[0], in: int(element), scope: j.scope}); err != nil {
		return err
	}
	c.both(instr{kind: iNext, to: uint16(begin), spread: number})
	s.reg, s.regs = first, c.prog.regs-first
	c.prog.spreads[number] = s
	c.spread = nil
	return nil
}

// fits reports whether an operator has as many children and binders as instruction i
// wants.
func (s *Signature) fits(i *instr, o Op) bool {
	n, b := int(s.arity[o]), int(s.binders[o])
	return (n == int(i.arity) || i.items != nil && n >= int(i.arity)) && (b == len(i.binders) || i.rest > 0 && b >= len(i.binders))
}

// open names what e-node r binds, which is bound for the first time, and is false if
// as much was not bound before.
func (m *machine) open(i *instr, op Op) bool {
	for k, b := range i.binders {
		if !i.again[k] {
			m.names[b] = m.next
			m.next++
		}
	}
	if i.rest == 0 {
		return true
	}
	n := m.g.sig.Binders(op) - len(i.binders)
	if i.again[len(i.binders)] {
		return m.lists[i.rest-1].n == n
	}
	m.lists[i.rest-1] = names{m.next, n}
	m.next += Pos(n)
	return true
}

// binder is the name of variable k of what an instruction has opened.
func (m *machine) binder(i *instr, k int) Pos {
	if k < len(i.binders) {
		return m.names[i.binders[k]]
	}
	return m.lists[i.rest-1].first + Pos(k-len(i.binders))
}

// bindLists puts the children of e-node r, whose class is passed args, on the stack, and
// goes on at pc.
func (m *machine) bindLists(i *instr, r NodeID, args Vec, pc int) bool {
	g, n, from := m.g, m.g.arity(r), len(m.items)
	if g.slotted(r) {
		cls, arg := make([]ClassID, n), make([]Vec, n)
		m.slots(i, r, n, args, cls, arg)
		for k, c := range cls {
			m.items = append(m.items, value{c, arg[k]})
		}
	} else {
		for _, c := range g.kids(r, n) {
			m.items = append(m.items, value{class: c})
		}
	}
	ok := m.divide(i, r, 0, from, from+n, pc)
	if x := m.items[from:]; ok && n == 2 && x[0] != x[1] && g.sig.heads[g.sig.ops[g.op(r)]].Commutative {
		x[0], x[1] = x[1], x[0]
		ok = m.divide(i, r, 0, from, from+n, pc)
	}
	m.items = m.items[:from]
	return ok
}

// divide divides the classes on the stack up to end among the items of an instruction from
// number k on, and goes on at pc.
func (m *machine) divide(i *instr, r NodeID, k, from, end, pc int) bool {
	if k == len(i.items) {
		return from < end || m.with(r, pc)
	}
	it := &i.items[k]
	if !it.list {
		if from == end {
			return true
		}
		m.cls[it.reg], m.arg[it.reg] = m.items[from].class, m.items[from].args
		return m.divide(i, r, k+1, from+1, end, pc)
	}
	least, most := 0, end-from
	if n, ok := m.length(it); ok {
		least, most = n, min(n, most)
	} else {
		open := false
		for next := k + 1; next < len(i.items); next++ {
			if n, ok := m.length(&i.items[next]); ok {
				most -= n
			} else {
				open = true
			}
		}
		if !open {
			least = max(most, 0)
		}
	}
	for n := least; n <= most; n++ {
		m.spans[it.reg] = span{from, n, 1}
		if !m.divide(i, r, k+1, from+n, end, pc) {
			return false
		}
	}
	return true
}

// length is how many children an item stands for, if that is known.
func (m *machine) length(it *item) (n int, ok bool) {
	switch {
	case !it.list:
		return 1, true
	case it.names > 0:
		return m.lists[it.names-1].n, true
	case it.known > 0:
		return m.spans[it.known-1].n, true
	}
	return 0, false
}

// at is an element of a list.
func (m *Match) at(s span, k int) value { return m.items[s.from+k*s.stride] }

// equal goes on with then if two classes are equal.
func (m *machine) equal(x, y value, then func() bool) bool {
	switch {
	case x.class != y.class:
		return true
	case len(m.flex) > 0:
		return m.unify(x.class, x.args, y.args, then)
	}
	return !m.g.sameArgs(x.class, x.args, y.args) || then()
}

// same goes on at pc if two lists of equal length are equal from element k on.
func (m *machine) same(x, y span, k, pc int) bool {
	if k == x.n {
		return m.step(pc)
	}
	return m.equal(m.at(x, k), m.at(y, k), func() bool { return m.same(x, y, k+1, pc) })
}

// variables goes on after instruction pc if the classes of a list from element k on have
// e-nodes that name the slots of a list.
func (m *machine) variables(i *instr, k, pc int) bool {
	s := m.spans[i.in]
	if k == s.n {
		return m.stale(pc) || m.step(pc+1)
	}
	x := m.at(s, k)
	r, ok := m.slotNode(x.class)
	if !ok {
		return true
	}
	n := m.lists[i.out].first + Pos(k)
	next := func() bool {
		if m.g.arena[r+nodeStamp] <= m.since {
			return m.variables(i, k+1, pc)
		}
		m.fresh++
		ok := m.variables(i, k+1, pc)
		m.fresh--
		return ok
	}
	if args := m.g.vecs.Get(x.args); len(args) > 0 && args[0] != n {
		return len(m.flex) == 0 || m.take(args[0], n, next)
	}
	return next()
}

// stale reports whether no e-node of a match can be new any more after instruction pc.
func (m *machine) stale(pc int) bool { return m.fresh == 0 && pc >= m.last }

// eachPlace begins the loop of instruction pc.
func (m *machine) eachPlace(i *instr, pc int) bool {
	s, n := &m.prog.spreads[i.spread], m.spans[i.in].n
	// Of none nothing would say what is in the pattern.
	if n == 0 || slices.ContainsFunc(s.known, func(reg uint16) bool { return m.spans[reg].n != n }) {
		return true
	}
	items, ops, width := len(m.items), len(m.ops), len(s.lists)
	m.spans[s.span], m.ops = span{ops, n, s.ops}, lengthen(m.ops, ops+n*s.ops)
	m.items = lengthen(m.items, items+n*width)
	for k, x := range s.lists {
		m.spans[x.span] = span{items + k, n, width}
	}
	ok := m.atPlace(i, pc, 0)
	m.items, m.ops, m.place = m.items[:items], m.ops[:ops], 0
	return ok
}

// atPlace goes through the loop that begins at pc for the element at place k.
func (m *machine) atPlace(i *instr, pc, k int) bool {
	x := m.at(m.spans[i.in], k)
	m.cls[i.out], m.arg[i.out] = x.class, x.args
	m.place = k
	return m.step(pc + 1)
}

// nextPlace ends the loop at a place.
func (m *machine) nextPlace(i *instr, pc int) bool {
	s, k := &m.prog.spreads[i.spread], m.place
	for _, x := range s.lists {
		to := m.spans[x.span]
		m.items[to.from+k*to.stride] = value{m.cls[x.reg], m.arg[x.reg]}
	}
	to := m.spans[s.span]
	copy(m.ops[to.from+k*to.stride:], m.ops[s.first:s.first+s.ops])
	if k+1 == to.n {
		m.place = 0
		ok := m.stale(pc) || m.step(pc+1)
		m.place = k
		return ok
	}
	// There may be other ways for this place.
	saved := len(m.items)
	for reg := s.reg; reg < s.reg+s.regs; reg++ {
		m.items = append(m.items, value{m.cls[reg], m.arg[reg]})
	}
	ok := m.atPlace(&m.plan.code[i.to], int(i.to), k+1)
	for n, x := range m.items[saved:] {
		m.cls[s.reg+n], m.arg[s.reg+n] = x.class, x.args
	}
	m.items, m.place = m.items[:saved], k
	copy(m.ops[s.first:s.first+s.ops], m.ops[to.from+k*to.stride:])
	return ok
}

// List returns the classes that list i stands for.
func (m *Match) List(i int) []Ref {
	s := m.spans[m.prog.lists[i]]
	out := make([]Ref, m.Len(i))
	for k := range out {
		x := m.at(s, k)
		out[k] = m.refOf(x.class, x.args)
	}
	return out
}

// Len returns how many classes list i stands for.
func (m *Match) Len(i int) int { return m.spans[m.prog.lists[i]].n }

// BoundList returns the names of list i of bound variables.
func (m *Match) BoundList(i int) []slot.Name {
	out := make([]slot.Name, m.lists[i].n)
	for k := range out {
		out[k] = slot.Name(m.lists[i].first) + slot.Name(k)
	}
	return out
}

// Shape returns which alternative of a part of the left side has matched, or how many children
// what is for each of some of them.
func (m *Match) Shape(p *Pattern) int {
	k := m.prog.parts[p]
	if p.Kind == PEach {
		return m.spans[m.prog.spreads[k].span].n
	}
	return int(m.chosen[k])
}

// Op returns the operator found at a position: in a pattern for each of some children at
// the given place.
func (m *Match) Op(position, place int) Op {
	for _, s := range m.prog.spreads {
		if k := position - s.first; k >= 0 && k < s.ops {
			return m.ops[m.spans[s.span].from+place*s.ops+k]
		}
	}
	return m.ops[position]
}

// saveLists appends what lists stand for, as [Match.save] does.
func (m *Match) saveLists(out []uint32) []uint32 {
	for _, l := range m.lists {
		out = append(out, uint32(l.first), uint32(l.n))
	}
	for _, reg := range m.prog.lists {
		s := m.spans[reg]
		out = append(out, uint32(s.n))
		for k := range s.n {
			x := m.at(s, k)
			out = append(out, x.class, x.args)
		}
	}
	for _, s := range m.prog.spreads {
		out = append(out, uint32(m.spans[s.span].n))
		for k := range m.spans[s.span].n * s.ops {
			out = append(out, uint32(m.ops[m.spans[s.span].from+k]))
		}
	}
	for _, k := range m.chosen {
		out = append(out, uint32(k))
	}
	return out
}

// restoreLists is the inverse of saveLists.
func (m *Match) restoreLists(in []uint32) (rest []uint32) {
	next := func() (x uint32) {
		x, in = in[0], in[1:]
		return x
	}
	for k := range m.lists {
		m.lists[k] = names{Pos(next()), int(next())}
	}
	m.items, m.ops = m.items[:0], m.ops[:m.prog.positions]
	for _, reg := range m.prog.lists {
		s := span{len(m.items), int(next()), 1}
		m.spans[reg] = s
		for range s.n {
			m.items = append(m.items, value{next(), next()})
		}
	}
	for _, s := range m.prog.spreads {
		to := span{len(m.ops), int(next()), s.ops}
		m.spans[s.span] = to
		for range to.n * s.ops {
			m.ops = append(m.ops, Op(next()))
		}
	}
	for k := range m.chosen {
		m.chosen[k] = uint16(next())
	}
	return in
}
