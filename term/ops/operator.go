package ops

import (
	"math/big"
	"slices"
	"strings"
	"sync"

	"egad/term/types"
)

// Operator is the descriptor of an operator: all that is known of it whatever its
// attributes. Of the built-in ones rules/files/operators.rules declares the types and the
// classes, and this package says what a text cannot.
type Operator struct {
	Sym   Sym
	Name  string
	Arity int // number of children, -1 if it varies

	Elementwise bool // acts on each element of equal shapes
	ZeroKeeping bool // zero-preserving: op(0, …) is 0
	Commutative bool // both orders of the two operands mean the same
	Linear      bool // makes a linear map
	Reduction   bool // takes away the first axis of an array; of zeros it is zero
	Columnwise  bool // works on each column along the first axis by itself, and keeps the axis
	Matrixwise  bool // works on each matrix along the first two axes by itself, with results of two axes
	Whole       bool // is computed by its meaning, from whole arrays
	Twins       bool // a function of reals, that of x shares most of its work with that of -x and with others like it
	Opaque      bool // an index of it may stay in a bulk program
	Variable    bool // is a variable that some operator binds: names a slot of its own
	Call        bool // is a call of a definition, or of a derivative of one, that is kept

	// Declared is what a rule file says of an operator on arrays, and Sorted what it says
	// of one of a language of its own. They are nil of the others.
	Declared *Declared
	Sorted   *Sorted
	// Fold is the binary operator with which a reduction folds an array from the left,
	// from its value of nothing; SymNone if it does not.
	Fold Sym
	// Map is the operator read as a map of the operand in which it is linear, and Of
	// the operator that this one is the map of; both are SymNone of the others.
	Map, Of Sym
	// Bound are the types of the variables that the operator binds in its children, nil
	// if they are index variables, of which Op.Sizes are the ranges, or none. Scope
	// tells, one bit each, over which children the binders scope; the last bit stands
	// for all further ones.
	Bound []*types.Type
	Scope uint64
	// Params are the types of the parameters of a [Operator.Call]. Its operands are their leaves.
	Params []*types.Type
	// Ports says what the first children are called in a drawing.
	Ports []string

	Hidden bool   // programs write it in another way than by its name
	Infix  string // its sign between two operands, "" if it has none

	Work       Work  // what it costs
	Operations int64 // how many operations on reals, if more than one

	// Fill is the meaning on whole arrays: it fills an array of zeros.
	Fill func(c Cells)
	// Empty says what the elements of the result are if operand 0 has an axis of size 0.
	Empty func(t *types.Type) Scalar

	form     string // how the arguments of a call are read, "" for values alone
	binds    bool   // follows from the form and Bound: there are binders, be it none
	outer    int    // the children that no binder scopes over
	hint     string // what to do about an operand that is not the scalar it must be
	operands string // what the operands are called in a message, if there is a word for them
	linear   int    // 1 + the number of the operand in which it is linear, 0 if there is none

	scheme *scheme                     // the type as it is declared, nil if it is not
	typing func(t *typing) *types.Type // the type of the result
	bounds func(b Bounding) Bounds     // what interval analysis says of the result

	float1 func(n int) func(float64) float64 // the meaning on a real; n is the attribute
	float2 func(a, b float64) float64        // the meaning on two reals
	rat1   func(a *big.Rat) *big.Rat         // the meaning on a rational, if it is one
	// the meaning on two rationals, if it is one, of at most so many bits
	rat2 func(a, b *big.Rat, most int) (*big.Rat, error)
	int1 func(a int64) int64    // the meaning on an integer, or a truth value as 0 and 1
	int2 func(a, b int64) int64 // the meaning on two of them
}

// operators are the built-in ones; the index is the Sym. The linear maps of the
// linear ones follow.
var operators = make([]*Operator, numBuiltin)

// complete reads what is declared of the operators and adds the linear maps, once.
var complete = sync.OnceFunc(func() {
	declare()
	for _, o := range operators[:numBuiltin] {
		if o.linear > 0 {
			operators = append(operators, MapOf(o).At(Sym(len(operators))))
			o.Map = Sym(len(operators) - 1)
		}
	}
})

// infixes are the operators that stand between their operands.
var infixes = make(map[string]Sym)

// describe gives a built-in operator its descriptor.
func describe(s Sym, o Operator) {
	operators[s] = o.At(s)
	if o.Infix != "" {
		infixes[o.Infix] = s
	}
}

// At returns the descriptor with a number, and what follows from it.
func (o Operator) At(s Sym) *Operator {
	o.Sym = s
	o.outer = strings.Count(o.form, string(FormValue)) + strings.Count(o.form, string(FormCount))
	if o.Has(FormBody) || o.Has(FormIx) || o.Has(FormStep) {
		o.binds, o.Scope = true, ^uint64(0)<<o.outer
	}
	o.binds = o.binds || o.Bound != nil
	return &o
}

// Builtins returns the descriptors of the built-in operators by their Syms; that of SymNone is nil.
func Builtins() []*Operator {
	complete()
	return operators[:len(operators):len(operators)]
}

// Builtin returns the descriptor of a built-in operator, nil of one that is declared.
func Builtin(s Sym) *Operator {
	complete()
	if int(s) < len(operators) {
		return operators[s]
	}
	return nil
}

// Moves reports whether the elements of a result are such of the operands, as they are, or
// zero, and no arithmetic is done.
func (o *Operator) Moves() bool {
	switch o.Sym {
	case SymCond, SymTuple, SymProj, SymBuild, SymStates:
		return true
	}
	return o.Work == WorkMove
}

// Computes reports whether an operator does arithmetic on what it is applied to, and not only
// makes or moves elements.
func (o *Operator) Computes() bool { return o.Work >= WorkFold }

// Nothing returns what a reduction is of no elements, where its result is of type elem.
func (o *Operator) Nothing(elem types.Elem) Scalar { return o.Empty(types.ArrayOf(elem)) }

// Text returns how programs and rules write the operator: "+", "exp".
func (o *Operator) Text() string {
	if o.Infix != "" {
		return o.Infix
	}
	return o.Name
}

// surface is the operator in a message about a program.
func (o *Operator) surface() string {
	switch o.Sym {
	case SymLt, SymLe, SymEq:
		return "a comparison" // it may have been the other way round
	}
	return o.Text()
}

// OnElements is the element type of an elementwise operator on elements of the given types;
// ok is false if it takes none such.
func (o *Operator) OnElements(of ...types.Elem) (e types.Elem, ok bool) {
	complete()
	if len(of) != o.Arity || !o.Elementwise {
		return types.NoElem, false
	}
	var bound types.Elem // what the variable for an element type stands for
	for k, p := range o.scheme.operands {
		if p.elem >= 0 && bound == types.NoElem {
			bound = of[k]
		}
		if !slices.Contains(p.among, of[k]) || p.elem >= 0 && of[k] != bound {
			return types.NoElem, false
		}
	}
	if r := o.scheme.result; r.elem < 0 {
		return r.among[0], true
	}
	return bound, true
}
