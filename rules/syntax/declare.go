package syntax

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"egad/diag"
	"egad/term/ast"
	"egad/term/ops"
)

// nameHere reads a name on the same line: the word that begins the next one is none.
func (p *parser) nameHere(what string) Name {
	if p.NewLine() {
		p.Fail(p.Done(), "expected %s", what)
	}
	return p.Name(what)
}

// names reads the names on the rest of the line; there is at least one.
func (p *parser) names(what string) []Name {
	out := []Name{p.nameHere(what)}
	for !p.NewLine() {
		out = append(out, p.Name(what))
	}
	return out
}

// natural reads a number.
func (p *parser) natural() int {
	t := p.Peek()
	n, err := strconv.Atoi(t.Text)
	if errors.Is(err, strconv.ErrRange) {
		p.Fail(t.Pos, "expected a number from 0 to %d", math.MaxInt)
	}
	if err != nil || n < 0 {
		at := t.Pos
		if p.NewLine() {
			at = p.Done()
		}
		p.Fail(at, "expected a natural number")
	}
	p.Next()
	return n
}

// positive reads a number that is not 0.
func (p *parser) positive() int {
	t := p.Peek()
	n := p.natural()
	if n == 0 {
		p.Fail(t.Pos, "expected a number from 1 on")
	}
	return n
}

func (p *parser) language(b base) Decl {
	d := &Language{base: b, Name: p.nameHere("the name of the language")}
	for more := p.Accept("over"); more; more = p.Accept(",") {
		d.Over = append(d.Over, p.Name("the name of a language"))
	}
	p.endOfLine()
	return d
}

func (p *parser) symbols(b base) *Symbols {
	d := &Symbols{base: b}
	for {
		d.Names = append(d.Names, p.OperatorName("a name"))
		if p.Accept(":") {
			break
		}
		if p.NewLine() {
			p.Expect(":", "and a sort after the names")
		}
	}
	d.Type = p.Type()
	d.Means = p.means()
	return d
}

// variables reads the variables of a test, which have no meaning of their own.
func (p *parser) variables() *Symbols {
	d := p.symbols(base{At: p.Peek().Pos})
	if d.Means != nil {
		p.Fail(d.Means.At(), "a variable of a test stands for any value")
	}
	return d
}

// sorts reads the names of sorts, and the type of their values if they have a meaning.
func (p *parser) sorts(b base) Decl {
	d := &Sorts{base: b, Names: []Name{p.nameHere("the name of a sort")}}
	for !p.NewLine() && !p.Is("means") {
		d.Names = append(d.Names, p.Name("the name of a sort"))
	}
	if p.Accept("means") {
		t := p.Type()
		d.Means = &t
	}
	p.endOfLine()
	return d
}

// means reads the meaning of an operator, if it has one: an expression of programs.
func (p *parser) means() ast.Expr {
	if !p.Accept("means") {
		p.endOfLine()
		return nil
	}
	e := p.Expr()
	if !p.ends() {
		p.Fail(p.Peek().Pos, "the meaning ends before this")
	}
	return e
}

// op reads an operator, or without a sort a relation.
func (p *parser) op(b base, sorted bool) Decl {
	d := &Op{base: b, OpDecl: p.OpDecl(!sorted)}
	d.Means = p.means()
	return d
}

// relation reads a relation on terms of a language, or with inputs and a meaning one
// on arrays.
func (p *parser) relation(b base) Decl {
	if next := p.Ahead(1); next.Text == "(" || next.Text == "[" && !next.Space && !IsLanguage(p.Src) {
		return &Operator{b, ops.ReadRelation(p.Parser, b.At)}
	}
	return p.op(b, false)
}

func (p *parser) fold(b base) Decl {
	d := &Fold{base: b}
	for len(d.Ops) == 0 || !p.NewLine() && !p.Is("as") && !p.Is("gives") {
		d.Ops = append(d.Ops, p.OperatorName("the name of an operator"))
	}
	if p.Accept("as") {
		w := p.OperatorName("the name of an operation")
		d.As = &w
	}
	if p.Accept("gives") {
		d.Truth = []Name{p.OperatorName("what it gives if it holds"), p.OperatorName("what it gives if it does not hold")}
	}
	p.endOfLine()
	return d
}

func (p *parser) backoff(b base) *Backoff {
	d := &Backoff{base: b}
	for !p.Is("matches") {
		d.Names = append(d.Names, p.ruleName("the name of a rule"))
	}
	p.Next()
	d.Matches = p.positive()
	p.Expect("ban", "and for how many iterations")
	d.Ban = p.positive()
	p.endOfLine()
	return d
}

func (p *parser) ruleset(b base) Decl {
	d := &Ruleset{base: b, Name: p.nameHere("the name of a rule set")}
	once := func(is *bool) {
		if *is {
			p.Errs.Add(p.Src, p.Peek().Pos, "%s is there twice", p.Peek().Text)
		}
		*is = true
		p.Next()
	}
	for {
		switch {
		case p.Is("opaque"):
			once(&d.Opaque)
		case p.Is("lazy"):
			once(&d.Lazy)
		default:
			for more := p.Accept("use"); more; more = p.Accept(",") {
				d.Use = append(d.Use, p.ruleName("the name of a rule"))
			}
			if t := p.Peek(); !p.NewLine() && !words()[t.Text] {
				p.Errs.Add(p.Src, t.Pos, "expected opaque, lazy, use or the end of the line%s", diag.DidYouMean(t.Text, []string{"opaque", "lazy", "use"}))
				p.Next() // the set is known all the same
				continue
			}
			return d
		}
	}
}

// What ends the names of rules that are made of another.
const (
	Reversed = "-rev"     // read from right to left
	Guarded  = "-guarded" // with its guard tested
)

// ruleName reads the name of a rule.
func (p *parser) ruleName(what string) Name {
	n := p.Name(what)
	if p.Is("-") && slices.Contains([]string{Reversed[1:], Guarded[1:]}, p.Ahead(1).Text) && !p.Peek().Space && !p.Ahead(1).Space {
		p.Next()
		n.Text += "-" + p.Next().Text
	}
	return n
}
