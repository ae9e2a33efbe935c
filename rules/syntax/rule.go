package syntax

import (
	"egad/diag"
	"egad/term/ast"
)

func (p *parser) rule(b base) Decl {
	r := &Rule{base: b, Name: p.Name("the name of the rule")}
	p.label(r)
	r.Lhs = p.Expr()
	if p.Accept("<=>") {
		r.Kind = Both
	} else {
		p.Expect("=>", "between the sides of a rule")
	}
	r.Rhs = []ast.Expr{p.Expr()}
	p.restOfRule(r)
	return r
}

// forThen reads a fact or a demand.
func (p *parser) forThen(b base, kind RuleKind) Decl {
	r := &Rule{base: b, Kind: kind, Name: p.Name("a name")}
	p.label(r)
	p.Expect("for", "before the pattern")
	r.Lhs = p.Expr()
	p.Expect("then", "after the pattern")
	for more := true; more; more = p.Accept(",") {
		r.Rhs = append(r.Rhs, p.Expr())
	}
	p.restOfRule(r)
	return r
}

// Agreed is the label of a derivative rule that is not to give the derivative.
const Agreed = "agreed"

// label reads the label of a rule, if it has one.
func (p *parser) label(r *Rule) {
	if w := p.Peek(); p.Accept("exact") || p.Accept("real") || p.Accept(Agreed) {
		r.Label = w.Text
	}
}

// restOfRule reads conditions and examples.
func (p *parser) restOfRule(r *Rule) {
	if p.Accept("if") {
		r.If = p.conditions()
	}
	if p.Accept("guard") {
		r.Guard = p.conditions()
	}
	if r.AssumingAt = p.Peek().Pos; p.Accept("assuming") {
		r.Assuming = p.conditions()
	}
	r.End = p.Done()
	for p.Is("example") {
		if p.lazy {
			ex := Example{Pos: p.Peek().Pos, src: p.Src}
			r.Examples, r.End = append(r.Examples, ex), p.SkipIndented("example")
			continue
		}
		r.Examples = append(r.Examples, p.example())
		r.End = p.Done()
	}
	if p.Is("use") {
		p.Fail(p.Peek().Pos, misplacedUse)
	}
	if !p.ends() {
		what := "a condition (after if, guard or assuming), an example or the next rule"
		if IsLanguage(p.Src) {
			what = "a condition (after if) or the next declaration"
		}
		p.Fail(p.Peek().Pos, "expected %s, found %s", what, p.Peek().Describe())
	}
}

// Read is the example with its sides.
func (x Example) Read() Example {
	if x.src == nil {
		return x
	}
	p := newParser(x.src, new(diag.List))
	p.Seek(x.Pos)
	out := p.example()
	if x.turned {
		return out.Turned()
	}
	return out
}

// Turned is an example of the rule read from right to left.
func (x Example) Turned() Example {
	x.Lhs, x.Rhs, x.turned = x.Rhs, x.Lhs, !x.turned
	return x
}

func (p *parser) example() Example {
	ex := Example{Pos: p.Next().Pos}
	if p.Is("(") && p.Ahead(2).Text == ":" { // it declares inputs
		p.Next()
		for !p.Is(")") {
			n := p.Name("an input of the example")
			p.Expect(":", "and a type after the input")
			ex.Inputs = append(ex.Inputs, ast.Param{Pos: n.Pos, Name: n.Text, Type: p.Type()})
			if !p.Accept(",") {
				break
			}
		}
		p.Expect(")", "after the inputs")
	}
	ex.Lhs = p.Expr()
	p.Expect("=>", "between the sides of an example")
	ex.Rhs = p.Expr()
	return ex
}

// conditions reads side conditions, separated by commas.
func (p *parser) conditions() []Cond {
	var out []Cond
	for more := true; more; more = p.Accept(",") {
		start := p.Peek().Pos
		c := p.condition()
		c.Pos, c.Text = start, p.text(start)
		out = append(out, c)
	}
	return out
}

// condition reads one side condition.
func (p *parser) condition() Cond {
	if p.Is("?") && p.Ahead(2).Text == ":" {
		op := p.Expr()
		p.Next()
		word, arity := p.class()
		return Cond{Kind: CondClass, A: op, Word: word, Arity: arity}
	}
	c := Cond{A: p.Expr()}
	switch {
	case p.Accept("in"):
		c.Kind = CondNotIn
		call, ok := c.A.(*ast.Call)
		if !ok || len(call.Args) != 1 || !ast.IsIdent(call.Args[0], "not") {
			p.Fail(c.A.At(), "expected a condition such as: i not in t")
		}
		c.A, c.B = call.Fn, p.Expr()
	case p.Accept(":"):
		c.Kind, c.Type = CondType, p.Type()
	case p.Accept("="):
		c.Kind, c.B = CondEqual, p.Expr()
	default:
		c.is()
	}
	return c
}

// is takes x is number apart, or x is not number, which has been read as an application:
// is may be the name of a list of index variables, too.
func (c *Cond) is() {
	call, ok := c.A.(*ast.Call)
	if !ok || len(call.Args) < 2 || len(call.Args) > 3 || !ast.IsIdent(call.Args[0], "is") {
		return
	}
	not := len(call.Args) == 3
	if not && !ast.IsIdent(call.Args[1], "not") {
		return
	}
	if word, ok := call.Args[len(call.Args)-1].(*ast.Ident); ok {
		c.Kind, c.A, c.Word, c.Not = CondIs, call.Fn, Name{Pos: word.At(), Text: word.Name}, not
	}
}

// Linear is the class of the operators that are linear in an operand. A rule with a
// variable for it is one rule for each of them.
const Linear = "linear"

// Classes are those of operators on arrays.
var Classes = []string{"elementwise", "zero-preserving", Commutative, "reduction", "columnwise", "matrixwise", Linear}

// Commutative is the class of operators that mean the same in both orders of their
// operands.
const Commutative = "commutative"

// class reads elementwise/2, zero-preserving/1, linear, or elementwise for any number
// of operands.
func (p *parser) class() (Name, int) {
	n := p.ClassName()
	if n.Text == Linear || !p.Accept("/") {
		return n, 0
	}
	d := p.Next()
	if d.Text < "1" || d.Text > "3" || len(d.Text) != 1 {
		p.Fail(d.Pos, "operators of a class have 1, 2 or 3 operands")
	}
	return n, int(d.Text[0] - '0')
}
