package suite

import (
	"testing"

	"egad/rules/runner"
)

// TestCostsOfAttributes: what an operator costs may be multiples of natural numbers among its attributes. What such an operator
// binds is no index of a loop.
func TestCostsOfAttributes(t *testing.T) {
	const head = `language l
sort E
symbol x y : E
op narrow[w] E E : E
op wide[w, n] E E : E
op mixed[w, ns..., v, c : number] E : E
op one E : E
op lam[w] [v : E] v.E : E
grammar g
start E
E -> symbol : 0
E -> narrow E E : 3 * w + 1
E -> wide E E : w + 2 * n + w
E -> mixed E : 2 * w + v
E -> one E : 20
E -> lam F : w
F -> variable : 7
`
	for _, c := range []struct{ text, want string }{
		{"rule r narrow[w] a b <=> wide[w, 2] a b\ntest t\n start narrow[4] x y\n by g\n extract narrow[4] x y => wide[4, 2] x y", ""},
		{"rule r narrow[w] a b <=> wide[w, 2] a b\ntest t\n start narrow[2] x y\n by g\n extract narrow[2] x y => wide[2, 2] x y", "t: extracted narrow[2] x y, which costs 7, expected wide[2, 2] x y, which costs 8"},
		{"rule r mixed[w, ns..., v, c] a => one a\ntest t\n start mixed[3, 100, 13, 1/2] x\n start mixed[3, 100, 200, 15, 1/2] x\n start mixed[9, 1, 1] y\n by g\n extract mixed[3, 100, 13, 1/2] x => mixed[3, 100, 13, 1/2] x\n extract mixed[9, 1, 1] y => mixed[9, 1, 1] y", ""},
		{"rule r mixed[w, ns..., v, c] a => one a\ntest t\n start mixed[3, 1, 15, 1/2] x\n by g\n extract mixed[3, 1, 15, 1/2] x => one x", ""},
		{"rule r lam[w] (\\v -> v) => one x\ntest t\n start lam[14] (\\v -> v)\n by g\n extract lam[14] (\\v -> v) => one x", ""},
		{"rule r lam[w] (\\v -> v) => one x\ntest t\n start lam[12] (\\v -> v)\n by g\n extract lam[12] (\\v -> v) => lam[12] (\\v -> v)", ""},
	} {
		f := loadText(t, head+c.text+"\n")
		res := runTest(t, f, f.Tests[0], runner.Options{})
		if got := messages(res.Failed); got != c.want {
			t.Errorf("%s: %s", c.text, got)
		}
	}
}
