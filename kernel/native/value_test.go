package native

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/wasm"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// TestInstructions: what is no function of the module has an instruction, or is written out.
func TestInstructions(t *testing.T) {
	for _, o := range term.NewSignature().All() {
		sym := o.Sym
		x := &kernel.Value{Kind: kernel.Var, Elem: types.R}
		v := &kernel.Value{Kind: kernel.Compute, Elem: types.R, Op: sym, Args: []*kernel.Value{x, x}}
		if _, single := scalarOps[sym]; single && v.IsFunction() {
			t.Errorf("%s is a function, and one instruction", o.Name)
		} else if !single && !v.IsFunction() && sym != ops.SymWhere && sym != ops.SymRelu && sym != ops.SymFloor && sym != ops.SymRound {
			t.Errorf("%s is no function, and not one instruction", o.Name)
		}
	}
}

// TestInOrder: the operand comes first of which least is copied.
func TestInOrder(t *testing.T) {
	x := func(name string) *kernel.Value {
		return &kernel.Value{Kind: kernel.Load, Elem: types.R, Access: kernel.Access{Array: &kernel.Array{Name: name}}}
	}
	here, lane, row, both, later, around, alone := x("here"), x("lane"), x("row"), x("both"), x("later"), x("around"), x("alone")
	sum := &kernel.Value{Kind: kernel.Folded, Elem: types.R}
	for _, c := range []struct{ first, second *kernel.Value }{
		{here, lane},   // it is computed for this
		{row, lane},    // of two vectors and four rows
		{both, row},    // of each there is one
		{lane, later},  // that is used again
		{later, later}, // of both a copy is made
		{lane, around}, // that is used in the next run
		{alone, lane},  // copied for all lanes in any case
		{sum, here},    // where it is added to
	} {
		for _, args := range [][]*kernel.Value{{c.first, c.second}, {c.second, c.first}} {
			if c.first == sum && args[0] != sum {
				continue
			}
			v := &kernel.Value{Kind: kernel.Compute, Elem: types.R, Op: ops.SymMul, Args: args}
			e := &emitter{Variance: kernel.NewVariance(nil), rows: kernel.NewVariance(nil), vectors: 2, lines: 4,
				merged: map[*kernel.Value]bool{here: true}, wide: make(map[*kernel.Value][]wasm.Local), last: make(map[*kernel.Value]*kernel.Value)}
			for _, x := range []*kernel.Value{here, lane, row, both, later, around} {
				e.Mark(x, x != row)
				e.rows.Mark(x, x != lane)
				e.wide[x], e.last[x] = []wasm.Local{1}, v
			}
			e.last[later] = sum
			delete(e.last, around)
			if got := e.inOrder(v); got[0] != c.first || got[1] != c.second {
				t.Errorf("%s is before %s", got[0].Array.Name, got[1].Array.Name)
			}
			if v.Op = ops.SymSub; !slices.Equal(e.inOrder(v), args) {
				t.Error("a difference is another one")
			}
		}
	}
}
