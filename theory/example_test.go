package theory_test

import (
	"fmt"
	"log"
	"os"

	"egad/diag"
	"egad/theory"
)

// A language with its rules is text; terms to work on come in as the text of tests.
func Example() {
	t, err := theory.Load(&diag.Source{Name: "shifts.rules", Text: `
		language shifts
		sort N
		number N
		symbol x y : N
		op * N N : N
		op / N N : N
		op shl N N : N
		relation != N N

		rule shift  a * 2 => shl a 1
		rule assoc  a * b / c => a * (b / c)
		rule cancel a / a => 1 if a != 0
		rule one    a * 1 => a
	`})
	if err != nil {
		log.Fatal(err)
	}
	test, err := t.ParseTest(&diag.Source{Name: "question", Text: `
		test question
		  start x * 2 / 2
		  prove x * 2 / 2 = x
	`})
	if err != nil {
		log.Fatal(err)
	}
	res := t.Run(test, theory.Options{Proofs: true})
	if err := res.Failed.Err(); err != nil {
		log.Fatal(err)
	}
	least, _ := res.Graph.Smallest(res.Roots[0])
	fmt.Println(res.Report)
	fmt.Println("smallest:", t.Text(least, nil))
	proofs, err := res.Proofs() // checked by a program that knows rules and no e-graph
	if err != nil {
		log.Fatal(err)
	}
	proofs[0].Write(os.Stdout, t)
	// Output:
	// goal reached after 3 iterations: 8 e-nodes in 4 e-classes, 5 matches
	// smallest: x
	//      x * 2 / 2
	//   1. «x * (2 / 2)»   by assoc
	//   2. x * «1»   by cancel
	//        as 2 != 0
	//   3. «x»   by one
}
