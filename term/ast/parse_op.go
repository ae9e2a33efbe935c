package ast

import "egad/diag"

// Name is a name and where it stands.
type Name struct {
	Pos  diag.Pos
	Text string
}

// OpDecl is what follows the word op, or relation: an operator of a language with its static
// operands, its operands, its result and the classes to which it belongs, as in
//
//	gather[ns : shape] E[ks..., sh...] [is : ns] is.I^ks : E[ns..., sh...] linear
type OpDecl struct {
	Name     Name
	Attrs    []AttrDecl
	Operands []OperandDecl
	Result   *TypeExpr // nil of a relation
	Classes  []Name
}

// AttrDecl is a static operand: NAME, a natural number, NAME..., a list of them, or
// NAME : KIND.
type AttrDecl struct {
	Name Name
	List bool
	Kind *TypeExpr // nil of natural numbers
}

// OperandDecl is an operand of a type or sort, under the variables in scope: x.TYPE. It may
// be a list, TYPE..., or one as long as a list of sizes, TYPE^NAME. A variable is
// [NAME : TYPE].
type OperandDecl struct {
	Type   TypeExpr
	Binder *Name
	Under  []Name
	List   bool
	Count  *Name
	// Source is the type as it is written.
	Source string
}

// OpDecl reads an operator of a language, or without a result a relation. After it come the
// end of the line, or the word means.
func (p *Parser) OpDecl(relation bool) *OpDecl {
	what := "the name of an operator"
	if relation {
		what = "the name of a relation"
	}
	d := &OpDecl{Name: p.OperatorName(what), Attrs: p.attrDecls()}
	for !p.NewLine() && !p.Is(":") && !p.Is("means") {
		d.Operands = append(d.Operands, p.operandDecl())
	}
	if relation {
		return d
	}
	p.Expect(":", "and a sort after the operands")
	t := p.typeOr("a sort")
	d.Result = &t
	for !p.NewLine() && !p.Is("means") {
		d.Classes = append(d.Classes, p.ClassName())
	}
	return d
}

// NewLine reports whether the next word begins a line, or there is none.
func (p *Parser) NewLine() bool { return p.AtEnd() || p.Peek().Line }

// OperatorName reads the name of an operator of a language: a name, an infix operator, or a
// word that stands for a form of terms, as true, if and let.
func (p *Parser) OperatorName(what string) Name {
	if t := p.Peek(); IsOperatorName(t) {
		p.Next()
		return Name{t.Pos, t.Text}
	}
	return p.Name(what)
}

// Name reads a name.
func (p *Parser) Name(what string) Name {
	t := p.ExpectName(what)
	return Name{t.Pos, t.Text}
}

// ClassName reads the name of a class of operators, as zero-preserving.
func (p *Parser) ClassName() Name {
	n := p.Name("a class of operators")
	for p.Accept("-") {
		n.Text += "-" + p.Name("the rest of the name").Text
	}
	return n
}

// attrDecls reads the static operands of an operator, which stand in brackets right after
// its name.
func (p *Parser) attrDecls() []AttrDecl {
	if !p.Is("[") || p.Peek().Space {
		return nil
	}
	p.Next()
	var out []AttrDecl
	for more := true; more; more = p.Accept(",") {
		a := AttrDecl{Name: p.Name("the name of an attribute")}
		if a.List = p.Accept("..."); !a.List && p.Accept(":") {
			k := p.typeAtom("number or permutation")
			a.Kind = &k
		}
		out = append(out, a)
	}
	p.Expect("]", "after the attributes")
	return out
}

func (p *Parser) operandDecl() OperandDecl {
	if p.Accept("[") {
		b := p.Name("the name of a variable")
		p.Expect(":", "and a sort after the variable")
		t := p.typeAtom("a sort")
		p.Expect("]", "after the sort")
		return OperandDecl{Type: t, Binder: &b}
	}
	var o OperandDecl
	what := "a sort"
	for p.Ahead(1).Text == "." && !p.Is("(") {
		o.Under = append(o.Under, p.Name(what))
		p.Next()
		what = "a sort, after v. if it is in the scope of v"
	}
	start := p.Peek().Pos
	o.Type = p.typeAtom(what)
	o.Source = p.Src.Text[start:p.Done()]
	if o.List = p.Accept("..."); !o.List && p.Accept("^") {
		n := p.Name("the name of a size or of a list of sizes")
		o.List, o.Count = true, &n
	}
	return o
}
