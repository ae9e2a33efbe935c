package term_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// TestDeclaredChain evaluates operators whose meanings are made of others: where
// these are the same they are expanded once.
func TestDeclaredChain(t *testing.T) {
	const n = 60
	var text strings.Builder
	text.WriteString("\noperator f0(a: R): R = a\n")
	for i := 1; i <= term.MaxDeclared; i++ {
		fmt.Fprintf(&text, "operator f%d(a: R): R = f%d a + f%d (a + 1)\n", i, i-1, i-1)
	}
	sig := term.NewSignature()
	_, errs := declareAll(sig, text.String())
	if len(errs) != 1 || !strings.HasPrefix(errs[0].Msg, "at most 200 operators") {
		t.Fatalf("the findings are\n%v", errs)
	}
	m, err := module.Load(sig, source(fmt.Sprintf("def g(x: R): R = f%d x", n)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("g", nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), eval.Env[*eval.Value[float64]]{"x": {Elem: types.R, R: []float64{1}}})
	if err != nil {
		t.Fatal(err)
	}
	// f n x is 2ⁿ x + n 2ⁿ⁻¹.
	if want := 0x1p60 + n*0x1p59; v.R[0] != want {
		t.Errorf("the value is %v, want %v", v.R[0], want)
	}
}

// TestExpandNames keeps the names of a program where operators have become their
// meanings, and leaves operators that it is told to.
func TestExpandNames(t *testing.T) {
	sig := term.NewSignature()
	text := "\noperator twice(a: R): R = a + a\noperator four(a: R): R = twice (twice a)\n" +
		"def g(x: R): R = let y = four (exp x) in let z = twice y in z * y * z"
	rest, errs := declareAll(sig, text)
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(sig, &diag.Source{Name: "test.egad", Text: rest})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("g", nil)
	if err != nil {
		t.Fatal(err)
	}
	four, _ := sig.Lookup("four")
	for _, c := range []struct {
		which func(term.Term) bool
		want  string
	}{
		{nil, "def g(x: R): R =\n  let t1 = exp x in\n  let t2 = t1 + t1 in\n  let y = t2 + t2 in\n  let z = y + y in\n  z * y * z\n"},
		{func(u term.Term) bool { return p.Store.Op(u).Sym != four.Sym },
			"def g(x: R): R =\n  let y = four (exp x) in\n  let z = y + y in\n  z * y * z\n"},
	} {
		q, err := p.Expand(c.which)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Text("g"); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// TestManySizes types an operator with more sizes than most have, and one with a list of them.
func TestManySizes(t *testing.T) {
	sig := term.NewSignature()
	rest, errs := declareAll(sig, `
operator six[a, b, c, d, e, f, sh...](x: R[a, b, c], y: R[d, e, f, sh...], z: R[a + b, f]): R[f - a, c, sh...] =
  build [f - a, c] (\[i, j] -> y[0, 0, i])
`)
	if err := errs.Err(); err != nil {
		t.Fatal(rest, err)
	}
	o, _ := sig.Lookup("six")
	array := func(ns ...int64) *types.Type {
		var shape []size.Size
		for _, n := range ns {
			shape = append(shape, size.Const(n))
		}
		return types.ArrayOf(types.R, shape...)
	}
	for _, c := range []struct {
		x, y, z *types.Type
		want    string
	}{
		{array(1, 2, 3), array(4, 5, 6), array(3, 6), "R[5, 3]"},
		{array(1, 2, 3), array(4, 5, 6, 7, 8), array(3, 6), "R[5, 3, 7, 8]"},
		{array(1, 2, 3), array(4, 5, 6), array(4, 6), "axis 0 of operand 3 of six (z) has size 3, not 4"},
		{array(1, 2, 3), array(4, 5, 6), array(3, 7), "axis 1 of operand 3 of six (z) has size 6, not 7"},
		{array(1, 2, 3), array(4, 5), array(3, 6), "operand 2 of six (y) has at least 3 axes"},
		{array(1, 2, 3, 4), array(4, 5, 6), array(3, 6), "operand 1 of six (x) has rank 3, not 4"},
		{array(7, 2, 3), array(4, 5, 6), array(9, 6), "six would have an axis of size -1"},
	} {
		got := ""
		if typ, err := ops.TypeOf(o, ops.Op{Sym: o.Sym}, []*types.Type{c.x, c.y, c.z}); err != nil {
			got = err.Msg
		} else {
			got = typ.String()
		}
		if got != c.want {
			t.Errorf("six of %s, %s and %s: %s, want %s", c.x, c.y, c.z, got, c.want)
		}
	}
}

// TestMeaningless: a relation without a meaning may stand in a test of rules, where it
// has no value, and in no program and no meaning.
func TestMeaningless(t *testing.T) {
	sig := term.NewSignature()
	rest, errs := declareAll(sig, "\nrelation near(a: R, b: R)\nrelation close(a: R) = near a a\ndef g(x: R): B = near x 1")
	const want = "the relation near has no meaning: it is for rules and their tests"
	if len(errs) != 1 || errs[0].Msg != want {
		t.Fatalf("the findings are\n%v", errs)
	}
	if _, err := module.Load(sig, source(rest)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("in a program: %v", err)
	}
	near := &ast.Call{Fn: &ast.Ident{Name: "near"}, Args: []ast.Expr{&ast.Ident{Name: "x"}, &ast.Ident{Name: "x"}}}
	p, ts, err := module.Elaborate(sig, source("x"), []ast.Param{{Name: "x", Type: ast.TypeExpr{Name: "R"}}}, false, near)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := eval.Interpret(p.Store, ts[0], eval.FloatArrays(), nil); err == nil || err.Error() != "the relation near has no meaning" {
		t.Errorf("its value is %v, %v", v, err)
	}
}
