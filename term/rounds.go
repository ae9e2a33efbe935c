package term

import "egad/term/ops"

// RoundsOf returns how many rounds make k steps, and how many steps round i has. More than there can be are not
// counted in rounds: their number is for the message.
func RoundsOf[V any](k V, lit func(int64) V, op func(ops.Sym, ...V) V) (rounds V, steps func(i V) V) {
	rounds = op(ops.SymCond, op(ops.SymLt, lit(ops.MaxSteps*ops.MaxSteps), k), k,
		op(ops.SymAdd, op(ops.SymIdiv, k, lit(ops.MaxSteps)), op(ops.SymMin, op(ops.SymMod, k, lit(ops.MaxSteps)), lit(1))))
	return rounds, func(i V) V {
		return op(ops.SymMax, op(ops.SymMin, op(ops.SymSub, k, op(ops.SymMul, i, lit(ops.MaxSteps))), lit(ops.MaxSteps)), lit(0))
	}
}

// InRounds is in how many rounds iterate makes k steps, which are not less than none, and how many steps
// round i has.
func (s *Store) InRounds(k Term) (rounds Term, steps func(i Term) Term) {
	return RoundsOf(k, s.LitInt, s.Apply)
}
