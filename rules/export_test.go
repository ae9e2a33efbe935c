package rules

import "egad/term"

// CheckInstances checks the types of a rule at some instances.
func CheckInstances(sig *term.Signature, r *Rule) {
	if g := generalise(sig, r); len(g.cases) > 0 {
		g.instances(1, 50, func(in *Instance) bool { in.check(sig); return true })
	}
}
