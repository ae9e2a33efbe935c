package props

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// forPrograms checks a property on random programs and prints how many cases
// were skipped.
func forPrograms(t *testing.T, n int, gen gopter.Gen, check func(lib *rules.Library, sig *term.Signature, c programs.Case) error) {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = n
	params.Workers = 1
	params.MaxShrinkCount = 3000
	params.Rng = rand.New(rand.NewSource(testflag.Seed))
	skipped := 0
	var last programs.Case
	var lastErr error
	res := prop.ForAll(func(c programs.Case) bool {
		err := func() (err error) {
			defer func() {
				if r := recover(); r != nil {
					err = fmt.Errorf("panic: %v", r)
				}
			}()
			return check(lib, sig, c)
		}()
		if errors.Is(err, errSkip) {
			skipped++
			return true
		}
		if err != nil {
			last, lastErr = c, err
		}
		return err == nil
	}, gen).Check(params)
	if res.Status != gopter.TestPassed {
		text := ""
		if last.Root != nil {
			text = last.Program(sig).Text("p")
		}
		t.Fatalf("seed %d: %v %v\n%v\n%s", testflag.Seed, res.Status, res.Error, lastErr, text)
	}
	t.Logf("seed %d: %d programs, %d of them skipped", testflag.Seed, res.Succeeded, skipped)
}

// sureSteps reports whether the loops of a program make all their steps whatever the data.
// Else what is done before a loop, or for loops together, may be done for no step.
func sureSteps(p *term.Program) bool {
	sure := true
	p.Store.Walk(p.Root, func(t term.Term) {
		if p.Store.Op(t).Sym == ops.SymStates {
			n, _ := p.Store.Op(t).Sizes[0].Const()
			sure = sure && p.Store.Kids(t)[1].ID == p.Store.LitInt(n).ID
		}
	})
	return sure
}

func TestBOT(t *testing.T) {
	forPrograms(t, testflag.Count(160, 10_000), programs.Gen(programs.Everything, types.NoElem), CheckBOT)
}

func TestStaged(t *testing.T) {
	forPrograms(t, testflag.Count(160, 10_000), programs.Gen(programs.Everything, types.NoElem), CheckStaged)
}

func TestReordered(t *testing.T) {
	forPrograms(t, testflag.Count(300, 10_000), programs.Gen(programs.Rational, types.R), CheckReordered)
}

func TestSettled(t *testing.T) {
	forPrograms(t, testflag.Count(160, 10_000), programs.Gen(programs.Everything, types.NoElem), CheckSettledExactly)
	forPrograms(t, testflag.Count(80, 10_000), programs.Gen(programs.Rational, types.R), CheckSettled)
}

func TestRationalAD(t *testing.T) {
	forPrograms(t, testflag.Count(60, 2000), programs.Gen(programs.Rational, types.R), CheckRationalAD)
}

func TestJacobian(t *testing.T) {
	forPrograms(t, testflag.Count(24, 2000), programs.Gen(programs.Rational, types.R), CheckJacobian)
}

func TestHessian(t *testing.T) {
	forPrograms(t, testflag.Count(20, 2000), programs.GenScalar(programs.Rational), CheckHessian)
}

func TestDirect(t *testing.T) {
	forPrograms(t, testflag.Count(60, 2000), programs.Gen(programs.Rational, types.R), CheckDirect)
}

func TestFloatAD(t *testing.T) {
	forPrograms(t, testflag.Count(60, 2000), programs.GenScalar(programs.Smooth), CheckFloatAD)
}

func TestKernels(t *testing.T) {
	forPrograms(t, testflag.Count(120, 10_000), programs.Gen(programs.Everything, types.NoElem), CheckKernels)
}

func TestUnmasked(t *testing.T) {
	forPrograms(t, testflag.Count(200, 10_000), programs.Gen(programs.Everything, types.NoElem), CheckUnmasked)
}

func TestPaths(t *testing.T) {
	for _, p := range []programs.Palette{programs.Everything, programs.Smooth, programs.Rational} {
		forPrograms(t, testflag.Count(16, 3000), programs.GenScalar(p), CheckPaths)
	}
}
