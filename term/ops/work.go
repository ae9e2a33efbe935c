package ops

// Work says what an operator costs.
type Work uint8

// The kinds of work.
const (
	WorkNone Work = iota
	WorkMake      // it makes an array
	WorkMove      // it moves, or chooses, an element for each of the result
	WorkFold      // an operation for each element of its operand
	WorkEach      // an operation for each element of the result
	WorkCube      // an operation for each element of a matrix and each of its rows
	WorkRows      // an operation for each element of the result and each row of a matrix
)
