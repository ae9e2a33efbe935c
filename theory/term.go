package theory

import (
	"fmt"
	"math/big"

	"egad/diag"
)

// node is a checked term or pattern.
type node struct {
	pos  diag.Pos
	kind nodeKind
	// v numbers a metavariable or a bound variable of the scope.
	v    int
	op   *Operator
	kids []*node
	// binders numbers the bound variables; -1-m is the variable that
	// metavariable m stands for.
	binders []int
}

type nodeKind uint8

const (
	nodeApp nodeKind = iota
	nodeMeta
	nodeVar
)

// scope is what names mean in a rule or a test.
type scope struct {
	metas []meta
	vars  []variable
	open  []int // bound variables in scope, the innermost last
	// closed says that metavariables must be known already.
	closed bool
	// free says that the variables of the left side may be used anywhere.
	free bool
	// reuse says that a binder with the name of one on the left is that one.
	reuse bool
}

type meta struct {
	name string
	sort *Sort
	// under has the bound variables that it may mention: those around all its
	// places.
	under    []int
	variable bool // it stands for a variable
}

type variable struct {
	name string
	sort *Sort
	op   *Operator
}

func (s *scope) meta(name string) int {
	for i := range s.metas {
		if s.metas[i].name == name {
			return i
		}
	}
	return -1
}

// lookup finds a bound variable by name, innermost first.
func (s *scope) lookup(name string) (int, bool) {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.vars[s.open[i]].name == name {
			return s.open[i], true
		}
	}
	if s.free {
		for i := range s.vars {
			if s.vars[i].name == name {
				return i, true
			}
		}
	}
	return 0, false
}

// sortName is a sort in messages.
func sortName(s *Sort) string {
	if s.Name == "" {
		return "fact"
	}
	return s.Name
}

// term checks x against the sort that is expected there; nil expects nothing.
// The result is nil if it has findings.
func (c *checker) term(s *scope, x *sexp, want *Sort) *node {
	n := c.node(s, x, want)
	if n == nil {
		return nil
	}
	if got := s.sortOf(n); got != nil && want != nil && got != want && got != unknownSort && want != unknownSort {
		c.add(x.pos, "%s has the sort %s, expected %s", x, sortName(got), sortName(want))
		return nil
	}
	return n
}

// sortOf is the sort of a checked term; nil for a metavariable that can be of
// any.
func (s *scope) sortOf(n *node) *Sort {
	switch n.kind {
	case nodeMeta:
		return s.metas[n.v].sort
	case nodeVar:
		return s.vars[n.v].sort
	}
	return n.op.Sort
}

func (c *checker) node(s *scope, x *sexp, want *Sort) *node {
	if x.list != nil {
		return c.application(s, x)
	}
	if x.atom[0] == '?' {
		return c.metavariable(s, x, want)
	}
	if v, ok := s.lookup(x.atom); ok {
		return &node{pos: x.pos, kind: nodeVar, v: v, op: s.vars[v].op}
	}
	if r, ok := number(x.atom); ok {
		return c.literal(x, r, want)
	}
	o := c.t.operators[x.atom]
	switch {
	case o == nil:
		c.unknown(s, x)
		return nil
	case len(o.Operands) > 0:
		c.add(x.pos, "%s has %s", x.atom, count(len(o.Operands), "operand"))
		return nil
	}
	return &node{pos: x.pos, op: o}
}

func (c *checker) unknown(s *scope, x *sexp) {
	switch {
	case numberSyntax.MatchString(x.atom):
		c.add(x.pos, "the denominator is 0")
		return
	case manyDigits.MatchString(x.atom):
		c.add(x.pos, "a number has at most %d digits before and after . or /", maxDigits)
		return
	}
	names := keys(c.t.operators)
	for _, v := range s.vars {
		names = append(names, v.name)
	}
	c.add(x.pos, "there is no symbol or operator %s%s", x.atom, diag.DidYouMean(x.atom, names))
}

func (c *checker) metavariable(s *scope, x *sexp, want *Sort) *node {
	m := s.meta(x.atom)
	switch {
	case x.atom == "?":
		c.add(x.pos, "a metavariable has a name after the question mark")
		return nil
	case m < 0 && s.closed:
		var names []string
		for _, k := range s.metas {
			names = append(names, k.name)
		}
		if !s.reuse {
			c.add(x.pos, "metavariables stand in rules")
		} else {
			c.add(x.pos, "%s does not occur on the left%s", x.atom, diag.DidYouMean(x.atom, names))
		}
		return nil
	case m < 0:
		m = len(s.metas)
		s.metas = append(s.metas, meta{name: x.atom, sort: want, under: append([]int(nil), s.open...)})
	case !s.closed:
		s.metas[m].under = common(s.metas[m].under, s.open)
	}
	k := &s.metas[m]
	if k.sort == nil {
		k.sort = want
	}
	return &node{pos: x.pos, kind: nodeMeta, v: m}
}

// common lists the elements of a that are in b.
func common(a, b []int) []int {
	var out []int
	for _, x := range a {
		for _, y := range b {
			if x == y {
				out = append(out, x)
			}
		}
	}
	return out
}

func (c *checker) literal(x *sexp, r *big.Rat, want *Sort) *node {
	if want == nil {
		for _, s := range c.t.Sorts {
			if s.Numbers && want != nil {
				c.add(x.pos, "numbers are of several sorts: which one %s has is not clear here", x.atom)
				return nil
			}
			if s.Numbers {
				want = s
			}
		}
	}
	if want == unknownSort {
		return nil
	}
	if want == nil || !want.Numbers {
		why := "no sort has numbers"
		if want != nil {
			why = fmt.Sprintf("the sort %s has no numbers", sortName(want))
		}
		c.add(x.pos, "%s", why)
		return nil
	}
	return &node{pos: x.pos, op: c.t.literal(want, r)}
}

func (c *checker) application(s *scope, x *sexp) *node {
	f := x.list[0]
	if f.list != nil || f.atom[0] == '?' {
		c.add(f.pos, "a list begins with the name of an operator")
		return nil
	}
	o := c.t.operators[f.atom]
	if o == nil {
		c.unknown(s, f)
		// What is inside may have findings of its own.
		for _, k := range x.list[1:] {
			if k.list != nil {
				c.node(s, k, nil)
			}
		}
		return nil
	}
	if len(x.list)-1 != len(o.Operands) {
		c.add(x.pos, "%s has %s, not %d", o.Name, count(len(o.Operands), "operand"), len(x.list)-1)
		return nil
	}
	n := &node{pos: x.pos, op: o}
	ok := true
	var bound []int // in scope in the children
	for i, a := range o.Operands {
		if !a.Binder {
			continue
		}
		b, fine := c.binder(s, x.list[i+1], a.Sort)
		ok = ok && fine
		n.binders = append(n.binders, b)
		if fine && b >= 0 {
			bound = append(bound, b)
		}
	}
	for i, a := range o.Operands {
		if a.Binder {
			continue
		}
		depth := len(s.open)
		if a.Under {
			s.open = append(s.open, bound...)
		}
		k := c.term(s, x.list[i+1], a.Sort)
		s.open = s.open[:depth]
		ok = ok && k != nil
		n.kids = append(n.kids, k)
	}
	if !ok {
		return nil
	}
	return n
}

// binder reads the name of a bound variable. On a right side it may be a
// metavariable that stands for a variable.
func (c *checker) binder(s *scope, x *sexp, sort *Sort) (int, bool) {
	switch {
	case x.list != nil:
		c.add(x.pos, "expected the name of a variable")
		return 0, false
	case x.atom[0] == '?':
		m := s.meta(x.atom)
		if !s.closed || m < 0 || !s.metas[m].variable {
			c.add(x.pos, "expected the name of a variable: %s may stand here on a right side or in a condition, under the condition %s is variable", x.atom, x.atom)
			return 0, false
		}
		if s.metas[m].sort != sort && s.metas[m].sort != unknownSort && sort != unknownSort {
			c.add(x.pos, "%s has the sort %s, expected %s", x.atom, sortName(s.metas[m].sort), sortName(sort))
			return 0, false
		}
		return -1 - m, true
	case !isName(x.atom):
		c.add(x.pos, "expected the name of a variable")
		return 0, false
	}
	for i, v := range s.vars {
		if v.name != x.atom {
			continue
		}
		if s.reuse {
			if v.sort != sort {
				c.add(x.pos, "%s has the sort %s on the left, expected %s", x.atom, sortName(v.sort), sortName(sort))
				return 0, false
			}
			return i, true
		}
		if !s.closed {
			c.add(x.pos, "%s is bound twice on the left: give the variables different names", x.atom)
			return 0, false
		}
	}
	s.vars = append(s.vars, variable{x.atom, sort, c.variable(x.pos, sort)})
	return len(s.vars) - 1, true
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "child":
		return fmt.Sprintf("%d children", n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
