package term_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/module"
)

// Bounds on the texts and the programs of a fuzz target; what is larger
// is for TestLimits.
const (
	maxFuzzedText  = 4 << 10 // bytes
	maxFuzzedNodes = 20_000
)

// FuzzProgram reads any text as a program. What is wrong with it is said with a
// position inside the text; what is right has instances at small sizes, or a
// reason why not, and an instance is printed as a text of the same term.
func FuzzProgram(f *testing.F) {
	f.Add(module.Prelude().Text)
	files, err := filepath.Glob("testdata/errors/*.egad")
	if err != nil || len(files) == 0 {
		f.Fatalf("no test files: %v", err)
	}
	for _, file := range append(files, "../examples/gmm/gmm.egad") {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range chunks(string(text)) {
			f.Add(c)
		}
	}
	for _, s := range []string{
		`def f[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))`,
		`def f[m, n](p: (R[m, n], I), b: B): R where n = m * (m + 1) / 2, m > 0 = let (a, k) = p in if b then a[k, 0] else 2%3 * 1e-3`,
		`def f(n: size, a: R[n, 2]): R[2, n] = tr [1, 0] (gather [n] a (\[i] -> [i + 1]) + scatter [n] a (\i -> [i - 1]))`,
		`def f(a: R[3]): (I, B[3]) = (argmax a, where (a < 1.5 and not (a = 0)) true (0 <= a < 2))`,
		`def f(x: R[2]): R[2] -o (R, R[2]) = lpair [lmap sum; lscale x]`,
		`def f[n](a: R[n]): (R, R[n div 2]) = let g = \x y -> x * y in let h = n div 2 in (pipe [map (g 2), sum] a, a[:h] + a[n - h:])`,
		`def f[m, n](p: (R, I[2])[n], a: R[m, n]): (R, R[n])[min m n] = build (min m n) (\i -> (p.0[i] + last p.0, a[i, :]))`,
		`def f(x: R[3]): R[3, 3] = map (grad (\r -> sum (r * x))) (along 1 (concat [1]) (stack 0 x x x))[:, 1:]`,
		`def f[n](a: R[n]): R = a[-1] + a[n:n + 2][0] + (index a [n]) + hessian (\y -> y ^ 2) a[0]`,
		`def f[n](a: R[n], p: (R, I)): (R, R[n]) = (sum a * p.0, a) with nabla \a p -> (lpair (lmap sum @R[n]) (lone @R[n]), (sum a, a))`,
		`def f[n](k: I, a: R[n]): R = fold (\s x -> iterate k (\t -> t * x + s) s) (iterate (k div 2) (\t -> t / 2) 1) a`,
		`def f(x: R): R = abs x with agreed nabla \x -> (f x + 1) / 2` + "\ndef g[n](k: I, a: R[n]): R[n] = f (iterate k f a)",
		"def f(x: R): R = (\\g -> g (g x)) (\\y -> y ^ 3 |> tanh) -- | twice\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxFuzzedText {
			return
		}
		src := source(text)
		m, err := module.Load(term.NewSignature(), src)
		if err != nil {
			checkFindings(t, src, err)
			return
		}
		for _, name := range m.Defs() {
			info, err := m.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			for n := range int64(4) {
				sizes := make(map[string]int64)
				for i, s := range info.Sizes {
					sizes[s] = (n + int64(i)) % 4
				}
				p, err := m.Instantiate(name, sizes)
				if err != nil {
					checkFindings(t, src, err)
					continue
				}
				if p.Store.Len() > maxFuzzedNodes {
					continue
				}
				if err := checkRoundTrip(p, false, 0); err != nil {
					t.Fatalf("%v\nfrom %s at %v of\n%s", err, name, sizes, text)
				}
			}
		}
	})
}

// checkFindings checks that an error is findings, each with a position in its text.
func checkFindings(t *testing.T, src *diag.Source, err error) {
	t.Helper()
	var list diag.List
	var one *diag.Error
	switch {
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = diag.List{one}
	default:
		t.Fatalf("an error without a position: %v\nin\n%s", err, src.Text)
	}
	for _, e := range list {
		if e.Src == nil || e.Pos < 0 || int(e.Pos) > len(e.Src.Text) || e.Msg == "" {
			t.Fatalf("a finding at %d that is not in a text: %v\nin\n%s", e.Pos, e, src.Text)
		}
	}
	_ = list.Error()
}
