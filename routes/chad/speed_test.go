package chad

import (
	"runtime/metrics"
	"strconv"
	"testing"

	"egad/fun"
	"egad/internal/testflag"
	"egad/term/numeric"
)

// BenchmarkChain is the derivative of chains of lets: its steps by the steps of the program, and
// the time, which grows in proportion.
func BenchmarkChain(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		p := chain(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			d, err := Find("chad").Transform(library(b), p)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				_, m, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Steps())/float64(m.Primal), "ratio")
			}
		})
	}
}

// heavy is build n (\i -> let x = a[i] in …), with 50 operations for each element.
func heavy(n int64) *fun.Program {
	x := fun.Index.Typed(fun.Real, v(1), v(0))
	body := v(0)
	for range 25 {
		body = mul(add(body, v(0)), v(0))
	}
	each := fun.Build.Typed(fun.Real, fun.Literal(numeric.Int(n), fun.Int), fun.LetIn(x, body))
	return &fun.Program{Names: []string{"a"}, Context: []*fun.Type{fun.Array(fun.Real)}, Result: fun.Array(fun.Real), Body: each}
}

// BenchmarkParallel is the derivative of a build of 10,000 elements with 50 operations each
// (of 100,000 with -long, which takes 8 GB), in parts on one goroutine and on two, and without
// parts.
func BenchmarkParallel(b *testing.B) {
	n := testflag.Count(5000, 100_000)
	p := heavy(int64(n))
	a, ct := &fun.Elements{}, make([]fun.Value, n)
	for i := range n {
		a.X, ct[i] = append(a.X, 1e-3*float64(i%7)), 1.0
	}
	for _, threads := range []int{0, 1, 2} {
		r := Find("chad-parallel")
		if threads == 0 {
			r = Find("chad")
		}
		d, err := r.Transform(library(b), p)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(r.Name+"-"+strconv.Itoa(threads), func(b *testing.B) {
			before := collector()
			for b.Loop() {
				m, s := d.machine(Options{Threads: threads, Limit: 1 << 40})
				both, err := m.Eval(d.Term, []fun.Value{a})
				if err != nil {
					b.Fatal(err)
				}
				back, err := m.Call(both.(*fun.Pairing).R, wholeBag(ct))
				if err != nil {
					b.Fatal(err)
				}
				d.finish(m, s, back, d.Zeros())
			}
			b.ReportMetric((collector()-before)/float64(b.N), "gc-cpu-s/op")
		})
	}
}

// collector is how many seconds of a processor garbage collection has taken so far. It runs
// beside the computation where a processor has nothing else to do, and so helps one goroutine
// more than two.
func collector() float64 {
	s := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64()
}

// BenchmarkTheorems looks at both theorems on 10,000 random programs.
func BenchmarkTheorems(b *testing.B) {
	for b.Loop() {
		w, err := Find("chad").Random(library(b), 10_000, testflag.Seed, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(w.TH1, "of-TH1")
		b.ReportMetric(w.TH2, "of-TH2")
	}
}
