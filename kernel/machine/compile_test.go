package machine_test

import (
	"path"
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/machine"
)

// BenchmarkCompile measures how long it takes to make machine code of values and gradients, and how much code that is,
// in bytes of WebAssembly.
func BenchmarkCompile(b *testing.B) {
	for _, program := range []struct {
		file, def string
		sizes     map[string]int64
	}{
		{"suites/transformer", "loss", map[string]int64{"l": 3, "n": 48, "h": 4, "e": 8, "d": 32, "f": 64, "v": 64}},
		{"gmm/gmm", "gmm", map[string]int64{"K": 25, "D": 10, "N": 1000, "L": 55}},
		{"gmm/gmm", "gmm", map[string]int64{"K": 5, "D": 32, "N": 1000, "L": 528}},
		{"suites/conv_net", "loss", map[string]int64{"n": 16, "h": 28, "w": 28, "a": 6, "b": 12, "s": 5, "k": 10}},
	} {
		b.Run(path.Base(program.file), func(b *testing.B) {
			lib, m := defs.Load(b, "../../examples/"+program.file+".egad")
			p, err := m.Instantiate(program.def, program.sizes)
			if err != nil {
				b.Fatal(err)
			}
			d, err := ad.Grad(lib, p, ad.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			code := 0
			for b.Loop() {
				k, err := fusion.Lower(lib, d.Program, nil)
				if err != nil {
					b.Fatal(err)
				}
				mach, err := machine.CompileNative(k, false)
				if err != nil {
					b.Fatal(err)
				}
				code = mach.Code()
			}
			b.ReportMetric(float64(code), "code-bytes")
		})
	}
}

// TestFunctionsOnce: a fold that computes functions, which are long, is little code, whether it is short or long.
func TestFunctionsOnce(t *testing.T) {
	code := func(n string) int {
		_, k := lowered(t, `def f(x: R[`+n+`, 40], m: R[40]): R[40] = build 40 (\j -> sum (build `+n+` (\i -> exp (x[i, j] - m[j]))))`)
		m, err := machine.CompileNative(k, false)
		if err != nil {
			t.Fatal(err)
		}
		return m.Code()
	}
	for _, n := range []string{"32", "3200"} {
		if code := code(n); code > 50000 {
			t.Errorf("%d bytes of code for %s runs", code, n)
		}
	}
}
