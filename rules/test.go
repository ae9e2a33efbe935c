package rules

import (
	"errors"
	"slices"

	"egad/diag"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/ast"
)

// Test is a run of rules on terms, and what is to come of it. What it says of terms is
// said of terms of one store, of which the variables of the test are inputs.
type Test struct {
	*syntax.Test
	Src     *diag.Source
	Program *term.Program // without a result of its own
	// Free names the free variables of terms of a language.
	Free      map[slot.Name]string
	FreeSorts map[slot.Name]*term.Type
	Starts    []term.Term
	// The equations of the claims, in their order; a fact is equal to true.
	Assume, Prove, Refute, Extract []Equation
	Until                          map[*syntax.Claim]Equation
}

// Equation is what a claim says of two terms.
type Equation struct {
	*syntax.Claim
	A, B term.Term
}

// runs reports whether a test runs a schedule of its file, or the rules of a set.
func (t *Test) runs(l *Library, name string) bool {
	for s := range syntax.Steps(t.Schedule) {
		if slices.ContainsFunc(s.Names, func(n syntax.Name) bool {
			of := l.Schedule(n.Text)
			return n.Text == name || n.Text == syntax.All || of != nil && slices.Contains(of.Sets, name)
		}) {
			return true
		}
	}
	return len(t.Schedule) == 0 && l.Schedule(name) == nil
}

// Tested reports whether a test of a file runs a schedule or a set of it.
func (l *Library) Tested(src *diag.Source, name string) bool {
	return slices.ContainsFunc(l.Tests, func(t *Test) bool { return t.Src == src && t.runs(l, name) })
}

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
func (f *fileParser) newTest(d *syntax.Test) *Test {
	t := &Test{Test: d, Src: f.src, Until: make(map[*syntax.Claim]Equation)}
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
func (f *fileParser) checkTest(t *Test) {
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
	before := len(*f.errs)
	elaborate := func(es ...ast.Expr) []term.Term {
		p, ts, err := term.Elaborate(f.sig, f.src, params, true, es...)
		if err != nil {
			var list diag.List
			if !errors.As(err, &list) {
				f.errs.Add(f.src, es[0].At(), "%v", err)
			}
			*f.errs = append(*f.errs, list...)
			return nil
		}
		if t.Program == nil {
			t.Program = p
			return ts
		}
		err = term.Guard(func() error {
			for i, x := range ts {
				ts[i] = t.Program.Store.Import(p.Store, x, nil)
			}
			return nil
		})
		if err != nil {
			f.errs.Add(f.src, es[0].At(), "%v", err)
			return nil
		}
		return ts
	}
	for _, e := range t.Test.Starts {
		t.Starts = append(t.Starts, elaborate(e)...)
		if len(*f.errs) > before {
			return // what is wrong with the variables is wrong with all terms
		}
	}
	t.equations(func(c *syntax.Claim) (Equation, bool) {
		if c.B == nil {
			before := len(*f.errs)
			ts := elaborate(c.A)
			if len(*f.errs) > before {
				return Equation{}, false
			}
			store := t.Program.Store
			if typ := store.Type(ts[0]); typ.Kind == term.KArray && typ.Elem == term.B {
				return Equation{c, ts[0], store.Lit(term.ScalarB(true), typ.Shape...)}, true
			}
			elaborate(&ast.Bool{Value: true}, c.A) // which says that it is no truth value
			return Equation{}, false
		}
		ts := elaborate(c.A, c.B)
		if len(ts) < 2 {
			return Equation{}, false
		}
		return Equation{c, ts[0], ts[1]}, true
	})
}

// equations makes the equations of all claims; claim makes that of one, if it has one.
func (t *Test) equations(claim func(*syntax.Claim) (Equation, bool)) {
	claims := func(cs []syntax.Claim) (out []Equation) {
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
