package numeric

import (
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"
)

// What is done with small literals in place is what is done with rationals.
func TestSmallNumbers(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 20_000 {
		digits := strings.TrimLeft(fmt.Sprint(rng.Int63n(1<<uint(1+rng.Intn(62)))), "0")
		text := "0" + digits
		if k := rng.Intn(12); k > 0 {
			text += "." + fmt.Sprint(rng.Int63n(1<<uint(1+rng.Intn(4*k))))
		}
		n, err := Parse(text)
		r, ok := new(big.Rat).SetString(text)
		if err != nil || !ok {
			t.Fatalf("%s: %v", text, err)
		}
		if rng.Intn(2) == 0 {
			n, r = n.Neg(), new(big.Rat).Neg(r)
		}
		f, _ := r.Float64()
		large := Num{rat: r} // as a literal that does not fit
		if n.Rat().Cmp(r) != 0 || n.Float64() != f || n.Sign() != r.Sign() || n.Key() != large.Key() {
			t.Errorf("%s: %v, %v, sign %d, key %s", text, n.Rat(), n.Float64(), n.Sign(), n.Key())
		}
		if k, ok := n.Int64(); ok != (r.IsInt() && r.Num().IsInt64()) || ok && k != r.Num().Int64() {
			t.Errorf("%s: %d, %v", text, k, ok)
		}
		if n.String() != large.String() {
			t.Errorf("%s is printed %s, want %s", text, n, large)
		}
		if back, err := Parse(strings.TrimPrefix(n.String(), "-")); err != nil || new(big.Rat).Abs(r).Cmp(back.Rat()) != 0 {
			t.Errorf("%s is printed %s", text, n)
		}
	}
	for _, n := range []Num{Inf(1), Inf(-1), NaN()} {
		if n.Rat() != nil || n.finite() || n.String() != n.Key() {
			t.Errorf("%s is finite", n)
		}
	}
}
