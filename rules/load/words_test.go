package load

import (
	"testing"

	"egad/diag"
	"egad/term"
)

// TestWords: a word of declarations that begins a line of a term further to the right
// than the declaration is the operator of that name.
func TestWords(t *testing.T) {
	_, err := Builtin(term.NewSignature(), &diag.Source{Name: "a", Text: `ruleset arrays
rule twice exact
  sort (sort (sort a)) =>
    sort a
  example (x: R[3])
    sort (sort (sort x)) => sort x
test t
  var a: R[3]
  start
    sort (a + a)
`})
	if err != nil {
		t.Error(err)
	}
	l, err := Language(&diag.Source{Name: "l", Text: `language s
  sort E
  number E
  symbol x : E
  op sort E : E
  op fold E E : E
  rule first
    fold b
      c =>
    sort b
  rule second sort (sort b) =>
    sort b
  test t
    start
      sort (sort 3)
    prove sort (sort 3) =
      sort 3
`})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.All()); n != 2 {
		t.Errorf("%d rules", n)
	}
	if _, err := Builtin(term.NewSignature(), &diag.Source{Name: "a", Text: "ruleset r\nsort E\n"}); err == nil {
		t.Error("a sort is declared in a file for arrays")
	}
}
