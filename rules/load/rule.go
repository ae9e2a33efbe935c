package load

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
)

func (f *fileParser) rule(d *syntax.Rule) {
	i := slices.IndexFunc(d.If, func(c syntax.Cond) bool { return c.Kind == syntax.CondClass && c.Word.Text == syntax.Linear })
	if i >= 0 && f.each.op == nil && f.set != nil {
		f.family(d, i)
		return
	}
	if f.lang != nil && slices.ContainsFunc(d.If, func(c syntax.Cond) bool { return c.Kind == syntax.CondClass }) {
		f.members(d)
		return
	}
	switch {
	case f.lang != nil && f.forArrays(d):
		return
	case f.lang == nil && d.Label == "" && d.Kind != syntax.Demand:
		f.errs.Add(f.src, d.Lhs.At(), "expected the label exact or real after the name of a rule")
		return
	case f.set == nil:
		f.errs.Add(f.src, d.Name.Pos, "a rule belongs to a ruleset; write one above it")
		return
	case d.Guard != nil && d.Kind == syntax.Both:
		f.errs.Add(f.src, d.Guard[0].Pos, "a rule with a guard goes one way: write => for <=>")
		return
	case d.Label == "exact" && d.Assuming != nil:
		f.errs.Add(f.src, d.AssumingAt, "an exact rule holds without assumptions; write a condition (after if), or label the rule real")
		return
	}
	r := &rules.Rule{Name: d.Name.Text, Family: f.inFamily, Doc: d.Doc, Src: f.src, Pos: d.Name.Pos, Set: f.set, Start: d.Start(), End: d.End, Examples: d.Examples}
	switch {
	case d.Label == "real" || f.lang != nil && d.Label == "":
		r.Label = rules.Real
	case d.Label == syntax.Agreed:
		if call, ok := d.Lhs.(*ast.Call); !ok || !ast.IsIdent(call.Fn, "nabla") {
			f.errs.Add(f.src, d.Lhs.At(), "only what a derivative is may be agreed upon: nabla (…) => […]; label other rules exact or real")
			return
		}
		r.Label = rules.Agreed
	}
	if old := f.lib.Rule(r.Name); old != nil {
		f.errs.Add(f.src, r.Pos, "the rule %s is there already (%s, line %d)", r.Name, old.Src.Name, old.Src.Line(old.Pos))
		return
	}
	if d.Kind == syntax.Fact || d.Kind == syntax.Demand {
		r.Kind = d.Kind
		for i, x := range d.Rhs {
			one := *r
			if i > 0 {
				one.Name = fmt.Sprintf("%s-%d", r.Name, i+1)
			}
			f.convert(&one, d.Lhs, x, d.If, nil, nil)
		}
		return
	}
	made, conds := *r, slices.Concat(d.If, d.Guard)
	made.Of, made.Examples = r, nil
	if !f.convert(r, d.Lhs, d.Rhs[0], conds, d.Assuming, nil) {
		return
	}
	if d.Kind == syntax.Both {
		made.Name = r.Name + syntax.Reversed
		made.Doc = r.Name + " from right to left."
		made.Examples = slice.Map(r.Examples, syntax.Example.Turned)
		f.convert(&made, d.Rhs[0], d.Lhs, conds, d.Assuming, nil)
	}
	if d.Guard != nil {
		made.Name = r.Name + syntax.Guarded
		made.Doc = r.Name + " where its guard is not proved."
		r.Guarded = &made
		f.convert(&made, d.Lhs, d.Rhs[0], d.If, d.Assuming, d.Guard)
	}
}

// convert adds the rule with the given sides, and a guard if it has one, to the set,
// if nothing is wrong with it.
func (f *fileParser) convert(r *rules.Rule, lhs, rhs ast.Expr, conds, assumed, guard []syntax.Cond) bool {
	errs := f.errs
	f.errs = new(diag.List) // what is wrong may have been found of another rule of the same text
	r.OfClass = f.each.op != nil && f.each.op.Declared != nil
	r.Language = f.lang
	newConverter(f, r).rule(lhs, rhs, conds, assumed, guard)
	whole := f.lang == nil || r.Lhs != nil && r.Rhs != nil // or it has an operator that is wrong itself
	if f.lang != nil && len(*f.errs) == 0 && whole {
		f.sorts(r)
		f.divided(r)
	}
	own := *f.errs
	if r.Reversed() { // the other direction has been read: what is wrong is not wrong there
		for _, e := range own {
			e.Msg = "read from right to left, " + e.Msg
		}
	}
	f.errs = errs
	f.errs.AddError(own...)
	if len(own) > 0 || !whole || f.errs.Full() || f.covered(r) {
		return false
	}
	f.lib.Add(r)
	return true
}
