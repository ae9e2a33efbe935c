package kernel

import (
	"testing"

	"egad/term"
)

// TestInstructions: what is no function of the module has an instruction, or is written out.
func TestInstructions(t *testing.T) {
	for _, o := range term.NewSignature().All() {
		sym := o.Sym
		x := &Value{Kind: Var, Elem: term.R}
		v := &Value{Kind: Compute, Elem: term.R, Op: sym, Args: []*Value{x, x}}
		if _, single := scalarOps[sym]; single && v.function() {
			t.Errorf("%s is a function, and one instruction", o.Name)
		} else if !single && !v.function() && sym != term.SymWhere && sym != term.SymRelu && sym != term.SymFloor && sym != term.SymRound {
			t.Errorf("%s is no function, and not one instruction", o.Name)
		}
	}
}
