package theory

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/rules/syntax"
	"egad/term"
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

// file is a file by kinds of declarations, which may come in any order.
type file struct {
	sorts    []syntax.Name
	numbers  []syntax.Name
	symbols  []*syntax.Symbols
	ops      []*syntax.Op
	folds    []*syntax.Fold
	prune    []*syntax.Prune
	rules    []ruleDecl
	backoffs []*syntax.Backoff
	tests    []*syntax.Test
}

// ruleDecl is a rule and the rule set that is open where it stands.
type ruleDecl struct {
	*syntax.Rule
	set string
}

// read reads a file, going on after an error at the next declaration.
func (c *checker) read() *file {
	f := &file{}
	set := ""
	first := true
	syntax.Read(c.src, c.errs, func(d syntax.Decl) bool {
		switch d := d.(type) {
		case *syntax.Language:
			if !first || len(*c.errs) > 0 {
				c.errs.Add(c.src, d.Start(), "a file has one language")
			}
			c.t.Name, c.t.Doc = d.Name.Text, d.Doc
		case *syntax.Sorts:
			f.sorts = append(f.sorts, d.Names...)
		case *syntax.Numbers:
			f.numbers = append(f.numbers, d.Sorts...)
		case *syntax.Symbols:
			f.symbols = append(f.symbols, d)
		case *syntax.Op:
			f.ops = append(f.ops, d)
		case *syntax.Fold:
			f.folds = append(f.folds, d)
		case *syntax.Prune:
			f.prune = append(f.prune, d)
		case *syntax.Ruleset:
			set = d.Name.Text
		case *syntax.Rule:
			f.rules = append(f.rules, ruleDecl{d, set})
		case *syntax.Backoff:
			f.backoffs = append(f.backoffs, d)
		case *syntax.Test:
			f.tests = append(f.tests, d)
		default:
			c.errs.Add(c.src, d.Start(), "this declaration is for arrays, and not for languages of their own")
		}
		first = false
		return true
	})
	return f
}

func (c *checker) file(f *file) {
	c.t.holds = &Operator{Name: "holds", Sort: &Sort{}}
	c.engine(0, c.t.holds)
	for _, w := range f.sorts {
		if c.t.sorts[w.Text] != nil {
			c.add(w.Pos, "the sort %s is declared twice", w.Text)
			continue
		}
		s := &Sort{Name: w.Text}
		c.t.sorts[w.Text] = s
		c.t.Sorts = append(c.t.Sorts, s)
	}
	for _, w := range f.numbers {
		if s := c.sort(w); s != nil {
			s.Numbers = true
		}
	}
	for _, d := range f.symbols {
		s := c.sortOf(d.Type)
		for _, w := range d.Names {
			o := &Operator{Name: w.Text, Doc: d.Doc, Sort: s, Symbol: true}
			if c.operator(w, o) && c.formed(w, o) {
				c.t.symbols = append(c.t.symbols, o)
				o.symbol = len(c.t.symbols)
			}
		}
	}
	for _, d := range f.ops {
		c.operatorDecl(d)
	}
	for _, d := range f.folds {
		c.fold(d)
	}
	for _, d := range f.prune {
		if c.t.prune = c.t.columns; !c.t.prune {
			c.add(d.Start(), "nothing is folded: there is nothing to prune")
		}
	}
	c.rules(f)
	c.tests(f)
}

// sortOf is the sort that a type names.
func (c *checker) sortOf(t term.TypeExpr) *Sort {
	if t.Kind != term.TyName || len(t.Sizes) > 0 {
		c.add(t.Pos, "expected a sort")
		return unknownSort
	}
	if s := c.sort(syntax.Name{Pos: t.Pos, Text: t.Name}); s != nil {
		return s
	}
	return unknownSort
}

// unknownSort stands for a sort that has no declaration: what it is used for is
// not looked at again.
var unknownSort = &Sort{Name: "?"}

func (c *checker) sort(w syntax.Name) *Sort {
	s := c.t.sorts[w.Text]
	if s == nil {
		c.add(w.Pos, "there is no sort %s%s", w.Text, diag.DidYouMean(w.Text, slices.Sorted(maps.Keys(c.t.sorts))))
	}
	return s
}

// operator enters an operator under its name.
func (c *checker) operator(w syntax.Name, o *Operator) bool {
	if c.t.operators[w.Text] != nil {
		c.add(w.Pos, "%s is declared twice", w.Text)
		return false
	}
	c.t.operators[w.Text] = o
	c.t.Operators = append(c.t.Operators, o)
	return c.engine(w.Pos, o)
}

func (c *checker) engine(pos diag.Pos, o *Operator) bool {
	if err := c.t.declare(o); err != nil {
		c.add(pos, "%v", err)
		return false
	}
	return true
}

// formed reports whether an operator has the operands of the form of terms that its
// name stands for, if it does.
func (c *checker) formed(w syntax.Name, o *Operator) bool {
	kids, binders, form := 0, 0, ""
	switch _, _, infix := term.InfixStrength(o.Name); {
	case infix:
		kids, form = 2, "a "+o.Name+" b"
	case o.Name == "if":
		kids, form = 3, "if a then b else c"
	case o.Name == "let":
		kids, binders, form = 2, 1, "let x = a in b"
	case o.Name == "true" || o.Name == "false":
		form = o.Name
	default:
		return true
	}
	if len(o.kids) == kids && len(o.binders) == binders && (binders == 0 || !o.Operands[o.kids[0]].Under) {
		return true
	}
	c.add(w.Pos, "%s has the operands that it has in: %s", o.Name, form)
	return false
}

func (c *checker) operatorDecl(d *syntax.Op) {
	o := &Operator{Name: d.Name.Text, Doc: d.Doc, Sort: c.t.holds.Sort, Relation: d.Sort == nil}
	if d.Sort != nil {
		if o.Sort = c.sort(*d.Sort); o.Sort == nil {
			o.Sort = unknownSort
		}
	}
	var names []string
	for _, x := range d.Operands {
		if x.Binder == nil {
			continue
		}
		for _, n := range names {
			if n == x.Binder.Text {
				c.add(x.Binder.Pos, "%s is bound twice", n)
			}
		}
		names = append(names, x.Binder.Text)
	}
	used := false
	for _, x := range d.Operands {
		a := Operand{Sort: c.sort(x.Sort), Binder: x.Binder != nil, Under: len(x.Under) > 0}
		if a.Sort == nil {
			a.Sort = unknownSort
		}
		if x.Binder != nil {
			a.Name = x.Binder.Text
			c.variable(x.Binder.Pos, a.Sort)
		}
		for i, w := range x.Under {
			if i >= len(names) || names[i] != w.Text {
				c.add(w.Pos, "%s is not the variable number %d that %s binds", w.Text, i+1, d.Name.Text)
			}
		}
		if a.Under && len(x.Under) < len(names) {
			c.add(x.Sort.Pos, "a child is in the scope of all variables of %s or of none", d.Name.Text)
		}
		used = used || a.Under
		o.Operands = append(o.Operands, a)
	}
	if len(names) > 0 && !used {
		c.add(d.Name.Pos, "%s binds %s in no child: write the sort of a child as %s.%s", d.Name.Text, names[0], names[0], d.Operands[len(d.Operands)-1].Sort.Text)
	}
	if o.Relation && len(d.Operands) == 0 {
		c.add(d.Name.Pos, "a relation is between terms: %s has none", d.Name.Text)
	}
	if c.operator(d.Name, o) && c.formed(d.Name, o) && o.Relation && o.Name == "!=" {
		if len(o.Operands) != 2 || o.Operands[0].Sort != o.Operands[1].Sort || len(o.binders) > 0 {
			c.add(d.Name.Pos, "!= is between two terms of one sort")
			return
		}
		a := &egraph.Pattern{Kind: egraph.PVar}
		p, err := egraph.Compile(c.t.sig, &egraph.Pattern{Kind: egraph.PApp, Head: o.head, Kids: []*egraph.Pattern{a, a}}, 1, 0)
		if err != nil {
			c.add(d.Name.Pos, "%v", err)
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
