package theory

import (
	"egad/diag"
	"egad/egraph"
)

// checker gives the names of a file a meaning.
type checker struct {
	src  *diag.Source
	errs *diag.List
	t    *Theory
	// findings counts also what the list has already, or has no room for.
	findings int
}

func (c *checker) add(pos diag.Pos, format string, args ...any) {
	c.findings++
	c.errs.Add(c.src, pos, format, args...)
}

func (c *checker) file(f *file) {
	c.t.Name, c.t.Doc = f.name.text, f.name.doc
	c.t.holds = &Operator{Name: "holds", Sort: &Sort{}}
	c.engine(f.name.pos, c.t.holds)
	for _, w := range f.sorts {
		if c.t.sorts[w.text] != nil {
			c.add(w.pos, "the sort %s is declared twice", w.text)
			continue
		}
		s := &Sort{Name: w.text}
		c.t.sorts[w.text] = s
		c.t.Sorts = append(c.t.Sorts, s)
	}
	for _, w := range f.numbers {
		if s := c.sort(w); s != nil {
			s.Numbers = true
		}
	}
	for _, d := range f.symbols {
		s := c.sort(d.sort)
		if s == nil {
			s = unknownSort
		}
		for _, w := range d.names {
			o := &Operator{Name: w.text, Doc: w.doc, Sort: s, Symbol: true}
			if c.operator(w, o) {
				c.t.symbols = append(c.t.symbols, o)
				o.symbol = len(c.t.symbols)
			}
		}
	}
	for _, d := range f.operators {
		c.operatorDecl(d)
	}
	for _, d := range f.folds {
		c.fold(d)
	}
	for _, pos := range f.prune {
		if c.t.prune = c.t.columns; !c.t.prune {
			c.add(pos, "nothing is folded: there is nothing to prune")
		}
	}
	c.rules(f)
	c.tests(f)
}

// unknownSort stands for a sort that has no declaration: what it is used for is
// not looked at again.
var unknownSort = &Sort{Name: "?"}

func (c *checker) sort(w word) *Sort {
	s := c.t.sorts[w.text]
	if s == nil {
		c.add(w.pos, "there is no sort %s%s", w.text, diag.DidYouMean(w.text, keys(c.t.sorts)))
	}
	return s
}

// operator enters an operator under its name.
func (c *checker) operator(w word, o *Operator) bool {
	if c.t.operators[w.text] != nil {
		c.add(w.pos, "%s is declared twice", w.text)
		return false
	}
	c.t.operators[w.text] = o
	c.t.Operators = append(c.t.Operators, o)
	return c.engine(w.pos, o)
}

func (c *checker) engine(pos diag.Pos, o *Operator) bool {
	if err := c.t.declare(o); err != nil {
		c.add(pos, "%v", err)
		return false
	}
	return true
}

func (c *checker) operatorDecl(d operatorDecl) {
	o := &Operator{Name: d.name.text, Doc: d.name.doc, Sort: c.t.holds.Sort, Relation: d.sort == nil}
	if d.sort != nil {
		if o.Sort = c.sort(*d.sort); o.Sort == nil {
			o.Sort = unknownSort
		}
	}
	var names []string
	for _, x := range d.operands {
		if x.binder == nil {
			continue
		}
		for _, n := range names {
			if n == x.binder.text {
				c.add(x.binder.pos, "%s is bound twice", n)
			}
		}
		names = append(names, x.binder.text)
	}
	used := false
	for _, x := range d.operands {
		a := Operand{Sort: c.sort(x.sort), Binder: x.binder != nil, Under: len(x.under) > 0}
		if a.Sort == nil {
			a.Sort = unknownSort
		}
		if x.binder != nil {
			a.Name = x.binder.text
			c.variable(x.binder.pos, a.Sort)
		}
		for i, w := range x.under {
			if i >= len(names) || names[i] != w.text {
				c.add(w.pos, "%s is not the variable number %d that %s binds", w.text, i+1, d.name.text)
			}
		}
		if a.Under && len(x.under) < len(names) {
			c.add(x.sort.pos, "a child is in the scope of all variables of %s or of none", d.name.text)
		}
		used = used || a.Under
		o.Operands = append(o.Operands, a)
	}
	if len(names) > 0 && !used {
		c.add(d.name.pos, "%s binds %s in no child: write the sort of a child as %s.%s", d.name.text, names[0], names[0], d.operands[len(d.operands)-1].sort.text)
	}
	if o.Relation && len(d.operands) == 0 {
		c.add(d.name.pos, "a relation is between terms: %s has none", d.name.text)
	}
	if c.operator(d.name, o) && o.Relation && o.Name == "!=" {
		if len(o.Operands) != 2 || o.Operands[0].Sort != o.Operands[1].Sort || len(o.binders) > 0 {
			c.add(d.name.pos, "!= is between two terms of one sort")
			return
		}
		a := &egraph.Pattern{Kind: egraph.PVar}
		p, err := egraph.Compile(c.t.sig, &egraph.Pattern{Kind: egraph.PApp, Head: o.head, Kids: []*egraph.Pattern{a, a}}, 1, 0)
		if err != nil {
			c.add(d.name.pos, "%v", err)
			return
		}
		c.t.distinct, c.t.selfDistinct, c.t.columns = o, p, true
	}
}

// variable is the operator of variables of a sort.
func (c *checker) variable(pos diag.Pos, s *Sort) *Operator {
	if s.variable == nil {
		s.variable = &Operator{Name: "variable", Sort: s}
		c.engine(pos, s.variable)
	}
	return s.variable
}
