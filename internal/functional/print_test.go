package functional

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"egad/diag"
	"egad/fun"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/props"
	"egad/term"
	"egad/term/module"
	"egad/term/ops"
)

// TestPrintedCore: what a term of the core is printed as is read back as the same term.
func TestPrintedCore(t *testing.T) {
	for _, o := range []props.FunctionalOptions{
		{Recursion: true, Operators: props.AllOperators},
		{Rectangular: true, Operators: props.Differentiable},
		{FirstOrder: true},
	} {
		programs.Hold(t, testflag.Seed, testflag.Count(120, 10_000), Gen(o), func(c props.FunctionalCase) error { return readBack(c.Program) })
	}
}

var negative = regexp.MustCompile(`\((-[^ ()]+)\)`)

func readBack(p *fun.Program) error {
	params := []string{"unused: R + R"} // without which some are array programs
	for i, name := range p.Names {
		params = append(params, name+": "+p.Context[i].String())
	}
	printed := fun.Print(p.Body, append([]string{"unused"}, p.Names...)...)
	text := fmt.Sprintf("def main(%s): %s =\n%s\n", strings.Join(params, ", "), p.Result, printed)
	sig := term.NewSignature()
	sig.Functional = fun.Functional
	m, err := module.Load(sig, &diag.Source{Name: "main.egad", Text: text})
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

// TestPrintedMinus: a minus sign stays where it is, before a power or in it.
func TestPrintedMinus(t *testing.T) {
	x := fun.V(0)
	on := func(sym ops.Sym, xs ...*fun.Term) *fun.Term {
		return &fun.Term{Form: fun.Prim, Op: ops.Op{Sym: sym}, Kids: []*fun.Term{fun.TupleOf(xs...)}}
	}
	minus := func(x *fun.Term) *fun.Term { return on(ops.SymNeg, x) }
	for _, body := range []*fun.Term{
		on(ops.SymPow, minus(x), x), minus(on(ops.SymPow, x, x)), on(ops.SymPow, x, minus(x)),
		on(ops.SymMul, minus(x), x), minus(on(ops.SymMul, x, minus(x))), minus(minus(x)), on(ops.SymSub, x, minus(x)),
	} {
		p := &fun.Program{Names: []string{"x"}, Context: []*fun.Type{fun.Real}, Result: fun.Real, Body: body}
		if err := readBack(p); err != nil {
			t.Error(err)
		}
	}
}

// TestPrintedOnComputed: so is an operator on a tuple that is computed.
func TestPrintedOnComputed(t *testing.T) {
	two := func(t *fun.Type) *fun.Type { return fun.Prod(t, t) }
	for _, c := range []struct {
		op     ops.Sym
		of, to *fun.Type
	}{
		{ops.SymMul, two(fun.Real), fun.Real}, {ops.SymMul, two(fun.Int), fun.Int}, {ops.SymLt, two(fun.Real), fun.Bool}, {ops.SymAnd, two(fun.Bool), fun.Bool},
		{ops.SymPow, two(fun.Real), fun.Real}, {ops.SymMax, two(fun.Real), fun.Real}, {ops.SymIdiv, two(fun.Int), fun.Int},
		{ops.SymWhere, fun.Tuple(fun.Bool, fun.Real, fun.Real), fun.Real}, {ops.SymWhere, fun.Tuple(fun.Bool, fun.Bool, fun.Bool), fun.Bool},
		{ops.SymWithslope, fun.Tuple(fun.Real, fun.Real, fun.Real), fun.Real},
	} {
		on := func(x *fun.Term) *fun.Term {
			return &fun.Term{Form: fun.Prim, Op: ops.Op{Sym: c.op}, Kids: []*fun.Term{x}}
		}
		p := &fun.Program{Names: []string{"p"}, Context: []*fun.Type{c.of}, Result: fun.Prod(c.to, c.to)}
		p.Body = fun.Pair.Make(on(fun.V(0)), on(fun.LetIn(fun.V(0), fun.V(0))))
		if c.of.Parts[0].Kind == fun.KProd { // all but the last operand are computed
			p.Body = fun.Pair.Make(on(fun.V(0)), on(fun.Pair.Make(fun.Fst.Make(fun.V(0)), fun.Snd.Make(fun.V(0)))))
		}
		if _, err := fun.Check(p.Body, p.Context); err != nil {
			t.Fatal(err)
		}
		if err := readBack(p); err != nil {
			t.Error(err)
		}
	}
}
