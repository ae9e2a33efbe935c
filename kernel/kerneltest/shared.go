package kerneltest

import (
	"fmt"

	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/fuse"
	"egad/kernel/inplace"
	"egad/kernel/lower"
	"egad/kernel/machine"
	"egad/kernel/schedule"
	"egad/kernel/steps"
	"egad/term"
	"egad/term/eval"
)

// CheckShared compares the kernels of a program whose loops are shared wherever they may
// be with the evaluator, bit for bit, and counts operations.
func CheckShared(p *term.Program, env eval.Env[*eval.Value[float64]]) error {
	want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		return err
	}
	fused, err := fusion.Fuse(nil, p, nil, extract.How{})
	if err != nil {
		return err
	}
	apart, err := lower.By(fused, Alone())
	if err != nil {
		return err
	}
	for i, rows := range []int{1, 3, 1, 3} {
		k, err := lower.By(fused, Shared(rows, i > 1))
		if err != nil {
			return err
		}
		if a, b := k.Counts(), apart.Counts(); a.Float > b.Float {
			return fmt.Errorf("%v operations, and apart %v\n%s\n%s", a, b, k, apart)
		}
		for _, w := range Ways[:min(3, len(Ways))] {
			m, err := w.Compile(k)
			if err != nil {
				return err
			}
			for range 2 { // memory that is used again must not show
				got, err := m.Run(env)
				if err != nil {
					return err
				}
				if !w.Same(got, want) {
					return fmt.Errorf("%s, blocks of %d rows: another value\n%s\n%s", w.Name, rows, k, apart)
				}
			}
		}
		Share(k)
		if err := CheckThreads(k, env, want); err != nil {
			return fmt.Errorf("blocks of %d rows, %w\n%s", rows, err, k)
		}
	}
	return nil
}

// CheckThreads compares kernels of which goroutines share all that may be, with a value, and
// for several numbers of goroutines bit for bit.
func CheckThreads(k *kernel.Program, env eval.Env[*eval.Value[float64]], want *eval.Value[float64]) error {
	same := Near
	for _, threads := range []int{1, 2, 3} {
		m, err := machine.Native{Threads: threads}.Compile(k)
		if err != nil {
			return err
		}
		got, err := m.Run(env)
		if err != nil {
			return err
		}
		if !same(got, want) {
			return fmt.Errorf("%d threads: another value", threads)
		}
		want, same = got, defs.Same
	}
	return nil
}

// Shared has loops be shared wherever they may be, and in blocks of so many rows along every axis,
// which are chosen first or last.
func Shared(rows int, first bool) fuse.Sizes {
	return fuse.Sizes{Rows: rows, Axis: 2, Eager: true, First: first}
}

// InBlocks has loops be done in blocks of so many rows, for a machine whose memory is slow.
func InBlocks(rows int) fuse.Sizes {
	w := *cost.Default()
	w.Of[cost.SecondBytes], w.Of[cost.Beyond] = w.Of[cost.FirstBytes], 100
	return fuse.Sizes{Rows: rows, Axis: 32, Cache: 1, Weights: &w}
}

// Recomputed has arrays be computed where they are read, if they may be.
func Recomputed() fuse.Sizes {
	in := fuse.Usual(nil)
	in.Recompute = true
	return in
}

// Alone has one kernel for each array.
func Alone() fuse.Sizes { return fuse.Sizes{Apart: true} }

// Share has loops of a program be shared, and folds and blocks be made of parts, however
// short they are.
func Share(p *kernel.Program) {
	w := *p.Costs()
	for _, i := range []cost.Weight{cost.Share, cost.Parts, cost.First, cost.Second, cost.Beyond} {
		w.Of[i] = 0
	}
	p.Weights = &w
}

// InCode is a program as machine code does it, with short steps as loops of kernels.
func InCode(p *kernel.Program, exact bool) *kernel.Program {
	if !exact {
		p = schedule.Partial(inplace.Updated(p), 1)
	}
	return steps.Joined(p, exact)
}
