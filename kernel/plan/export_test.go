package plan

import "egad/kernel"

// Spread is how many arrays of a program lie with room between their rows.
func Spread(p *kernel.Program) int { return len(New(p).Spreads) }
