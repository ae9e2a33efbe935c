package schedule

import (
	"testing"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestPacks: functions that do not depend on each other are in one pack, but for powers that are a few products.
func TestPacks(t *testing.T) {
	b := kernel.NewBuilder(nil)
	var lets []kernel.Stmt
	for i := range 3 {
		x := b.Load(kernel.Access{Array: &kernel.Array{Name: string(rune('a' + i)), Elem: types.R, Role: kernel.Input}})
		cube := b.Op(ops.Op{Sym: ops.SymPow}, types.R, x, b.Lit(ops.ScalarR(numeric.Int(3))))
		exp := b.Op(ops.Op{Sym: ops.SymExp}, types.R, cube)
		lets = append(lets, &kernel.Let{Value: x}, &kernel.Let{Value: cube}, &kernel.Let{Value: exp})
	}
	packs := PacksOf(lets, func(*kernel.Value) bool { return true })
	for _, s := range lets {
		v := s.(*kernel.Let).Value
		n := 0
		if p := packs[v]; p != nil {
			n = len(p.Members)
		}
		if want := map[ops.Sym]int{ops.SymExp: 3}[v.Op]; n != want {
			t.Errorf("%v is in a pack of %d, not of %d", v.Op, n, want)
		}
	}
	if time := Time(cost.Default(), lets, false); time <= 0 {
		t.Errorf("the estimate is %v", time)
	}
}
