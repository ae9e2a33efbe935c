package load

import (
	"slices"
	"sync"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/set"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
	"egad/term/ops"
)

// converter turns the expressions of one rule into patterns.
type converter struct {
	f        *fileParser
	r        *rules.Rule
	v        *rules.Variables
	left     bool
	bound    []boundVar // binders in scope, innermost last
	conds    []rules.Cond
	lets     []string // let-bound variables in scope
	inSpread int      // how many spreads enclose the expression
	// right is the right side; the names that are spread there are lists on the left.
	right ast.Expr
	lists map[string]bool
	// sizes are the metavariables that stand for the size of an axis on the left
	// side: elsewhere there they are that size as an integer.
	sizes map[string]bool
	// matched are the metavariables that are matched, not only computed with.
	matched map[string]bool
	// inCondition says that the expression is in a condition, where a literal stands
	// for itself.
	inCondition bool
	// inTest says that the expression is a term of a test: there are no metavariables.
	inTest bool
	// binding says that the expression is in a condition that binds metavariables.
	binding bool
	// awaited are the sorts of the metavariables that conditions may bind as attributes, in a language.
	awaited map[string]rules.Sort
	// missed are the names of which it is said that nothing binds them, or a variable in them.
	missed map[string]bool
	// broken says that the left side is wrong.
	broken bool
	gap    bool // something in the left side has a form that cannot be
	// computing says that the expression is computed, not matched.
	computing bool
	// lens are the lengths of lists among the operands of operators of a language that have
	// a fixed number of them: each element is a metavariable. Copy is 1 + the place of the
	// element in a spread over such lists, 0 outside.
	lens map[string]int
	copy int
}

type boundVar struct {
	name string
	is   string // the variable, which may have been bound by another name
	list bool
}

func newConverter(f *fileParser, r *rules.Rule) *converter {
	return &converter{f: f, r: r, v: rules.NewVariables(), sizes: make(map[string]bool), matched: make(map[string]bool), lens: make(map[string]int)}
}

// trial is a converter of which nobody reads what is wrong.
func (f *fileParser) trial() *converter {
	scratch := *f
	scratch.errs = new(diag.List)
	return newConverter(&scratch, &rules.Rule{})
}

// errorf reports what is wrong. After a left side that is, only formErrorf does:
// what the right side's names are is not known.
func (c *converter) errorf(pos diag.Pos, format string, args ...any) {
	if !c.broken {
		c.f.errs.Add(c.f.src, pos, format, args...)
	}
}

// formErrorf reports what is wrong whatever names stand for. Names in what is left out of a left side
// for it are not met.
func (c *converter) formErrorf(pos diag.Pos, format string, args ...any) {
	c.gap = c.gap || c.left
	c.f.errs.Add(c.f.src, pos, format, args...)
}

// rule converts both sides, the conditions and the guard.
func (c *converter) rule(lhs, rhs ast.Expr, conds, assumed, guard []syntax.Cond) {
	c.right = rhs
	c.broken = !c.leftSide(lhs, conds)
	if sizes := c.sizes; c.f.lang == nil && len(sizes) > 0 {
		// They may come after places where they are used as integers, which are read again.
		*c.f.errs = nil
		*c = *newConverter(c.f, c.r)
		c.right, c.sizes = rhs, sizes
		c.broken = !c.leftSide(lhs, conds)
	}
	test := c.guard(guard)
	c.conditions(assumed)
	c.r.Assumes, c.bound, c.inCondition = c.conds, nil, false
	for _, k := range c.r.Assumes {
		if k.Kind != rules.CondOrder && k.Kind != rules.CondFinite {
			c.errorf(k.Pos, "only facts about numbers can be assumed, as in: assuming finite a, b != 0")
		}
	}
	for _, k := range c.r.Conds {
		if k.Kind == rules.CondClass {
			if c.v.Sort[k.Name] != rules.SortOp {
				c.errorf(k.Pos, "?%s is not on the left side", k.Name)
			}
			memo.Set(&c.v.Class, k.Name, append(c.v.Class[k.Name], k.Class))
		}
	}
	for _, n := range c.v.Order {
		if c.v.Sort[n] == rules.SortOp && len(c.v.Class[n]) == 0 {
			c.errorf(c.r.Pos, "the operator variable ?%s needs a class, as in: if ?%s : elementwise/2", n, n)
		}
	}
	c.operands(c.r.Lhs)
	c.openLists(c.r.Lhs, make(map[string]bool))
	if c.r.Nabla {
		c.maps(rhs)
	} else {
		c.r.Rhs = c.term(rhs)
	}
	if test != nil && c.r.Rhs != nil {
		c.r.Rhs = operation(ops.SymCond, test, c.r.Rhs, &rules.Pattern{Kind: rules.PZero, Pos: test.Pos})
	}
	c.r.BySharing = rules.Find(c.r.Lhs, func(p *rules.Pattern) bool { return p.Kind == rules.PLet }) != nil
	c.r.Vars = c.v
	c.r.Memo = new(sync.Map)
}

// operands reports operator variables that are applied to more or fewer operands
// than the operators of their class have.
func (c *converter) operands(p *rules.Pattern) {
	if p == nil {
		return
	}
	for _, k := range c.v.Class[p.Name] {
		if p.Kind == rules.PApp && k.Arity != 0 && k.Arity != len(p.Kids) && !rules.HasLists(p.Kids) {
			c.errorf(p.Pos, "?%s has %d operands here, and the operators of its class %s/%d have %d", p.Name, len(p.Kids), k.Name, k.Arity, k.Arity)
			return
		}
	}
	for _, q := range p.Inside() {
		c.operands(q)
	}
}

// openLists reports operands among which there are two lists of unknown length. An
// operator variable has few operands, so that all ways to divide them can be tried; the
// author of a language knows how many its terms have.
func (c *converter) openLists(p *rules.Pattern, known map[string]bool) {
	if p == nil || c.f.lang != nil {
		return
	}
	open := 0
	for _, e := range rules.Flatten(p.Kids) {
		over := e.Over
		if e.Kind == rules.ESplice {
			over = []string{e.List.Name}
		}
		if len(over) > 0 && !slices.ContainsFunc(over, func(l string) bool { return known[l] || c.v.Sort[l] == rules.SortIndices }) {
			open++
		}
		set.Add(known, over...)
		c.openLists(e.Pat, known)
	}
	if open > 1 && p.Name == "" {
		c.errorf(p.Pos, "there are %d lists of unknown length among these operands: only those of an operator variable may be divided in many ways", open)
	}
}

// leftSide converts the left side and the conditions. It is false if there is no
// left side.
func (c *converter) leftSide(lhs ast.Expr, conds []syntax.Cond) bool {
	c.left = true
	if call, ok := lhs.(*ast.Call); ok && ast.IsIdent(call.Fn, "nabla") && len(call.Args) == 1 && c.f.lang == nil {
		c.r.Nabla = true
		lhs = call.Args[0]
	}
	c.r.Lhs = c.term(lhs)
	c.left = false
	switch {
	case c.r.Lhs == nil, c.gap:
		c.broken = true
	case c.r.Lhs.Kind != rules.PApp && c.r.Lhs.Kind != rules.PLet && (c.r.Lhs.Kind != rules.PMeta || c.r.Nabla):
		c.errorf(c.r.Lhs.Pos, "the left side of a rule is an operator applied to something, or a metavariable")
		c.broken = true
	}
	// A condition may speak of a term below binders.
	for _, n := range c.v.Order {
		switch c.v.Sort[n] {
		case rules.SortIndex, rules.SortIndices, rules.SortState:
			c.bound = append(c.bound, boundVar{n, n, c.v.Sort[n] == rules.SortIndices})
		}
	}
	c.inCondition = true
	if !c.broken {
		c.holding()
	}
	c.conditions(conds)
	c.r.Conds, c.conds = c.conds, nil
	for _, n := range c.v.Order {
		if s := c.v.Sort[n]; s != rules.SortIndex && s != rules.SortIndices && s != rules.SortState && !c.matched[n] {
			c.errorf(c.r.Pos, "%s is %s, and nothing says which: on the left side it is only computed with", n, s)
		}
	}
	return !c.broken
}

// maps converts the right side of a derivative rule: [l1, l2, none].
func (c *converter) maps(rhs ast.Expr) {
	l, ok := rhs.(*ast.ListLit)
	if !ok {
		c.errorf(rhs.At(), "a derivative is a list of linear maps, one for each operand (none where there is none)")
		return
	}
	for _, e := range l.Elems {
		if ast.IsIdent(e, "none") {
			c.r.Maps = append(c.r.Maps, rules.Elem{Kind: rules.ENone})
			continue
		}
		c.r.Maps = append(c.r.Maps, c.elem(e))
	}
}
