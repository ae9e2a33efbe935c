package ops

import (
	"egad/term/size"
	"egad/term/types"
)

// scheme is the declared type of an operator: that of its operands and of its result, with
// variables for sizes, for lists of sizes, for element types, and for types.
type scheme struct {
	ranges   []axis        // what Op.Sizes are
	targets  []axis        // what Op.Targets are
	types    []*schemeType // what Op.Type and Op.Type2 are
	operands []schemeOperand
	result   *schemeType
	mixed    bool     // the elements of one operand are not those of all
	variable []string // the names of the variables for types
	sizes    []string // the names of the variables for sizes, if there are expressions of them
	vars     [numVarKinds]int
}

// schemeOperand is the type of an operand, or of each of a list: of as many as count says,
// if it is not nil.
type schemeOperand struct {
	*schemeType
	list   bool
	count  *axis
	source string // as it is declared
}

// schemeType is an array, a linear map, or a variable for a type.
type schemeType struct {
	kind  types.Kind
	elem  int          // the variable for the element type, -1 if it is one of among
	among []types.Elem // the element types
	axes  []axis
	text  string // of the axes
	parts []*schemeType
	v     int // the variable for a type
	what  schemeScalar
}

// schemeScalar is what a scalar is there for.
type schemeScalar uint8

const (
	noScalar schemeScalar = iota
	anIndex
	aCondition
	aCount
)

// axis is a size, or a list of sizes, in a scheme.
type axis struct {
	list bool
	v    int       // the variable, -1 if it is an expression
	expr size.Size // of the names of sizes
	// permuted says that the list is put into the order that the operator says.
	permuted bool
}

// The kinds of variables.
const (
	sizeVar = iota
	listVar
	elemVarKind
	typeVar
	numVarKinds
)

// arity is how many operands there are, -1 if it varies.
func (s *scheme) arity() int {
	n := len(s.operands)
	if n > 0 && s.operands[n-1].list {
		return -1
	}
	return n
}

// operand is what is said of operand k.
func (s *scheme) operand(k int) schemeOperand { return s.operands[min(k, len(s.operands)-1)] }

// bindings are what the variables of a scheme stand for in one typing. There is room for
// those of most operators; further sizes are in more.
type bindings struct {
	sizes [4]boundSize
	more  []boundSize
	lists [maxLists]boundList
	elems [maxElems]types.Elem  // NoElem of those that have not been met
	types [maxTypes]*types.Type // nil of those that have not been met
	later []laterSize
}

// How many variables an operator may have that comes with egad.
const (
	maxLists = 3
	maxElems = 2
	maxTypes = 4
)

type boundSize struct {
	is  size.Size
	met bool
}

type boundList struct {
	is      []size.Size
	met     bool
	operand int       // in which it was met first
	length  size.Size // of one that has not been met, where operands tell
}

// laterSize is an axis of an operand whose size depends on those of other axes.
type laterSize struct {
	operand, axis int
	want, have    size.Size
}

// size is what variable v for a size stands for.
func (b *bindings) size(v int) *boundSize {
	if v < len(b.sizes) {
		return &b.sizes[v]
	}
	return &b.more[v-len(b.sizes)]
}

// values are the sizes that the variables stand for, by their names.
func (b *bindings) values(s *scheme) map[string]size.Size {
	env := make(map[string]size.Size, len(s.sizes))
	for i, name := range s.sizes {
		env[name] = b.size(i).is
	}
	return env
}
