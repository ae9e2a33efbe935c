package syntax

import (
	"strconv"

	"egad/diag"
)

// Grammar is: grammar NAME start NONTERMINAL, and productions. It says what may be taken
// out of an e-graph, and what that costs.
type Grammar struct {
	base
	Name        Name
	Root        Name
	Productions []Production
	Wrong       bool // something in it cannot be read
}

// Production is one alternative of: A -> OPERATOR B C... | named D | E : COST.
type Production struct {
	From  Name
	Named bool // it is for what has a name
	// Of is an operator, a class of operators, or a nonterminal.
	Of   Name
	Kids []Name
	Rest bool // the last of them stands for any number of operands
	Cost Cost
}

// Cost is a number, and multiples of what is named.
type Cost struct {
	C   float64
	Of  []Multiple
	Pos diag.Pos
}

// Multiple is K times what a name stands for: for arrays how many elements something has, for a
// language an attribute of the operator.
type Multiple struct {
	Name
	K float64
}

// MaxCost bounds the numbers in a cost, here and where an e-graph is read.
const MaxCost = 1e100

func (p *parser) grammar(b base) Decl {
	g := &Grammar{base: b, Name: p.Name("the name of the grammar")}
	g.Wrong = !p.Recover(func() { p.productions(g) })
	if g.Wrong {
		p.skip()
	}
	return g
}

func (p *parser) productions(g *Grammar) {
	p.Expect("start", "after the name of the grammar")
	g.Root = p.Name("a nonterminal")
	for !p.ends() || p.Ahead(1).Text == "->" {
		from := p.Name("a nonterminal")
		p.Expect("->", "after a nonterminal")
		first := len(g.Productions)
		for more := true; more; more = p.Accept("|") {
			g.Productions = append(g.Productions, p.production(from))
		}
		var c Cost
		if p.Accept(":") {
			c = p.cost()
		}
		for i := range g.Productions[first:] {
			g.Productions[first+i].Cost = c
		}
		if !p.NewLine() {
			p.Fail(p.Peek().Pos, "expected |, a cost after :, or the end of the line")
		}
	}
}

func (p *parser) production(from Name) Production {
	d := Production{From: from, Named: p.Accept("named")}
	if d.Named {
		d.Of = p.Name("a nonterminal")
		return d
	}
	d.Of = p.OperatorName("an operator")
	for p.Is("-") && !p.Peek().Space && !p.NewLine() { // a class of operators
		p.Next()
		d.Of.Text += "-" + p.Name("the rest of the name").Text
	}
	for !p.NewLine() && !p.Is("|") && !p.Is(":") && !d.Rest {
		d.Kids = append(d.Kids, p.Name("a nonterminal"))
		d.Rest = p.Accept("...")
	}
	return d
}

// cost reads a sum of numbers and multiples.
func (p *parser) cost() Cost {
	c := Cost{Pos: p.Peek().Pos}
	for more := true; more; more = p.Accept("+") {
		t := p.Peek()
		k := 1.0
		if p.Is("-") {
			p.Fail(t.Pos, "a cost is not negative")
		}
		number := t.Text >= "0" && t.Text <= "9~"
		if number {
			p.Next()
			var err error
			if k, err = strconv.ParseFloat(t.Text, 64); err != nil || k > MaxCost {
				p.Fail(t.Pos, "%s is not a number from 0 to %g", t.Text, MaxCost)
			}
		}
		if !number || p.Accept("*") {
			c.Of = append(c.Of, Multiple{p.Name("a number, or what it is a multiple of"), k})
			continue
		}
		if c.C += k; c.C > MaxCost {
			p.Fail(t.Pos, "a cost is at most %g", MaxCost)
		}
	}
	return c
}
