package stages_test

import (
	"flag"
	"fmt"
	"math/rand"
	"testing"
	"time"

	"egad"
	"egad/ad"
	"egad/internal/programs"
	"egad/rules"
	"egad/stages"
	"egad/term"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

var seed = flag.Int64("seed", time.Now().UnixNano(), "the seed of random tests")

// The text of all stages of a random program is read back as what it was.
func TestRandomPrograms(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	params := gopter.DefaultTestParameters()
	params.Rng = rand.New(rand.NewSource(*seed))
	params.MinSuccessfulTests = 100
	params.MaxShrinkCount = 500
	params.Workers = 1
	var failure error
	whole := 0
	res := prop.ForAll(func(c programs.Case) bool {
		ss, err := stages.New(lib, c.Program(sig), ad.Options{}).All()
		if err == nil {
			whole++
		}
		if len(ss) < 4 {
			failure = fmt.Errorf("%d stages: %v", len(ss), err)
			return false
		}
		failure = readsBack(ss)
		return failure == nil
	}, programs.Gen(programs.Smooth, term.R)).Check(params)
	if !res.Passed() {
		t.Fatalf("-seed %d: %v %v", *seed, failure, res.Error)
	}
	if whole < 50 {
		t.Errorf("-seed %d: only %d programs have all stages", *seed, whole)
	}
}

// readsBack checks that the text of stages is read as their programs.
func readsBack(ss []*stages.Stage) error {
	text := stages.Text(ss)
	m, err := egad.Parse("stages", text)
	if err != nil {
		return fmt.Errorf("%w\nin\n%s", err, text)
	}
	for _, s := range ss {
		if s.Kernels != nil || s.Program == nil {
			continue
		}
		p, err := m.Instantiate(s.Def, nil)
		if err != nil {
			return err
		}
		if a, b := bare(p), bare(s.Program); a != b {
			return fmt.Errorf("%s is read back as\n%s, and was\n%s", s.Name, a, b)
		}
	}
	return nil
}
