package eval

import (
	"errors"
	"slices"

	"egad/internal/raise"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Scalars is the arithmetic of real elements in some representation. Integers
// and truth values mean the same in all of them. What has no value is an error, which is
// raised (see package raise).
type Scalars[S any] interface {
	FromNum(n numeric.Num) S
	FromInt(i int64) S
	// Unary applies an elementwise R -> R operator; n is its attribute (the
	// order of polygamma).
	Unary(sym ops.Sym, n int, a S) S
	// Binary applies an elementwise R, R -> R operator.
	Binary(sym ops.Sym, a, b S) S
	// Compare applies <, <= or ==.
	Compare(sym ops.Sym, a, b S) bool
	Floor(a S) int64
	Round(a S) int64
	IsNaN(a S) bool
}

// Value is an array over S, or a tuple of values.
type Value[S any] struct {
	Elem  types.Elem
	Shape []int
	R     []S     // the elements if Elem is R, row-major
	N     []int64 // the elements if Elem is I, or B as 0 and 1
	Parts []*Value[S]
	// Map is a linear map, in algebras that know them.
	Map any
}

// Arrays is the algebra that defines what programs mean: concrete arrays,
// computed by slow and obvious loops (section 1 of docs/language.md).
type Arrays[S any] struct {
	Scalars Scalars[S]
	// MaxElements bounds the elements of one array; 0 means DefaultMaxElements.
	MaxElements int64
	// Ended, if not nil, is asked again and again; its error ends the evaluation.
	Ended func() error
}

// Len returns the number of elements of an array.
func (v *Value[S]) Len() int {
	if v == nil {
		return 0
	}
	if v.Elem == types.R {
		return len(v.R)
	}
	return len(v.N)
}

// Copy is v in memory of its own, with all its parts.
func (v *Value[S]) Copy() *Value[S] {
	if v == nil {
		return nil
	}
	c := &Value[S]{Elem: v.Elem, Shape: slices.Clone(v.Shape), R: slices.Clone(v.R), N: slices.Clone(v.N), Map: v.Map}
	if v.Parts != nil { // a tuple of nothing has parts, none
		c.Parts = make([]*Value[S], len(v.Parts))
	}
	for i, p := range v.Parts {
		c.Parts[i] = p.Copy()
	}
	return c
}

// New returns an array of type t with room for its elements, all zero (for S: the
// zero value of the Go type, which the caller overwrites).
func (a Arrays[S]) New(t *types.Type) (_ *Value[S], err error) {
	defer raise.Caught(&err)
	return a.room(t), nil
}

// room is [Arrays.New], with the error raised.
func (a Arrays[S]) room(t *types.Type) *Value[S] {
	a.ended()
	limit := a.MaxElements
	if limit == 0 {
		limit = types.DefaultMaxElements
	}
	shape, n, err := types.ShapeOf(t, limit)
	raise.Error(err)
	v := &Value[S]{Elem: t.Elem, Shape: shape}
	if t.Elem == types.R {
		v.R = make([]S, n)
	} else {
		v.N = make([]int64, n)
	}
	return v
}

func (a Arrays[S]) ended() {
	if a.Ended != nil {
		raise.Error(a.Ended())
	}
}

// zero is the real 0 where t has reals.
func (a Arrays[S]) zero(t *types.Type) (zero S) {
	if t.Elem == types.R {
		zero = a.Scalars.FromInt(0)
	}
	return zero
}

// clear makes the elements of an array zeros, of which zero is that of the reals.
func (v *Value[S]) clear(zero S) {
	clear(v.N)
	for i := range v.R {
		v.R[i] = zero
	}
}

// copyBlock copies n elements of src from position i to position j of dst.
func copyBlock[S any](dst *Value[S], j int, src *Value[S], i, n int) {
	switch {
	case dst.Elem == types.R && n == 1:
		dst.R[j] = src.R[i]
	case dst.Elem == types.R:
		copy(dst.R[j:j+n], src.R[i:i+n])
	default:
		copy(dst.N[j:j+n], src.N[i:i+n])
	}
}

// Int returns the integer i.
func (a Arrays[S]) Int(i int64) *Value[S] { return &Value[S]{Elem: types.I, N: []int64{i}} }

// Apply computes an operator, as its descriptor tells. Linear maps have
// theirs in package linmap.
func (a Arrays[S]) Apply(op ops.Op, kids []*Value[S], body Body[*Value[S]], t *types.Type) (_ *Value[S], err error) {
	defer raise.Caught(&err)
	return computed(a.Prepare(op, kids, body, t)), nil
}

// computed is the value that a step computes, if there is one.
func computed[S any](v *Value[S], step Step) *Value[S] {
	if step != nil {
		step()
	}
	return v
}

// Prepare finds how an operator is computed, as its descriptor tells.
func (a Arrays[S]) Prepare(op ops.Op, operands []*Value[S], body Body[*Value[S]], t *types.Type) (*Value[S], Step) {
	o := ops.Builtin(op.Sym)
	switch {
	case o.Elementwise:
		return a.elementwise(o, op, operands, t)
	case op.Sym == ops.SymIndex:
		return a.index(operands, t)
	case op.Sym == ops.SymBuild:
		return a.build(body, t)
	case op.Sym == ops.SymStates:
		return a.states(op, operands[0], operands[1], body, t)
	case op.Sym == ops.SymCond:
		return a.cond(operands)
	case op.Sym == ops.SymTuple:
		// A tuple of nothing has parts, none.
		return &Value[S]{Parts: append([]*Value[S]{}, operands...)}, nil
	case op.Sym == ops.SymProj:
		return operands[0].Parts[op.N], nil
	case o.Fold != ops.SymNone:
		return a.fold(o, operands[0], t)
	case o.Fill == nil:
		raise.Error(errors.New("a linear map has no value as an array"))
	}
	return a.filled(o, op, operands, body, t)
}
