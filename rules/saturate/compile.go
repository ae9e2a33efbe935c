package saturate

import (
	"fmt"
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/term"
)

// form is a rule for the engine, the same in all graphs. Metavariables have the
// numbers that the program gives them.
type form struct {
	rule  *rules.Rule
	prog  *egraph.Program
	sites []site // by position
	// Names of terms, of lists of terms, of index variables and of lists of them.
	terms, lists, indices, indexLists []string
	// open says that a match has to be looked at when all of it is known: there are
	// conditions, or sizes that stand where integers do.
	open  bool
	right *template // nil if the right side has to be computed
}

// site is an application or a literal of the left side.
type site struct {
	p   *rules.Pattern
	end int // the position after it
	// each is 1 + the number of a list if the pattern is matched at each of its places.
	each int
}

// applicable reports whether a rule is for rewriting.
func applicable(r *rules.Rule) bool { return !r.BySharing && !r.Nabla }

// formOf is the form of a rule of an opaque set, or of another.
func (l *lang) formOf(r *rules.Rule, opaque bool) (*form, error) {
	type key bool
	if f, ok := r.Memo.Load(key(opaque)); ok {
		return f.(*form), nil
	}
	l.head(term.SymNone)
	f := &form{rule: r}
	c := &compiler{form: f, opaque: opaque}
	p := c.pattern(r.Lhs)
	err := c.err
	if err == nil {
		f.prog, err = egraph.Compile(l.eng, p, len(f.terms), len(f.indices))
	}
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.Name, err)
	}
	f.open = f.open || slices.ContainsFunc(r.Conds, func(c rules.Cond) bool { return c.Kind != rules.CondClass }) // the engine has looked at classes
	f.right = f.template()
	r.Memo.Store(key(opaque), f)
	return f, nil
}

// compiler translates the left side of a rule.
type compiler struct {
	*form
	opaque bool
	err    error
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

func (c *compiler) pattern(p *rules.Pattern) *egraph.Pattern {
	switch p.Kind {
	case rules.PMeta:
		return &egraph.Pattern{Kind: egraph.PVar, Var: number(&c.terms, p.Name)}
	case rules.PElem:
		return &egraph.Pattern{Kind: egraph.PElem, Var: number(&c.lists, p.Name)}
	case rules.PIvar:
		return &egraph.Pattern{Kind: egraph.PSlot, Var: number(&c.indices, p.Name)}
	case rules.PNumber, rules.PTruth, rules.PZero, rules.PLit, rules.PSizeVal:
		at := len(c.sites)
		q := c.site(p, term.SymConst)
		if p.Kind != rules.PSizeVal {
			return q
		}
		c.open = true
		if p.X == nil {
			return q
		}
		// A literal or arithmetic, at one position.
		c.sites = c.sites[:at]
		x := c.pattern(p.X)
		c.sites[at].p = p
		return &egraph.Pattern{Kind: egraph.PEither, Kids: []*egraph.Pattern{q, x}}
	case rules.PApp:
		return c.application(p)
	}
	c.err = fmt.Errorf("this form cannot stand on a left side")
	return &egraph.Pattern{}
}

// site is the next position.
func (c *compiler) site(p *rules.Pattern, sym term.Sym) *egraph.Pattern {
	q := &egraph.Pattern{Kind: egraph.PApp, Head: egraph.HeadID(sym), Position: len(c.sites)}
	c.sites = append(c.sites, site{p: p, end: len(c.sites) + 1})
	if p.Kind != rules.PApp || p.Name != "" || p.Attrs != (rules.Attrs{}) || p.Binders != nil {
		q.Attrs = p
	}
	return q
}

func (c *compiler) application(p *rules.Pattern) *egraph.Pattern {
	q := c.site(p, p.Sym)
	q.Opaque = c.opaque && q.Position > 0
	for _, k := range c.rule.OperatorClasses(p.Name) {
		q.Class |= bitOf(k.Name)
	}
	if b := p.Binders; b != nil {
		for _, h := range b.Heads {
			q.Binders = append(q.Binders, number(&c.indices, h))
		}
		if b.State != "" {
			q.Binders = append(q.Binders, number(&c.indices, b.State))
		}
		if b.Rest != "" {
			q.Rest = 1 + number(&c.indexLists, b.Rest)
		}
	}
	for _, e := range rules.Flatten(p.Kids) {
		q.Kids = append(q.Kids, c.elem(e))
	}
	c.sites[q.Position].end = len(c.sites)
	return q
}

// elem is one of the children, or a list of them.
func (c *compiler) elem(e rules.Elem) *egraph.Pattern {
	switch {
	case e.Kind == rules.EOne:
		return c.pattern(e.Pat)
	case e.Kind == rules.EMap:
		at := len(c.sites)
		q := &egraph.Pattern{Kind: egraph.PEach, Kids: []*egraph.Pattern{c.pattern(e.Pat)}}
		if at < len(c.sites) {
			c.sites[at].each = 1 + number(&c.lists, e.Over[0])
		}
		return q
	case e.List.Kind == rules.LVar:
		return &egraph.Pattern{Kind: egraph.PList, Var: number(&c.lists, e.List.Name)}
	case e.List.Kind == rules.LBound:
		return &egraph.Pattern{Kind: egraph.PSlots, Var: number(&c.indexLists, e.List.Name)}
	}
	c.err = fmt.Errorf("this list cannot stand on a left side")
	return &egraph.Pattern{}
}
