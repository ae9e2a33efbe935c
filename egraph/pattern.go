package egraph

import (
	"fmt"
	"slices"
)

// Pattern is what a rule looks for, or what it builds: a term with variables.
type Pattern struct {
	Kind PatternKind
	Var  int // a metavariable (PVar) or a bound variable (PSlot)

	// Of an application. A left side names a head, or the class of heads that
	// an operator variable ranges over; a right side names an operator.
	Head  HeadID
	Class uint64 // heads that have all these bits; 0 if Head counts
	Arity int    // the number of children, for Class
	Op    Op
	Kids  []*Pattern
	// Binders numbers the variables that the operator binds. On a right side -1-m
	// is the variable that metavariable m stands for.
	Binders []int
	// Position numbers the applications of a left side from 0, in prefix order:
	// a guard can ask which operator was found there.
	Position int
	// Opaque applications are not looked for in an atom.
	Opaque bool
}

// PatternKind tells the forms of a [Pattern] apart.
type PatternKind uint8

// The forms of patterns.
const (
	PVar  PatternKind = iota // any class
	PApp                     // an operator applied to children
	PSlot                    // the variable itself: an e-node that names the slot Var
)

// Program is a compiled left side: instructions that bind registers one after
// the other, each trying all ways.
type Program struct {
	// Full goes from the root down. Leaves begins with the leaves of the pattern
	// that are operators; it is for graphs that have one e-node of each, as of a
	// number. It is empty if there are no such leaves.
	full, leaves plan
	heads        []HeadID // those a match must have
	regs         int      // registers: classes with arguments
	vars         []uint16
	bound        int // bound variables
	positions    int
	slotted      bool // it speaks of binders
	source       *Pattern
	nodes        int // instructions that look for e-nodes
	moved        *Program
}

// plan is an order in which to look for the e-nodes of a match.
type plan struct {
	given      []instr // leaves with one e-node
	code       []instr
	lastSearch int // the last instruction of code that looks for e-nodes
}

func (p *plan) add(i instr) {
	if i.kind != iCompare {
		p.lastSearch = len(p.code)
	}
	p.code = append(p.code, i)
}

// instr is one instruction. It looks for e-nodes of the class in register in.
type instr struct {
	kind     instrKind
	opaque   bool
	in       uint16 // register
	out      uint16 // the first register for children; the other register of compare
	position uint16
	head     HeadID
	class    uint64
	arity    uint16
	binders  []uint16
	node     uint16 // its number among those that look for e-nodes
	scope    uint64 // the bound variables that are known there, by number
}

type instrKind uint8

const (
	iBind    instrKind = iota // e-nodes with a head
	iBindAny                  // e-nodes whose head has the class bits
	iCompare                  // two registers hold equal classes
	iSlot                     // the class has an e-node that names the slot
	iClass                    // any class, by one of its e-nodes; it is the whole program
)

// Compile turns a left side with n metavariables and m bound variables into a
// program. Every metavariable must occur, and an application must have the
// children and binders of its head. A metavariable alone matches every class.
func Compile(sig *Signature, p *Pattern, n, m int) (*Program, error) {
	if p.Kind == PVar && n == 1 {
		return &Program{regs: 1, vars: []uint16{0}, bound: m, full: plan{code: []instr{{kind: iClass}}}, source: p}, nil
	}
	if p.Kind != PApp {
		return nil, fmt.Errorf("a left side is an operator applied to something, or a metavariable")
	}
	c := &compiler{sig: sig, prog: &Program{vars: make([]uint16, n), bound: m, source: p}, seen: make([]bool, n)}
	c.prog.regs = 1
	nodes := 0
	p.each(func(q *Pattern) {
		nodes++
		c.leaves = c.leaves || q != p && c.leaf(q)
	})
	c.prog.full.code = make([]instr, 0, nodes)
	if err := c.walk(p); err != nil {
		return nil, err
	}
	if c.prog.regs > maxRegisters || c.prog.positions > maxRegisters {
		return nil, fmt.Errorf("the left side is too large")
	}
	for i, ok := range c.seen {
		if !ok {
			return nil, fmt.Errorf("metavariable %d does not occur on the left side", i)
		}
	}
	return c.prog, nil
}

// Move returns the program for a signature in which the heads have other numbers. It
// may be called by several goroutines.
func (p *Program) Move(to func(HeadID) HeadID) *Program {
	q := *p
	q.moved, q.source = p, nil
	q.heads = slices.Clone(p.heads)
	for i, h := range p.heads {
		q.heads[i] = to(h)
	}
	move := func(code []instr) []instr {
		code = slices.Clone(code)
		for i := range code {
			if k := slices.Index(p.heads, code[i].head); k >= 0 {
				code[i].head = q.heads[k]
			}
		}
		return code
	}
	q.full.code, q.leaves.given, q.leaves.code = move(p.full.code), move(p.leaves.given), move(p.leaves.code)
	return &q
}

// Bound returns the number of bound variables.
func (p *Program) Bound() int { return p.bound }

// Vars returns the number of metavariables.
func (p *Program) Vars() int { return len(p.vars) }

// Pattern returns what was compiled, with the heads of the program.
func (p *Program) Pattern() *Pattern {
	if p.source != nil || p.moved == nil {
		return p.source
	}
	var move func(q *Pattern) *Pattern
	move = func(q *Pattern) *Pattern {
		c := *q
		if k := slices.Index(p.moved.heads, q.Head); k >= 0 && q.Kind == PApp && q.Class == 0 {
			c.Head = p.heads[k]
		}
		c.Kids = nil
		for _, k := range q.Kids {
			c.Kids = append(c.Kids, move(k))
		}
		return &c
	}
	p.source = move(p.moved.Pattern())
	return p.source
}

// each calls f for p and what is below it, breadth first.
func (p *Pattern) each(f func(*Pattern)) {
	for queue := []*Pattern{p}; len(queue) > 0; queue = queue[1:] {
		f(queue[0])
		queue = append(queue, queue[0].Kids...)
	}
}

// maxRegisters bounds a program; an instruction has 16 bits for a register.
const maxRegisters = 1 << 16

type compiler struct {
	sig    *Signature
	prog   *Program
	seen   []bool
	leaves bool // the plan that begins with leaves is made
}

// leaf reports whether a pattern is an operator that has one e-node in a graph, as a
// number has.
func (c *compiler) leaf(p *Pattern) bool {
	return p.Kind == PApp && p.Class == 0 && !p.Opaque && len(p.Kids) == 0 && c.sig.heads[p.Head].Own == 0
}

// both adds an instruction to both plans.
func (c *compiler) both(i instr) {
	c.prog.full.add(i)
	if c.leaves {
		c.prog.leaves.add(i)
	}
}

// walk compiles p breadth first, so that cheap comparisons come before deeper
// searches.
func (c *compiler) walk(p *Pattern) error {
	type job struct {
		p     *Pattern
		in    int
		scope uint64
	}
	queue := []job{{p, 0, 0}}
	for len(queue) > 0 {
		j := queue[0]
		queue = queue[1:]
		switch j.p.Kind {
		case PVar:
			if c.seen[j.p.Var] {
				c.both(instr{kind: iCompare, in: uint16(j.in), out: c.prog.vars[j.p.Var]})
				continue
			}
			c.seen[j.p.Var] = true
			c.prog.vars[j.p.Var] = uint16(j.in)
		case PSlot:
			c.prog.slotted = true
			c.both(instr{kind: iSlot, in: uint16(j.in), out: uint16(j.p.Var), node: uint16(c.prog.nodes)})
			c.prog.nodes++
		case PApp:
			i := instr{
				kind: iBind, in: uint16(j.in), out: uint16(c.prog.regs), position: uint16(j.p.Position),
				head: j.p.Head, class: j.p.Class, arity: uint16(len(j.p.Kids)), opaque: j.p.Opaque, scope: j.scope,
			}
			inner, under := j.scope, ^uint64(0)
			if j.p.Class != 0 {
				i.kind = iBindAny
			} else if h := &c.sig.heads[j.p.Head]; h.Arity != len(j.p.Kids) || h.Binders != len(j.p.Binders) {
				return fmt.Errorf("%s has %d children and %d binders in the pattern", h.Name, len(j.p.Kids), len(j.p.Binders))
			} else {
				under = h.Under
			}
			for _, b := range j.p.Binders {
				i.binders = append(i.binders, uint16(b))
				inner |= 1 << b // 0 if there are too many
				c.prog.slotted = true
			}
			i.node = uint16(c.prog.nodes)
			c.prog.nodes++
			c.prog.positions = max(c.prog.positions, j.p.Position+1)
			c.prog.regs += len(j.p.Kids)
			if i.kind == iBind && !slices.Contains(c.prog.heads, i.head) {
				c.prog.heads = append(c.prog.heads, i.head)
			}
			if j.in > 0 && c.leaf(j.p) {
				c.prog.full.add(i)
				at := uint16(c.prog.regs)
				c.prog.regs++
				c.prog.leaves.given = append(c.prog.leaves.given, instr{head: i.head, out: at, position: i.position, node: i.node})
				c.prog.leaves.add(instr{kind: iCompare, in: i.in, out: at})
				continue
			}
			c.both(i)
			for k, q := range j.p.Kids {
				scope := j.scope
				if under>>k&1 != 0 {
					scope = inner
				}
				queue = append(queue, job{q, int(i.out) + k, scope})
			}
		}
	}
	return nil
}
