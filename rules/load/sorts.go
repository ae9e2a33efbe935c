package load

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/rules/typing"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/types"
)

func (f *fileParser) sort(n syntax.Name) {
	l := f.lang
	if l.Sort(n.Text) != nil {
		f.errs.Add(f.src, n.Pos, "the sort %s is declared twice", n.Text)
		return
	}
	l.Sorts = append(l.Sorts, types.SortOf(n.Text))
}

// sortOf is the sort of a name, nil with a finding if there is none.
func (f *fileParser) sortOf(n syntax.Name) *types.Type {
	t := f.lang.Sort(n.Text)
	if t == nil {
		f.errs.Add(f.src, n.Pos, "there is no sort %s%s", n.Text, diag.DidYouMean(n.Text, slice.Map(f.lang.Sorts, rules.SortName)))
	}
	return t
}

// sortNamed is the sort that a type names.
func (f *fileParser) sortNamed(t ast.TypeExpr) *types.Type {
	if t.Kind != ast.TyName || len(t.Sizes) > 0 {
		f.errs.Add(f.src, t.Pos, "expected a sort")
		return nil
	}
	return f.sortOf(syntax.Name{Pos: t.Pos, Text: t.Name})
}

func (f *fileParser) numbers(d *syntax.Numbers) {
	for _, n := range d.Sorts {
		switch t := f.sortOf(n); {
		case t == nil:
		case f.lang.Elem[t] == types.B:
			f.errs.Add(f.src, n.Pos, "the values of the sort %s are truth values, and no numbers", n.Text)
		default:
			f.lang.Numbers[t] = true
		}
	}
}

func (f *fileParser) symbols(d *syntax.Symbols) {
	t := f.sortNamed(d.Type)
	for _, n := range d.Names {
		f.declare(n, &ops.Sorted{Name: n.Text, Doc: d.Doc, Result: t, Symbol: true})
	}
}

// declare adds an operator. Where a sort is missing there has been a finding, and the
// name is known all the same.
func (f *fileParser) declare(n syntax.Name, d *ops.Sorted) {
	if _, taken := f.sig.Lookup(n.Text); taken {
		f.errs.Add(f.src, n.Pos, "%s is declared twice", n.Text)
		return
	}
	if form := d.Form(); form != "" {
		f.errs.Add(f.src, n.Pos, "%s has the operands that it has in: %s", n.Text, form)
	}
	if len(d.Children) > egraph.MaxArity {
		f.errs.Add(f.src, n.Pos, "%s: an operator has 0 to %d operands, not %d", n.Text, egraph.MaxArity, len(d.Children))
	}
	o, err := f.sig.DeclareSorted(d)
	if err != nil {
		f.errs.Add(f.src, n.Pos, "%v", err)
		return
	}
	f.lang.Operators = append(f.lang.Operators, o)
}

// sorted declares an operator or a relation.
func (f *fileParser) sorted(d *syntax.Op) {
	o := &ops.Sorted{Name: d.Name.Text, Doc: d.Doc, Attrs: f.attrs(d.Attrs), Result: ops.Fact, Relation: d.Result == nil}
	if d.Result != nil {
		o.Result = f.sortNamed(*d.Result)
	}
	var names []string
	for _, x := range d.Operands {
		if x.Binder != nil {
			if slices.Contains(names, x.Binder.Text) {
				f.errs.Add(f.src, x.Binder.Pos, "%s is bound twice", x.Binder.Text)
			}
			names = append(names, x.Binder.Text)
		}
	}
	used := false
	for at, x := range d.Operands {
		t := f.sortNamed(x.Type)
		if x.List && at < len(d.Operands)-1 {
			f.errs.Add(f.src, x.Type.Pos, "a list of operands is the last of them")
			return
		}
		if x.Count != nil {
			f.errs.Add(f.src, x.Count.Pos, "a list of operands is as long as it may be: write %s...", x.Type.Name)
		}
		if x.Binder != nil {
			o.Binders = append(o.Binders, ops.Binder{Name: x.Binder.Text, Type: t})
			f.lang.Bound[t] = true
			continue
		}
		for i, n := range x.Under {
			if i >= len(names) || names[i] != n.Text {
				f.errs.Add(f.src, n.Pos, "%s is not the variable number %d that %s binds", n.Text, i+1, d.Name.Text)
			}
		}
		if len(x.Under) > 0 && len(x.Under) < len(names) {
			f.errs.Add(f.src, x.Type.Pos, "an operand is in the scope of all variables of %s or of none", d.Name.Text)
		}
		used = used || len(x.Under) > 0
		o.Children = append(o.Children, ops.Child{Type: t, Under: len(x.Under) > 0, List: x.List})
	}
	for _, c := range d.Classes {
		if o.Classes = append(o.Classes, c.Text); c.Text == syntax.Commutative && !twoAlike(o) {
			f.errs.Add(f.src, c.Pos, "a commutative operator has two operands of one sort")
			o.Classes = nil
		} else if c.Text == syntax.Commutative {
			f.means.note(commutes, f.src, c, o.Name)
		}
	}
	switch {
	case len(names) > 0 && !used:
		f.errs.Add(f.src, d.Name.Pos, "%s binds %s in no operand: write the sort of an operand as %s.%s", d.Name.Text, names[0], names[0], d.Operands[len(d.Operands)-1].Type.Name)
	case o.Relation && o.Name == "!=" && !pair(o):
		f.errs.Add(f.src, d.Name.Pos, "!= is between two terms of one sort")
	case o.Relation && o.Name == "!=":
		f.means.note(differs, f.src, d.Name, o.Name)
	}
	f.declare(d.Name, o)
}

// pair reports whether an operator is between two terms of one sort, and has nothing else.
func pair(o *ops.Sorted) bool { return twoAlike(o) && len(o.Attrs) == 0 }

// twoAlike reports whether an operator has two operands of one sort, and binds nothing.
func twoAlike(o *ops.Sorted) bool {
	return len(o.Children) == 2 && o.Children[0].Type == o.Children[1].Type && len(o.Binders) == 0 && !o.List()
}

// attrs are the attributes of an operator. There are as many as a term has place for.
func (f *fileParser) attrs(all []ast.AttrDecl) []ops.Attr {
	var out []ops.Attr
	kinds := map[string]ops.AttrKind{"number": ops.AttrNumber, "permutation": ops.AttrPerm}
	count := make(map[ops.AttrKind]int)
	for _, x := range all {
		a := ops.Attr{Name: x.Name.Text}
		if x.List {
			a.Kind = ops.AttrNaturals
		} else if x.Kind != nil {
			known := false
			if a.Kind, known = kinds[x.Kind.Name]; !known {
				names := slices.Sorted(maps.Keys(kinds))
				f.errs.Add(f.src, x.Kind.Pos, "an attribute is a number or a permutation, not %s%s", x.Kind.Name, diag.DidYouMean(x.Kind.Name, names))
			}
		}
		if count[a.Kind]++; count[a.Kind] > 1 && a.Kind != ops.AttrNatural {
			f.errs.Add(f.src, x.Name.Pos, "among attributes there is one list, one number with a sign or a fraction, and one permutation at most")
		}
		out = append(out, a)
	}
	return out
}

// sorts finds the sorts of the metavariables and bound variables of a rule of a
// language, and reports where terms have other sorts than they must.
func (f *fileParser) sorts(r *rules.Rule) {
	if err := typing.InferSorts(f.sig, r); err != nil {
		f.errs.AddError(err)
		return
	}
	for i := range r.Conds {
		switch k := &r.Conds[i]; {
		case k.Kind == rules.CondLiteral && !f.lang.Numbers[r.Vars.Types[k.L.Name]]:
			f.errs.Add(f.src, k.Pos, "the sort %s has no numbers", rules.SortName(r.Vars.Types[k.L.Name]))
		case k.Kind == rules.CondVariable && !f.lang.Bound[r.Vars.Types[k.L.Name]]:
			f.errs.Add(f.src, k.Pos, "no operator binds variables of the sort %s", rules.SortName(r.Vars.Types[k.L.Name]))
		}
	}
}
