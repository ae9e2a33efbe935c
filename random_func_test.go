package egad_test

import (
	"fmt"
	"math"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/term"
)

// TestRandomFunctions: a function of Go values is its program, and its derivatives are
// the derived programs, whatever their inputs are.
func TestRandomFunctions(t *testing.T) {
	programs.Hold(t, testflag.Seed, testflag.Count(24, 600), programs.GenScalar(programs.Smooth), func(c programs.Case) error {
		p := c.Program(term.NewSignature())
		return isItsProgram(p.Text("f"), c.Values(false, true))
	})
}

func isItsProgram(text string, env egad.Env) error {
	m, err := egad.Parse("f.egad", text)
	if err != nil {
		return err
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		return err
	}
	f, err := m.Compile("f")
	if err != nil {
		return err
	}
	in := make(egad.In)
	for name, v := range env {
		in[name] = v
	}
	want, err := egad.Evaluate(p, env)
	if err != nil {
		return err
	}
	v, err := f.Value(in)
	if err != nil || !alike(v.R, want.R) {
		return fmt.Errorf("%s\nthe value is %v, want %v: %v", text, v, want, err)
	}
	if len(f.Wrt()) == 0 {
		return nil
	}
	d, err := m.Grad(p, ad.Options{})
	if err != nil {
		return err
	}
	if want, err = egad.Run(d.Program, env); err != nil {
		return err
	}
	value, g, err := f.Grad(in)
	if err != nil || !alike([]float64{value}, want.Parts[0].R) {
		return fmt.Errorf("%s\nthe value is %v, want %v: %v", text, value, want.Parts[0], err)
	}
	into := make(egad.Into)
	var places [][]float64
	for _, name := range f.Wrt() {
		place := make([]float64, len(g.Get(name).R))
		into[name] = egad.Array(place, g.Get(name).Shape...)
		places = append(places, place)
	}
	if _, err := f.GradInto(into, in); err != nil {
		return err
	}
	vec, err := f.Vector(in)
	if err != nil {
		return err
	}
	flat := make([]float64, len(vec.Start()))
	vec.Grad(flat, vec.Start())
	for i, name := range f.Wrt() {
		by := want.Parts[1+i].R
		if !alike(g.Get(name).R, by) || !alike(places[i], by) || !alike(flat[:len(by)], by) {
			return fmt.Errorf("%s\nby %s: %v, %v and %v, want %v", text, name, g.Get(name).R, places[i], flat[:len(by)], by)
		}
		flat = flat[len(by):]
	}
	return vec.Err()
}

// alike reports whether numbers are the same, bit for bit, all NaNs being one.
func alike(a, b []float64) bool {
	for i := range b {
		if len(a) != len(b) || math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}
