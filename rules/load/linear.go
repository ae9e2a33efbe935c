package load

import (
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
	"egad/term/ops"
)

// family reads a rule for linear operators, whose condition number i says so, and
// adds those for the built-in ones. Those of files get theirs when all is read.
func (f *fileParser) family(d *syntax.Rule, i int) {
	v, ok := d.If[i].A.(*ast.OpVar)
	if !ok || !strings.Contains(d.Name.Text, syntax.Linear) {
		f.errs.Add(f.src, d.Name.Pos, "the name of a rule for linear operators has the word linear in it, where the rules have the operator: apply_linear")
		return
	}
	one := *d
	one.Examples = slice.Map(d.Examples, syntax.Example.Read)
	one.If = slices.Delete(slices.Clone(d.If), i, i+1)
	t := rules.Family{Decl: &one, Name: v.Name, Src: f.src, Set: syntax.Name{Pos: f.set.Pos, Text: f.set.Name}}
	f.lib.Families = append(f.lib.Families, t)
	for _, o := range f.sig.All() {
		if !f.member(t, o) { // what is wrong with one is wrong with all
			return
		}
	}
}

// member adds the rule of a family for an operator, unless there is one; it is false
// if something is wrong with it. Of an operator with other operands before the one in
// which it is linear, a derivative is not known.
func (f *fileParser) member(t rules.Family, o *ops.Operator) bool {
	call, _ := t.Decl.Lhs.(*ast.Call)
	if !(rules.Class{Name: syntax.Linear}).Has(o) || o.Operand() > 0 && call != nil && ast.IsIdent(call.Fn, "nabla") {
		return true
	}
	set, errs := f.set, f.errs
	f.errs = new(diag.List)
	d := *t.Decl
	d.Name.Text = strings.ReplaceAll(d.Name.Text, syntax.Linear, o.Name)
	if f.lib.Rule(d.Name.Text) != nil && o.Declared != nil {
		d.Name.Text = t.Decl.Name.Text + "_" + o.Name
	}
	d.Examples = slices.DeleteFunc(slices.Clone(d.Examples), func(x syntax.Example) bool { return shownFor(x.Lhs) != o.Name })
	f.open(t.Set, "")
	f.each.name, f.each.op = t.Name, o
	f.rule(&d)
	own := *f.errs
	f.set, f.errs, f.each.op = set, errs, nil
	f.errs.AddError(own...)
	return len(own) == 0
}

// shownFor is the operator that an example of a family is for: lapply (lmap sum @s) x
// and nabla (sum a) are for sum.
func shownFor(e ast.Expr) string {
	call, ok := e.(*ast.Call)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	if inner, ok := call.Args[0].(*ast.Call); ok {
		call = inner
	}
	head := call.Fn
	if ast.IsIdent(head, ops.Lmap) && len(call.Args) > 0 {
		head = call.Args[0]
	}
	if id, ok := head.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// covered reports whether r is of a family, for an operator of a file, and there is a
// rule with such a left side.
func (f *fileParser) covered(r *rules.Rule) bool {
	if !r.OfClass {
		return false
	}
	heads := func(r *rules.Rule) [2]ops.Sym {
		h := [2]ops.Sym{r.Lhs.Sym}
		if k := r.Lhs.Kids; len(k) > 0 && k[0].Pat != nil {
			h[1] = k[0].Pat.Sym
		}
		return h
	}
	return slices.ContainsFunc([]*rules.Library{f.lib, f.base}, func(l *rules.Library) bool {
		s := l.Set(r.Set.Name)
		return s != nil && slices.ContainsFunc(s.Rules, func(x *rules.Rule) bool { return x.Nabla == r.Nabla && heads(x) == heads(r) })
	})
}

// member is the call that a call of the variable of a family, or of the map of what it
// stands for, is for one operator; other calls are what they are. It is nil after an
// error.
func (c *converter) member(e *ast.Call) *ast.Call {
	head, args, o := e.Fn, e.Args, c.f.each.op
	lmap := ast.IsIdent(head, ops.Lmap) && len(args) > 0
	if lmap {
		head, args = args[0], args[1:]
	}
	v, ok := head.(*ast.OpVar)
	if !ok || o == nil || v.Name != c.f.each.name {
		return e
	}
	if lmap {
		o = c.f.sig.Operator(o.Map)
	}
	if len(args) != 1 {
		c.formErrorf(e.At(), "an operator of the class linear has its operand alone here, and lmap the type of it: what else it takes is added")
		return nil
	}
	return o.CallWith(args[0])
}
