package props

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/fun"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/term"
)

// TestPrintedCore: what a term of the core is printed as is read back as the same term, but for
// [onComputed].
func TestPrintedCore(t *testing.T) {
	for _, o := range []FunctionalOptions{
		{Recursion: true, Operators: AllOperators},
		{Rectangular: true, Operators: Differentiable},
		{FirstOrder: true},
	} {
		programs.Hold(t, testflag.Seed, size(300, 10_000), GenFunctional(o), func(c FunctionalCase) error { return readBack(c.Program) })
	}
}

// onComputed reports whether an operator of three operands is applied to a tuple that is
// computed, for which texts have no form.
func onComputed(t *fun.Term) bool {
	return t.Form == fun.Prim && t.Operands() == nil && term.Builtin(t.Op.Sym).Arity > 2 || slices.ContainsFunc(t.Kids, onComputed)
}

var negative = regexp.MustCompile(`\((-[^ ()]+)\)`)

func readBack(p *fun.Program) error {
	if onComputed(p.Body) {
		return nil
	}
	params := []string{"unused: R + R"} // without which some are array programs
	for i, name := range p.Names {
		params = append(params, name+": "+p.Context[i].String())
	}
	printed := fun.Print(p.Body, append([]string{"unused"}, p.Names...)...)
	text := fmt.Sprintf("def main(%s): %s =\n%s\n", strings.Join(params, ", "), p.Result, printed)
	sig := term.NewSignature()
	sig.Functional = fun.Functional
	m, err := term.LoadModule(sig, &diag.Source{Name: "main.egad", Text: text})
	if err != nil {
		return fmt.Errorf("%v\n%s", err, text)
	}
	q, err := fun.ProgramOf(m, "main")
	if err != nil {
		return fmt.Errorf("%v\n%s", err, text)
	}
	// A number whose type nothing determines is read as a real, and - 1 as -1.
	plain := func(s string) string { return negative.ReplaceAllString(strings.ReplaceAll(s, ".0", ""), "$1") }
	if again := fun.Print(q.Body, q.Names...); plain(again) != plain(printed) {
		return fmt.Errorf("it is read as\n%s\n%s", again, text)
	}
	return nil
}

// TestPrintedOnComputed: so is an operator on a pair that is computed.
func TestPrintedOnComputed(t *testing.T) {
	for _, c := range []struct {
		op     term.Sym
		of, to *fun.Type
	}{
		{term.SymMul, fun.Real, fun.Real}, {term.SymMul, fun.Int, fun.Int}, {term.SymLt, fun.Real, fun.Bool}, {term.SymAnd, fun.Bool, fun.Bool},
		{term.SymPow, fun.Real, fun.Real}, {term.SymMax, fun.Real, fun.Real}, {term.SymIdiv, fun.Int, fun.Int},
	} {
		on := func(x *fun.Term) *fun.Term {
			return &fun.Term{Form: fun.Prim, Op: term.Op{Sym: c.op}, Kids: []*fun.Term{x}}
		}
		p := &fun.Program{Names: []string{"p"}, Context: []*fun.Type{fun.Prod(c.of, c.of)}, Result: fun.Prod(c.to, c.to)}
		p.Body = fun.Pair.Make(on(fun.V(0)), on(fun.LetIn(fun.V(0), fun.V(0))))
		if _, err := fun.Check(p.Body, p.Context); err != nil {
			t.Fatal(err)
		}
		if err := readBack(p); err != nil {
			t.Error(err)
		}
	}
}
