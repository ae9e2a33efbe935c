package types

// Elem is the element type of an array. Values above [B] are the inference
// variables of a checker; they never reach a [term.Store].
type Elem uint32

// The element types: float64, int64, and truth values.
const (
	NoElem Elem = iota
	R
	I
	B
	firstElemVar
)

func (e Elem) String() string {
	switch e {
	case R:
		return "R"
	case I:
		return "I"
	case B:
		return "B"
	}
	return "number"
}

// IsVar reports whether e is a variable: see [ElemVars].
func (e Elem) IsVar() bool { return e >= firstElemVar }

// ElemNamed returns the element type R, I or B, and whether the name is one.
func ElemNamed(name string) (e Elem, ok bool) {
	switch name {
	case "R":
		return R, true
	case "I":
		return I, true
	case "B":
		return B, true
	}
	return NoElem, false
}

// Conversion tells how a program makes an element type of the one that is there.
func Conversion(want, have Elem) string {
	switch {
	case want == R && have == I:
		return " (write real …)"
	case want == I && have == R:
		return " (write floor … or round …)"
	case want != B && have == B:
		return " (write where … 1 0)"
	}
	return ""
}
