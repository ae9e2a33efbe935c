package match

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/rules"
	"egad/slot"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// instantiation makes a left side, of which everything is known.
type instantiation struct {
	b   *builder
	ops []ops.Op // that are left
	err error
}

func (in *instantiation) fail(format string, args ...any) {
	in.err = fmt.Errorf(format, args...)
	in.b.noValue("")
}

// variables checks that terms mention only the variables that are around their
// places, and that different variables have different names.
func (in *instantiation) variables() {
	r := in.b.m.Rule
	bound := make(map[slot.Name]string)
	for i := range in.b.m.Vars {
		x := &in.b.m.Vars[i]
		names := x.binds(r)
		for i, n := range names {
			if old, ok := bound[n]; ok && old != x.Name || slices.Contains(names[:i], n) {
				in.fail("two bound variables have one name")
			}
			bound[n] = x.Name
		}
	}
	for i := range in.b.m.Vars {
		x := &in.b.m.Vars[i]
		if s := r.Vars.Sort[x.Name]; s != rules.SortTerm && s != rules.SortTerms {
			if r.Language != nil && s == rules.SortIndex && !x.Type.Equal(r.SortOf(x.Name)) {
				in.fail("%s is a variable of another sort", x.Name)
			}
			continue
		}
		for _, t := range x.terms() {
			if r.Language != nil && !in.b.space.Type(t).Equal(r.SortOf(x.Name)) {
				in.fail("%s stands for a term of another sort", x.Name)
			}
			for _, n := range t.Args {
				if of, ok := bound[n]; ok && !slices.Contains(r.Vars.Scope[x.Name], of) {
					in.fail("%s stands for a term with a variable that is not in its scope", x.Name)
				}
			}
		}
	}
}

// value is what a metavariable stands for.
func (in *instantiation) value(name string) *Variable {
	x := in.b.m.Get(name)
	if x == nil {
		in.fail("%s stands for nothing", name)
	}
	return x
}

// next is the next operator of the left side.
func (in *instantiation) next() ops.Op {
	if len(in.ops) == 0 {
		in.fail("there are fewer operators than the left side has")
	}
	op := in.ops[0]
	in.ops = in.ops[1:]
	return op
}

func (in *instantiation) term(p *rules.Pattern) slot.Ref {
	switch p.Kind {
	case rules.PMeta:
		return in.value(p.Name).Ref
	case rules.PElem:
		return in.value(p.Name).Terms[in.b.place]
	case rules.PIvar:
		return in.b.variable(in.value(p.Name))
	}
	op := in.next()
	switch {
	case p.Kind == rules.PSizeVal && p.X != nil && op.Sym != ops.SymConst:
		p = p.X
	case p.Kind != rules.PApp:
		in.literal(p, op)
		return in.b.make(op, nil, nil, nil)
	}
	in.operator(p, op)
	var binders []slot.Name
	if l := p.Binders; l != nil {
		binders = in.binders(l, op)
	}
	var kids []slot.Ref
	for _, e := range rules.Flatten(p.Kids) {
		switch {
		case e.Kind == rules.EOne:
			kids = append(kids, in.term(e.Pat))
		case e.Kind == rules.EMap:
			kids = append(kids, in.mapped(e)...)
		case e.List.Kind == rules.LBound || e.List.Kind == rules.LVar:
			in.value(e.List.Name)
			kids = append(kids, in.b.list(e.List)...)
		case e.List.Kind == rules.LPermute:
			in.value(e.List.Perm.Name)
			in.value(e.List.Arg.Name)
			kids = append(kids, in.b.list(e.List)...)
		default:
			in.fail("this list cannot stand on a left side")
		}
	}
	return in.b.make(op, nil, binders, kids)
}

// mapped makes the pattern of a spread at each place of the lists it runs over.
func (in *instantiation) mapped(e rules.Elem) []slot.Ref {
	out := make([]slot.Ref, len(in.value(e.Over[0]).Terms))
	for _, l := range e.Over {
		if len(in.value(l).Terms) != len(out) || len(out) == 0 {
			in.fail("a spread of the left side runs over lists of other lengths")
		}
	}
	in.b.places(out, func() slot.Ref { return in.term(e.Pat) })
	return out
}

// binders names what an operator binds.
func (in *instantiation) binders(l *rules.BinderList, op ops.Op) []slot.Name {
	var names []slot.Name
	var sizes []size.Size
	if in.b.m.Rule.Language != nil {
		return slice.Map(l.Heads, func(h string) slot.Name { return in.value(h).Index })
	}
	for _, h := range l.Heads {
		x := in.value(h)
		names, sizes = append(names, x.Index), append(sizes, x.Sizes...)
	}
	if l.Rest != "" {
		x := in.value(l.Rest)
		names, sizes = append(names, x.Names...), append(sizes, x.Sizes...)
	}
	if !size.Equal(sizes, op.Sizes) || len(names) != len(sizes) {
		in.fail("the ranges of variables are not those of the operator")
	}
	if l.State != "" {
		x := in.value(l.State)
		if op.Type == nil || !x.Type.Equal(op.Type) {
			in.fail("the state of a loop has another type than its variable")
		}
		names = append(names, x.Index)
	}
	return names
}

// literal checks that an operator is the literal of a left side.
func (in *instantiation) literal(p *rules.Pattern, op ops.Op) {
	if op.Sym != ops.SymConst || op.Const == nil || op.Type == nil || op.Const.Data != nil {
		in.fail("a literal is asked for")
	}
	fill := op.Const.Fill
	if p.LitFor != nil && !in.b.typ(p.LitFor).Equal(op.Type) || p.Sort != nil && !p.Sort.Equal(op.Type) {
		in.fail("a literal has type %s", op.Type)
	}
	fits := false
	switch p.Kind {
	case rules.PNumber:
		fits = fill.Elem != types.B && sameNumber(fill, p.Value)
	case rules.PTruth:
		fits = fill.Elem == types.B && fill.IsInt(1) == p.Truth
	case rules.PZero:
		fits = fill.IsInt(0)
	case rules.PLit:
		x := in.value(p.Lit.Name)
		fits = x.Lit.Elem == fill.Elem && x.Lit.Key() == fill.Key()
	case rules.PSizeVal:
		n, ok := in.b.integer(p.Lit).Const()
		fits = ok && fill.Elem != types.B && (p.LitFor != nil || op.Type.IsScalar(types.I)) && sameNumber(fill, numeric.Int(n))
	}
	if !fits {
		in.fail("%s is not the literal of the rule", fill)
	}
}

// operator checks that an operator is that of an application on a left side.
func (in *instantiation) operator(p *rules.Pattern, op ops.Op) {
	o := in.b.space.Signature().Operator(op.Sym)
	switch {
	case o == nil:
		in.fail("there is no such operator")
	case p.Name != "":
		x := in.value(p.Name)
		if x.Op.Sym != op.Sym || x.Op.N != op.N {
			in.fail("%s stands for another operator", p.Name)
		}
		for _, c := range in.b.m.Rule.OperatorClasses(p.Name) {
			if !c.Has(o) {
				in.fail("%s is not an operator of the class %s", o.Name, c.Name)
			}
		}
		return
	case p.Sym != op.Sym:
		in.fail("the operator is %s", o.Name)
	}
	attr := func(a *rules.AttrExpr, v attrValue) {
		if a != nil && !in.b.attr(a, v.sort).equal(v) {
			in.fail("an attribute of %s is another one", o.Name)
		}
	}
	attr(p.Attrs.Sizes, attrValue{sort: rules.SortSizes, sizes: op.Sizes})
	attr(p.Attrs.Targets, attrValue{sort: rules.SortSizes, sizes: op.Targets})
	attr(p.Attrs.Perm, attrValue{sort: rules.SortPerm, perm: op.Perm})
	attr(p.Attrs.N, attrValue{sort: rules.SortInt, n: op.N})
	typ := func(t *rules.TypePat, v *types.Type) {
		if t != nil && (v == nil || !in.b.typ(t).Equal(v)) {
			in.fail("a type of %s is another one", o.Name)
		}
	}
	typ(p.Attrs.Type, op.Type)
	typ(p.Attrs.Type2, op.Type2)
}
