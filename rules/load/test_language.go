package load

import (
	"egad/rules"
	"egad/rules/match"
	"egad/rules/syntax"
	"egad/rules/typing"
	"egad/slot"
	"egad/term"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// testTerms makes the terms of a test of a language. Its variables are free in them.
type testTerms struct {
	f     *fileParser
	t     *rules.Test
	c     *converter
	types map[string]*types.Type // of the variables
	m     *match.Match
}

// checkLanguageTest makes the terms of a test.
func (f *fileParser) checkLanguageTest(t *rules.Test) {
	if len(t.Test.Starts)+len(t.Test.Assume) == 0 {
		f.errs.Add(f.src, t.Name.Pos, "the test %s starts with no term, and assumes nothing", t.Name.Text)
	}
	store := term.NewStore(f.sig)
	t.Program = &term.Program{Store: store}
	t.Free, t.FreeSorts = make(map[slot.Name]string), make(map[slot.Name]*types.Type)
	r := &rules.Rule{Language: f.lang, Src: f.src, Pos: t.Name.Pos}
	x := &testTerms{f: f, t: t, c: newConverter(f, r), types: make(map[string]*types.Type), m: &match.Match{Rule: r}}
	r.Vars = x.c.v
	x.c.inTest = true
	for _, v := range t.Vars {
		sort := f.sortNamed(v.Type)
		for _, n := range v.Names {
			if _, taken := x.types[n.Text]; taken {
				f.errs.Add(f.src, n.Pos, "there are two variables %s", n.Text)
				continue
			}
			if o, ok := f.sig.Lookup(n.Text); ok && o.Sorted != nil {
				f.errs.Add(f.src, n.Pos, "%s is declared already: a variable has another name", n.Text)
				continue
			}
			if sort == nil {
				continue
			}
			name := store.Fresh()
			t.Free[name], t.FreeSorts[name] = n.Text, sort
			x.types[n.Text] = sort
			x.c.bound = append(x.c.bound, boundVar{name: n.Text, is: n.Text})
			x.m.Vars = append(x.m.Vars, match.Variable{Name: n.Text, Index: name, Type: sort})
			f.lang.Bound[sort] = true
		}
	}
	for _, e := range t.Test.Starts {
		if y, ok := x.term(e, nil); ok {
			t.Starts = append(t.Starts, y)
		}
	}
	equations(t, x.claim)
	for _, e := range t.Assume {
		// An equation with a free variable holds whatever the variable stands for: with
		// one in it, much more would be assumed than what is written.
		if len(e.A.Args)+len(e.B.Args) > 0 {
			f.errs.Add(f.src, e.Pos, "what is assumed of a variable would hold for all of them: take a symbol")
		}
	}
}

// claim is the equation of a claim. A fact is equal to what all facts equal.
func (x *testTerms) claim(c *syntax.Claim) (e rules.Equation, ok bool) {
	e.Claim = c
	if c.B == nil {
		e.A, ok = x.term(c.A, ops.Fact)
		e.B = x.t.Program.Store.Lit(ops.ScalarB(true))
	} else if e.A, ok = x.term(c.A, nil); ok {
		e.B, ok = x.term(c.B, x.t.Program.Store.Type(e.A))
	}
	return e, ok
}

// term makes a term of the sort that is expected, if one is.
func (x *testTerms) term(e ast.Expr, want *types.Type) (out term.Term, ok bool) {
	before := len(*x.f.errs)
	p := x.c.term(e)
	if p == nil || len(*x.f.errs) > before {
		return term.Term{}, false
	}
	if err := typing.CheckSort(x.f.sig, x.c.r, x.types, p, want); err != nil {
		x.f.errs.AddError(err)
		return term.Term{}, false
	}
	err := overflow.Guard(func() (err error) {
		out, ok, err = x.m.Term(match.Terms{Store: x.t.Program.Store}, p)
		return err
	})
	if err != nil {
		x.f.errs.Add(x.f.src, e.At(), "%v", err)
	}
	return out, ok && err == nil
}
