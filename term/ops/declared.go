package ops

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/term/ast"
	"egad/term/size"
	"egad/term/types"
)

// Declared is an operator that a rule file declares: a type, and a program that
// is its meaning. Whatever has no rules for it may put the meaning in its place
// ([term.Store.Expand]); evaluation does.
//
// The type has sizes, and perhaps one list of them, for axes that the operator
// does not look at: R[k, sh...]. At each length of the list the operator is a
// definition.
type Declared struct {
	Src  *diag.Source
	Pos  diag.Pos // of the name
	Name string
	Doc  string
	// Start, Equals and End bound the declaration in its source, and its head.
	Start, Equals, End diag.Pos

	Params []ast.Param
	// Linear says that the operator is linear in its last operand.
	Linear bool
	// Relation says that it was declared as a relation: an operator that results in a
	// truth value. It may have no meaning; then it is for rules and their tests only.
	Relation bool
	// Op is the operator, and Map its linear map if it is linear.
	Op, Map Sym

	// As is how a language writes it, perhaps between two operands; "" of no language.
	As string
	// Of is the operator of a language whose meaning it is, or nil.
	Of *Sorted
	// Def is the declaration as a definition, and Rest its list of sizes, nil if there is none.
	Def  *ast.Def
	Rest *ast.Token
	// Check is an error if there is no meaning where the list of sizes has so many.
	Check func(rank int) error
}

// ReadDeclaration reads an operator declaration, of which the word operator, at start,
// has been read.
func ReadDeclaration(p *ast.Parser, start diag.Pos) *Declared {
	return readDeclared(p, start, "operator", func(d *Declared) {
		p.Expect(":", "and the type of the result")
		d.Def.Result = p.Type()
		d.Linear = p.Accept("linear")
		d.Equals = p.Done()
		p.Expect("=", "before the meaning of the operator")
		d.Def.Body = p.Expr()
	})
}

// ReadRelation reads the declaration of a relation, of which the word relation, at start,
// has been read: an operator that results in a truth value, perhaps with a meaning.
func ReadRelation(p *ast.Parser, start diag.Pos) *Declared {
	return readDeclared(p, start, "relation", func(d *Declared) {
		d.Relation, d.Def.Result = true, ast.TypeExpr{Pos: start, Name: "B"}
		if d.Equals = p.Done(); p.Accept("=") {
			d.Def.Body = p.Expr()
		}
	})
}

func readDeclared(p *ast.Parser, start diag.Pos, what string, rest func(d *Declared)) *Declared {
	def := &ast.Def{Src: p.Src, Doc: p.Doc(start)}
	d := &Declared{Start: start, Def: def, Rest: p.Head(def, what)}
	rest(d)
	d.End = p.Done()
	d.Src, d.Pos, d.Name, d.Doc, d.Params = def.Src, def.Pos, def.Name, def.Doc, def.Params
	return d
}

// Text returns the declaration as it is written.
func (d *Declared) Text() string { return d.Src.Text[d.Start:d.End] }

// Meaningless reports whether nothing says what the operator is.
func (d *Declared) Meaningless() bool { return d.Def.Body == nil }

// Head returns the declaration without the meaning.
func (d *Declared) Head() string { return d.Src.Text[d.Start:d.Equals] }

// HasRest reports whether a type has the axes of the list of sizes.
func (d *Declared) HasRest(t ast.TypeExpr) bool {
	return slices.ContainsFunc(t.Sizes, func(e ast.Expr) bool { return d.IsRest(e) })
}

// IsRest reports whether e stands for the list of sizes.
func (d *Declared) IsRest(e ast.Expr) bool {
	s, ok := e.(*ast.Spread)
	if !ok || d.Rest == nil {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == d.Rest.Text
}

// MeantParam is an operand of what an operator of a language means: a scalar, or an array
// of so many as there are.
type MeantParam struct {
	Elem types.Elem
	List bool
}

// NewDeclared returns an operator on scalars, and on lists of them, with a meaning, a function of its operands or the
// name of one, or without operands a value: what a language says of one of its operators, which it may write infix.
func NewDeclared(src *diag.Source, pos diag.Pos, name, text string, of *Sorted, params []MeantParam, result types.Elem, f ast.Expr) *Declared {
	at := ast.BaseAt(f.At())
	def := &ast.Def{Src: src, Pos: pos, Name: text, Result: ast.TypeExpr{Pos: pos, Name: result.String()}, Body: f}
	call := &ast.Call{Base: at, Fn: f}
	l, isFn := f.(*ast.Lambda)
	isFn = isFn && len(params) > 0 && len(l.Params) == len(params)
	if isFn {
		def.Body = l.Body
	}
	for i, e := range params {
		p := ast.Param{Pos: f.At(), Name: fmt.Sprintf("a%d", i+1), Type: ast.TypeExpr{Pos: f.At(), Name: e.Elem.String()}}
		if e.List {
			n := ast.Ident{Base: at, Name: fmt.Sprintf("n'%d", i+1)}
			def.Sizes, p.Type.Sizes = append(def.Sizes, n), []ast.Expr{&n}
		}
		if isFn && l.Params[i].Kind == ast.PatName {
			p.Pos, p.Name = l.Params[i].Pos, l.Params[i].Name
		}
		def.Params = append(def.Params, p)
		call.Args = append(call.Args, &ast.Ident{Base: at, Name: p.Name})
	}
	if !isFn && len(params) > 0 {
		def.Body = call
	}
	return &Declared{Src: src, Pos: pos, Name: name, As: text, Of: of, Params: def.Params, Relation: of.Relation, Start: pos, Equals: pos, End: pos, Def: def}
}

// Descriptor returns the descriptor of a declared operator with operands and a result of these types,
// in which a size whose name ends in three dots stands for the list of sizes.
func (d *Declared) Descriptor(operands []*types.Type, result *types.Type) Operator {
	o := Operator{Name: d.Name, Arity: len(d.Params), Declared: d, Opaque: true, scheme: schemeOf(operands, result)}
	o.typing = func(t *typing) *types.Type {
		var b bindings
		if _, _, ok := t.declared(&b); !ok {
			return nil
		}
		return t.typeOf(&b, o.scheme.result)
	}
	if d.Linear {
		o.linear = len(d.Params)
	}
	return o
}

// SizesAt returns the sizes of a declared operator at operands of the given types, and how many
// its list of sizes has there. The operands must be such as it takes.
func (o *Operator) SizesAt(u Unifier, operands []*types.Type) (sizes map[string]size.Size, rank int) {
	t := &typing{u: u, o: o, op: Op{Sym: o.Sym}, kids: operands}
	sizes, rank, _ = t.declared(new(bindings))
	return sizes, rank
}

// declared matches operands with those of a declared operator, and finds the sizes there and how
// many the list of sizes has, -1 if that is not known.
func (t *typing) declared(b *bindings) (sizes map[string]size.Size, rank int, ok bool) {
	d := t.o.Declared
	if !t.matched(b) {
		return nil, 0, false
	}
	sizes = b.values(t.scheme())
	if d.Rest != nil {
		rest := b.lists[0].is
		if rank = len(rest); slices.ContainsFunc(rest, func(s size.Size) bool { return !t.u.Rank([]size.Size{s}).IsConst(1) }) {
			return nil, -1, true // a list of unknown length, in a rule
		}
		for i, size := range rest {
			sizes[fmt.Sprintf("%s%d", d.Rest.Text, i+1)] = size
		}
	}
	if err := d.Check(rank); err != nil {
		t.fail(-1, "%s has no meaning at this rank: %v", d.Name, err)
		return nil, 0, false
	}
	return sizes, rank, true
}
