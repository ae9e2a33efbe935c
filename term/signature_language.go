package term

import (
	"fmt"

	"egad/term/ops"
)

// NewLanguage returns the signature of a language without operators: what programs
// call has no meaning there.
func NewLanguage() *Signature {
	return &Signature{ops: ops.Builtins(), byName: make(map[string]*ops.Operator)}
}

// DeclareSorted adds an operator of a language. Its name must not have been declared.
func (g *Signature) DeclareSorted(d *ops.Sorted) (*ops.Operator, error) {
	if len(g.ops) >= maxSyms {
		return nil, fmt.Errorf("%s: a language has at most %d operators", d.Name, maxSyms-len(ops.Builtins()))
	}
	return g.Operator(g.add(d.Descriptor())), nil
}

// maxSyms bounds the operators of a signature.
const maxSyms = 1 << 16
