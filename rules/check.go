package rules

import (
	"errors"
	"fmt"

	"egad/diag"
	"egad/slot"
	"egad/term"
)

// TypeReport is what the static check of a rule found.
type TypeReport struct {
	Instances int
	Some      []*Instance // the first ones, at most [SomeInstances]
	// Partial says that there are too many shapes to check them all.
	Partial bool
	Err     *diag.Error // the first instance whose sides disagree; nil if none
}

// SomeInstances is how many instances a check of types keeps, for other tests.
const SomeInstances = 3000

// CheckTypes decides whether both sides of a rule have the same type for all
// shapes: symbolic in sizes, with every rank and list length from 0 to [MaxRank].
// The maps of a derivative rule must go from their operand to the result.
func (r *Rule) CheckTypes(sig *term.Signature) TypeReport {
	var rep TypeReport
	rep.Partial = !r.Instances(sig, func(in *Instance) bool {
		if rep.Instances++; rep.Instances <= SomeInstances {
			rep.Some = append(rep.Some, in)
		}
		if msg := in.check(sig); msg != "" {
			rep.Err = diag.Errorf(r.Src, r.Pos, "rule %s: %s", r.Name, msg)
			return false
		}
		return true
	})
	if rep.Instances == 0 && rep.Err == nil {
		rep.Err = diag.Errorf(r.Src, r.Pos, "rule %s: no shapes give the left side a type", r.Name)
	}
	return rep
}

// check compares the types of both sides; the result says how they differ.
func (in *Instance) check(sig *term.Signature) string {
	s := term.NewStore(sig)
	s.Unify = assumed{products: in.Products}
	count := 0
	sides, ok, err := in.Build(s, func(t InstanceTerm, _ map[string][]slot.Name) (term.Term, error) {
		count++
		return s.Var(fmt.Sprintf("%s %d", t.Name, count), t.Type), nil
	})
	var mistake *Mistake
	switch {
	case errors.As(err, &mistake):
		return fmt.Sprintf("%s (for %s)", mistake.Msg, in)
	case err != nil:
		return fmt.Sprintf("%v (for %s)", err, in)
	case !ok:
		return "" // a function of the right side has no value: the rule does not apply
	}
	if err := sides.Match.askFacts(Terms{Store: s}); errors.As(err, &mistake) {
		return fmt.Sprintf("%s (for %s)", mistake.Msg, in)
	}
	if in.Rule.Nabla {
		return "" // the types of the maps are checked when they are built
	}
	if lt, rt := s.Type(sides.Lhs), s.Type(sides.Rhs); !lt.Equal(rt) {
		return fmt.Sprintf("the left side has type %s and the right side %s (for %s)", lt, rt, in)
	}
	return ""
}

// String lists the types of the metavariables.
func (in *Instance) String() string {
	out := ""
	for i, t := range in.Terms {
		if i > 0 {
			out += ", "
		}
		out += t.Name + " : " + t.Type.String()
	}
	if out == "" {
		return "no metavariables"
	}
	return out
}
