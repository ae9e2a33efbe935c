package term_test

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

func source(text string) *diag.Source { return &diag.Source{Name: "test.egad", Text: text} }

// load parses and checks a program that must be right.
func load(t testing.TB, text string) *module.Module {
	t.Helper()
	m, err := module.Load(term.NewSignature(), source(text))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return m
}

// instance is the last definition of a program at the given sizes.
func instance(t testing.TB, text string, sizes map[string]int64) *term.Program {
	t.Helper()
	p, err := load(t, text).Instantiate("", sizes)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return p
}

// run is the value of a program over float64, as text.
func run(t testing.TB, p *term.Program, env eval.Env[*eval.Value[float64]]) string {
	t.Helper()
	v, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, p.Text("f"))
	}
	return showFloats(v)
}

// showFloats prints a value so that two of them are printed alike exactly if
// they are bit for bit equal, up to the payload of NaN.
func showFloats(v *eval.Value[float64]) string {
	return show(v, func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) })
}

// showRationals prints a value as showFloats prints the nearest floats.
func showRationals(v *eval.Value[*big.Rat]) string {
	return show(v, func(x *big.Rat) string {
		f, _ := x.Float64()
		return strconv.FormatFloat(f, 'g', -1, 64)
	})
}

func show[S any](v *eval.Value[S], real func(S) string) string {
	if v.Parts != nil {
		parts := make([]string, len(v.Parts))
		for i, p := range v.Parts {
			parts[i] = show(p, real)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	at := 0
	var nest func(shape []int) string
	nest = func(shape []int) string {
		if len(shape) == 0 {
			at++
			switch {
			case v.Elem == types.R:
				return real(v.R[at-1])
			case v.Elem == types.B:
				return strconv.FormatBool(v.N[at-1] != 0)
			}
			return fmt.Sprint(v.N[at-1])
		}
		parts := make([]string, shape[0])
		for i := range parts {
			parts[i] = nest(shape[1:])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return nest(v.Shape)
}

// reals is a value of type R with the given shape.
func reals(shape []int, xs ...float64) *eval.Value[float64] {
	return &eval.Value[float64]{Elem: types.R, Shape: shape, R: xs}
}

func vector(xs ...float64) *eval.Value[float64] { return reals([]int{len(xs)}, xs...) }

// within reports whether two reals agree up to a relative error.
func within(a, b, rel float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) == math.IsNaN(b)
	}
	return a == b || math.Abs(a-b) <= rel*max(math.Abs(a), math.Abs(b))
}
