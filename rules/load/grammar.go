package load

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ops"
)

// grammar adds a cost grammar, which is checked when all is read.
func (f *fileParser) grammar(d *syntax.Grammar) {
	for _, l := range []*rules.Library{f.lib, f.base} {
		if l == nil {
			continue
		}
		if old, err := l.Grammar(d.Name.Text); err == nil {
			f.errs.Add(f.src, d.Name.Pos, "the grammar %s is there already (%s, line %d)", d.Name.Text, old.Src.Name, old.Src.Line(old.Pos))
			return
		}
	}
	g := &rules.Grammar{Name: d.Name.Text, Src: f.src, Pos: d.Name.Pos}
	f.lib.Grammars = append(f.lib.Grammars, g)
	if !d.Wrong {
		f.uses = append(f.uses, func() { (&grammarChecker{fileParser: f, g: g, d: d}).check() })
	}
}

// taken checks, when all is read, that there is a grammar of a name.
func (f *fileParser) taken(n syntax.Name) {
	f.uses = append(f.uses, func() {
		_, err := f.lib.Grammar(n.Text)
		if err != nil && f.base != nil {
			if _, ofBase := f.base.Grammar(n.Text); ofBase == nil {
				return
			}
		}
		if err != nil {
			f.errs.Add(f.src, n.Pos, "%v", err)
		}
	})
}

// grammarChecker makes a grammar of what is written.
type grammarChecker struct {
	*fileParser
	g     *rules.Grammar
	d     *syntax.Grammar
	named []syntax.Name // the nonterminals, where they come first
	has   []bool        // those that have productions
}

func (c *grammarChecker) check() {
	before := len(*c.errs)
	c.nonterminal(c.d.Root)
	for i := range c.d.Productions {
		d := &c.d.Productions[i]
		from := c.nonterminal(d.From)
		c.has[from] = true
		if d.Named {
			c.nonterminal(d.Of)
		}
		for _, k := range d.Kids {
			c.nonterminal(k)
		}
		c.g.Productions = append(c.g.Productions, rules.Production{From: from, Cost: rules.Cost{C: d.Cost.C}, Named: d.Named, Rest: d.Rest})
	}
	if n := len(c.named); n > maxNonterminals {
		c.errs.Add(c.src, c.named[maxNonterminals].Pos, "a grammar has at most %d nonterminals", maxNonterminals)
		return
	}
	for i := range c.d.Productions {
		c.production(&c.d.Productions[i], &c.g.Productions[i])
	}
	for i, n := range c.named {
		c.g.Nonterminals = append(c.g.Nonterminals, n.Text)
		if !c.has[i] {
			c.errs.Add(c.src, n.Pos, "the nonterminal %s derives nothing%s", n.Text, diag.DidYouMean(n.Text, c.derive()))
		} else if c.operator(n.Text) != nil {
			c.errs.Add(c.src, n.Pos, "%s is an operator: a nonterminal needs another name", n.Text)
		}
	}
	if len(*c.errs) == before {
		c.chains()
		c.reached()
		c.ends()
	}
}

// maxNonterminals bounds what is kept of each class of an e-graph.
const maxNonterminals = 64

// nonterminal is the number of a nonterminal.
func (c *grammarChecker) nonterminal(n syntax.Name) int {
	i := slices.IndexFunc(c.named, func(m syntax.Name) bool { return m.Text == n.Text })
	if i < 0 {
		i = len(c.named)
		c.named, c.has = append(c.named, n), append(c.has, false)
	}
	return i
}

// derive lists the nonterminals that have productions.
func (c *grammarChecker) derive() (out []string) {
	for i, n := range c.named {
		if c.has[i] {
			out = append(out, n.Text)
		}
	}
	return out
}

// operator is the operator of a name, nil if there is none.
func (c *grammarChecker) operator(name string) *ops.Operator {
	o, _ := c.sig.Lookup(name)
	return o
}

func (c *grammarChecker) production(d *syntax.Production, r *rules.Production) {
	c.cost(d, r)
	if d.Named && c.lang != nil {
		c.errs.Add(c.src, d.Of.Pos, "terms of a language have no names: write %s -> %s", d.From.Text, d.Of.Text)
	}
	if r.Chain = d.Named || len(d.Kids) == 0 && slices.Contains(c.derive(), d.Of.Text); r.Chain {
		if r.To = c.nonterminal(d.Of); r.Cost.M > 0 {
			c.errs.Add(c.src, d.Cost.Pos, "m is of the first operand, and %s is no operator", d.Of.Text)
		}
		return
	}
	r.Kids = slice.Map(d.Kids, c.nonterminal)
	o := c.operator(d.Of.Text)
	if r.Has = c.class(d.Of.Text); r.Has != nil && (o == nil || o.Name == ops.Lmap) {
		r.Class = true
		return
	}
	if o == nil {
		c.errs.Add(c.src, d.Of.Pos, "unknown operator %s%s", d.Of.Text, diag.DidYouMean(d.Of.Text, c.names()))
		return
	}
	r.Has = func(p *ops.Operator) bool { return p == o }
	if n := len(d.Kids); o.Arity >= 0 && (n != o.Arity && !d.Rest || d.Rest && n-1 > o.Arity) {
		c.errs.Add(c.src, d.Of.Pos, "%s has %s, not %d", d.Of.Text, diag.Count(o.Arity, "operand"), n)
	}
}

// cost has a production cost multiples, too, of what they say.
func (c *grammarChecker) cost(d *syntax.Production, r *rules.Production) {
	for _, x := range d.Cost.Of {
		switch {
		case c.lang != nil:
			c.attribute(d, r, x)
		case x.Text == "n":
			r.Cost.N = min(r.Cost.N+x.K, syntax.MaxCost)
		case x.Text == "m":
			r.Cost.M = min(r.Cost.M+x.K, syntax.MaxCost)
		default:
			c.errs.Add(c.src, x.Pos, "a cost is in n and m, not %s", x.Text)
		}
	}
}

// attribute has a production of a language cost a multiple of a natural number among the attributes
// of its operator.
func (c *grammarChecker) attribute(d *syntax.Production, r *rules.Production, x syntax.Multiple) {
	o := c.operator(d.Of.Text)
	if d.Named || o == nil || o.Sorted == nil {
		c.errs.Add(c.src, x.Pos, "what a term costs is a number, or multiples of attributes of an operator, and %s is none", d.Of.Text)
		return
	}
	if at, ok := o.Sorted.Natural(x.Text); ok {
		r.Cost.Sizes = append(r.Cost.Sizes, rules.SizeCost{At: at, K: x.K})
		return
	}
	c.errs.Add(c.src, x.Pos, "%s has no natural number %s as an attribute, of which a cost can be a multiple", o.Sorted.Head(), x.Text)
}

// names lists what a production may name.
func (c *grammarChecker) names() []string {
	operators := slice.Map(c.sig.All(), func(o *ops.Operator) string { return o.Name })
	return slices.Concat(c.derive(), operators, c.classNames())
}

// classNames lists the classes of operators.
func (c *grammarChecker) classNames() []string {
	if c.lang == nil {
		return slices.Concat([]string{otherOperator, "declared", ops.Lmap}, syntax.Classes)
	}
	return append([]string{otherOperator, "number", "symbol", "variable"}, classes(c.lang)...)
}

// classes lists the names of the classes of a language.
func classes(l *rules.Language) []string {
	out := slices.Concat(slice.Map(l.Operators, func(o *ops.Operator) []string { return o.Sorted.Classes })...)
	slices.Sort(out)
	return slices.Compact(out)
}

// otherOperator is the class of all operators that no line before names.
const otherOperator = "other"

// class is what a name of many operators stands for, nil if it is none.
func (c *grammarChecker) class(name string) func(*ops.Operator) bool {
	if !slices.Contains(c.classNames(), name) {
		return nil
	}
	switch name {
	case otherOperator:
		return func(*ops.Operator) bool { return true }
	case "declared":
		return func(o *ops.Operator) bool { return (o.Declared != nil || o.Call) && !o.Linear }
	case ops.Lmap:
		return func(o *ops.Operator) bool { return o.Of != ops.SymNone || o.Call && o.Linear }
	}
	if c.lang == nil {
		return (rules.Class{Name: name}).Has
	}
	return func(o *ops.Operator) bool {
		switch {
		case o.Sorted == nil:
			return name == "number" && o.Sym == ops.SymConst || name == "variable" && o.Variable
		case name == "symbol":
			return o.Sorted.Symbol
		}
		return slices.Contains(o.Sorted.Classes, name)
	}
}

// chains looks for nonterminals that derive themselves at no cost.
func (c *grammarChecker) chains() {
	for i, n := range c.named {
		on := c.follow([]int{i}, func(r *rules.Production) []int {
			if r.Chain && r.Cost.Zero() {
				return []int{r.To}
			}
			return nil
		})
		if on[i] > 1 {
			c.errs.Add(c.src, n.Pos, "%s derives itself at no cost, by lines as A -> B alone: one of them needs a cost", n.Text)
			return
		}
	}
}

// reached looks for nonterminals to which the start does not lead.
func (c *grammarChecker) reached() {
	from := c.follow([]int{0}, func(r *rules.Production) []int {
		if r.Chain {
			return []int{r.To}
		}
		return r.Kids
	})
	for i, n := range c.named {
		if from[i] == 0 {
			c.errs.Add(c.src, n.Pos, "%s does not lead to the nonterminal %s", c.named[0].Text, n.Text)
		}
	}
}

// follow counts how often nonterminals are met on the way from some, by the given
// step, which is taken once from each.
func (c *grammarChecker) follow(from []int, next func(*rules.Production) []int) []int {
	met := make([]int, len(c.named))
	for _, i := range from {
		met[i] = 1
	}
	for len(from) > 0 {
		i := from[0]
		from = from[1:]
		for k := range c.g.Productions {
			r := &c.g.Productions[k]
			if r.From != i {
				continue
			}
			for _, to := range next(r) {
				if met[to]++; met[to] == 1 {
					from = append(from, to)
				}
			}
		}
	}
	return met
}

// ends looks for nonterminals from which no term ends.
func (c *grammarChecker) ends() {
	ends := make([]bool, len(c.named))
	for changed := true; changed; {
		changed = false
		for k := range c.g.Productions {
			r := &c.g.Productions[k]
			need := r.Kids
			if r.Chain {
				need = []int{r.To}
			} else if r.Rest {
				need = need[:len(need)-1]
			}
			if !ends[r.From] && !slices.ContainsFunc(need, func(i int) bool { return !ends[i] }) {
				ends[r.From], changed = true, true
			}
		}
	}
	for i, n := range c.named {
		if !ends[i] {
			c.errs.Add(c.src, n.Pos, "the nonterminal %s derives no term that ends", n.Text)
		}
	}
}
