package native

import (
	"testing"

	"egad/kernel"
	"egad/term"
)

// TestInstructions: what is no function of the module has an instruction, or is written out.
func TestInstructions(t *testing.T) {
	for _, o := range term.NewSignature().All() {
		sym := o.Sym
		x := &kernel.Value{Kind: kernel.Var, Elem: term.R}
		v := &kernel.Value{Kind: kernel.Compute, Elem: term.R, Op: sym, Args: []*kernel.Value{x, x}}
		if _, single := scalarOps[sym]; single && v.IsFunction() {
			t.Errorf("%s is a function, and one instruction", o.Name)
		} else if !single && !v.IsFunction() && sym != term.SymWhere && sym != term.SymRelu && sym != term.SymFloor && sym != term.SymRound {
			t.Errorf("%s is no function, and not one instruction", o.Name)
		}
	}
}
