package kerneltest

import (
	"math"
	"math/rand"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
)

// Values are random inputs of a program; integers are mostly in range of its
// sizes, and sometimes far out.
func Values(t testing.TB, p *term.Program, seed int64) eval.Env[*eval.Value[float64]] {
	t.Helper()
	rng := rand.New(rand.NewSource(seed))
	return defs.Inputs(t, p, rng.NormFloat64, func() int64 {
		if rng.Intn(50) == 0 {
			return []int64{math.MaxInt64, math.MinInt64, 1 << 62}[rng.Intn(3)]
		}
		return int64(rng.Intn(40) - 4)
	})
}

// Way is a way to run kernels, and which values are the same for it.
type Way struct {
	Name    string
	Compile func(k *kernel.Program) (*machine.Machine, error)
	Same    func(a, b *eval.Value[float64]) bool
}

// Ways are all of them. Where there is no compiler for the machine, some are the same.
var Ways = []Way{
	{"in blocks of 7", func(k *kernel.Program) (*machine.Machine, error) { return machine.Compile(k, 7) }, defs.Same},
	{"in blocks", func(k *kernel.Program) (*machine.Machine, error) { return machine.Compile(k, kernel.DefaultBlock) }, defs.Same},
	{"in machine code, exact", func(k *kernel.Program) (*machine.Machine, error) { return machine.CompileNative(k, true) }, defs.Same},
	{"in machine code", func(k *kernel.Program) (*machine.Machine, error) { return machine.CompileNative(k, false) }, Near},
}

// TwoThreads is machine code that two goroutines share.
var TwoThreads = Way{"in machine code, by two threads", machine.Native{Threads: 2}.Compile, Near}

// Products is machine code in which all that are products of matrices are computed as such, however small, by
// two threads.
var Products = Way{"in machine code, by products of matrices", func(k *kernel.Program) (*machine.Machine, error) {
	return machine.Native{Threads: 2}.Compile(Free(k))
}, Near}

// Free is a program with weights by which products of matrices cost nothing.
func Free(p *kernel.Program) *kernel.Program {
	free, w := *p, *p.Costs()
	w.Times = nil
	for _, c := range []cost.Weight{cost.Multiply, cost.Pack, cost.Product, cost.Edge, cost.Host} {
		w.Of[c] = 0
	}
	free.Weights = &w
	return &free
}

// Near reports whether values are the same, but that reals may differ by a little: their sums are added in another
// order.
func Near(a, b *eval.Value[float64]) bool { return defs.Near(a, b, 1e-12) }

// InAllWays runs kernels, which have to give a value.
func InAllWays(t *testing.T, about string, k *kernel.Program, env eval.Env[*eval.Value[float64]], want *eval.Value[float64]) {
	t.Helper()
	for _, way := range Ways {
		m, err := way.Compile(k)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run(env)
		if err != nil {
			t.Fatal(err)
		}
		if !way.Same(got, want) {
			t.Errorf("%s, %s: the kernels give another value\n%s", about, way.Name, k)
		}
	}
}

// CompareWays compares what kernels of a program make in all ways with what the evaluator makes.
func CompareWays(t *testing.T, p *term.Program, k *kernel.Program, seed int64, ways []Way) {
	t.Helper()
	CompareAt(t, p, k, Values(t, p, seed), ways)
}

// CompareAt is [CompareWays] at values of the inputs.
func CompareAt(t *testing.T, p *term.Program, k *kernel.Program, env eval.Env[*eval.Value[float64]], ways []Way) {
	t.Helper()
	Comparison(t, p, k, ways)(env)
}

// Comparison compiles kernels in some ways, and gives what compares each with the evaluator at
// values of the inputs.
func Comparison(t *testing.T, p *term.Program, k *kernel.Program, ways []Way) func(env eval.Env[*eval.Value[float64]]) {
	t.Helper()
	var machines []*machine.Machine
	for _, w := range ways {
		m, err := w.Compile(k)
		if err != nil {
			t.Fatal(err)
		}
		machines = append(machines, m)
	}
	return func(env eval.Env[*eval.Value[float64]]) {
		t.Helper()
		want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for i, w := range ways {
			for range 2 { // memory is used again, whatever is there
				got, err := machines[i].Run(env)
				if err != nil || !w.Same(want, got) {
					t.Errorf("%s, %s: %v, %v, want %v\n%s", p.Name, w.Name, got, err, want, k)
				}
				Litter(t, machines[i])
			}
		}
	}
}

// Litter makes all reals NaN that a run computes in memory, so that the next one finds them there.
func Litter(t *testing.T, m *machine.Machine) {
	t.Helper()
	s, err := m.Take()
	if err != nil {
		t.Fatal(err)
	}
	for a, e := range s.Memory() {
		for i := range e.R {
			if a.Role == kernel.Temp {
				e.R[i] = math.NaN()
			}
		}
	}
	s.Give()
}
