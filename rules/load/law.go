package load

import (
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ops"
	"egad/term/types"
)

// law is what a declaration says of an operator, to be compared with what that means.
type law struct {
	kind lawKind
	src  *diag.Source
	pos  diag.Pos
	op   string
	as   rules.Fold // of folds
}

// lawKind tells the declarations apart that say something of values.
type lawKind uint8

const (
	commutes lawKind = iota
	folds
	differs // the relation !=, of which egad knows that constants differ and that it is symmetric
)

// law is what a declaration says, as a rule about values, or the operator that has no
// meaning.
func (m translator) law(x law) (*rules.Rule, string) {
	l := m.l
	o, _ := l.Signature.Lookup(x.op)
	r := &rules.Rule{Label: rules.Real, Set: l.Set(""), Src: x.src, Pos: x.pos, Language: l, Lhs: &rules.Pattern{Kind: rules.PApp, Pos: x.pos, Sym: o.Sym}}
	r.Vars = rules.NewVariables()
	variable := func(name string, sort rules.Sort) string {
		for taken := true; taken; {
			_, operator := l.Signature.Lookup(name)
			_, met := r.Vars.Sort[name]
			if taken = operator || met; taken {
				name += "'"
			}
		}
		r.Vars.Sort[name] = sort
		r.Vars.Order = append(r.Vars.Order, name)
		return name
	}
	r.Lhs.Attrs = anyAttributes(o.Sorted, variable)
	for i := range o.Sorted.Children {
		name := variable(string(rune('a'+i)), rules.SortTerm)
		memo.Set(&r.Vars.Types, name, o.Sorted.Child(i).Type)
		r.Lhs.Kids = append(r.Lhs.Kids, rules.Elem{Pat: &rules.Pattern{Kind: rules.PMeta, Pos: x.pos, Name: name}})
	}
	swapped := *r.Lhs
	swapped.Kids = slices.Clone(r.Lhs.Kids)
	slices.Reverse(swapped.Kids)
	switch x.kind {
	case commutes:
		r.Name, r.Claim = "commutative "+x.op, x.op+" is declared commutative, and what it means is not"
		r.Rhs = &swapped
		return m.rule(r, nil)
	case differs:
		r.Name = "relation " + x.op
		differ := func(y *meant) *rules.Pattern {
			return y.applied(ops.SymNot, y.applied(ops.SymEq, r.Lhs.Kids[0].Pat, r.Lhs.Kids[1].Pat))
		}
		if hasConstants(l, o.Sorted.Children[0].Type) {
			r.Claim = x.op + " holds of all values that differ, and of no others, and what it means does not"
			return m.rule(r, differ)
		}
		r.Claim = x.op + " is symmetric, and nothing is " + x.op + " to itself, and what it means is not so"
		return m.rule(r, func(y *meant) *rules.Pattern { return y.applied(ops.SymAnd, differ(y), y.pattern(&swapped)) })
	}
	r.Name, r.Claim = "fold "+x.op, x.op+" is folded as "+operationName(x.as.As)+", and means something else"
	return m.rule(r, func(y *meant) *rules.Pattern { return y.folded(x.as, r.Lhs) })
}

// anyAttributes are metavariables for all attributes of an operator.
func anyAttributes(d *ops.Sorted, variable func(name string, sort rules.Sort) string) (out rules.Attrs) {
	if d.Naturals() {
		out.Sizes = &rules.AttrExpr{Kind: rules.ANil}
	}
	for _, a := range slices.Backward(d.Attrs) { // lists are made from their ends
		x := &rules.AttrExpr{Kind: rules.AVar, Sort: attrSorts[a.Kind]}
		x.Name = variable(a.Name, x.Sort)
		switch a.Kind {
		case ops.AttrNatural:
			out.Sizes = &rules.AttrExpr{Kind: rules.ACons, Args: []*rules.AttrExpr{x, out.Sizes}}
		case ops.AttrNaturals:
			out.Sizes = &rules.AttrExpr{Kind: rules.AFun, Name: "++", Args: []*rules.AttrExpr{x, out.Sizes}}
		case ops.AttrNumber:
			out.Lit = x
		case ops.AttrPerm:
			out.Perm = x
		}
	}
	return out
}

// attrSorts are the sorts of metavariables for attributes.
var attrSorts = map[ops.AttrKind]rules.Sort{
	ops.AttrNatural: rules.SortSize, ops.AttrNaturals: rules.SortSizes, ops.AttrNumber: rules.SortLit, ops.AttrPerm: rules.SortPerm,
}

// applied is an operator of programs applied to operands.
func (x *meant) applied(sym ops.Sym, operands ...*rules.Pattern) *rules.Pattern {
	p := operation(sym, operands...)
	p.Pos = x.r.Pos
	return p
}

// folded is what a fold computes for the operands of a term: integers as such, if all are and
// have a value that is one, else real numbers.
func (x *meant) folded(f rules.Fold, of *rules.Pattern) *rules.Pattern {
	var operands []*rules.Pattern
	whole := func(e rules.Elem) bool { return x.m.l.Elem[x.r.Of.SortOf(e.Pat.Name)] == types.I }
	exact := f.As != ops.SymDiv && f.As != ops.SymPow && !slices.ContainsFunc(of.Kids, func(e rules.Elem) bool { return !whole(e) })
	for _, e := range of.Kids {
		o := e.Pat
		if !exact && whole(e) {
			o = x.applied(ops.SymReal, o)
		}
		operands = append(operands, o)
	}
	p := x.applied(f.As, operands...)
	yes, _ := x.m.Truth(f.Yes)
	no, ok := x.m.Truth(f.No)
	if !f.Compares() || yes && ok && !no {
		return p
	}
	symbol := func(s ops.Sym) *rules.Pattern {
		return x.pattern(&rules.Pattern{Kind: rules.PApp, Pos: x.r.Pos, Sym: s})
	}
	return x.applied(ops.SymWhere, p, symbol(f.Yes), symbol(f.No))
}

// operationName is the name that a fold gives an operation.
func operationName(s ops.Sym) string {
	for name, x := range operations {
		if x == s {
			return name
		}
	}
	return ""
}

// note notes what a declaration of an operator says of values.
func (m *means) note(kind lawKind, src *diag.Source, w syntax.Name, op string) {
	m.laws = append(m.laws, law{kind: kind, src: src, pos: w.Pos, op: op})
}

// hasConstants reports whether there are constants of a sort, of which != holds: see
// [Language.IsConstant].
func hasConstants(l *rules.Language, t *types.Type) bool {
	return l.Numbers[t] || slices.ContainsFunc(l.Folds, func(f rules.Fold) bool {
		return f.Compares() && l.Signature.Operator(f.Yes).Sorted.Result == t
	})
}
