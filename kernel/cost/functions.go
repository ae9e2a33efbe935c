package cost

import "egad/term/ops"

// IsFunction reports whether an operator on reals is a function of the module.
func IsFunction(op ops.Sym) bool { return !instructions[op] && !Rounds(op) }

// IsInstruction reports whether an operator on reals is one instruction.
func IsInstruction(op ops.Sym) bool { return instructions[op] }

// instructions are the operators on reals that are an instruction of the machine, or a few.
var instructions = map[ops.Sym]bool{
	ops.SymAdd: true, ops.SymSub: true, ops.SymMul: true, ops.SymDiv: true, ops.SymMin: true, ops.SymMax: true, ops.SymNeg: true, ops.SymAbs: true,
	ops.SymSqrt: true, ops.SymLt: true, ops.SymLe: true, ops.SymEq: true, ops.SymWhere: true, ops.SymRelu: true,
}

// Rounds reports whether an operator rounds reals.
func Rounds(op ops.Sym) bool { return op == ops.SymFloor || op == ops.SymRound }
