package suite_test

import (
	"fmt"
	"log"

	"egad/diag"
	"egad/rules/runner"
	"egad/rules/suite"
)

// A language with its rules is text; terms to work on come in as the text of tests.
func Example() {
	f, err := suite.Load(&diag.Source{Name: "shifts.rules", Text: `
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
	test, err := f.ParseTest(&diag.Source{Name: "question", Text: `
		test question
		  start x * 2 / 2
		  prove x * 2 / 2 = x
	`})
	if err != nil {
		log.Fatal(err)
	}
	res, err := f.Run(test, runner.Options{Proofs: true})
	if err == nil {
		err = res.Failed.Err()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Report)
	fmt.Println("smallest:", res.Smallest(res.Roots[0]))
	proofs, err := res.Proofs() // checked by a program that knows rules and no e-graph
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(proofs[0])
	// Output:
	// goal reached after 3 iterations, 8 e-nodes in 4 e-classes, 5 matches
	// smallest: x
	// -- x * 2 / 2 = x: 3 steps
	// --   1. x * 2 / 2
	// --      => x * (2 / 2)
	// --      by assoc, at the root
	// --   2. 2 / 2
	// --      => 1
	// --      by cancel, at 2
	// --   3. x * 1
	// --      => x
	// --      by one, at the root
	// -- as 2 != 0: 1 step
	// --   1. 2 != 0
	// --      => holds
	// --      folding, at the root
}
