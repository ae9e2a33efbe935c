package term

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/numeric"
)

// Declared is an operator that a rule file declares: a type, and a program that
// is its meaning. Whatever has no rules for it may put the meaning in its place
// ([Store.Expand]); evaluation does.
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

	text   string // how a language writes it, perhaps between two operands; "" of no language
	def    *ast.Def
	rest   *ast.Token // the list of sizes
	mod    *Module
	byRank map[int]*checkedDef
}

// ReadDeclaration reads an operator declaration, of which the word operator, at start,
// has been read.
func ReadDeclaration(p *ast.Parser, start diag.Pos) *Declared {
	return readDeclared(p, start, "operator", func(d *Declared) {
		p.Expect(":", "and the type of the result")
		d.def.Result = p.Type()
		d.Linear = p.Accept("linear")
		d.Equals = p.Done()
		p.Expect("=", "before the meaning of the operator")
		d.def.Body = p.Expr()
	})
}

// ReadRelation reads the declaration of a relation, of which the word relation, at start,
// has been read: an operator that results in a truth value, perhaps with a meaning.
func ReadRelation(p *ast.Parser, start diag.Pos) *Declared {
	return readDeclared(p, start, "relation", func(d *Declared) {
		d.Relation, d.def.Result = true, ast.TypeExpr{Pos: start, Name: "B"}
		if d.Equals = p.Done(); p.Accept("=") {
			d.def.Body = p.Expr()
		}
	})
}

func readDeclared(p *ast.Parser, start diag.Pos, what string, rest func(d *Declared)) *Declared {
	def := &ast.Def{Src: p.Src, Doc: p.Doc(start)}
	d := &Declared{Start: start, def: def, rest: p.Head(def, what), byRank: make(map[int]*checkedDef)}
	rest(d)
	d.End = p.Done()
	d.Src, d.Pos, d.Name, d.Doc, d.Params = def.Src, def.Pos, def.Name, def.Doc, def.Params
	return d
}

// Text returns the declaration as it is written.
func (d *Declared) Text() string { return d.Src.Text[d.Start:d.End] }

// Meaningless reports whether nothing says what the operator is.
func (d *Declared) Meaningless() bool { return d.def.Body == nil }

// Head returns the declaration without the meaning.
func (d *Declared) Head() string { return d.Src.Text[d.Start:d.Equals] }

// checkedRanks is for how many lengths of its list of sizes a declaration is
// checked; others are when they are met.
const checkedRanks = 4

// MaxDeclared bounds the operators and linear maps that rule files declare.
const MaxDeclared = 200

// Declare checks a declaration and adds the operator to the signature, or says
// what is wrong and reports false.
func (g *Signature) Declare(d *Declared, errs *diag.List) bool {
	var own diag.List
	g.declare(d, &own)
	errs.AddError(own...)
	return len(own) == 0
}

func (g *Signature) declare(d *Declared, errs *diag.List) {
	if len(g.ops) >= len(operators)+MaxDeclared {
		errs.Add(d.Src, d.Pos, "at most %d operators can be declared, counting linear maps", MaxDeclared)
		return
	}
	mod, err := LoadModule(g)
	if err != nil {
		errs.Add(d.Src, d.Pos, "%v", err)
		return
	}
	d.mod = mod
	if o, taken := g.Lookup(d.Name); taken || isReserved(d.Name) {
		why := ": the rules of egad are written with it, and in rules a name has one meaning (a program may define its own)"
		if taken && o.Declared != nil {
			why = ""
		}
		errs.Add(d.Src, d.Pos, "there is an operator %s already%s", d.Name, why)
	} else if _, taken := mod.prelude[d.Name]; taken {
		errs.Add(d.Src, d.Pos, "there is a definition %s in the prelude, and in rules a name has one meaning (a program may define its own)", d.Name)
	}
	if len(d.Params) == 0 && d.text == "" {
		errs.Add(d.Src, d.Pos, "an operator has an operand")
	}
	if d.rest != nil && !slices.ContainsFunc(d.Params, func(p ast.Param) bool { return d.hasRest(p.Type) }) {
		errs.Add(d.Src, d.rest.Pos, "no operand has the axes %s...", d.rest.Text)
	}
	for r := range checkedRanks {
		if len(*errs) > 0 || r > 0 && d.rest == nil {
			break
		}
		d.checkAt(r, errs)
	}
	if len(*errs) > 0 {
		return
	}
	o := Operator{Name: d.Name, Arity: len(d.Params), Declared: d, Opaque: true, scheme: schemeOf(d.general())}
	o.typing = func(t *typing) *Type {
		var b bindings
		if _, _, ok := t.declared(d, &b); !ok {
			return nil
		}
		return t.typeOf(&b, o.scheme.result)
	}
	if d.Linear {
		o.linear = len(d.Params)
	}
	d.Op = g.add(o)
	if d.Linear {
		d.Map = g.add(mapOf(g.Operator(d.Op)))
		g.Operator(d.Op).Map = d.Map
	}
}

func (g *Signature) add(o Operator) Sym {
	s := Sym(len(g.ops))
	g.ops = append(g.ops, o.at(s))
	g.byName[o.Name] = g.ops[s]
	g.declared = g.declared || o.Declared != nil
	return s
}

// hasRest reports whether a type has the axes of the list of sizes.
func (d *Declared) hasRest(t ast.TypeExpr) bool {
	return slices.ContainsFunc(t.Sizes, func(e ast.Expr) bool { return d.isRest(e) })
}

func (d *Declared) isRest(e ast.Expr) bool {
	s, ok := e.(*ast.Spread)
	if !ok || d.rest == nil {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == d.rest.Text
}

// checkAt checks the declaration with a list of r sizes.
func (d *Declared) checkAt(r int, errs *diag.List) {
	def := *d.def
	var list []ast.Expr
	if d.rest != nil {
		def.Sizes = slices.Clone(def.Sizes)
		for i := range r {
			id := ast.Ident{Base: ast.BaseAt(d.rest.Pos), Name: sprintf("%s%d", d.rest.Text, i+1)}
			def.Sizes = append(def.Sizes, id)
			list = append(list, &id)
		}
	}
	spread := func(t ast.TypeExpr) ast.TypeExpr {
		var sizes []ast.Expr
		for _, e := range t.Sizes {
			if d.isRest(e) {
				sizes = append(sizes, list...)
			} else {
				sizes = append(sizes, e)
			}
		}
		t.Sizes = sizes
		return t
	}
	def.Params = slices.Clone(def.Params)
	for i := range def.Params {
		def.Params[i].Type = spread(def.Params[i].Type)
	}
	def.Result = spread(def.Result)
	c := &checkedDef{Def: &def}
	before := len(*errs)
	d.mod.resolveSignature(c, errs)
	if len(*errs) > before {
		return
	}
	for i, t := range c.params {
		if t == nil || t.Kind != KArray {
			errs.Add(d.Src, def.Params[i].Type.Pos, "an operand of an operator is an array")
			return
		}
	}
	if c.result.Kind != KArray {
		errs.Add(d.Src, def.Result.Pos, "the result of an operator is an array")
		return
	}
	if d.Linear {
		if last := c.params[len(c.params)-1]; last.Elem != R || c.result.Elem != R {
			errs.Add(d.Src, def.Result.Pos, "a linear operator takes R to R, and not %s to %s", last, c.result)
		}
	}
	for _, s := range def.Sizes {
		alone := func(t *Type) bool {
			return slices.ContainsFunc(t.Shape, func(x Size) bool { v, ok := x.Var(); return ok && v == s.Name })
		}
		if !slices.ContainsFunc(c.params, alone) {
			errs.Add(d.Src, s.At(), "the size %s cannot be told from the operands: it is an axis of none", s.Name)
		}
	}
	if steps := 0; len(*errs) == before && !d.Meaningless() {
		d.mod.checkBody(c, &steps, errs)
	}
	if len(*errs) == before {
		d.byRank[r] = c
	}
}

// general returns the types of the operands and of the result, with a size whose name
// ends in three dots for the list of sizes.
func (d *Declared) general() (params []*Type, result *Type) {
	c, env := d.byRank[0], make(map[string]Size)
	if d.rest != nil {
		c = d.byRank[1]
		env[d.rest.Text+"1"] = SizeVar(d.rest.Text + "...")
	}
	return slice.Map(c.params, func(p *Type) *Type { return p.Subst(env) }), c.result.Subst(env)
}

// declared matches operands with those of a declared operator, and finds the definition that
// it is for them and the sizes there; there is none for a list of sizes whose length is not
// known.
func (t *typing) declared(d *Declared, b *bindings) (c *checkedDef, sizes map[string]Size, ok bool) {
	if !t.matched(b) {
		return nil, nil, false
	}
	s := t.scheme()
	rank := 0
	sizes = b.values(s)
	if d.rest != nil {
		rest := b.lists[0].is
		if rank = len(rest); slices.ContainsFunc(rest, func(s Size) bool { return !t.u.Rank([]Size{s}).IsConst(1) }) {
			return nil, nil, true // a list of unknown length, in a rule
		}
		for i, size := range rest {
			sizes[sprintf("%s%d", d.rest.Text, i+1)] = size
		}
	}
	if c = d.byRank[rank]; c == nil {
		var errs diag.List
		if d.checkAt(rank, &errs); len(errs) > 0 {
			t.fail(-1, "%s has no meaning at this rank: %s", d.Name, errs[0].Msg)
			return nil, nil, false
		}
		c = d.byRank[rank]
	}
	return c, sizes, true
}

// Numbers lists the literals in the meaning of an operator, and in what that calls.
func (d *Declared) Numbers(g *Signature) (out []numeric.Num) {
	c := d.byRank[0]
	if d.Meaningless() || c == nil {
		return nil
	}
	env := make(map[string]Size)
	for _, s := range c.sizes {
		env[s] = SizeConst(2)
	}
	err := Guard(func() error {
		s := NewStore(g)
		operands := slice.Make(len(c.params), func(i int) Term { return s.Var(sprintf("a%d", i), c.params[i].Subst(env)) })
		s.Walk(s.Expand(s.Apply(d.Op, operands...), nil), func(t Term) {
			if op := s.Op(t); op.Sym == SymConst && op.Const.Fill.Elem != B {
				for _, x := range append([]Scalar{op.Const.Fill}, op.Const.Data...) {
					if x.Elem == I {
						out = append(out, numeric.Int(x.Int))
					} else {
						out = append(out, x.Num)
					}
				}
			}
		})
		return nil
	})
	if err != nil {
		return nil
	}
	return out
}

// MeantParam is an operand of what an operator of a language means: a scalar, or an array
// of so many as there are.
type MeantParam struct {
	Elem Elem
	List bool
}

// Meaning returns an operator on scalars, and on lists of them, with a meaning, a function of its operands or the
// name of one, or without operands a value: what a language says of one of its operators, which it may write infix.
// It is a relation if it results in a truth value by which rules have facts.
func Meaning(src *diag.Source, pos diag.Pos, name, text string, params []MeantParam, result Elem, relation bool, f ast.Expr) *Declared {
	at := ast.BaseAt(f.At())
	def := &ast.Def{Src: src, Pos: pos, Name: text, Result: ast.TypeExpr{Pos: pos, Name: result.String()}, Body: f}
	call := &ast.Call{Base: at, Fn: f}
	l, isFn := f.(*ast.Lambda)
	isFn = isFn && len(params) > 0 && len(l.Params) == len(params)
	if isFn {
		def.Body = l.Body
	}
	for i, e := range params {
		p := ast.Param{Pos: f.At(), Name: sprintf("a%d", i+1), Type: ast.TypeExpr{Pos: f.At(), Name: e.Elem.String()}}
		if e.List {
			n := ast.Ident{Base: at, Name: sprintf("n'%d", i+1)}
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
	return &Declared{Src: src, Pos: pos, Name: name, text: text, Params: def.Params, Relation: relation, Start: pos, Equals: pos, End: pos, def: def, byRank: make(map[int]*checkedDef)}
}
