package load

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/term/ast"
)

func (c *converter) elems(es []ast.Expr) []rules.Elem {
	return slice.Map(es, c.elem)
}

// elem converts an item of a list of children.
func (c *converter) elem(e ast.Expr) rules.Elem {
	s, ok := e.(*ast.Spread)
	if !ok {
		p := c.term(e)
		if p == nil {
			p = &rules.Pattern{Pos: e.At()}
		}
		return rules.Elem{Kind: rules.EOne, Pat: p}
	}
	return c.spread(s.X)
}

// spread converts what stands for a list among children: a list metavariable, or what is
// there for each of its elements.
func (c *converter) spread(e ast.Expr) rules.Elem {
	if id, ok := e.(*ast.Ident); ok {
		return rules.Elem{Kind: rules.ESplice, List: c.listVar(id)}
	}
	c.listNames(e)
	c.inSpread++
	defer func() { c.inSpread-- }()
	p := c.term(e)
	if p == nil {
		return rules.Elem{Pat: &rules.Pattern{Pos: e.At()}}
	}
	over := c.elementLists(p)
	if c.left {
		switch bad := rules.Find(p, func(q *rules.Pattern) bool { return !repeats(q) }); {
		case bad != nil:
			c.errorf(bad.Pos, "in a spread of the left side there are variables, and operators without types and lists")
		case len(over) == 0:
			c.errorf(e.At(), "a spread needs a list metavariable to run over: one that stands on the right side in spreads alone, as in ts...")
		}
		return rules.Elem{Kind: rules.EMap, Pat: p, Over: over}
	}
	if len(over) == 0 { // the one list there is, or the parts of the one tuple type
		over = slice.Filter(c.v.Order, func(n string) bool { return c.v.Sort[n] == rules.SortTerms })
		if len(over) == 0 {
			over = typeVars(p)
		}
		if len(over) == 0 {
			over = slices.DeleteFunc(slices.Clone(c.v.Order), func(n string) bool { return c.v.Sort[n] != rules.SortType })
		}
		if len(over) != 1 {
			c.errorf(e.At(), "a spread needs a list metavariable to run over")
		}
	}
	return rules.Elem{Kind: rules.EMap, Pat: p, Over: over}
}

// repeats reports whether a pattern, but for its children, may be matched at every
// place of a list.
func repeats(p *rules.Pattern) bool {
	switch p.Kind {
	case rules.PMeta, rules.PElem:
		return true
	case rules.PApp:
		return p.Name == "" && !p.Implicit && p.Attrs.Type == nil && p.Attrs.Type2 == nil && p.Binders == nil && !rules.HasLists(p.Kids)
	}
	return false
}

// listsOf finds the names that are spread in an expression.
func listsOf(f *fileParser, e ast.Expr) map[string]bool {
	c := f.trial()
	c.left, c.lists = true, make(map[string]bool)
	c.term(e)
	for n, s := range c.v.Sort {
		if s == rules.SortTerms {
			c.lists[n] = true
		}
	}
	for n := range c.lens {
		c.lists[n] = true
	}
	return c.lists
}

// elementLists collects the list metavariables of which p takes one element at
// a time, or the type of one.
func (c *converter) elementLists(p *rules.Pattern) []string {
	var out []string
	for q := range p.All() {
		if q.Kind == rules.PElem {
			out = append(out, q.Name)
		}
		q.Types(func(t *rules.TypePat) {
			if t.Kind == rules.TypeOfMeta && c.v.Sort[t.Name] == rules.SortTerms {
				out = append(out, t.Name)
			}
		})
	}
	return out
}

// typeVars collects the type metavariables in p.
func typeVars(p *rules.Pattern) []string {
	var out []string
	for q := range p.All() {
		q.Types(func(t *rules.TypePat) {
			if t.Kind == rules.TypeVar {
				out = append(out, t.Name)
			}
		})
	}
	return out
}

func (c *converter) listVar(id *ast.Ident) *rules.ListPat {
	if b, ok := c.isBound(id.Name); ok {
		if !b.list {
			c.errorf(id.At(), "%s is one index variable, not a list", id.Name)
		}
		return &rules.ListPat{Kind: rules.LBound, Pos: id.At(), Name: id.Name}
	}
	c.use(id.Name, rules.SortTerms, id.At())
	return &rules.ListPat{Kind: rules.LVar, Pos: id.At(), Name: id.Name}
}

// list converts an expression that stands for a list of terms.
func (c *converter) list(e ast.Expr) *rules.ListPat {
	switch e := e.(type) {
	case *ast.Ident:
		return c.listVar(e)
	case *ast.ListLit:
		return &rules.ListPat{Kind: rules.LLit, Pos: e.At(), Elems: c.elems(e.Elems)}
	case *ast.Binary:
		l := &rules.ListPat{Kind: rules.LLit, Pos: e.At()}
		switch e.Op {
		case "::":
			l.Elems = []rules.Elem{c.elem(e.L), {Kind: rules.ESplice, List: c.list(e.R)}}
			return l
		case "++":
			l.Elems = []rules.Elem{{Kind: rules.ESplice, List: c.list(e.L)}, {Kind: rules.ESplice, List: c.list(e.R)}}
			return l
		}
	case *ast.SubstExpr:
		c.rightOnly(e)
		undo := c.bindSubst(e)
		arg := c.list(e.X)
		undo()
		if arg.Kind != rules.LVar {
			c.errorf(e.X.At(), "variables are replaced in a list that is matched, as in ix[i := u]")
		}
		return &rules.ListPat{Kind: rules.LSubst, Pos: e.At(), Arg: arg, Subs: c.bindings(e)}
	case *ast.Call:
		return c.listCall(e)
	}
	c.errorf(e.At(), "expected a list of indices")
	return &rules.ListPat{Pos: e.At()}
}

func (c *converter) listCall(e *ast.Call) *rules.ListPat {
	l := &rules.ListPat{Pos: e.At()}
	id, ok := e.Fn.(*ast.Ident)
	if !ok || len(e.Args) != 2 {
		c.errorf(e.At(), "expected a list of indices")
		return l
	}
	if !c.left || id.Name != "permute" {
		c.rightOnly(e)
	}
	switch id.Name {
	case "permute", "unpermute":
		l.Kind = rules.LPermute
		if id.Name == "unpermute" {
			l.Kind = rules.LUnpermute
		}
		l.Perm, l.Arg = c.attr(e.Args[0], rules.SortPerm), c.list(e.Args[1])
		if c.left && (l.Perm.Kind != rules.AVar || l.Arg.Kind != rules.LBound) {
			c.errorf(e.At(), "on a left side permute has a name for the permutation, and a list of bound variables")
		}
	case "unravel":
		l.Kind = rules.LUnravel
		l.Sizes = c.attr(e.Args[0], rules.SortSizes)
		l.Index = c.term(e.Args[1])
	default:
		c.errorf(e.At(), "unknown list function %s%s", id.Name, diag.DidYouMean(id.Name, []string{"permute", "unpermute", "unravel"}))
	}
	return l
}
