package suite

import (
	"os"
	"strings"
	"testing"

	"egad/diag"
	"egad/rules/runner"
)

// changedFigures are changes of one line in the files of examples/routes, with the tests that
// fail then.
var changedFigures = []struct{ name, file, old, new, fails string }{
	{"product rule", "delta", "=> Pair (x * y) (y * dx + x * dy)", "=> Pair (x * y) (x * dx + y * dy)", "forward"},
	{"literals have no zero", "delta", "D (vectors z) (lit c) => Pair c z", "D (vectors z) (lit c) => Pair c nil", "vectors"},
	{"factors change places", "delta", "Pair (x * y) (Add (Scale y u) (Scale x v))", "Pair (x * y) (Add (Scale x u) (Scale y v))", "deltas"},
	{"one side of Add", "delta", "eval2 x (Add u w) v => eval2 x w (eval2 x u v)", "eval2 x (Add u w) v => eval2 x w v", "deltas"},
	{"deltaLet forgotten", "delta", "bind (deltaLet (Add u v)) (\\i -> pure (Pair (x + y) (Var i)))", "pure (Pair (x + y) (Add u v))", "sharing"},
	{"ids not fresh", "delta", "Pair i (Pair (i + 1) (Pair i u :: bs))", "Pair i (Pair i (Pair i u :: bs))", "monadic"},
	{"binding before body", "delta", "with (eval x v um) (\\m -> found (lookup i m) i u m)", "with (found (lookup i um) i u um) (\\m -> eval x v m)", "monadic"},
	{"bindings in reverse", "delta", "run (deltaLet u) (Pair i bs) => Pair i (Pair (i + 1) (Pair i u :: bs))", "run (deltaLet u) (Pair i bs) => Pair i (Pair (i + 1) (Pair 1 u :: bs))", "monadic"},
	{"let forgets its binding", "chad", "plusE g d1 (Apply x' d2)", "d1", "basic"},
	{"casts the other way", "chad", "Apply x' (lcastl (typeOf g t) d)", "Apply x' (lcastr (typeOf g t) d)", "basic"},
	{"sums not wrapped, as printed", "chad", "linl (plusL a x (lcastl a s))", "plusL a x (lcastl a s)", "twofold"},
	{"one-hot of the wrong variable", "chad", "one (bound i a :: g) i d => d :: zerosE g", "one (bound i a :: g) i d => zero a :: zerosE g", "basic"},
	{"scope pops from the wrong end", "chad", "popped (Pair v (w :: s)) => Pair (Pair v w) s", "popped (Pair v (w :: (z :: s))) => Pair (Pair v z) (w :: s)", "monadic"},
	{"scope begins with one", "chad", "popped (run m (zero a :: s))", "popped (run m (1 :: s))", "monadic"},
	{"Scale scales all, as printed", "dual", "added v (scaled r (eval2 d (zeros v)))", "scaled r (eval2 d v)", "passed"},
	{"IDs not fresh", "dual", "run genID i => Pair i (i + 1)", "run genID i => Pair i i", "shared"},
	{"cotangents not added", "dual", "insertWith i c (to i v m) => to i (c + v) m", "insertWith i c (to i v m) => to i c m", "shared"},
	{"transposition keeps the order", "coconut", "compose (transpose n) (transpose m)", "compose (transpose m) (transpose n)", "backwards"},
	{"join stays a join", "coconut", "transpose (join m n) => vcat", "transpose (join m n) => join", "backwards"},
	{"slope of sin", "coconut", "compose (S (Cos (value a)))", "compose (S (Sin (value a)))", "forwards"},
	{"let forgets ∇x", "coconut", "nabla b[x := known (value a) (nabla a)]", "nabla b[x := known (value a) nought]", "forwards"},
}

// TestFiguresAreProved: whatever the tests of the figures prove has a proof, which is checked.
func TestFiguresAreProved(t *testing.T) {
	proved := 0
	for _, path := range examples(t, "routes") {
		f := loadFile(t, path)
		for _, x := range f.Tests {
			res := runTest(t, f, x, runner.Options{Proofs: true})
			proofs, err := res.Proofs()
			if err != nil || len(res.Failed) > 0 {
				t.Errorf("%s/%s: %v, %v", f.Language.Name, x.Name.Text, err, res.Failed.Err())
			}
			proved += len(proofs)
		}
	}
	if proved < 150 {
		t.Errorf("only %d proofs", proved)
	}
}

// TestChangedFigures: a figure with one line changed is told by a test of its file.
func TestChangedFigures(t *testing.T) {
	for _, x := range changedFigures {
		t.Run(x.file+"/"+x.name, func(t *testing.T) {
			path := "../../examples/routes/" + x.file + ".rules"
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), x.old); n != 1 {
				t.Fatalf("%q is there %d times", x.old, n)
			}
			f, err := Load(&diag.Source{Name: path, Text: strings.Replace(string(text), x.old, x.new, 1)})
			if err != nil {
				t.Fatal(err)
			}
			if res := runTest(t, f, f.test(x.fails), runner.Options{}); len(res.Failed) == 0 {
				t.Errorf("%s holds: %v", x.fails, res.Report)
			}
		})
	}
}
