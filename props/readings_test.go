package props

import (
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"testing"

	"egad/fun"
	"egad/internal/defs"
	"egad/internal/programs"
	"egad/internal/slice"
	"egad/internal/testflag"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// bothReadings is an error unless an array program has, as a functional program, the value
// that it has.
func bothReadings(p *term.Program, env eval.Env[*eval.Value[float64]]) error {
	want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		return fmt.Errorf("%w: %w", errSkip, err)
	}
	f, err := fun.FromProgram(p)
	if err != nil {
		return err
	}
	d := fun.Floats()
	v, err := f.Run(&fun.Machine{Domain: d}, inputsOf(d, p, env))
	if err != nil {
		return fmt.Errorf("%w\n%s", err, fun.Print(f.Body, f.Names...))
	}
	got, err := d.ToArray(v, p.Store.Type(p.Root))
	if err != nil {
		return err
	}
	if !defs.Same(got, want) {
		return fmt.Errorf("as a functional program it has the value %v, and not %v\n%s", got, want, fun.Print(f.Body, f.Names...))
	}
	return nil
}

// TestBothReadings: array programs as functional programs.
func TestBothReadings(t *testing.T) {
	forPrograms(t, testflag.Count(160, 10_000), programs.Gen(programs.Everything, types.NoElem), func(_ *rules.Library, sig *term.Signature, c programs.Case) error {
		return bothReadings(c.Program(sig), c.Values(false, false))
	})
}

// TestBothReadingsOfExamples: all definitions of the examples.
func TestBothReadingsOfExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.egad")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	read := 0
	for _, file := range files {
		if filepath.Base(file) == "running.egad" { // which needs rules of its own
			continue
		}
		_, m := defs.Load(t, file)
		rng := rand.New(rand.NewSource(testflag.Seed))
		for _, name := range m.Defs() {
			info, err := m.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			sizes := make(map[string]int64)
			for i, s := range info.Sizes {
				sizes[s] = 2 + int64(i)
			}
			if name == "gmm" {
				sizes = map[string]int64{"K": 3, "D": 2, "N": 4, "L": 3}
			}
			p, err := m.Instantiate(name, sizes)
			if err != nil { // some are not for these sizes, or are parts of others
				continue
			}
			read++
			if err := bothReadings(p, defs.Inputs(t, p, rng.NormFloat64, func() int64 { return rng.Int63n(3) })); err != nil && !errors.Is(err, errSkip) {
				t.Errorf("%s: %s: %v", file, name, err)
			}
		}
	}
	t.Logf("%d definitions", read)
	if read < 70 {
		t.Errorf("only %d definitions are read", read)
	}
}

// inputsOf are the inputs of an array program as values; env has their leaves.
func inputsOf(d *fun.Concrete[float64], p *term.Program, env eval.Env[*eval.Value[float64]]) []fun.Value {
	var read func(in term.Input) fun.Value
	read = func(in term.Input) fun.Value {
		if in.Type.Kind != types.KTuple {
			return d.FromArray(env[in.Name], in.Type)
		}
		return fun.TupleValue(slice.Map(in.Components(), read)...)
	}
	return slice.Map(p.Inputs, read)
}
