package load

import (
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/types"
)

// means notes what a declaration says about a meaning, to be read when all is.
type means struct {
	ops  []meansOp
	laws []law
}

type meansOp struct {
	src  *diag.Source
	pos  diag.Pos
	name string
	expr ast.Expr
}

// meaning reads the meanings of a language, if there are any.
func (f *fileParser) meaning() *rules.Meaning {
	if len(f.means.ops) == 0 {
		return nil
	}
	m := translator{rules.NewMeaning(f.lang), f.lang}
	for _, x := range f.means.ops {
		o, known := f.sig.Lookup(x.name)
		if !known || !o.Sorted.Known() {
			continue
		}
		if len(o.Sorted.Binders) > 0 {
			f.errs.Add(x.src, x.expr.At(), "%s binds variables, and what has a meaning is a function of values", x.name)
			continue
		}
		if t := m.unmeant(o.Sorted); t != nil {
			f.errs.Add(x.src, x.expr.At(), "the sort %s has no meaning: say what its values are, as in sort %s means R", rules.SortName(t), rules.SortName(t))
			continue
		}
		name := x.name
		for taken := true; taken; _, taken = m.Signature.Lookup(name) {
			name += "'" // programs may have an operator of the same name
		}
		d := ops.NewDeclared(x.src, x.pos, name, x.name, o.Sorted, m.params(o.Sorted), m.l.Elem[o.Sorted.Result], x.expr)
		if module.Declare(m.Signature, d, f.errs) {
			m.Ops[o.Sym] = d
		}
	}
	m.fold()
	for _, r := range f.lang.All() {
		if y, without := m.rule(r, nil); y != nil {
			m.Rules = append(m.Rules, y)
		} else {
			m.Without[r.Name] = without
		}
	}
	for _, x := range f.means.laws {
		if o, known := f.sig.Lookup(x.op); !known || !o.Sorted.Known() {
			continue
		}
		if y, without := m.law(x); y != nil {
			m.Laws = append(m.Laws, y)
		} else {
			m.Unmeant.Add(x.src, x.pos, "what is said of %s is not tested: %s has no meaning", x.op, without)
		}
	}
	return m.Meaning
}

// values notes what the values of sorts are.
func (f *fileParser) values(d *syntax.Sorts) {
	e := map[string]types.Elem{"R": types.R, "I": types.I, "B": types.B}[d.Means.Name]
	if e == types.NoElem || d.Means.Kind != ast.TyName || len(d.Means.Sizes) > 0 {
		f.errs.Add(f.src, d.Means.Pos, "a sort means R, I or B")
		return
	}
	for _, n := range d.Names {
		if t := f.lang.Sort(n.Text); t != nil {
			f.lang.Elem[t] = e
		}
	}
}

// fold has operators of numbers computed that no fold computes otherwise. Symbols are kept.
func (m translator) fold() {
	l := m.l
	truths := make(map[*types.Type][2]ops.Sym)
	for _, o := range l.Operators {
		if v, ok := m.Truth(o.Sym); ok {
			t := truths[o.Sorted.Result]
			if v {
				t[1] = o.Sym
			} else {
				t[0] = o.Sym
			}
			truths[o.Sorted.Result] = t
		}
	}
	for _, o := range l.Operators {
		d := o.Sorted
		if m.Ops[o.Sym] == nil || d.Relation || l.FoldOf(o.Sym) != nil || len(d.Children)+len(d.Attrs) == 0 ||
			slices.ContainsFunc(d.Children, func(c ops.Child) bool { return !l.Numbers[c.Type] }) {
			continue
		}
		t := truths[d.Result]
		if f := (rules.Fold{Sym: o.Sym, Meaning: m.Meaning, Yes: t[1], No: t[0]}); l.Numbers[d.Result] {
			f.Yes, f.No = ops.SymNone, ops.SymNone
			l.Folds = append(l.Folds, f)
		} else if f.Yes != ops.SymNone && f.No != ops.SymNone {
			l.Folds = append(l.Folds, f)
		}
	}
}

// unmeant is a sort of an operator that has no meaning, nil if all have one.
func (m translator) unmeant(d *ops.Sorted) *types.Type {
	for _, k := range d.Children {
		if _, ok := m.l.Elem[k.Type]; !ok && k.Type != nil {
			return k.Type
		}
	}
	if _, ok := m.l.Elem[d.Result]; !ok && d.Result != nil {
		return d.Result
	}
	return nil
}
