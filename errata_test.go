package egad_test

import (
	"fmt"

	"egad/diag"
	"egad/internal/bulk"
	"egad/rules/load"
	"egad/term"
	"egad/term/module"
)

// Example_errata runs rules of a paper as they are printed, by themselves: what
// Theorem 5.1 says of their normal forms does not hold.
func Example_errata() {
	sig := term.NewSignature()
	lib, err := load.Files(sig, &diag.Source{Name: "printed.rules", Text: `
ruleset bot_build
ruleset bot_build_index
ruleset bot_index

-- | Rule 12.
rule index_gather exact
  index (gather (k :: ks) t (\(j :: js) -> jx)) (u :: vs) => index (gather ks t (\js -> jx[j := u])) vs

-- | Rule 13: gather [], a gather with a result of rank 0.
rule index_gather_nil exact
  index (gather [] t (\[] -> jx)) ix => index (index t jx) ix
  if t : R[sh...], len jx = len sh

schedule bulk
  run bot_build, bot_build_index, bot_index
`})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := module.Load(sig, &diag.Source{Name: "partial.egad", Text: `
def element(a: R[3, 4]): R = (gather [2] a (\[i] -> [i + 1]))[1, 2]
`})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Instantiate("element", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q, _, err := bulk.Normalise(lib, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(q.Text("normal"))
	fmt.Println(bulk.Is(q.Store, q.Root, q.Names))
	// Output:
	// def normal(a: R[3, 4]): R = (gather [] a (\[] -> [1 + 1]))[2]
	// an index of gather is left
}
