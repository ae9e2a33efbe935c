package ops

import (
	"fmt"

	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
)

// VarType is what a variable of a term stands for: an index below Size, or, where
// Type is not nil, any value of that type.
type VarType struct {
	Size size.Size
	Type *types.Type
}

// Equal reports whether two variables stand for the same values.
func (v VarType) Equal(w VarType) bool {
	if v.Type == nil || w.Type == nil {
		return v.Type == w.Type && v.Size.Equal(w.Size)
	}
	return v.Type.Equal(w.Type)
}

// None reports whether the variable may have no values: an index of an axis that is
// empty, or of unknown size.
func (v VarType) None() bool {
	if v.Type != nil {
		return v.Type.HasEmptyAxis()
	}
	n, ok := v.Size.Const()
	return !ok || n < 1
}

func (v VarType) String() string {
	if v.Type != nil {
		return fmt.Sprintf("is of type %s", v.Type)
	}
	return fmt.Sprintf("ranges over %s", v.Size)
}

// Variable tells what op stands for if it is a variable that some operator binds.
func (op Op) Variable() (v VarType, ok bool) {
	switch op.Sym {
	case SymIvar:
		return VarType{Size: op.Sizes[0]}, true
	case SymLocal:
		return VarType{Type: op.Type}, true
	}
	return v, false
}

// Binders returns how many variables op, of which o is the descriptor, binds in its
// children.
func (o *Operator) Binders(op Op) int {
	switch {
	case o.Bound != nil:
		return len(o.Bound)
	case o.Has(FormStep):
		return len(op.Sizes) + 1
	case o.binds:
		return len(op.Sizes)
	}
	return 0
}

// Under reports whether the binders of the operator scope over child number kid.
func (o *Operator) Under(kid int) bool { return o.binds && o.Scope>>min(kid, 63)&1 != 0 }

// BinderType returns what binder number b of op stands for.
func (o *Operator) BinderType(op Op, b int) VarType {
	if o.Bound != nil {
		return VarType{Type: o.Bound[b]}
	}
	if b == len(op.Sizes) { // the state of a loop
		return VarType{Type: op.Type}
	}
	return VarType{Size: op.Sizes[b]}
}

// Ranges are the sizes over which index variables range.
func Ranges(vars []VarType) []size.Size {
	return slice.Map(vars, func(v VarType) size.Size { return v.Size })
}
