package egraph

import (
	"fmt"
	"reflect"
	"slices"
)

// Pattern is what a rule looks for, or what it builds: a term with variables.
type Pattern struct {
	Kind PatternKind
	Var  int // a metavariable (PVar), a bound variable (PSlot), a list of them

	// Of an application. A left side names a head, or the class of heads that
	// an operator variable ranges over; a right side names an operator.
	Head  HeadID
	Class uint64 // heads that have all these bits; 0 if Head counts
	Op    Op
	Kids  []*Pattern
	// Binders numbers the variables that the operator binds; what binds one that is
	// bound elsewhere binds the same variable. On a right side -1-m is the variable
	// that metavariable m stands for.
	Binders []int
	// Rest is 1 + the number of the list of the other variables that the operator
	// binds, 0 if there is none.
	Rest int
	// Statics are patterns for what the operator carries.
	Statics []*StaticPattern
	// Position numbers the applications of a left side from 0, in prefix order:
	// a guard can ask which operator was found there. Compile does so where all are 0.
	Position int
	// Opaque applications are not looked for in an atom.
	Opaque bool
	// Open says that the operator carries more than Statics tells.
	Open bool
}

// PatternKind tells the forms of a [Pattern] apart.
type PatternKind uint8

// The forms of patterns.
const (
	PVar    PatternKind = iota // any class
	PApp                       // an operator applied to children
	PSlot                      // the variable itself: an e-node that names the slot Var
	PEither                    // what one of Kids matches; no metavariable is in them
	PList                      // among children: any number of them
	PSlots                     // among children: the variables of list Var themselves
	PEach                      // among children: some, of which each matches Kids[0]
	PElem                      // in a PEach: what the element of list Var stands for there
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
	spans        int      // registers for lists
	lists        []uint16 // by list: its register
	boundLists   int
	spreads      []loop
	choices      int
	parts        map[*Pattern]int // the numbers of loops and of choices
	statics      int              // variables for static terms
	source       *Pattern
	joined       bool // a match needs more than the left side
	nodes        int  // instructions that look for e-nodes
	repeats      []repeat
}

// repeat says that the n operators from position to on are those from position from on.
type repeat struct{ from, to, n int }

// plan is an order in which to look for the e-nodes of a match.
type plan struct {
	given      []instr // leaves with one e-node
	code       []instr
	lastSearch int // the last instruction of code that looks for e-nodes
}

func (p *plan) add(i instr) {
	if i.searches() {
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
	checked  bool // the number of children and of binders has to be looked at
	binders  []uint16
	rest     uint16           // 1 + the list of the other variables that are bound
	again    []bool           // for each of binders, and for rest: whether it is bound before
	scope    uint64           // the bound variables that are known there, by number
	items    []item           // what the children are, if there are lists among them
	statics  []*StaticPattern // for what the operator carries
	to       uint16           // another instruction
	joined   bool             // it is no part of the left side
	keys     []key            // of what is joined: what is known before of an e-node, the children first
	spread   uint16
}

type instrKind uint8

const (
	iBind    instrKind = iota // e-nodes with a head
	iBindAny                  // e-nodes whose head has the class bits
	iCompare                  // two registers hold equal classes
	iSlot                     // the class has an e-node that names the slot
	iClass                    // any class, by one of its e-nodes; it is the whole left side
	iEither                   // what comes next, and then what comes at to
	iJump                     // on to another instruction
	iSame                     // two lists are equal
	iSlots                    // the classes of a list have e-nodes that name the slots of a list
	iEach                     // what comes next is for each class of a list, up to an iNext
	iNext                     // the end of that
	iKeep                     // keeps a register for after a spread, whose places all have it
	iElem                     // a register holds the element of a list
	iFind                     // e-nodes with a head, of any class, which goes into a register
)

// searches reports whether an instruction looks for e-nodes, or ends what does so in a
// loop or in an alternative.
func (i *instr) searches() bool {
	switch i.kind {
	case iCompare, iEither, iSame, iEach, iKeep, iElem:
		return false
	}
	return true
}

// Compile turns a left side with n metavariables and m bound variables into a
// program. Every metavariable must occur, and an application must have the
// children and binders of its head. A metavariable alone matches every class.
//
// A match may need more than its left side: each of joined is patterns that match one
// class, whichever it is, operators applied to what they bind, or to what is bound.
func Compile(sig *Signature, p *Pattern, n, m int, joined ...[]*Pattern) (*Program, error) {
	number(p)
	if p.Kind != PApp && (p.Kind != PVar || p.Var >= n) {
		return nil, fmt.Errorf("a left side is an operator applied to something, or a metavariable")
	}
	c := &compiler{sig: sig, prog: &Program{vars: make([]uint16, n), bound: m, source: p, joined: len(joined) > 0}, seen: make([]bool, n), scopes: make([]uint64, n), bound: make([]bool, m)}
	c.prog.regs = 1
	nodes, lists := 0, 0
	straight := true
	p.each(func(q *Pattern) {
		nodes++
		c.leaves = c.leaves || q != p && c.leaf(q)
		straight = straight && q.Kind < PEither
		if q.Kind == PList || q.Kind == PElem {
			lists = max(lists, q.Var+1)
		}
		c.prog.boundLists = max(c.prog.boundLists, q.Rest)
		c.carried(q)
	})
	for _, ps := range joined {
		for _, q := range ps {
			q.each(c.carried)
		}
	}
	c.leaves = c.leaves && straight
	c.staticSeen = make([]bool, c.prog.statics)
	c.prog.lists, c.listSeen, c.lengths, c.boundLists = make([]uint16, lists), make([]bool, lists), make([]int, lists), make([]bool, c.prog.boundLists)
	c.prog.full.code = make([]instr, 0, nodes)
	if p.Kind == PVar {
		c.seen[p.Var] = true
		c.both(instr{kind: iClass})
	} else {
		if p.plain() {
			c.met = append(c.met, job{p: p})
		}
		if err := c.walk(job{p: p}); err != nil {
			return nil, err
		}
	}
	for _, ps := range joined {
		if err := c.join(ps); err != nil {
			return nil, err
		}
	}
	// What is repeated may have a repetition in it, which is shorter.
	slices.SortStableFunc(c.prog.repeats, func(a, b repeat) int { return a.n - b.n })
	if c.prog.regs+c.prog.spans > maxRegisters || len(c.prog.full.code) > maxRegisters || c.prog.positions > maxRegisters {
		return nil, fmt.Errorf("the left side is too large")
	}
	if i := slices.Index(c.seen, false); i >= 0 {
		return nil, fmt.Errorf("metavariable %d does not occur", i)
	}
	if i := slices.Index(c.listSeen, false); i >= 0 {
		return nil, fmt.Errorf("list %d does not occur on the left side", i)
	}
	return c.prog, nil
}

// carried counts the variables for what the operator of a pattern carries.
func (c *compiler) carried(p *Pattern) {
	for _, s := range p.Statics {
		c.prog.statics = max(c.prog.statics, s.vars())
	}
}

// special reports whether there are lists or alternatives.
func (p *Program) special() bool { return p.spans > 0 || p.boundLists > 0 || p.choices > 0 }

// Bound returns the number of bound variables.
func (p *Program) Bound() int { return p.bound }

// Vars returns the number of metavariables.
func (p *Program) Vars() int { return len(p.vars) }

// Lists returns the number of lists of metavariables.
func (p *Program) Lists() int { return len(p.lists) }

// BoundLists returns the number of lists of bound variables.
func (p *Program) BoundLists() int { return p.boundLists }

// Statics returns the number of variables for static terms.
func (p *Program) Statics() int { return p.statics }

// Joined reports whether a match needs more than what the left side matches.
func (p *Program) Joined() bool { return p.joined }

// Pattern returns the left side.
func (p *Program) Pattern() *Pattern { return p.source }

// each calls f for p and what is below it, breadth first.
func (p *Pattern) each(f func(*Pattern)) {
	for queue := []*Pattern{p}; len(queue) > 0; queue = queue[1:] {
		f(queue[0])
		queue = append(queue, queue[0].Kids...)
	}
}

// number numbers the positions in a left side if nobody has.
func number(p *Pattern) {
	n, numbered := 0, false
	p.each(func(q *Pattern) { numbered = numbered || q.Position > 0 })
	var walk func(p *Pattern)
	walk = func(p *Pattern) {
		if p.Kind == PApp {
			p.Position = n
			n++
		}
		for _, k := range p.Kids {
			walk(k)
		}
	}
	if !numbered {
		walk(p)
	}
}

// maxRegisters bounds a program; an instruction has 16 bits for a register.
const maxRegisters = 1 << 16

type compiler struct {
	sig    *Signature
	prog   *Program
	seen   []bool
	leaves bool // the plan that begins with leaves is made

	bound, boundLists []bool // variables, and lists of them, that are bound
	listSeen          []bool
	lengths           []int    // by list: 1 + the register of a list that is as long, 0 if there is none yet
	spread            *loop    // that the pattern is in
	optional          bool     // it is in an alternative
	joining           bool     // the left side has been compiled
	scopes            []uint64 // by metavariable that is seen: the variables that it may mention
	staticSeen        []bool   // variables for static terms that are known
	met               []job    // applications that are looked for, and need not be where they are repeated
}

// leaf reports whether a pattern is an operator that has one e-node in a graph, as a
// number has.
func (c *compiler) leaf(p *Pattern) bool {
	if p.Kind != PApp || p.Class != 0 || p.Opaque || len(p.Statics) > 0 || len(p.Kids) > 0 {
		return false
	}
	h := &c.sig.heads[p.Head]
	return h.Own == 0 && !h.Varies
}

// both adds an instruction to both plans.
func (c *compiler) both(i instr) {
	c.prog.full.add(i)
	if c.leaves {
		c.prog.leaves.add(i)
	}
}

// job is a pattern to be compiled, for what is in a register.
type job struct {
	p     *Pattern
	in    int // of a list, among those for lists
	scope uint64
	find  bool // nothing is in the register before
}

// walk compiles a pattern breadth first, so that cheap comparisons come before deeper
// searches.
func (c *compiler) walk(first job) error {
	for queue := []job{first}; len(queue) > 0; queue = queue[1:] {
		j := queue[0]
		var err error
		switch j.p.Kind {
		case PVar:
			err = c.variable(j)
		case PSlot:
			c.both(instr{kind: iSlot, in: uint16(j.in), out: uint16(j.p.Var)})
			c.prog.nodes++
		case PApp:
			if at := c.metBefore(j.p); c.joining && at >= 0 {
				c.both(instr{kind: iCompare, in: uint16(j.in), out: uint16(c.met[at].in)})
				continue
			}
			if queue, err = c.application(j, queue); c.joining && j.p.plain() {
				c.met = append(c.met, j)
			}
		default:
			err = c.list(j)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) variable(j job) error {
	v := j.p.Var
	if c.seen[v] {
		c.scopes[v] &= j.scope
		c.both(instr{kind: iCompare, in: uint16(j.in), out: c.prog.vars[v]})
		return nil
	}
	if c.optional {
		return fmt.Errorf("metavariable %d stands for something in one alternative only", v)
	}
	c.seen[v], c.scopes[v] = true, j.scope
	c.prog.vars[v] = uint16(j.in)
	if c.spread != nil {
		c.prog.vars[v] = c.register()
		c.both(instr{kind: iKeep, in: uint16(j.in), out: c.prog.vars[v]})
	}
	return nil
}

// register is a new register.
func (c *compiler) register() uint16 {
	c.prog.regs++
	return uint16(c.prog.regs - 1)
}

// application compiles an operator, and adds its children to the queue.
func (c *compiler) application(j job, queue []job) ([]job, error) {
	i := instr{
		kind: iBind, in: uint16(j.in), out: uint16(c.prog.regs), position: uint16(j.p.Position),
		head: j.p.Head, class: j.p.Class, arity: uint16(len(j.p.Kids)), opaque: j.p.Opaque, scope: j.scope,
		rest: uint16(j.p.Rest), statics: j.p.Statics, joined: c.joining,
	}
	inner, under := j.scope, ^uint64(0)
	lists := slices.ContainsFunc(j.p.Kids, func(k *Pattern) bool { return k.Kind >= PList && k.Kind < PElem })
	if j.p.Class != 0 {
		i.kind, i.checked = iBindAny, true
	} else if h := &c.sig.heads[j.p.Head]; h.Varies || lists {
		i.checked, under = true, h.Under
	} else if h.Arity != len(j.p.Kids) || h.Binders != len(j.p.Binders) || j.p.Rest > 0 {
		return nil, fmt.Errorf("%s has %d children and %d binders in the pattern", h.Name, len(j.p.Kids), len(j.p.Binders))
	} else {
		under = h.Under
	}
	for _, b := range j.p.Binders {
		i.binders = append(i.binders, uint16(b))
		i.again = append(i.again, c.bound[b])
		c.bound[b] = true
		inner |= 1 << b // 0 if there are too many
	}
	if c.joining {
		i.keys = c.keys(j.p)
		if len(i.again) > 0 || lists || i.class != 0 {
			return nil, errJoined
		}
	}
	c.sees(j.p.Statics)
	if l := j.p.Rest - 1; l >= 0 {
		i.again = append(i.again, c.boundLists[l])
		c.boundLists[l] = true
		inner |= 1 << (c.prog.bound + l)
	}
	if len(i.again) > 0 {
		if c.spread != nil {
			return nil, fmt.Errorf("a pattern for each of some children binds nothing")
		}
	}
	c.prog.nodes++
	c.prog.positions = max(c.prog.positions, j.p.Position+1)
	if i.kind == iBind && !slices.Contains(c.prog.heads, i.head) && !c.optional {
		c.prog.heads = append(c.prog.heads, i.head)
	}
	if lists {
		i.items, i.arity = c.items(j.p.Kids)
	} else {
		c.prog.regs += len(j.p.Kids)
	}
	if j.find {
		i.kind = iFind
	} else if j.in > 0 && c.leaves && c.leaf(j.p) {
		c.prog.full.add(i)
		at := c.register()
		c.prog.leaves.given = append(c.prog.leaves.given, instr{head: i.head, out: at, position: i.position})
		c.prog.leaves.add(instr{kind: iCompare, in: i.in, out: at})
		return queue, nil
	}
	c.both(i)
	for k, q := range j.p.Kids {
		scope, in := j.scope, int(i.out)+k
		if under>>k&1 != 0 {
			scope = inner
		}
		if lists {
			in = int(i.items[k].reg)
		}
		if next := (job{p: q, in: in, scope: scope}); !c.repeated(next) {
			queue = append(queue, next)
		}
	}
	return queue, nil
}

// repeated reports whether a pattern is one that is looked for elsewhere. Then what it matches is in
// the same class: a comparison, before either is looked into, is all that is needed.
func (c *compiler) repeated(j job) bool {
	if j.p.Kind != PApp || len(j.p.Kids) == 0 || c.joining || c.optional || c.spread != nil || !j.p.plain() {
		return false
	}
	for _, o := range c.met {
		if o.scope == j.scope && j.p.follows(o.p) {
			c.both(instr{kind: iCompare, in: uint16(j.in), out: uint16(o.in)})
			n := 0
			j.p.each(func(q *Pattern) {
				if q.Kind == PApp {
					n++
				}
			})
			c.prog.repeats = append(c.prog.repeats, repeat{o.p.Position, j.p.Position, n})
			c.prog.positions = max(c.prog.positions, j.p.Position+n)
			return true
		}
	}
	c.met = append(c.met, j)
	return false
}

// plain reports whether p has nothing but metavariables and operators that are named, carry what p
// says and bind nothing.
func (p *Pattern) plain() bool {
	is := true
	p.each(func(q *Pattern) {
		is = is && (q.Kind == PVar || q.Kind == PApp && q.Class == 0 && !q.Open && len(q.Binders) == 0 && q.Rest == 0)
	})
	return is
}

// follows reports whether of patterns that are plain one matches where the other does, the same term.
func (p *Pattern) follows(q *Pattern) bool {
	return p.Kind == q.Kind && p.Var == q.Var && p.Head == q.Head && (q.Opaque || !p.Opaque) &&
		reflect.DeepEqual(p.Statics, q.Statics) && slices.EqualFunc(p.Kids, q.Kids, (*Pattern).follows)
}
