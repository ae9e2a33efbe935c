package kernel

// Only is a condition without which a run of a loop need not be done: an integer that is
// linear in indices of loops, and in integers that are known before, is less than 0. What the
// run would make changes nothing that is folded, as 0 that is added does not, is there already, or is read by nobody.
type Only struct {
	Less *Value // Linear
	// Finite says that this is so where what is multiplied by 0 is finite, as in the rule
	// mul_zero.
	Finite bool
	// Strict says that in the other runs there may be anything in arrays that are read: see [improve.strictly].
	Strict bool
	// Sure says that no run is done in which it does not hold, so that none asks: see [schedule.withoutMasks].
	Sure bool
}

// Carry is a number that a run of a loop in order [Carrying] has from the one before: Value is
// what it has, and Next what it leaves. The first run has From, and Result is what the last one
// leaves.
type Carry struct {
	Value, From, Next, Result *Value
}
