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
		programs.Hold(t, *seed, size(300, 10_000), GenFunctional(o), func(c FunctionalCase) error { return readBack(c.Program) })
	}
}

// onComputed reports whether an operator of several operands is applied to a tuple that is
// computed, for which texts have no form.
func onComputed(t *fun.Term) bool {
	return t.Form == fun.Prim && t.Operands() == nil || slices.ContainsFunc(t.Kids, onComputed)
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
