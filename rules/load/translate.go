package load

import (
	"cmp"
	"slices"
	"sync"

	"egad/internal/memo"
	"egad/rules"
	"egad/term/ops"
	"egad/term/types"
)

// translator reads the rules of a language as rules about values.
type translator struct {
	*rules.Meaning
	l *rules.Language
}

// meant translates a rule.
type meant struct {
	m       translator
	r       *rules.Rule // of arrays
	without string
}

// rule is a rule about values, or the operator that has no meaning. Its right side is that of
// the rule, or if right is not nil what that makes.
func (m translator) rule(r *rules.Rule, right func(*meant) *rules.Pattern) (*rules.Rule, string) {
	out := *r
	out.Of = r
	out.Language, out.Conds, out.Vars, out.Memo = nil, nil, rules.NewVariables(), new(sync.Map)
	for _, n := range r.Vars.Order {
		switch s := r.Vars.Sort[n]; s {
		case rules.SortSize, rules.SortSizes, rules.SortPerm, rules.SortLit:
			out.Vars.Sort[n], out.Vars.Order = s, append(out.Vars.Order, n)
		}
	}
	x := &meant{m: m, r: &out}
	out.Lhs, out.Rhs = x.pattern(r.Lhs), x.pattern(r.Rhs)
	if right != nil {
		out.Rhs = right(x)
	}
	for _, c := range r.Conds {
		if c.Static() {
			out.Conds = append(out.Conds, c)
			continue
		}
		c.L, c.R = x.pattern(c.L), x.pattern(c.R)
		switch c.Kind {
		case rules.CondDistinct:
			c.Kind, c.Op = rules.CondOrder, "!="
		case rules.CondSymbol:
			x.lack("is symbol")
		case rules.CondVariable, rules.CondNotIn:
			x.lack("variables")
		}
		out.Conds = append(out.Conds, c)
	}
	if x.without != "" {
		return nil, x.without
	}
	for _, n := range out.Vars.Order { // values are scalars
		if s := out.Vars.Sort[n]; s != rules.SortTerm && s != rules.SortTerms {
			continue
		}
		e, ok := m.l.Elem[r.SortOf(n)]
		if sym, symbol := m.l.Signature.Lookup(n); symbol {
			e, ok = m.l.Elem[sym.Sorted.Result]
		}
		if !ok {
			return nil, n
		}
		memo.Set(&out.Vars.Types, n, types.ArrayOf(e))
	}
	return &out, ""
}

// lack notes what has no meaning, the first thing there is.
func (x *meant) lack(what string) { x.without = cmp.Or(x.without, what) }

func (x *meant) pattern(p *rules.Pattern) *rules.Pattern {
	if p == nil {
		return nil
	}
	q := *p
	switch p.Kind {
	case rules.PMeta:
		x.meta(p.Name, rules.SortTerm)
		return &q
	case rules.PElem:
		x.meta(p.Name, rules.SortTerms)
		return &q
	case rules.PNumber, rules.PSizeVal, rules.PLit:
		q.Sort = nil
		q.LitFor = &rules.TypePat{Kind: rules.TypeArray, Elem: x.m.l.Elem[p.Sort], Shape: &rules.AttrExpr{Kind: rules.ANil}}
		return &q
	case rules.PIvar:
		x.lack(p.Name)
		return &q
	case rules.PSubst:
		x.lack("a substitution")
		return &q
	}
	o := x.m.l.Signature.Operator(p.Sym)
	d := x.m.Ops[p.Sym]
	if d == nil && o.Sorted.Symbol { // any value
		q.Kind, q.Name, q.Sym = rules.PMeta, o.Name, ops.SymNone
		x.meta(o.Name, rules.SortTerm)
		return &q
	}
	if d == nil {
		x.lack(o.Name)
		return &q
	}
	q.Sym, q.Kids = d.Op, slices.Clone(p.Kids)
	if q.Meant = x.m.MeantOp(o.Sorted, d.Op); q.Meant != nil {
		q.Kind, q.Sym = rules.PMeant, ops.SymNone
	}
	for i, k := range p.Kids {
		if q.Kids[i].Pat = x.pattern(k.Pat); k.Kind == rules.ESplice {
			x.meta(k.List.Name, rules.SortTerms)
		}
	}
	return &q
}

func (x *meant) meta(name string, s rules.Sort) {
	if _, met := x.r.Vars.Sort[name]; !met {
		x.r.Vars.Sort[name] = s
		x.r.Vars.Order = append(x.r.Vars.Order, name)
	}
}

// params are what an operator with a meaning is a function of.
func (m translator) params(d *ops.Sorted) (out []ops.MeantParam) {
	for _, a := range d.Attrs {
		p := ops.MeantParam{Elem: types.I, List: a.Kind == ops.AttrNaturals || a.Kind == ops.AttrPerm}
		if a.Kind == ops.AttrNumber {
			p.Elem = types.R
		}
		out = append(out, p)
	}
	for _, c := range d.Children {
		out = append(out, ops.MeantParam{Elem: m.l.Elem[c.Type], List: c.List})
	}
	return out
}
