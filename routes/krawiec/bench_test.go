package krawiec

import (
	"runtime"
	"testing"

	"egad/fun"
	"egad/internal/testflag"
	"egad/term/ops"
)

// chained is a loop in which x becomes c * x, ten times an iteration.
func chained(n int64) *fun.Program {
	arg := fun.Prod(fun.Int, fun.Real)
	s := &scope{depth: 3} // c, the function, its argument
	var more func(k int, x func() *fun.Term) *fun.Term
	more = func(k int, x func() *fun.Term) *fun.Term {
		if k == 0 {
			return fun.App.Make(s.at(1), fun.Pair.Make(op(ops.SymSub, fun.Fst.Make(s.at(2)), whole(1)), x()))
		}
		return s.let("", times(s.at(0), x()), func(y int) *fun.Term { return more(k-1, func() *fun.Term { return s.at(y) }) })
	}
	x := func() *fun.Term { return fun.Snd.Make(s.at(2)) }
	f := fun.Recursive(fun.Fun(arg, fun.Real), s.choose(op(ops.SymLt, fun.Fst.Make(s.at(2)), whole(1)),
		func(int) *fun.Term { return x() }, func(int) *fun.Term { return more(10, x) }))
	return program(fun.App.Make(f, fun.Pair.Make(whole(n/10), number(1))), "c")
}

func TestChained(t *testing.T) {
	want(t, chained(50), nil, []float64{50}, 1.0)
}

// BenchmarkChain is monadic-array on a chain of primitives, forward and back: of 100,000, and
// of 10,000,000 with -long.
func BenchmarkChain(b *testing.B) {
	n := testflag.Count(100_000, 10_000_000)
	task := &Task{Lib: lib, Program: chained(int64(n)), Steps: 1 << 40}
	r := Find("monadic-array")
	w, _, err := r.Wrap(task)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		m, state := task.machine()
		if g := m.Apply(r.function(m, w), &fun.Pairing{L: 1.0, R: 1.0}); g != float64(n) {
			b.Fatal(g)
		}
		var mem runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&mem)
		b.ReportMetric(float64(mem.HeapAlloc)/float64(n), "live-B/primitive")
		b.ReportMetric(float64(m.Steps)/float64(n), "steps/primitive")
		runtime.KeepAlive(state)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/primitive")
}
