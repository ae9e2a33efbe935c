package theory

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/term"
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
	open  []open // bound variables in scope, the innermost last
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

// open is a variable in scope, by the name that it has there.
type open struct {
	name string
	v    int
}

// under lists the variables in scope.
func (s *scope) under() []int {
	var out []int
	for _, o := range s.open {
		out = append(out, o.v)
	}
	return out
}

// lookup finds a bound variable by name, innermost first.
func (s *scope) lookup(name string) (int, bool) {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].name == name {
			return s.open[i].v, true
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
func (c *checker) term(s *scope, x term.Expr, want *Sort) *node {
	n := c.node(s, x, want)
	if n == nil {
		return nil
	}
	if got := s.sortOf(n); got != nil && want != nil && got != want && got != unknownSort && want != unknownSort {
		c.add(x.At(), "%s has the sort %s, expected %s", c.t.written(s, n), sortName(got), sortName(want))
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

// node checks a form of terms: each is an operator with its operands.
func (c *checker) node(s *scope, x term.Expr, want *Sort) *node {
	switch x := x.(type) {
	case *term.Ident:
		return c.name(s, x, want)
	case *term.Number:
		return c.literal(x, want)
	case *term.Bool:
		return c.operation(s, x.At(), x.At(), strconv.FormatBool(x.Value))
	case *term.Binary:
		return c.operation(s, x.At(), x.OpAt, x.Op, x.L, x.R)
	case *term.Unary:
		return c.operation(s, x.At(), x.At(), "neg", x.X)
	case *term.If:
		return c.operation(s, x.At(), x.At(), "if", x.Cond, x.Then, x.Else)
	case *term.Let:
		return c.operation(s, x.At(), x.At(), "let", x.Bound, &term.Lambda{Params: []term.Pattern{x.Pat}, Body: x.Body})
	case *term.Call:
		f, ok := x.Fn.(*term.Ident)
		if !ok {
			c.add(x.Fn.At(), "an operator is a name, and stands before its operands")
			return nil
		}
		if v, ok := s.lookup(f.Name); ok {
			c.add(f.At(), "%s is a variable, and is not applied", s.vars[v].name)
			return nil
		}
		return c.operation(s, x.At(), f.At(), f.Name, x.Args...)
	case *term.Lambda:
		c.add(x.At(), "a function stands where an operator binds variables only")
		return nil
	}
	c.add(x.At(), "this form is for arrays: a term is a name, a number, or an operator with its operands")
	return nil
}

// name checks what stands by itself: a variable, a symbol, or a metavariable, which
// is any other name.
func (c *checker) name(s *scope, x *term.Ident, want *Sort) *node {
	if v, ok := s.lookup(x.Name); ok {
		return &node{pos: x.At(), kind: nodeVar, v: v, op: s.vars[v].op}
	}
	if c.t.operators[x.Name] != nil {
		return c.operation(s, x.At(), x.At(), x.Name)
	}
	m := s.meta(x.Name)
	switch {
	case m < 0 && s.closed:
		c.unknown(s, x.At(), x.Name)
		return nil
	case m < 0:
		m = len(s.metas)
		s.metas = append(s.metas, meta{name: x.Name, sort: want, under: s.under()})
	case !s.closed:
		s.metas[m].under = common(s.metas[m].under, s.under())
	}
	k := &s.metas[m]
	if k.sort == nil {
		k.sort = want
	}
	return &node{pos: x.At(), kind: nodeMeta, v: m}
}

func (c *checker) unknown(s *scope, pos diag.Pos, name string) {
	names := slices.Sorted(maps.Keys(c.t.operators))
	for _, v := range s.vars {
		names = append(names, v.name)
	}
	if !s.reuse {
		c.add(pos, "there is no symbol or operator %s%s", name, diag.DidYouMean(name, names))
		return
	}
	for _, m := range s.metas {
		names = append(names, m.name)
	}
	c.add(pos, "%s is no symbol and does not occur on the left%s", name, diag.DidYouMean(name, names))
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

// literal checks a number.
func (c *checker) literal(x *term.Number, want *Sort) *node {
	r := x.Num.Rat()
	if want == nil {
		for _, s := range c.t.Sorts {
			if s.Numbers && want != nil {
				c.add(x.At(), "numbers are of several sorts: which one %s has is not clear here", numberText(r))
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
		c.add(x.At(), "%s", why)
		return nil
	}
	return &node{pos: x.At(), op: c.t.literal(want, r)}
}

// operation checks an operator with its operands. Those under the variables that it
// binds are functions of these, as in lam (\x -> x); the others are terms.
func (c *checker) operation(s *scope, pos, at diag.Pos, name string, args ...term.Expr) *node {
	o := c.t.operators[name]
	if o == nil {
		c.unknown(s, at, name)
		// What is inside may have findings of its own.
		for _, x := range args {
			if _, ok := x.(*term.Call); ok {
				c.node(s, x, nil)
			}
		}
		return nil
	}
	if len(args) != len(o.kids) {
		c.add(pos, "%s has %s, not %d", o.Name, count(len(o.kids), "operand"), len(args))
		return nil
	}
	n := &node{pos: pos, op: o}
	ok := true
	for i, x := range args {
		a := o.Operands[o.kids[i]]
		depth := len(s.open)
		if a.Under {
			f, is := x.(*term.Lambda)
			if !is || len(f.Params) != len(o.binders) {
				c.add(x.At(), "%s binds %s here: write \\%s -> …", o.Name, count(len(o.binders), "variable"), o.variables())
				ok = false
				continue
			}
			ok = c.bind(s, n, f.Params) && ok
			x = f.Body
		}
		k := c.term(s, x, a.Sort)
		s.open = s.open[:depth]
		ok = ok && k != nil
		n.kids = append(n.kids, k)
	}
	if !ok {
		return nil
	}
	return n
}

// variables are the names of what an operator binds, as it is declared.
func (o *Operator) variables() string {
	var names []string
	for _, b := range o.binders {
		names = append(names, o.Operands[b].Name)
	}
	return strings.Join(names, " ")
}

// bind brings the variables of a function into scope. Those of the first function
// are what the operator binds, and those of others are other names for them.
func (c *checker) bind(s *scope, n *node, params []term.Pattern) bool {
	first, ok := len(n.binders) == 0, true
	for i, p := range params {
		if p.Kind != term.PatName {
			c.add(p.Pos, "expected the name of a variable")
			return false
		}
		if first {
			b, fine := c.binder(s, p, n.op.Operands[n.op.binders[i]].Sort)
			n.binders = append(n.binders, b)
			ok = ok && fine
		}
		if b := n.binders[i]; ok && b >= 0 {
			s.open = append(s.open, open{p.Name, b})
		}
	}
	return ok
}

// binder is the variable of a name. On a right side it may be a metavariable that
// stands for a variable, which is then bound: the number is -1 less that of it.
func (c *checker) binder(s *scope, p term.Pattern, sort *Sort) (int, bool) {
	if m := s.meta(p.Name); m >= 0 && s.closed && s.metas[m].variable {
		if s.metas[m].sort != sort && s.metas[m].sort != unknownSort && sort != unknownSort {
			c.add(p.Pos, "%s has the sort %s, expected %s", p.Name, sortName(s.metas[m].sort), sortName(sort))
			return 0, false
		}
		return -1 - m, true
	}
	for i, v := range s.vars {
		if v.name != p.Name {
			continue
		}
		if s.reuse {
			if v.sort != sort {
				c.add(p.Pos, "%s has the sort %s on the left, expected %s", p.Name, sortName(v.sort), sortName(sort))
				return 0, false
			}
			return i, true
		}
		if !s.closed {
			c.add(p.Pos, "%s is bound twice on the left: give the variables different names", p.Name)
			return 0, false
		}
	}
	s.vars = append(s.vars, variable{p.Name, sort, c.variable(p.Pos, sort)})
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
