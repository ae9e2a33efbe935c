package egad_test

import (
	"fmt"

	"egad"
	"egad/ad"
)

// Example_rules derives a gradient with a rule of one's own.
func Example_rules() {
	m, err := egad.LoadTexts(
		&egad.Source{Name: "circle.egad", Text: "def f(x: R): R = sin x * sin x + cos x * cos x + x"},
		&egad.Source{Name: "circle.rules", Text: `
ruleset scalars
rule circle real
  sin a * sin a + cos a * cos a => fill 1 @a
`})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := m.Grad(p, ad.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(g.Program.Text("grad_f"))
	// Output:
	// def grad_f(x: R): (R, R) = (x + 1.0, 1.0)
}
