package stages_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/testflag"
	"egad/term/types"
)

// proofsOfSelfconv are proofs of the gradient of a small program, as text, and what
// checks that a text is refused or has the value of the gradient.
func proofsOfSelfconv(f testing.TB) (texts [][]byte, check func(t testing.TB, text []byte)) {
	m, err := egad.Load("testdata/programs.egad")
	if err != nil {
		f.Fatal(err)
	}
	p, err := m.Instantiate("selfconv", map[string]int64{"n": 3})
	if err != nil {
		f.Fatal(err)
	}
	env := egad.Env{"a": &egad.Value{Elem: types.R, Shape: []int{3}, R: []float64{0.5, -2, 3}}}
	var want []float64
	for _, direct := range []bool{false, true} {
		task := ad.Task{Mode: "grad", Direct: direct}
		d, err := task.Derive(m.Rules(), p, ad.Options{Record: true})
		if err != nil {
			f.Fatal(err)
		}
		v, err := egad.Evaluate(d.Program, env)
		if err != nil {
			f.Fatal(err)
		}
		want = v.Parts[1].R
		texts = append(texts, written(f, d, task))
	}
	return texts, func(t testing.TB, text []byte) {
		var pr ad.Proof
		if err := json.Unmarshal(text, &pr); err != nil {
			return
		}
		pr.Mode, pr.Wrt, pr.Exact = "grad", nil, false
		v, err := ad.Verify(m.Rules(), p, &pr)
		if err != nil {
			return
		}
		got, err := egad.Evaluate(v.Program, env)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range got.Parts[1].R {
			if !(math.Abs(x-want[i]) <= 1e-9) {
				t.Fatalf("a proof is accepted by which the gradient is %v, not %v:\n%s", got.Parts[1].R, want, text)
			}
		}
	}
}

// FuzzProof reads proofs: whatever is in them nothing panics, and what is accepted has
// the value of the gradient.
func FuzzProof(f *testing.F) {
	texts, check := proofsOfSelfconv(f)
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			t.Skip("a long proof")
		}
		check(t, text)
	})
}

// So it is with proofs in which a number, a name or a few of them are others.
func TestHostileProofs(t *testing.T) {
	rng := rand.New(rand.NewSource(testflag.Seed))
	texts, check := proofsOfSelfconv(t)
	atom := regexp.MustCompile(`-?[0-9]+|"[a-z_@]+"`)
	defer func() {
		if t.Failed() {
			t.Logf("-seed %d", testflag.Seed)
		}
	}()
	for _, text := range texts {
		at := atom.FindAllIndex(text, -1)
		for range 300 {
			out := slices.Clone(text)
			for range 1 + rng.Intn(2) {
				i := rng.Intn(len(at))
				by := text[at[rng.Intn(len(at))][0]:]
				by = by[:len(atom.Find(by))]
				if text[at[i][0]] != '"' {
					by = []byte(strconv.FormatInt([]int64{0, 1, 2, -1, -2, 3, 7, 40, 1 << 40, math.MaxInt64, math.MinInt64}[rng.Intn(11)], 10))
				}
				if i := bytes.Index(out, text[at[i][0]:]); i >= 0 {
					out = slices.Replace(out, i, i+len(atom.Find(out[i:])), by...)
				}
			}
			check(t, out)
		}
	}
}
