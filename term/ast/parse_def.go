package ast

import (
	"cmp"
	"fmt"

	"egad/diag"
)

// ReadDefs reads a file of definitions. It goes on after a syntax error at the
// next `def`.
func ReadDefs(src *diag.Source, errs *diag.List) []*Def {
	p := NewParser(src, errs)
	p.chains = true
	var out []*Def
	for !p.AtEnd() {
		p.Recover(func() {
			if !p.Is("def") {
				hint := ""
				switch t := p.Peek(); {
				case t.Text == "import" || t.Text == "from" || t.Text == "include":
					hint = "; there are no imports: a program is one text, and the prelude is always there"
				case t.Kind == tokIdent && p.Ahead(1).Kind == tokIdent || t.Text == "let":
					hint = "; a definition begins with def, as in def f(x: R): R = x"
				case t.Kind == tokIdent:
					hint = fmt.Sprintf("; a definition begins with def: def %s", t.Text)
				}
				p.Fail(p.Peek().Pos, "expected a definition (def name(…): type = …), found %s%s", p.Peek().Describe(), hint)
			}
			out = append(out, p.def())
		})
		for !p.AtEnd() && !p.Is("def") {
			p.Next()
		}
	}
	return out
}

// Def reads a definition; see docs/language.md for its form.
func (p *Parser) def() *Def {
	d := &Def{Src: p.Src, Doc: p.Doc(p.Peek().Pos)}
	p.Next()
	if rest := p.Head(d, "definition"); rest != nil {
		p.Fail(rest.Pos, "a definition has no lists of sizes")
	}
	if p.Is("=") {
		p.Fail(p.Peek().Pos, `expected ":" and the type of the result before "=", as in def f(x: R): R = x * x`)
	}
	p.Expect(":", "and the type of the result")
	d.Result = p.Type()
	for more := p.Accept("where"); more; more = p.Accept(",") {
		d.Where = append(d.Where, p.sizeCondition())
	}
	p.Expect("=", "before the body of the definition")
	d.Body = p.Expr()
	if p.ownFollows() {
		d.Own = &Own{Pos: p.Next().Pos, Agreed: p.Accept("agreed")}
		p.Expect("nabla", "before the derivative of the definition")
		d.Own.F = p.Expr()
	}
	if !p.AtEnd() && !p.Is("def") {
		p.Fail(p.Peek().Pos, "the definition of %s ends before %s%s", d.Name, p.Peek().Describe(), cmp.Or(foreignIn(d.Body), p.instead()))
	}
	return d
}

// ownFollows reports whether the derivative of a definition is next: with and agreed are
// names elsewhere.
func (p *Parser) ownFollows() bool {
	return p.Is("with") && (p.Ahead(1).Text == "nabla" || p.Ahead(1).Text == "agreed" && p.Ahead(2).Text == "nabla")
}

// Head reads the name, the sizes and the parameters of a definition, or of an
// operator, and the list of sizes among the sizes, if there is one.
func (p *Parser) Head(d *Def, what string) (rest *Token) {
	name := p.ExpectName("the name of the " + what)
	d.Pos, d.Name = name.Pos, name.Text
	if p.Accept("[") {
		for !p.Is("]") {
			n := p.ExpectName("the name of a size")
			if p.Accept("...") {
				rest = &n
				break
			}
			d.Sizes = append(d.Sizes, Ident{p.base(n.Pos), n.Text})
			if !p.Accept(",") {
				break
			}
		}
		p.Expect("]", "after the sizes")
	}
	if p.Accept("(") {
		d.Params = sequence(p, ")", "after the parameters", func() Param {
			n := p.ExpectName("the name of a parameter")
			p.Expect(":", "and a type after the parameter")
			return Param{n.Pos, n.Text, p.Type()}
		})
	}
	return rest
}

// sizeCondition reads a comparison of two sizes. A single = is an equation.
func (p *Parser) sizeCondition() Expr {
	l := p.binary(infix["+"].left)
	t := p.Peek()
	switch t.Text {
	case "=", "==", "<", "<=", ">", ">=":
		p.Next()
	default:
		p.Fail(p.here(), "expected a comparison of sizes, found %s", t.Describe())
	}
	r := p.binary(infix["+"].left)
	op := t.Text
	if op == "=" {
		op = "=="
	}
	return &Binary{Base: p.base(l.At(), l, r), Op: op, OpAt: t.Pos, L: l, R: r}
}
