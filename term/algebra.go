package term

// Algebra is a meaning of the array language on a carrier V (App. C of the
// dual-numbers paper): one method for each form of term. [Interpret] is the
// unique map from terms to V that commutes with them. Binders are Go functions.
//
// Every method is told the type t of its result; sizes are constants. An error
// ends the interpretation.
type Algebra[V any] interface {
	Const(c *Const, t *Type) (V, error)
	Iota(t *Type) (V, error)
	// Index is the subarray at ix, or zero if a component is out of range.
	Index(a V, ix []V, t *Type) (V, error)
	// Reduce is sum, maximum, minimum or argmax along the outer axis.
	Reduce(sym Sym, a V, t *Type) (V, error)
	Gather(sizes []int64, a V, f func(is []V) ([]V, error), t *Type) (V, error)
	Scatter(sizes []int64, a V, f func(is []V) ([]V, error), t *Type) (V, error)
	Stack(parts []V, t *Type) (V, error)
	Replicate(a V, t *Type) (V, error)
	Tr(perm []int, a V, t *Type) (V, error)
	Reshape(a V, t *Type) (V, error)
	Build(n int64, f func(i V) (V, error), t *Type) (V, error)
	Elementwise(op Op, args []V, t *Type) (V, error)
	Cond(b, u, v V, t *Type) (V, error)
	Tuple(parts []V) (V, error)
	Proj(n int, a V, t *Type) (V, error)
	// Linear is a constructor of linear maps, or lapply. Body gives the meaning
	// of the children as a function of the bound variables (none for most).
	Linear(op Op, body func(is []V) ([]V, error), t *Type) (V, error)
}

// Env gives the named inputs of a term their values.
type Env[V any] map[string]V
