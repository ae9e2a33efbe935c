package load

import (
	"reflect"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/ops"
)

// TestGuarded checks that a set takes the rule whose guard is proved, or the other.
func TestGuarded(t *testing.T) {
	sig := term.NewSignature()
	base, err := Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := Over(base, sig, &diag.Source{Name: "g.rules", Text: "ruleset a use index_replicate\nruleset b use index_replicate-guarded\n"})
	if err != nil {
		t.Fatal(err)
	}
	proved, tested := lib.Set("a").Rules[0], lib.Set("b").Rules[0]
	if tested.Of != proved || len(proved.Conds) != 2 || len(tested.Conds) != 0 || proved.Rhs.Sym != ops.SymIndex || tested.Rhs.Sym != ops.SymCond {
		t.Errorf("%s has %d conditions and makes a %v, %s %d and a %v", proved.Name, len(proved.Conds), proved.Rhs.Sym, tested.Name, len(tested.Conds), tested.Rhs.Sym)
	}
}

// TestLazyExamples: examples of the built-in rules, which are read when somebody asks, are
// those that are read at once, and rules end where they do then.
func TestLazyExamples(t *testing.T) {
	sig := term.NewSignature()
	lazy, err := Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := Files(sig, Sources()...)
	if err != nil {
		t.Fatal(err)
	}
	rs := lib.All()
	if got := lazy.All(); len(got) != len(rs) {
		t.Fatalf("%d rules, and %d at once", len(got), len(rs))
	}
	examples := 0
	for i, r := range lazy.All() {
		want := rs[i]
		if r.Name != want.Name || r.Text() != want.Text() || len(r.Examples) != len(want.Examples) {
			t.Fatalf("%s:\n%s\nand at once %s:\n%s", r.Name, r.Text(), want.Name, want.Text())
		}
		for k, x := range r.Examples {
			examples++
			x = x.Read()
			if y := want.Examples[k]; x.Pos != y.Pos || !reflect.DeepEqual(x.Inputs, y.Inputs) || !reflect.DeepEqual(x.Lhs, y.Lhs) || !reflect.DeepEqual(x.Rhs, y.Rhs) {
				t.Errorf("%s: example %d is another one", r.Name, k+1)
			}
		}
	}
	if examples < 300 {
		t.Errorf("only %d examples", examples)
	}
}
