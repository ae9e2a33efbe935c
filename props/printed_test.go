package props

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"egad/internal/bulk"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
	"egad/term/types"
)

// TestPrintedTheorem finds by random programs that Theorem 5.1 of the dual-numbers
// paper needs its repair: the last rule of Fig. 10 as it is printed, for a gather
// with a result of rank 0, leaves normal forms that the theorem excludes. See
// docs/errata.md.
func TestPrintedTheorem(t *testing.T) {
	file := load.Sources()[0]
	replace := func(name, by string) {
		from := strings.Index(file.Text, "\nrule "+name+" ")
		if file.Name != "bot.rules" || from < 0 {
			t.Fatalf("the rule %s is not in %s", name, file.Name)
		}
		to := from + strings.Index(file.Text[from:]+"\n\n", "\n\n")
		file.Text = file.Text[:from] + by + file.Text[to:]
	}
	replace("index_gather_nil", `
rule index_gather_nil exact
  index (gather [] t (\[] -> jx)) ix => index (index t jx) ix
  if take (len jx) (shape t) = shape t`)
	replace("gather_nil", "") // egad's own, as is the set elements
	file.Text = strings.Replace(file.Text, ", gather_nil\n", "\n", 1)
	file.Text += "\nschedule bulk\n  run bot_build, bot_build_index, bot_index\n"
	sig := term.NewSignature()
	lib, err := load.Files(sig, file)
	if err != nil {
		t.Fatal(err)
	}
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = 2000
	params.Workers = 1
	params.Rng = rand.New(rand.NewSource(testflag.Seed))
	var stuck *term.Program
	res := prop.ForAll(func(c programs.Case) bool {
		q, _, err := bulk.Normalise(lib, c.Program(sig))
		if err != nil {
			t.Fatal(err)
		}
		if bulk.Is(q.Store, q.Root, q.Names) == nil {
			return true
		}
		stuck = c.Program(sig)
		return false
	}, programs.Gen(programs.Everything, types.NoElem)).Check(params)
	if res.Status != gopter.TestFailed {
		t.Fatalf("seed %d: %v after %d programs", testflag.Seed, res.Status, res.Succeeded)
	}
	t.Logf("seed %d: after %d programs\n%s", testflag.Seed, res.Succeeded, stuck.Text("p"))
}
