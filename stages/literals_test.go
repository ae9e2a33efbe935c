package stages_test

import (
	"fmt"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/defs"
	"egad/stages"
)

// A long literal is printed once, whatever it is called, and in the text of a
// derivative at one place too.
func TestLongLiterals(t *testing.T) {
	var numbers []string
	for i := range 3000 {
		numbers = append(numbers, fmt.Sprintf("%d.0", i))
	}
	list := strings.Join(numbers, ", ")
	m, err := egad.Parse("f", "def f(literal1: R, x: R[3000]): R =\n  let c = ["+list+"] in\n"+
		"  literal1 * sum (c * x) + sum (build 3000 (\\i -> x[i] * c[2999 - i]))\n")
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatal(err)
	}
	ss, err := m.Stages(p, ad.Options{}).All()
	if err != nil {
		t.Fatal(err)
	}
	text := stages.Text(ss)
	if n := strings.Count(text, "1234.0"); n != 1 {
		t.Errorf("the literal is there %d times", n)
	}
	_, again := defs.Read(t, text)
	for _, s := range ss {
		if s.Kernels != nil {
			continue
		}
		q, err := again.Instantiate(s.Def, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := bare(q), bare(s.Program); a != b {
			t.Errorf("%s does not read back", s.Name)
		}
		if n := strings.Count(s.Program.Text("f"), "1234.0"); n > 1 {
			t.Errorf("the program of the stage %s has the literal %d times", s.Name, n)
		}
	}
}
