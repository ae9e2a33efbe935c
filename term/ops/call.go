package ops

import "egad/term/types"

// CallOf returns the descriptor of calls of a definition with parameters of these types. The operands are their
// leaves.
func CallOf(name string, params []*types.Type, result *types.Type) Operator {
	var operands []*types.Type
	for _, p := range params {
		operands = leavesOf(p, operands)
	}
	return Operator{
		Name: name, Arity: len(operands), Call: true, Params: params, Linear: result.Kind == types.KLin, Opaque: true,
		typing: func(t *typing) *types.Type {
			for i, p := range operands {
				if !t.u.Types(t.u.Force(t.kids[i], types.KArray), p) {
					t.fail(i, "operand %d of %s is %s, not %s", i+1, name, p, t.kids[i].Described())
					return nil
				}
			}
			return result
		},
	}
}

// leavesOf adds t, or the leaves of the parts of a tuple.
func leavesOf(t *types.Type, to []*types.Type) []*types.Type {
	if t.Kind != types.KTuple {
		return append(to, t)
	}
	for _, p := range t.Parts {
		to = leavesOf(p, to)
	}
	return to
}
