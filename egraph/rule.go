package egraph

import "fmt"

// Rule is a rewrite rule: what matches Lhs equals what Rhs or Apply makes of it.
type Rule struct {
	Name string
	Lhs  *Program
	// Constants are those of the patterns for static terms, by number.
	Constants []Static
	// Guard decides, while the graph does not change, whether a match counts.
	// It may rest on facts that only grow, and leave Apply a note. Nil accepts
	// every match.
	Guard func(m *Match) bool
	// Apart says that what Guard does not accept of names that differ it does not accept either
	// if some of them are taken for others: then these matches are not looked at.
	Apart bool
	// Rhs builds the other side from the match.
	Rhs *Template
	// From builds what Rhs equals, if that is not what matched.
	From *Template
	// Apply is used instead of Rhs where the other side has to be computed. It
	// is false if there is none. It may add to the graph but not unite classes.
	Apply func(g *Graph, m *Match) (Ref, bool, error)
	// Stable says that Guard, Apply and Atom look at the match, at facts about what
	// its metavariables stand for that are [Column.Asked], and at nothing else, so
	// that what they say of a match once stays true until some e-node of it changes.
	Stable bool
	// Atom tells the classes in which opaque patterns of Lhs are not looked for.
	// Nil is none.
	Atom func(g *Graph, c ClassID) bool
	// Variables has the metavariables that, as Guard says, stand for a variable,
	// with the operator of variables. In a proof they are variables.
	Variables map[int]Op
	// Backoff bounds how often the rule matches in a run of [Graph.Saturate].
	Backoff Backoff

	// Owner is what the rule was made of.
	Owner any
}

// local reports whether a match has to be looked at only once.
func (r *Rule) local() bool { return r.Stable || r.Guard == nil && r.Apply == nil && r.Atom == nil }

// Template is a compiled right side: e-nodes to add, children first.
type Template struct {
	nodes []templateNode
	out   operand // the result
	bound int     // bound variables, with those of the left side
	flat  bool    // no e-node names or binds a variable

	source *Pattern
}

// Bound returns how many bound variables there are, with those of the left side as far as they
// are bound; 0 of nil.
func (t *Template) Bound() int {
	if t == nil {
		return 0
	}
	return t.bound
}

// Pattern returns what was compiled.
func (t *Template) Pattern() *Pattern { return t.source }

// operand is a metavariable (i >= 0) or the result of e-node -1-i.
type operand int

type templateNode struct {
	op      Op
	kids    []operand
	own     []int // bound variables
	binders []int // bound variables, or -1-m for the one that metavariable m is
}

// CompileTemplate turns a right side into a template. It refers to the variables
// of its left side; bound variables from m on are its own.
func CompileTemplate(sig *Signature, p *Pattern) (*Template, error) {
	t := &Template{source: p}
	var walk func(p *Pattern) (operand, error)
	walk = func(p *Pattern) (operand, error) {
		switch p.Kind {
		case PVar:
			return operand(p.Var), nil
		case PSlot:
			t.nodes = append(t.nodes, templateNode{op: p.Op, own: []int{p.Var}})
			return operand(-len(t.nodes)), nil
		}
		h := sig.HeadInfo(sig.Head(p.Op))
		if sig.Arity(p.Op) != len(p.Kids) || sig.Binders(p.Op) != len(p.Binders) {
			return 0, fmt.Errorf("%s has %d children and %d binders on the right side", h.Name, len(p.Kids), len(p.Binders))
		}
		node := templateNode{op: p.Op, binders: p.Binders}
		for _, b := range p.Binders {
			t.bound = max(t.bound, b+1)
		}
		for _, k := range p.Kids {
			o, err := walk(k)
			if err != nil {
				return 0, err
			}
			node.kids = append(node.kids, o)
		}
		t.nodes = append(t.nodes, node)
		return operand(-len(t.nodes)), nil
	}
	out, err := walk(p)
	t.out, t.flat = out, true
	for _, r := range t.nodes {
		t.flat = t.flat && len(r.own) == 0 && len(r.binders) == 0 && len(r.kids) <= maxFlat
	}
	return t, err
}

// ownNames is where the names of the variables begin that only a right side
// binds. Matches use small names.
const ownNames = 1 << 14

// value is a class with arguments over the names of a match.
type value struct {
	class ClassID
	args  Vec
}

// maxFlat is how many children the e-nodes of a flat template have at most.
const maxFlat = 4

// buildFlat adds the e-nodes of a flat template for classes without slots.
func (g *Graph) buildFlat(t *Template, vars, temps []ClassID) (ClassID, []ClassID) {
	temps = temps[:0]
	var kids [maxFlat]ClassID
	for i := range t.nodes {
		node := &t.nodes[i]
		for k, o := range node.kids {
			if o >= 0 {
				kids[k] = g.Find(vars[o])
			} else {
				kids[k] = g.Find(temps[-1-o])
			}
		}
		if len(node.kids) == 2 {
			temps = append(temps, g.addPair(node.op, kids[0], kids[1]))
		} else {
			temps = append(temps, g.addFlat(node.op, &g.sig.heads[g.sig.ops[node.op]], kids[:len(node.kids)]))
		}
	}
	if t.out >= 0 {
		return g.Find(vars[t.out]), temps
	}
	return temps[-1-t.out], temps
}

// templateRun is the working memory for applying templates.
type templateRun struct {
	vars  []value
	names []Pos
	temps []value
	kids  []ClassID
	args  []Vec
	own   []Pos
	binds []Pos
}

// build adds the e-nodes of a template.
func (g *Graph) build(t *Template, run *templateRun) value {
	run.temps = run.temps[:0]
	get := func(o operand) value {
		if o >= 0 {
			return run.vars[o]
		}
		return run.temps[-1-o]
	}
	for i := range t.nodes {
		node := &t.nodes[i]
		head := &g.sig.heads[g.sig.ops[node.op]]
		run.kids, run.args = run.kids[:0], run.args[:0]
		slotted := len(node.own) > 0
		for _, o := range node.kids {
			v := get(o)
			c, a := g.find(v.class, v.args)
			run.kids, run.args = append(run.kids, c), append(run.args, a)
			slotted = slotted || a != 0
		}
		if !slotted {
			run.temps = append(run.temps, value{class: g.addFlat(node.op, head, run.kids)})
			continue
		}
		run.own, run.binds = run.own[:0], run.binds[:0]
		for _, b := range node.own {
			run.own = append(run.own, run.names[b])
		}
		for _, b := range node.binders {
			if b < 0 {
				run.binds = append(run.binds, g.vecs.Get(run.vars[-1-b].args)[0])
				continue
			}
			run.binds = append(run.binds, run.names[b])
		}
		c, a := g.addSlotted(node.op, head, run.own, run.kids, run.args, run.binds)
		run.temps = append(run.temps, value{c, a})
	}
	return get(t.out)
}
