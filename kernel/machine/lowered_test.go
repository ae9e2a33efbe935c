package machine_test

import (
	"math/rand"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
)

// lowered is the last definition of a text, and its kernels.
func lowered(t testing.TB, text string) (*term.Program, *kernel.Program) {
	t.Helper()
	_, p := defs.Last(t, text)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, k
}

// drawn are inputs of a program.
func drawn(t *testing.T, p *term.Program, seed int64) eval.Env[*eval.Value[float64]] {
	t.Helper()
	rng := rand.New(rand.NewSource(seed))
	return defs.Inputs(t, p, rng.NormFloat64, func() int64 { return int64(rng.Intn(40) - 4) })
}

// eachMachine calls f with machines of all kinds for kernels.
func eachMachine(t *testing.T, k *kernel.Program, f func(name string, m *machine.Machine)) {
	t.Helper()
	for _, c := range []struct {
		name string
		make func() (*machine.Machine, error)
	}{
		{"in blocks of 7", func() (*machine.Machine, error) { return machine.Compile(k, 7) }},
		{"in blocks", func() (*machine.Machine, error) { return machine.Compile(k, kernel.DefaultBlock) }},
		{"in machine code, exact", func() (*machine.Machine, error) { return machine.CompileNative(k, true) }},
		{"in machine code", func() (*machine.Machine, error) { return machine.CompileNative(k, false) }},
	} {
		m, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		f(c.name, m)
	}
}
