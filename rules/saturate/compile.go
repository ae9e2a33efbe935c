package saturate

import (
	"fmt"
	"slices"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ops"
	"egad/term/types"
)

// form is a rule for the engine, but for what depends on the graph. Metavariables and
// bound variables have the numbers that the engine gives them.
type form struct {
	rule *rules.Rule
	prog *egraph.Program
	// Names of metavariables, of lists of terms, of bound variables and of lists of
	// these, by number. The left side binds the first left of the bound variables.
	metaNames, lists, boundNames, boundLists []string
	left                                     int
	// Variables for static terms, by number, and the constants among these terms.
	statics   []staticVar
	constants []constant
	positions []position
	// permuted are lists that have to be the variables of a list in another order.
	permuted []permuted
	// open says that a match has to be looked at when all of it is known: there are
	// conditions, or sizes that stand where integers do.
	open bool
	// leftSide and right are the two sides; right is nil if it has to be computed.
	leftSide, right *egraph.Pattern
	// Conditions: those that are compiled, and the rest, about attributes and ranges.
	conds []cond
	rest  []*rules.Cond
	// types are patterns for the types that conditions speak of.
	types map[*rules.Cond]*egraph.StaticPattern
	// computed are the terms of conditions that have attributes or lists.
	computed map[*egraph.Pattern]*rules.Pattern
	// listed says that the rule speaks of attributes or lists.
	listed bool
	// root is the sort of what matches, if the left side is a metavariable alone.
	root *types.Type

	opaque bool        // it is of an opaque set
	engine egraph.Rule // as far as it is the same in all graphs
}

// permuted is a list, by its number: the variables of another one, in the order that a permutation says.
type permuted struct {
	list      int
	perm, was string
}

// position is an application or a literal of the left side.
type position struct {
	p   *rules.Pattern
	end int // the position after it
	// each is 1 + the number of a list if the pattern is matched at each of its places.
	each int
}

// applicable reports whether a rule is for rewriting.
func applicable(r *rules.Rule) bool { return !r.BySharing && !r.Nabla }

// formOf is the form of a rule of an opaque set, or of another. It is the same in all
// graphs of arrays.
func (l *lang) formOf(r *rules.Rule, opaque bool) (*form, error) {
	type key bool
	if f, ok := r.Memo.Load(key(opaque)); ok {
		return f.(*form), nil
	}
	l.head(ops.SymNone)
	f, err := compile(l, nil, r, opaque)
	if err == nil {
		r.Memo.Store(key(opaque), f)
	}
	return f, err
}

// compiler translates a rule.
type compiler struct {
	*form
	lang     *lang
	language *Language   // nil of rules for arrays
	matched  bool        // the left side has been translated, with what is looked for together with it
	numbers  map[any]int // where the constants are that are numbers
	err      error
}

// compile translates a rule of a language, or of arrays if that is nil.
func compile(on *lang, language *Language, r *rules.Rule, opaque bool) (*form, error) {
	c := &compiler{form: &form{rule: r, opaque: opaque}, lang: on, language: language}
	c.leftSide = c.pattern(r.Lhs)
	positions := len(c.positions)
	c.left = len(c.boundNames)
	joined := c.joined()
	c.matched = true
	metas := len(c.metaNames)
	if language != nil || c.plain(r.Rhs) {
		c.right = c.pattern(r.Rhs)
	}
	if len(c.computed) > 0 {
		c.right = nil
	}
	for i := range r.Conds {
		k := &r.Conds[i]
		if r.Joined(k) {
			continue
		}
		if c.compiled(k) {
			c.cond(k)
			continue
		}
		if c.rest = append(c.rest, k); k.Kind == rules.CondType {
			memo.Set(&c.types, k, c.typ(k.Type))
		}
	}
	c.open = c.open || len(c.computed)+len(c.rest) > 0
	c.listed = c.listed || c.open
	c.positions = c.positions[:positions]
	if c.err == nil {
		c.prog, c.err = egraph.Compile(on.eng, c.leftSide, metas, c.left, joined...)
	}
	if c.err == nil {
		c.err = c.finish()
	}
	if c.err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.Name, c.err)
	}
	return c.form, nil
}

// joined are the conditions that are looked for together with the left side: patterns that match
// one class. All facts are in that of what is true. They have one position, which nobody asks for,
// and look into all terms.
func (c *compiler) joined() (out [][]*egraph.Pattern) {
	at := len(c.positions)
	var plain func(p *egraph.Pattern)
	plain = func(p *egraph.Pattern) {
		p.Position, p.Opaque = at, false
		for _, k := range p.Kids {
			plain(k)
		}
	}
	for i := range c.rule.Conds {
		k := &c.rule.Conds[i]
		if !c.rule.Joined(k) {
			continue
		}
		both := []*egraph.Pattern{c.pattern(k.L), {Kind: egraph.PApp, Op: c.language.holds, Head: c.lang.eng.Head(c.language.holds)}}
		if k.Kind == rules.CondSame {
			both[1] = c.pattern(k.R)
		}
		for _, p := range both {
			plain(p)
		}
		out = append(out, both)
	}
	return out
}

// plain reports whether the engine can build a right side of a rule for arrays: it is
// operators without attributes, applied to metavariables.
func (c *compiler) plain(p *rules.Pattern) bool {
	return len(c.boundNames)+len(c.boundLists)+len(c.rule.Assumes) == 0 && c.rule.Kind == syntax.Rewrite && p != nil && applied(p)
}

// applied reports whether a term is operators without attributes, applied to metavariables.
func applied(p *rules.Pattern) bool {
	return p.Kind == rules.PMeta || p.Kind == rules.PApp && len(p.Kids) > 0 && p.Name == "" && !p.Implicit && p.Attrs == (rules.Attrs{}) && p.Binders == nil &&
		!slices.ContainsFunc(rules.Flatten(p.Kids), func(e rules.Elem) bool { return e.Kind != rules.EOne || !applied(e.Pat) })
}

// number is the number of a name in a list, to which it is added if it is new.
func number(names *[]string, name string) int {
	i := slices.Index(*names, name)
	if i < 0 {
		i = len(*names)
		*names = append(*names, name)
	}
	return i
}

// fail keeps the first error.
func (c *compiler) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// op is the operator of a pattern of a language.
func (c *compiler) op(op ops.Op, kids int) egraph.Op {
	o, err := c.language.op(op, kids)
	c.fail(err)
	return o
}

func (c *compiler) pattern(p *rules.Pattern) *egraph.Pattern {
	if c.language != nil && c.matched && computed(p) {
		q := &egraph.Pattern{Kind: egraph.PApp}
		memo.Set(&c.computed, q, p)
		return q
	}
	switch p.Kind {
	case rules.PMeta:
		return &egraph.Pattern{Kind: egraph.PVar, Var: number(&c.metaNames, p.Name)}
	case rules.PElem:
		return &egraph.Pattern{Kind: egraph.PElem, Var: number(&c.lists, p.Name)}
	case rules.PIvar:
		q := &egraph.Pattern{Kind: egraph.PSlot, Var: number(&c.boundNames, p.Name)}
		if c.language != nil {
			q.Op = c.variable(c.rule.SortOf(p.Name))
		}
		return q
	case rules.PNumber, rules.PTruth, rules.PZero, rules.PLit, rules.PSizeVal:
		return c.literal(p)
	case rules.PApp:
		return c.application(p)
	}
	c.fail(fmt.Errorf("this form cannot stand on a left side"))
	return &egraph.Pattern{}
}

// computed reports whether a term of a language has attributes or lists itself, or is a substitution.
func computed(p *rules.Pattern) bool {
	return p.Kind == rules.PSubst || p.Kind == rules.PSizeVal || p.Kind == rules.PLit || p.Attrs != (rules.Attrs{}) || slices.ContainsFunc(p.Kids, func(e rules.Elem) bool { return e.Kind != rules.EOne })
}

// variable is the operator of the variables of a sort.
func (c *compiler) variable(t *types.Type) egraph.Op {
	return c.op(ops.Op{Sym: ops.SymLocal, Type: t}, 0)
}

// literal is a literal, or a size where an integer stands.
func (c *compiler) literal(p *rules.Pattern) *egraph.Pattern {
	at := len(c.positions)
	q := c.position(p, ops.SymConst)
	switch {
	case p.Sort != nil:
		q.Op = c.op(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarR(p.Value)), Type: p.Sort}, 0)
		q.Head = c.lang.eng.Head(q.Op)
	case p.Kind == rules.PSizeVal:
		c.open = true
		if p.X == nil {
			break
		}
		// A literal or arithmetic, at one position.
		c.positions = c.positions[:at]
		x := c.pattern(p.X)
		c.positions[at].p = p
		return &egraph.Pattern{Kind: egraph.PEither, Kids: []*egraph.Pattern{q, x}}
	}
	return q
}

// position is the next position.
func (c *compiler) position(p *rules.Pattern, sym ops.Sym) *egraph.Pattern {
	q := &egraph.Pattern{Kind: egraph.PApp, Head: c.lang.head(sym), Position: len(c.positions)}
	c.positions = append(c.positions, position{p: p, end: len(c.positions) + 1})
	if !c.matched && p.Sort == nil {
		q.Statics = c.carried(p)
	}
	return q
}

func (c *compiler) application(p *rules.Pattern) *egraph.Pattern {
	q := c.position(p, p.Sym)
	if c.language != nil {
		if q.Opaque = len(p.Kids) > 0 && (q.Position > 0 || c.language.Prune && !c.opaque); !computed(p) {
			q.Op = c.op(ops.Op{Sym: p.Sym}, len(p.Kids))
		} else {
			c.listed = true
		}
	} else {
		q.Opaque = (c.opaque || len(p.Kids) > 0) && q.Position > 0
	}
	q.Open = p.Implicit
	for _, k := range c.rule.OperatorClasses(p.Name) {
		q.Class |= bitOf(k.Name)
	}
	if b := p.Binders; b != nil {
		q.Binders = append(q.Binders, slice.Map(b.Heads, c.binder)...)
		if b.State != "" {
			q.Binders = append(q.Binders, c.binder(b.State))
		}
		if b.Rest != "" {
			q.Rest = 1 + number(&c.boundLists, b.Rest)
		}
	}
	q.Kids = append(q.Kids, slice.Map(rules.Flatten(p.Kids), c.elem)...)
	c.positions[q.Position].end = len(c.positions)
	return q
}

// binder is a variable that is bound: its number, or -1-m if it is the one that
// metavariable m stands for.
func (c *compiler) binder(name string) int {
	if m := slices.Index(c.metaNames, name); m >= 0 {
		return -1 - m
	}
	return number(&c.boundNames, name)
}

// elem is one of the children, or a list of them.
func (c *compiler) elem(e rules.Elem) *egraph.Pattern {
	switch {
	case e.Kind == rules.EOne:
		return c.pattern(e.Pat)
	case e.Kind == rules.EMap:
		at := len(c.positions)
		q := &egraph.Pattern{Kind: egraph.PEach, Kids: []*egraph.Pattern{c.pattern(e.Pat)}}
		if at < len(c.positions) {
			c.positions[at].each = 1 + number(&c.lists, e.Over[0])
		}
		return q
	case e.List.Kind == rules.LVar:
		return &egraph.Pattern{Kind: egraph.PList, Var: number(&c.lists, e.List.Name)}
	case e.List.Kind == rules.LBound:
		return &egraph.Pattern{Kind: egraph.PSlots, Var: number(&c.boundLists, e.List.Name)}
	case e.List.Kind == rules.LPermute && !c.matched:
		x := permuted{len(c.lists), e.List.Perm.Name, e.List.Arg.Name}
		c.lists = append(c.lists, "permute "+x.perm+" "+x.was)
		c.permuted, c.open = append(c.permuted, x), true
		return &egraph.Pattern{Kind: egraph.PList, Var: x.list}
	}
	c.fail(fmt.Errorf("this list cannot stand on a left side"))
	return &egraph.Pattern{}
}
