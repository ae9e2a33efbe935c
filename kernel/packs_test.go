package kernel

import (
	"testing"

	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestPacks: functions that do not depend on each other are in one pack, but for powers that are a few products.
func TestPacks(t *testing.T) {
	b := NewBuilder(nil)
	var lets []Stmt
	for i := range 3 {
		x := b.Load(Access{Array: &Array{Name: string(rune('a' + i)), Elem: types.R, Role: Input}})
		cube := b.Op(ops.Op{Sym: ops.SymPow}, types.R, x, b.Lit(ops.ScalarR(numeric.Int(3))))
		exp := b.Op(ops.Op{Sym: ops.SymExp}, types.R, cube)
		lets = append(lets, &Let{x}, &Let{cube}, &Let{exp})
	}
	packs := PacksOf(lets, func(*Value) bool { return true })
	for _, s := range lets {
		v := s.(*Let).Value
		n := 0
		if p := packs[v]; p != nil {
			n = len(p.Members)
		}
		if want := map[ops.Sym]int{ops.SymExp: 3}[v.Op]; n != want {
			t.Errorf("%v is in a pack of %d, not of %d", v.Op, n, want)
		}
	}
	if time := ownWeights().best(lets, false); time <= 0 {
		t.Errorf("the estimate is %v", time)
	}
}
