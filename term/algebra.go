package term

// Algebra is a meaning of the array language on a carrier V (App. C of the
// dual-numbers paper). [Interpret] is the unique map from terms to V that commutes
// with the operators.
type Algebra[V any] interface {
	// Int is the integer i, the value of an index variable.
	Int(i int64) V
	// Apply is op on the children that no binder scopes over. Body gives the
	// others as a function of the bound variables; it is nil if there are none.
	// The result has type t; sizes are constants. An error ends the interpretation.
	Apply(op Op, kids []V, body Body[V], t *Type) (V, error)
}

// Body is the meaning of children under binders, as a function of the index
// variables that are bound, and of the other variables after them.
type Body[V any] func(is []int64, others ...V) ([]V, error)

// Env gives the named inputs of a term their values.
type Env[V any] map[string]V
