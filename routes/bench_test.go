package routes

import (
	"slices"
	"testing"

	"egad/internal/defs"
	"egad/internal/timing"
	"egad/kernel/machine"
	"egad/routes/slope"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
)

// gmm is the Gaussian mixture of ADBench with a data file.
func gmm(t testing.TB, file string) *Task {
	t.Helper()
	lib, p, env := defs.OnData(t, "../examples/gmm/gmm.egad", "gmm", "../examples/gmm/data/"+file+".json")
	task := &Task{Lib: lib, Program: p, Env: env, Bounds: DefaultBounds}
	task.Options.Wrt = []string{"alpha", "mu", "icf"}
	return task
}

// BenchmarkShare runs dual numbers with ids and their reverse pass: for each operation, forward
// and back, the time, and the memory of Deltas and of the pass.
func BenchmarkShare(b *testing.B) {
	report := func(b *testing.B, operations int64, run func() *tape[float64]) {
		var bytes int
		for b.Loop() {
			tp := run()
			e := newEvaluator(tp, eval.Scalars[float64](floats), unbounded)
			if err := e.reversePass([]weighted[float64]{{1, Delta(-tp.shared.Len())}}, e.vector()); err != nil {
				b.Fatal(err)
			}
			bytes = 16*tp.cells.Len() + 4*tp.shared.Len() + 16*tp.shared.Len()
			tp.free()
		}
		b.ReportMetric(float64(bytes)/float64(operations), "bytes/operation")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(operations), "ns/operation")
	}
	b.Run("chain", func(b *testing.B) {
		sig := term.NewSignature()
		lib, err := load.Builtin(sig)
		if err != nil {
			b.Fatal(err)
		}
		const n = 10_000_000
		report(b, n, func() *tape[float64] {
			tp := &tape[float64]{inputs: 1, left: 10 * n}
			a := &duals[float64]{of: floats, tape: tp, ids: true, slopes: newSlopes(slope.NewTable(lib, sig), eval.Scalars[float64](floats))}
			x, one := dual[float64]{1, tp.input(0)}, dual[float64]{x: 1}
			product, neg := a.PrepareBinary(ops.SymMul), a.PrepareUnary(ops.SymNeg, 0)
			for range n / 2 {
				x = neg(product(x, one))
			}
			return tp
		})
	})
	b.Run("gmm_d2_K5", func(b *testing.B) {
		task := gmm(b, "gmm_d2_K5")
		_, n, err := run(floats, task, task.Program, task.Env)
		if err != nil {
			b.Fatal(err)
		}
		report(b, n, func() *tape[float64] {
			run, err := runDuals(floats, task, true)
			if err != nil {
				b.Fatal(err)
			}
			return run.tape
		})
	})
}

// BenchmarkDual is dual arrays on a Gaussian mixture, beside the evaluator on the program that
// the symbolic reverse pass writes, which does the same, and on that program simplified, which
// does less.
func BenchmarkDual(b *testing.B) {
	task := gmm(b, "gmm_d10_K25")
	w, err := write(task, ShareCopies)
	if err != nil {
		b.Fatal(err)
	}
	program, err := w.program()
	if err == nil {
		program, err = ofOne(program)
	}
	if err != nil {
		b.Fatal(err)
	}
	simplified, _ := symbolic(ShareCopies)(task)
	evaluator := func(p *term.Program) func() error {
		return func() error {
			_, err := tried(running(floats, p, Counts{}), task)
			return err
		}
	}
	var times []timing.Times
	for b.Loop() {
		times, err = timing.Alternate(timing.Limits{Least: 3}, nil, func() error {
			_, err := tried(dualArraysRoute(floats, true), task)
			return err
		}, evaluator(program), evaluator(simplified))
		if err != nil {
			b.Fatal(err)
		}
	}
	dual := float64(slices.Min(times[0]))
	b.ReportMetric(dual/float64(slices.Min(times[1])), "evaluators")
	b.ReportMetric(dual/float64(slices.Min(times[2])), "simplified")
	b.ReportMetric(timing.Milliseconds(slices.Min(times[0])), "ms/gradient")
}

// BenchmarkSymbolic derives and simplifies the gradient of a Gaussian mixture by the symbolic
// reverse pass, and runs its kernels beside those of egad grad.
func BenchmarkSymbolic(b *testing.B) {
	task := gmm(b, "gmm_d10_K25")
	var p *term.Program
	for b.Loop() {
		p, _ = symbolic(ShareCopies)(task)
	}
	q, _ := derived(false)(task)
	var fs []func() error
	for _, p := range []*term.Program{q, p} {
		ready, err := timing.Prepare(task.Lib, p, nil, task.Env, nil, nil, machine.DefaultMemory)
		if err != nil {
			b.Fatal(err)
		}
		fs = append(fs, ready.Run)
	}
	times, err := timing.Alternate(timing.Limits{Least: 15}, nil, fs...)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(slices.Min(times[1]))/float64(slices.Min(times[0])), "egraphs")
}
