package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/egraph"
	"egad/extract"
	"egad/internal/defs"
	"egad/internal/golden"
	"egad/term"
)

// TestSimple keeps simplified programs as golden text, by all rules and by the
// exact ones, which must keep every value bit by bit.
func TestSimple(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	var out strings.Builder
	defs.Each(t, m, 3, func(name string, p *term.Program) {
		for _, exact := range []bool{false, true} {
			q, rep, err := extract.Way(extract.Through).Program(lib, "simplify", p, extract.How{Exact: exact})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Err != nil {
				t.Errorf("%s: %v", name, rep.Err)
			}
			how := "all rules"
			if exact {
				how = "exact rules"
			}
			fmt.Fprintf(&out, "-- %s\n%s\n", how, q.Text(name))
		}
	})
	golden.Check(t, "testdata/simple.golden", out.String())
}

// TestEndlessLoops: a program that costs more than any float has a simplified
// form, too.
func TestEndlessLoops(t *testing.T) {
	const depth = 40
	text := "def f(x: R): R = "
	for i := range depth {
		text += fmt.Sprintf("sum (build 134217728 (\\i%d -> ", i)
	}
	for i := range depth {
		text += fmt.Sprintf("real i%d * ", i)
	}
	text += "x" + strings.Repeat("))", depth)
	lib, p := defs.Last(t, text)
	q, run, err := extract.Way(extract.Through).Program(lib, "simplify", p, extract.How{Exact: true})
	if err != nil || run.Err != nil {
		t.Fatal(err, run)
	}
	if q.Text("f") == "" {
		t.Error("there is no text")
	}
}

// TestRefusedMatches: where a value is a choice of itself and of something else, rules about choices in
// choices have very many matches that their conditions refuse. What they look for ends, and the report
// says so; where names can be taken for each other, in the first program, it is asked once about those.
func TestRefusedMatches(t *testing.T) {
	for _, c := range []struct {
		text       string
		iterations int // at least
	}{
		{`def f(x: R[3, 4]): R[3, 4] = build 3 (\i -> build 4 (\j -> x[i][where (not true) (max j i) j]))`, 8},
		{`def f(k: I): I = where (not false) k (k mod k)`, 5},
	} {
		lib, p := defs.Last(t, c.text)
		how := extract.How{Exact: true, Limits: egraph.Limits{Work: 3_000_000}} // there is a lower one
		q, run, err := extract.Way(extract.Through).Program(lib, "simplify", p, how)
		if err != nil {
			t.Fatal(err)
		}
		if run.Stop != egraph.WorkLimit || run.Work > 2_000_000 || len(run.Iterations) < c.iterations {
			t.Errorf("%s\n%v, %d e-nodes looked at\n%s", c.text, &run.Report, run.Work, q.Text("f"))
		}
	}
}
