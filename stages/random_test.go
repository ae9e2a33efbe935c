package stages_test

import (
	"fmt"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/stages"
	"egad/term"
	"egad/term/module"
	"egad/term/types"
)

// The text of all stages of a random program is read back as what it was.
func TestRandomPrograms(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	programs.Hold(t, testflag.Seed, testflag.Count(40, 1000), programs.Gen(programs.Smooth, types.R), func(c programs.Case) error {
		ss, err := stages.New(lib, c.Program(sig), ad.Options{}).All()
		if err == nil {
			whole++
		}
		if len(ss) < 4 {
			return fmt.Errorf("%d stages: %v", len(ss), err)
		}
		return readsBack(ss)
	})
	if whole < 20 {
		t.Errorf("-seed %d: only %d programs have all stages", testflag.Seed, whole)
	}
}

// readsBack checks that the text of stages is read as their programs, in which maps are not
// yet applied.
func readsBack(ss []*stages.Stage) error {
	text := stages.Text(ss)
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "stages", Text: text})
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
