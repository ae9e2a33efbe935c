package ast

import (
	"egad/diag"
	"egad/term/numeric"
)

// Expr is a parsed expression. Programs and rules share the syntax; the forms
// that only rules may use are marked.
type Expr interface {
	At() diag.Pos
	depth() int
}

// Base is what all expressions have: where they stand, and how deep others nest in them.
type Base struct {
	pos  diag.Pos
	deep int32
}

// BaseAt returns what an expression has that stands at pos, and has no others in it.
func BaseAt(pos diag.Pos) Base { return Base{pos: pos} }

// At is where the expression starts, for messages.
func (e *Base) At() diag.Pos { return e.pos }
func (e *Base) depth() int   { return int(e.deep) }

// The forms of expressions.
type (
	// Ident is a name.
	Ident struct {
		Base
		Name string
	}
	// Number is a literal.
	Number struct {
		Base
		Num  numeric.Num
		Real bool // it has a point or an exponent
	}
	// Bool is true or false.
	Bool struct {
		Base
		Value bool
	}
	// TupleLit is a tuple (a, b); one element in parentheses is that element.
	TupleLit struct {
		Base
		Elems   []Expr
		grouped bool // in parentheses of its own: f ((a, b)) has one argument
	}
	// ListLit is [a, b]: an array literal, or a list of sizes, indices or axes.
	ListLit struct {
		Base
		Elems []Expr
	}
	// Call is a function applied to arguments.
	Call struct {
		Base
		Fn   Expr
		Args []Expr
	}
	// Binary is an infix operator; Op is its text.
	Binary struct {
		Base
		Op      string
		OpAt    diag.Pos
		L, R    Expr
		chained bool // a < b && b < c, written a < b < c
	}
	// Unary is prefix minus.
	Unary struct {
		Base
		X Expr
	}
	// IndexExpr is a[i, j].
	IndexExpr struct {
		Base
		Array Expr
		Ix    []Expr
	}
	// Slice is lo:hi among indices; either may be nil.
	Slice struct {
		Base
		Lo, Hi Expr
	}
	// Component is p.0.
	Component struct {
		Base
		X Expr
		N int
	}
	// Lambda is \p q -> body.
	Lambda struct {
		Base
		Params []Pattern
		Body   Expr
	}
	// Let is let p = e in body.
	Let struct {
		Base
		Pat   Pattern
		Bound Expr
		Body  Expr
	}
	// If is if c then t else e.
	If struct {
		Base
		Cond, Then, Else Expr
	}
	// Case is case e of inl p -> a | inr q -> b (functional programs).
	Case struct {
		Base
		X           Expr
		Left, Right Pattern
		OnLeft      Expr
		OnRight     Expr
	}
	// Rec is rec f(x: A): B = e, a function that may call itself (functional programs).
	Rec struct {
		Base
		Name   string
		Param  Pattern
		Result TypeExpr
		Body   Expr
	}
	// Operation is an infix operator as a function: (+).
	Operation struct {
		Base
		Op string
	}
	// TypeArg is @T: the static type of a linear map.
	TypeArg struct {
		Base
		Type TypeExpr
	}
	// Spread is e..., the elements of a list (rules only).
	Spread struct {
		Base
		X Expr
	}
	// OpVar is ?op, an operator variable (rules only).
	OpVar struct {
		Base
		Name string
	}
	// SubstExpr is t[i := u] (rules only).
	SubstExpr struct {
		Base
		X    Expr
		Vars []Ident
		By   []Expr
	}
)

// Lambda returns the operator as a function that is written out.
func (e *Operation) Lambda() *Lambda {
	name := func(s string) (Pattern, *Ident) {
		return Pattern{Pos: e.pos, Name: s}, &Ident{e.Base, s}
	}
	p, a := name("a")
	q, b := name("b")
	body := &Binary{Base: e.Base, Op: e.Op, OpAt: e.pos, L: a, R: b}
	return &Lambda{e.Base, []Pattern{p, q}, body}
}

// IsIdent reports whether an expression is the given name.
func IsIdent(e Expr, name string) bool {
	id, ok := e.(*Ident)
	return ok && id.Name == name
}

// Chain takes a chain of comparisons apart: a comparison for each link, and the
// operands, of which it has one more. The operand between two links is part of
// both.
func (e *Binary) Chain() (links []*Binary, operands []Expr) {
	if !e.chained {
		return []*Binary{e}, []Expr{e.L, e.R}
	}
	links, operands = e.L.(*Binary).Chain()
	link := e.R.(*Binary)
	return append(links, link), append(operands, link.R)
}

// Pattern is what a lambda or a let binds.
type Pattern struct {
	Pos  diag.Pos
	Kind PatternKind
	Name string    // of PatName, and of the list variable of PatCons
	Subs []Pattern // of PatList and PatTuple, and the heads of PatCons
	Type *TypeExpr // nil if the text gives none
}

// PatternKind tells the forms of a [Pattern] apart.
type PatternKind uint8

// The forms of patterns.
const (
	PatName  PatternKind = iota
	PatWild              // _
	PatList              // [i, j]
	PatTuple             // (a, b)
	PatCons              // (i :: is), rules only
)

// TypeExpr is a parsed type.
type TypeExpr struct {
	Pos   diag.Pos
	Kind  TypeExprKind
	Name  string // of TyName
	Sizes []Expr // the axes, nil for a scalar; of a tuple, and others in parentheses, of arrays of them
	Parts []TypeExpr
	deep  int // how deep it nests
}

// TypeExprKind tells the forms of a [TypeExpr] apart.
type TypeExprKind uint8

// The forms of parsed types.
const (
	TyName TypeExprKind = iota // R, R[n, m], or a type variable in rules
	TyTuple
	TyFun // Parts[:n-1] -> Parts[n-1]
	TyLin // Parts[0] -o Parts[1]
	TySum // Parts[0] + Parts[1]
)

// Def is a parsed definition.
type Def struct {
	Src    *diag.Source
	Pos    diag.Pos // of the name
	Name   string
	Doc    string
	Sizes  []Ident
	Params []Param
	Result TypeExpr
	Where  []Expr // comparisons of sizes
	Body   Expr
	Own    *Own // nil if its derivative is that of the body
	// Prelude says that the definition is one of the prelude.
	Prelude bool
}

// Own is the derivative that a definition has of its own: a function of the parameters to
// linear maps.
type Own struct {
	Pos    diag.Pos
	Agreed bool // it need not be the derivative of the body
	F      Expr
}

// Param is a parameter of a definition. A parameter of type `size` binds a size.
type Param struct {
	Pos  diag.Pos
	Name string
	Type TypeExpr
}

// Slope returns the body of the derivative, if it is a lambda.
func (o *Own) Slope() Expr {
	if l, ok := o.F.(*Lambda); ok {
		return l.Body
	}
	return o.F
}
