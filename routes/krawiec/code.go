package krawiec

import "egad/fun"

// opcode is what an instruction does. Its operands a, b, c and d are registers of words, unless
// it is said otherwise.
type opcode uint8

const (
	opSteps  opcode = iota // count a steps and b constructors, those of a block
	opConst                // a = constant b
	opWords                // the c words from a on are those from b on
	opRefs                 // the c references from a on are those from b on
	opJump                 // go on at a
	opBranch               // go on at b if a is a tag of the right side
	opFail                 // error a

	// Operators: a = op b c.
	opAdd
	opSub
	opMul
	opDiv
	opNeg
	opLess
	opUnary // by function d
	opBinary
	opSelect // a is c or d, by the truth value b
	opSign   // the two words from a on are a side of (() + ()) + ()

	// References.
	opClosure // reference a = closure b
	opCall    // apply reference a to the argument at words b and references c, above the frame
	opTail    // the same, in place of the frame
	opReturn
	opBox       // reference a = a box of the words from b and the references from c on, by shape d
	opUnbox     // the words from a and references from b on are of part d of reference c
	opArray     // reference a = an array of no elements, for b of them
	opAppend    // append to reference a the words from b and the references from c on, by shape d
	opIndex     // element b of reference a, to words c and references d; by elements e
	opLength    // a = length of reference b
	opUntil     // go on at c unless a < b
	opNext      // a = a + 1, and go on at b
	opReduction // reference a = the reduction of reference b, by shape d
	opPairs     // the next pair of reduction a, to words b and references c; the last one goes on at d
	opCombined  // the words from b and the references from c on are of the pair of reduction a

	// Deltas.
	opBind     // a = the id of a new binding, by template b
	opLet      // a = the id of a new binding, which the next instructions write
	opAddDelta // Add
	opScale    // Scale by a
	opVar      // Var a, or Zero
	opBound    // the end of the binding
	opBegin    // runDelta from the id a on
	opEnd      // reference a = the bindings of runDelta
	opForeign  // form a, of values
)

// instruction is an operation on registers.
type instruction struct {
	op         opcode
	a, b, c, d int32
	e          int32
}

// code is a function, in instructions. Its frame has the registers of the result, the
// argument, what it captures and itself, and then those that it works with.
type code struct {
	ins           []instruction
	result, frame shape
	argument      span
	captured      span  // where it begins
	self          int32 // the register of itself, if it calls itself
	recursive     bool
	*tables
}

// span is where a value stands in a frame.
type span struct {
	words, refs int32 // where it begins
	shape
}

// tables are what the instructions of a program have in common.
type tables struct {
	shapes
	constants []uint64
	unary     []func(x uint64) uint64
	binary    []func(x, y uint64) uint64
	parts     []span // of boxes, and shapes
	closures  []closure
	elements  []element
	templates []template
	foreign   []foreign
	errs      []error
}

// closure makes a function of code.
type closure struct {
	code     *code
	captured []span // where what it captures stands where it is made
}

// element says what an array has.
type element struct {
	shape
	outside *object // what is outside of it
	err     error   // if there is nothing
}

// template is a binding of a [Tape], as it stands there: its words, and the registers of its
// factors.
type template struct {
	words   []templateWord
	factors []int32
}

// templateWord is a word: base, and an id in a register as often as times says.
type templateWord struct{ base, times, id int32 }

// foreign is a form that is evaluated by a [fun.Machine].
type foreign struct {
	term     *fun.Term // its operands are variables
	operands []span
	types    []*fun.Type
	result   span
	of       *fun.Type
}

// reduction is the state of a reduce: neighbours are combined, those on the left first.
type reduction struct {
	shape
	of   *object
	next int // element
	// todo is what is to be done: reduce so many elements, or combine the two last ones if it
	// is 0.
	todo  []int
	words []uint64 // of elements that have been combined
	refs  []*object
}
