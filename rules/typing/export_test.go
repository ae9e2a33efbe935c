package typing

import (
	"egad/rules"
	"egad/term"
)

// Check compares the types of both sides; the result says how they differ.
func (in *Instance) Check(sig *term.Signature) string { return in.check(sig) }

// CheckLow checks a few instances of a rule of rank 1 at most.
func CheckLow(sig *term.Signature, r *rules.Rule) {
	if g := generalise(sig, r); len(g.cases) > 0 {
		g.instances(1, 50, func(in *Instance) bool { in.check(sig); return true })
	}
}
