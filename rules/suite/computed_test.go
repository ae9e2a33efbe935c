package suite

import (
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"egad/rules/runner"
	"egad/term/eval"
	"egad/term/numeric"
)

// computed is a language whose operators have lists and attributes, with meanings.
const computed = `language computed
sort E means R
sort T means B
number E
symbol yes : T means true
symbol no : T means false
symbol x : E means 3
op add E... : E means \es -> sum es
op neg E : E means \a -> -a
op shift[n] E : E means \n a -> a + real n
op lin[c : number] E : E means \c a -> c * a
op lit[c : number] : E means \c -> c
op weigh[n, ns..., k] E : E means \n ns k a -> a * real (sum ns + 1) + real (n - k)
op tr[p : permutation] E : E means \p a -> a + real (sum (p * p))
op dot E E... : E means \a es -> a * sum es
op mid E E E : E means \a b c -> max a (min b c)
op less E E... : T means \a es -> a < sum es
op if T E E : E means \c a b -> if c then a else b
rule choose if yes then a else b => a
rule other  if no then a else b => b
rule three  x => 3
`

// groundTerm writes a term without variables.
func groundTerm(r *rand.Rand, depth int) string {
	kid := func() string { return "(" + groundTerm(r, depth-1) + ")" }
	kids := func() string {
		var b strings.Builder
		for range r.Intn(4) {
			b.WriteString(" " + kid())
		}
		return b.String()
	}
	ns := func() string { return strings.Repeat(", 3", r.Intn(3)) }
	if depth == 0 {
		return []string{"0", "-2", "1%2", "7", "x", "lit[-3]", "lit[5%3]"}[r.Intn(7)]
	}
	switch r.Intn(9) {
	case 0:
		return "neg " + kid()
	case 1:
		return fmt.Sprintf("shift[%d] %s", r.Intn(4), kid())
	case 2:
		return fmt.Sprintf("lin[%s] %s", []string{"0", "-1%3", "2"}[r.Intn(3)], kid())
	case 3:
		return fmt.Sprintf("weigh[%d%s, %d] %s", r.Intn(3), ns(), r.Intn(3), kid())
	case 4:
		return fmt.Sprintf("tr[%s] %s", []string{"[]", "[1, 0]", "[2, 0, 1]"}[r.Intn(3)], kid())
	case 5:
		return "dot " + kid() + kids()
	case 6:
		return "mid " + kid() + " " + kid() + " " + kid()
	case 7:
		return "if less " + kid() + kids() + " then " + kid() + " else " + kid()
	}
	return "add" + kids()
}

// TestComputed: numbers are computed of terms with lists and attributes as egad run
// evaluates them, and the proofs of it are right.
func TestComputed(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 150 {
		text := groundTerm(r, 1+r.Intn(3))
		f := loadText(t, computed+"test t\n start "+text)
		p, err := f.Language.Meaning.Program(f.Tests[0])
		if err != nil {
			t.Fatal(err)
		}
		v, err := eval.Interpret(p.Store, p.Root, eval.Arrays[*big.Rat]{Scalars: eval.Rationals{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		f = loadText(t, fmt.Sprintf("%stest t\n start %s\n prove %s = %s", computed, text, text, numeric.Of(v.R[0])))
		res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
		if len(res.Failed) > 0 {
			t.Errorf("%s is %s: %v", text, numeric.Of(v.R[0]), res.Failed)
		} else if _, err := res.Proofs(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
