package module

import (
	"errors"
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// checkedRanks is for how many lengths of its list of sizes a declaration is
// checked; others are when they are met.
const checkedRanks = 4

// Declare checks a declaration and adds the operator to a signature, or says
// what is wrong and reports false.
func Declare(g *term.Signature, d *ops.Declared, errs *diag.List) bool {
	var own diag.List
	declareIn(g, d, &own)
	errs.AddError(own...)
	return len(own) == 0
}

func declareIn(g *term.Signature, d *ops.Declared, errs *diag.List) {
	if g.Full() {
		errs.Add(d.Src, d.Pos, "at most %d operators can be declared, counting linear maps", term.MaxDeclared)
		return
	}
	mod, err := Load(g)
	if err != nil {
		errs.Add(d.Src, d.Pos, "%v", err)
		return
	}
	m := &meaning{Declared: d, mod: mod, byRank: make(map[int]*checkedDef)}
	if o, taken := g.Lookup(d.Name); taken || isReserved(d.Name) {
		why := ": the rules of egad are written with it, and in rules a name has one meaning (a program may define its own)"
		if taken && o.Declared != nil {
			why = ""
		}
		errs.Add(d.Src, d.Pos, "there is an operator %s already%s", d.Name, why)
	} else if _, taken := mod.prelude[d.Name]; taken {
		errs.Add(d.Src, d.Pos, "there is a definition %s in the prelude, and in rules a name has one meaning (a program may define its own)", d.Name)
	}
	if len(d.Params) == 0 && d.As == "" {
		errs.Add(d.Src, d.Pos, "an operator has an operand")
	}
	if d.Rest != nil && !slices.ContainsFunc(d.Params, func(p ast.Param) bool { return d.HasRest(p.Type) }) {
		errs.Add(d.Src, d.Rest.Pos, "no operand has the axes %s...", d.Rest.Text)
	}
	for r := range checkedRanks {
		if len(*errs) > 0 || r > 0 && d.Rest == nil {
			break
		}
		m.checkAt(r, errs)
	}
	if len(*errs) > 0 {
		return
	}
	d.Check = m.check
	operands, result := m.general()
	g.AddDeclared(d, operands, result, m)
}

// meaning is what a declared operator means: a definition for each length of its list of sizes.
type meaning struct {
	*ops.Declared
	mod    *Module
	byRank map[int]*checkedDef
}

// check is an error if there is no definition for lists of r sizes.
func (m *meaning) check(r int) error {
	if m.byRank[r] != nil {
		return nil
	}
	var errs diag.List
	if m.checkAt(r, &errs); len(errs) > 0 {
		return errors.New(errs[0].Msg)
	}
	return nil
}

// Operands are the types of the operands where the list of sizes has so many.
func (m *meaning) Operands(rank int) []*types.Type { return m.byRank[rank].params }

// checkAt checks the declaration with a list of r sizes.
func (m *meaning) checkAt(r int, errs *diag.List) {
	d := m.Declared
	def := *d.Def
	var list []ast.Expr
	if d.Rest != nil {
		def.Sizes = slices.Clone(def.Sizes)
		for i := range r {
			id := ast.Ident{Base: ast.BaseAt(d.Rest.Pos), Name: fmt.Sprintf("%s%d", d.Rest.Text, i+1)}
			def.Sizes = append(def.Sizes, id)
			list = append(list, &id)
		}
	}
	spread := func(t ast.TypeExpr) ast.TypeExpr {
		var sizes []ast.Expr
		for _, e := range t.Sizes {
			if d.IsRest(e) {
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
	m.mod.resolveSignature(c, errs)
	if len(*errs) > before {
		return
	}
	for i, t := range c.params {
		if t == nil || t.Kind != types.KArray {
			errs.Add(d.Src, def.Params[i].Type.Pos, "an operand of an operator is an array")
			return
		}
	}
	if c.result.Kind != types.KArray {
		errs.Add(d.Src, def.Result.Pos, "the result of an operator is an array")
		return
	}
	if d.Linear {
		if last := c.params[len(c.params)-1]; last.Elem != types.R || c.result.Elem != types.R {
			errs.Add(d.Src, def.Result.Pos, "a linear operator takes R to R, and not %s to %s", last, c.result)
		}
	}
	for _, s := range def.Sizes {
		alone := func(t *types.Type) bool {
			return slices.ContainsFunc(t.Shape, func(x size.Size) bool { v, ok := x.Var(); return ok && v == s.Name })
		}
		if !slices.ContainsFunc(c.params, alone) {
			errs.Add(d.Src, s.At(), "the size %s cannot be told from the operands: it is an axis of none", s.Name)
		}
	}
	if steps := 0; len(*errs) == before && !d.Meaningless() {
		m.mod.checkBody(c, &steps, errs)
	}
	if len(*errs) == before {
		m.byRank[r] = c
	}
}

// general returns the types of the operands and of the result, with a size whose name
// ends in three dots for the list of sizes.
func (m *meaning) general() (params []*types.Type, result *types.Type) {
	c, env := m.byRank[0], make(map[string]size.Size)
	if m.Rest != nil {
		c = m.byRank[1]
		env[m.Rest.Text+"1"] = size.Var(m.Rest.Text + "...")
	}
	return slice.Map(c.params, func(p *types.Type) *types.Type { return p.Subst(env) }), c.result.Subst(env)
}

// Apply is the meaning of the operator at operands.
func (m *meaning) Apply(s *term.Store, sizes map[string]size.Size, rank int, operands []term.Term) term.Term {
	if m.Meaningless() {
		panic(&overflow.Error{Msg: fmt.Sprintf("the relation %s has no meaning", m.Name)})
	}
	c, el := m.byRank[rank], newElaborator(m.mod, s)
	var errs diag.List
	w := &walker[term.Term]{mod: m.mod, dom: el, errs: &errs}
	scope := &scope[term.Term]{ctx: &context{src: m.Src, sizes: sizes}}
	for i, p := range c.Params {
		scope = scope.bind(p.Name, &val[term.Term]{v: operands[i]}, p.Pos)
	}
	v := w.eval(c.Body, scope)
	if v == nil {
		panic(&overflow.Error{Msg: fmt.Sprintf("the meaning of %s: %v", m.Name, errs.Err())})
	}
	return el.term(v)
}
