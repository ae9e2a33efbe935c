package eval

import (
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Algebra is a meaning of the array language on a carrier V (App. C of the
// dual-numbers paper). [Interpret] is the unique map from terms to V that commutes
// with the operators.
type Algebra[V any] interface {
	// Int is the integer i, the value of an index variable.
	Int(i int64) V
	// Apply is op on the children that no binder scopes over. Body gives the
	// others as a function of the bound variables; it is nil if there are none.
	// The result has type t; sizes are constants. An error ends the interpretation.
	Apply(op ops.Op, kids []V, body Body[V], t *types.Type) (V, error)
}

// Chooser is an algebra that needs not all operands of some operators, of those that Chooses
// is true of: by the first one it chooses another, which is the result, and the others are
// not looked at.
type Chooser[V any] interface {
	Algebra[V]
	Chooses(op ops.Op) bool
	Choose(op ops.Op, first V) (kid int)
}

// Wholly is an algebra that takes declared operators, and some with binders, as a whole: as
// a program of their operands, which are the values of its inputs. They are those that no
// binder scopes over, and what stands under binders and does not depend on their variables.
type Wholly[V any] interface {
	Algebra[V]
	// Whole reports whether ApplyWhole is given an operator with binders, and not Apply. It
	// must do so of declared ones.
	Whole(op ops.Op) bool
	ApplyWhole(p *term.Program, kids []V) (V, error)
}

// Body is the meaning of children under binders, as a function of the index
// variables that are bound, and of the other variables after them. An error of it is raised.
type Body[V any] func(is []int64, others ...V) []V

// Env gives the named inputs of a term their values.
type Env[V any] map[string]V

// BindLeaves gives the leaves of an input that has the value x theirs.
func BindLeaves[V any](alg Algebra[V], env Env[V], in term.Input, x V) error {
	if in.Type.Kind != types.KTuple {
		env[in.Name] = x
		return nil
	}
	for i, part := range in.Components() {
		y, err := alg.Apply(ops.Op{Sym: ops.SymProj, N: i}, []V{x}, nil, part.Type)
		if err == nil {
			err = BindLeaves(alg, env, part, y)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
