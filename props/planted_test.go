package props

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
)

// planted are wrong rules of kinds that random values may miss, and true ones
// beside them.
var planted = []struct{ kind, wrong, holds string }{
	{"literals", `
exact (a + lit c) - lit c => a
exact a * lit c => a + a
exact ?op (lit c) (lit d) => lit c if ?op : commutative/2
exact lit c - lit d => zero
exact if lit c then u else v => v
exact where (lit c) u v => v
exact where (fill c @s) u v => v
exact a ^ lit c => a * a
real a ^ lit c => a * a
real lit c * a + lit d * a => lit c * a * 2
real a / lit c => a * 0.5
exact min (lit c) (lit d) => lit c
exact max a (lit c) => a if a : R[sh...]
exact sum (fill c @R[k]) => fill k @R * 2
exact real (floor (lit c)) => lit c
real replicate k (lit c) => fill 2 @self if self : R[sh...]
real lit c + lit d => lit d + lit d`, `
exact lit c + lit d => lit d + lit c
real a * lit c + b * lit c => (a + b) * lit c
real a + lit c - lit c => a
exact where (lit c) u u => u
real a * lit c / lit c => a
real (a / lit c) * lit c => a
exact lit c == lit d => false if c != d
real ?op (lit c) (lit d) => lit (fold ?op c d) if ?op : elementwise/2`},
	{"one side is no number", `
real sqrt (a * b) => sqrt a * sqrt b
real log (a * b) => log a + log b
real log (a ^ 2) => 2 * log a
real maximum (replicate k a) => a
real minimum (replicate k a) => a
real sum (a / replicate k b) => sum a / b
real a + b => (a * a - b * b) / (a - b)
real exp (a + b) => exp a * exp b / (a / a)
real abs a => exp (log (abs a * a) / 2)
real a * b => exp (log a + log b)
real neg a => (a - a * a) / (a - 1)
real sum (replicate k a) => maximum (replicate k a) * fill k @a
real atan2 a b => atan2 (a / b) 1
real maximum (a * replicate k b) => maximum a * b
real maximum (replicate k (a + b)) => maximum (replicate k a) + b * maximum (replicate k b) / maximum (replicate k b)
real tanh a => (exp a - exp (neg a)) / (exp a + exp (neg a)) * (a / a)
real a ^ b => exp (b * log a)`, `
real a * (1 / b) => a / b
real a / b / c => a / (b * c)
real log (exp a) => a
real exp (log a) => a if 0 < a
real sqrt (a * b) => sqrt a * sqrt b if 0 <= a, 0 <= b
real log (a * b) => log a + log b if 0 < a, 0 < b
real maximum (replicate k a) => a if 0 < k
real sum (a / replicate k b) => sum a / b if 0 < k
real sum (a / replicate k b) => sum a / b if b != 0
real a / a => fill 1 @a if a != 0
real (a + b) / c => a / c + b / c
real sqrt (a * a) => abs a
real sqrt a * sqrt a => a
real exp (a + b) => exp a * exp b
real sin a / cos a => tan a
real 1 / (1 / a) => a
real maximum (t + replicate k b) => maximum t + b
real neg (maximum (neg t)) => minimum t
real sin a * sin a + cos a * cos a => fill 1 @a
real sigmoid (neg a) => 1 - sigmoid a
real a ^ b * a ^ c => a ^ (b + c) if 0 < a
real tanh a => 2 * sigmoid (2 * a) - 1`},
	{"integers and truth values", `
real (a * b) div b => a if a : I[sh...]
real (a + 1) - 1 < a + 1 => true if a : I[]
exact a < a + 1 => true if a : I[]
exact 0 <= a * a => true if a : I[]
exact 0 <= abs a => true if a : I[]
exact floor (a + 1) => floor a + 1 if a : R[]
real floor (a + 1) => floor a + 1
real floor (a + real i) => floor a + i
exact floor (real i) => i
real round a => floor (a + 0.5)
real floor (neg a) => neg (floor a)
exact (a div b) * b + a mod b => b + a mod b if a : I[sh...]
exact a div b * b => a if a : I[sh...]
exact a mod b => a - b * (a div b) if a : R[sh...]
exact real (i + j) => real i + real j
real real (i + j) => real i + real j
real real (i * j) => real i * real j
exact (a < b) => not (b < a) if a : R[sh...]
real (a < b) => not (b < a)
real (a <= b) => a < b
exact (a && b) => a || b
exact neg (neg a div b) => a div b
exact min a b + max a b => a + a if a : I[sh...]
real exp a <= exp b => a < b
exact a div 2 + a div 2 => a if a : I[]
exact (a + b) div 2 => a div 2 + b div 2 if a : I[]`, `
exact (a + b) - b => a if a : I[sh...]
exact a - b * (a div b) => a mod b if a : I[sh...], b != 0
exact not (a < b) => b <= a if a : I[sh...]
real not (a < b) => b <= a
real real i + real j => real j + real i
exact min a b + max a b => a + b if a : I[sh...]
real exp a <= exp b => a <= b
exact a * b == b * a => true if a : I[sh...]
exact round (real (round a)) => round (real (round a))
exact floor (real i) => i if 0 <= i < 1000
real sqrt a < sqrt b => a < b if 0 <= a, 0 <= b
exact abs (neg i) => abs i if i : I[sh...]`},
	{"large and small reals", `
exact a ^ 2 => a * a
exact a ^ 3 => a * a * a
exact a ^ (-2) => 1 / (a * a)
exact (a + b) - b => a
exact (a + b) + c => a + (b + c)
exact a * b / b => a if a : R[sh...]
exact (a + b) / 2 => a / 2 + b / 2
exact a * 0.5 + a * 0.5 => a
exact a / 3 => a * (1%3)
exact sum (t * replicate k 2) => sum t * 2 + zero * sum t
exact sum (a + b) => sum a + sum b
exact a * a / a => a
exact 1 / (1 / a) => a
exact abs a => sqrt (a * a)
exact a * b == zero => a == zero || b == zero
exact a - b == zero => a == b if a : R[sh...]
exact a * 4 / 4 => a if a : R[sh...]
exact min (min a b) (neg a) => min a (neg a)
exact max a b => where (a < b) b a if a : R[sh...]
exact a + zero => a
exact neg (a - b) => b - a if a : R[sh...]
exact maximum [a, b] => maximum [b, b]
exact where (a == b) a b => b if a : R[sh...]
exact a - a => zero
exact real (floor a) <= a => true if a : R[sh...]
exact sum [a, b, c] => sum [c, b, a] if a : R[sh...]`, `
exact a * 2 => a + a
exact abs (neg a) => abs a
exact a - neg b => a + b
exact max a b => max b a
exact neg a * neg b => a * b
exact a / 2 => a * 0.5 if a : R[sh...]
exact sqrt (abs a) => sqrt (abs (neg a))
exact where (a == b) a b => where (a == b) a b
exact a / neg b => neg (a / b)
exact sum [a, b] => sum [b, a] if a : R[sh...], finite a, finite b
exact argmax a => argmax (neg (neg a + 0)) if a : R[k]`},
	{"exact maps over what is not rational", `
exact lapply (lscale (exp a)) x => a * x
exact lcompose (lscale (sin a)) (lscale b) => lscale (cos a * b)
exact ltranspose (lscale (exp a)) => lscale (exp (neg a))
exact lcompose (lscale (sqrt a)) (lscale (sqrt a)) => lscale (abs a + 1)`, `
exact ltranspose (lcompose (lscale (exp a)) m) => lcompose (ltranspose m) (lscale (exp a))
exact lcompose (lscale (exp a)) (lscale (exp b)) => lscale (exp (a + b))`},
	{"sizes and ranks", `
exact tr [1, 0] (tr [1, 0] t) => tr [1, 0] t if t : R[k, n, a, b]
exact index t [a, b, c, d] => index t [a, b, d, c]
exact index t [a, b, c, d, e] => index t [a, b, c, e, d]
exact tr p (tr p t) => t
exact reshape s t => reshape s (tr [1, 0] t) if t : R[a, b, c, d]
exact gather [k] t (\[i] -> [i]) => t
exact index (iota k) [u] => u if 0 <= u < 6
exact iota k => where (iota k < 5) (iota k) 5
exact where (iota k < 7) (iota k) (iota k) + zero => min (iota k) 6
exact sum (tr [1, 2, 3, 0] t) => sum (tr [2, 1, 3, 0] t)
exact [a, b, c, d, e] => [a, b, c, e, d]`, `
exact tr p (tr p t) => t if p = invert p
exact index t [a, b, c, d] => index (index t [a, b]) [c, d]
exact tr [3, 2, 1, 0] (tr [3, 2, 1, 0] t) => t
exact index [a, b, c, d, e] [4] => e
exact gather [k, n] t (\[i, j] -> [j, i]) => tr [1, 0] t if [n, k] = take 2 (shape t)`},
	{"rare conditions", `
exact index (build k (\i -> t)) [u] => t[i := u] if -1 <= u < k
exact index (build k (\i -> t)) [u] => t[i := u] if 0 <= u <= k
exact index (replicate k t) [u] => t if 0 <= u
exact index (replicate k t) [u] => t if u < k
exact index (replicate k t) [u] => t if u + 1 <= k
exact index (replicate k t) [u] => t if 0 <= u + 1 && u < k
exact gather ks (gather js t (\bs -> bx)) (\is -> ix) => gather ks t (\is -> bx[bs := ix]) if len ix = len js
exact index (iota k) [u] => u if 0 <= u < k + 1
exact tr p t => tr (invert p) t if compose p p = [1, 2, 0]
exact lit c + lit d => lit c if c != d
real a / b => a if 0 < b
real sqrt (a * a) => a if -1 < a
real abs a => a if 0 < a + 1
exact abs a => a if 0 <= a`, `
exact index (build k (\i -> t)) [u] => t[i := u] if 0 <= u < k
exact index (replicate k t) [u] => t if 0 <= u && u < k
exact index (iota k) [u] => u if 0 <= u < k
exact tr p (tr q t) => t if p = invert q
exact abs a => a if 0 < a
real abs a => a if 0 <= a
real lgamma (a + 1) => lgamma a + log a if 0 < a
exact gather ks (gather js t (\bs -> bx)) (\is -> ix) => gather ks t (\is -> bx[bs := ix]) if len ix = len js, ix inside js`},
	{"derivatives", `
exact nabla (max a b) => [lscale (where (a < b) zero (fill 2 @a)), lmask (a < b)]
exact nabla (abs a) => [lscale (where (a < 0) (fill (-1) @a) (where (0 < a) (fill 1 @a) (fill 2 @a)))]
exact nabla (abs a) => [lscale (where (a < 0) (fill (-1) @a) (where (a < 100) (fill 1 @a) zero))]
exact nabla (abs a) => [lscale (a / abs a)]
exact nabla (max a b) => [lmask (not (a < b)), lmask (not (b < a))]
exact nabla (sin a) => [lscale (where (a == 0) zero (cos a))]
exact nabla (a ^ b) => [lscale (self * b / a), lscale (where (a == 0) zero (self * log a))]
exact nabla (min a b) => [lmask (a < b), lmask (b < a)]
exact nabla (maximum t) => [lcompose (lmap sum @t) (lmask (t == replicate k (maximum t)))] if t : R[k]
exact nabla (maximum t) => [lcompose (lmap sum @t) (lscale (where (t == replicate k (maximum t)) 0.5 zero))] if t : R[k]
exact nabla (tanh a) => [lscale (where (20 < a) (fill 1 @a) (1 - self * self))]
exact nabla (a * b) => [lscale b, lscale (where (a == b) zero a)]
exact nabla (maximum t) => [lmap gather (drop 1 (shape t)) @t (\is -> 0 :: is)]
exact nabla (exp a) => [lscale (where (a < -5) zero self)]
exact nabla (sqrt a) => [lscale (where (a < 1e-3) zero (0.5 / self))]`, `
exact nabla (max a b) => [lmask (b < a), lmask (not (b < a))]
exact nabla (max a b) => [lscale (where (a == b) 0.5 (where (a < b) zero (fill 1 @a))), lscale (where (a == b) 0.5 (where (a < b) (fill 1 @a) zero))]
exact nabla (abs a) => [lscale (where (a < 0) (fill (-1) @a) (fill 1 @a))]
exact nabla (sqrt a) => [lscale (where (a == 0) zero (0.5 / self))]
exact nabla (a / b) => [lscale (1 / b), lscale (neg (a / (b * b)))]`},
}

// TestNever checks that a rule whose conditions exclude each other is not tested
// where they hold of NaN only, which is in any order.
func TestNever(t *testing.T) {
	for _, rule := range []string{
		"min a b => a if a <= b, b < a", "max a b => a * 2 if a < b, b < a", "a * b => b * b if a < 0, 0 < a", "a - b => a if b != b",
	} {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "never.rules", Text: "ruleset never\nrule r exact\n  " + rule})
		if err != nil {
			t.Fatal(err)
		}
		if c := CheckRules(sig, lib.All(), RuleChecks{Count: 100, Seed: testflag.Seed}).Checked[0]; c.Verdict != Untested {
			t.Errorf("%s: %s\n%v", rule, c.Verdict, c.Finding)
		}
	}
}

// TestPlanted checks that wrong rules of every kind are found in 1,000 instances,
// and that true ones hold.
func TestPlanted(t *testing.T) {
	for _, p := range planted {
		check := func(text string, want Verdict) {
			for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
				label, rest, _ := strings.Cut(line, " ")
				sig := term.NewSignature()
				lib, err := load.Files(sig, &diag.Source{Name: "planted.rules", Text: fmt.Sprintf("ruleset planted\nrule r%d %s %s", i, label, rest)})
				if err != nil {
					t.Errorf("%s: %v", p.kind, err)
					continue
				}
				n := 1000
				if want == Holds && !testflag.Long {
					n = 40
				}
				rep := CheckRules(sig, lib.All(), RuleChecks{Count: n, Seed: testflag.Seed})
				if c := rep.Checked[0]; c.Verdict != want {
					t.Errorf("%s: %s\nis %s, not %s (%d tested, skipped: %s)\n%v", p.kind, line, c.Verdict, want, c.Tested, c.Why(), c.Finding)
				}
			}
		}
		check(p.wrong, Wrong)
		check(p.holds, Holds)
	}
}
