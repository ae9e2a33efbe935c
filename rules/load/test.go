package load

import (
	"errors"
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/types"
)

// test adds a test, when all is read.
func (f *fileParser) test(d *syntax.Test) {
	for _, t := range f.lib.Tests {
		if t.Src == f.src && t.Name.Text == d.Name.Text {
			f.errs.Add(f.src, d.Name.Pos, "there are two tests %s", d.Name.Text)
			return
		}
	}
	f.lib.Tests = append(f.lib.Tests, f.newTest(d))
}

// newTest is a test, which is checked when all is read.
func (f *fileParser) newTest(d *syntax.Test) *rules.Test {
	t := &rules.Test{Test: d, Src: f.src, Until: make(map[*syntax.Claim]rules.Equation)}
	f.uses = append(f.uses, func() { f.checkTest(t) })
	for s := range syntax.Steps(d.Schedule) {
		if !slices.ContainsFunc(s.Names, func(n syntax.Name) bool { return n.Text == syntax.All }) {
			f.runs(s.Names)
		}
	}
	if d.By.Text != "" {
		f.taken(d.By)
	}
	f.backoffs(d.Backoffs)
	return t
}

// checkTest makes the terms of a test.
func (f *fileParser) checkTest(t *rules.Test) {
	if f.lang != nil {
		f.checkLanguageTest(t)
		return
	}
	var params []ast.Param
	known := make(map[string]bool)
	for _, v := range t.Vars {
		for _, n := range v.Names {
			if known[n.Text] {
				f.errs.Add(f.src, n.Pos, "there are two variables %s", n.Text)
			}
			known[n.Text] = true
			params = append(params, ast.Param{Pos: n.Pos, Name: n.Text, Type: v.Type})
		}
	}
	if len(t.Test.Starts) == 0 {
		f.errs.Add(f.src, t.Name.Pos, "the test %s has no start", t.Name.Text)
		return
	}
	failed := func(e ast.Expr, err error) {
		var list diag.List
		if !errors.As(err, &list) {
			f.errs.Add(f.src, e.At(), "%v", err)
		}
		*f.errs = append(*f.errs, list...)
	}
	in, err := module.NewExpressions(f.sig, f.src, params)
	if err != nil {
		failed(t.Test.Starts[0], err)
		return
	}
	t.Program = in.Program
	elaborate := func(es ...ast.Expr) []term.Term {
		ts, err := in.Terms(true, es...)
		if err != nil {
			failed(es[0], err)
		}
		return ts
	}
	for _, e := range t.Test.Starts {
		t.Starts = append(t.Starts, elaborate(e)...)
	}
	equations(t, func(c *syntax.Claim) (rules.Equation, bool) {
		if c.B == nil {
			ts := elaborate(c.A)
			if len(ts) == 0 {
				return rules.Equation{}, false
			}
			store := t.Program.Store
			if typ := store.Type(ts[0]); typ.Kind == types.KArray && typ.Elem == types.B {
				return rules.Equation{Claim: c, A: ts[0], B: store.Lit(ops.ScalarB(true), typ.Shape...)}, true
			}
			elaborate(&ast.Bool{Value: true}, c.A) // which says that it is no truth value
			return rules.Equation{}, false
		}
		ts := elaborate(c.A, c.B)
		if len(ts) < 2 {
			return rules.Equation{}, false
		}
		return rules.Equation{Claim: c, A: ts[0], B: ts[1]}, true
	})
}

// equations makes the equations of all claims; claim makes that of one, if it has one.
func equations(t *rules.Test, claim func(*syntax.Claim) (rules.Equation, bool)) {
	claims := func(cs []syntax.Claim) (out []rules.Equation) {
		for i := range cs {
			if e, ok := claim(&cs[i]); ok {
				out = append(out, e)
			}
		}
		return out
	}
	t.Assume, t.Prove, t.Refute, t.Extract = claims(t.Test.Assume), claims(t.Test.Prove), claims(t.Test.Refute), claims(t.Test.Extract)
	for s := range syntax.Steps(t.Schedule) {
		if s.Until != nil {
			if e, ok := claim(s.Until); ok {
				t.Until[s.Until] = e
			}
		}
	}
}
