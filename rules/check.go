package rules

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"egad/diag"
	"egad/internal/interrupt"
	"egad/slot"
	"egad/term"
)

// TypeReport is what the static check of a rule found.
type TypeReport struct {
	Instances int // whose types were checked
	// Some are instances for other tests: first those that are checked in order,
	// from low ranks to high ones, and then random ones of higher ranks.
	Some []*Instance
	// Partial says that there are too many shapes to check them all: some were
	// drawn at random.
	Partial bool
	Err     *diag.Error // the first instance whose sides disagree; nil if none
}

const (
	// maxWork bounds the combinations of ranks, lengths, permutations and operators
	// that are tried in order, times the operators of the left side.
	maxWork = 40_000
	// maxInstances is how many instances are checked in order, and as many at
	// random if there are more.
	maxInstances = 4000
	// highInstances is how many random instances of high ranks are looked for, in
	// so many tries.
	highInstances, highTries = 60, 400
	// leastRank is up to where ranks are tried for a rule that low ones do not fit.
	leastRank = 9
)

// CheckTypes decides whether both sides of a rule have the same type for all
// shapes: symbolic in sizes, with every rank and list length from 0 to [MaxRank],
// and with random ones up to [HighRank]. The maps of a derivative rule must go
// from their operand to the result. Run twice it does the same.
func (r *Rule) CheckTypes(sig *term.Signature) TypeReport {
	var rep TypeReport
	rank, tries := MaxRank, maxWork/r.Lhs.applications()
	rep.inOrder(sig, r, rank, tries)
	for rep.Instances == 0 && rep.Err == nil && rank < leastRank {
		rank++
		rep.inOrder(sig, r, rank, tries)
		rep.atRandom(sig, r, rank, highInstances, tries)
	}
	switch {
	case rep.Instances == 0 && rep.Err == nil:
		rep.Err = diag.Errorf(r.Src, r.Pos, "rule %s: no shapes give the left side a type (ranks to %d were tried)", r.Name, leastRank)
	case rep.Partial:
		rep.atRandom(sig, r, rank, maxInstances/3, min(maxInstances, tries))
		rep.atRandom(sig, r, max(rank, HighRank), highInstances, highTries)
	default:
		seen := rep.Instances
		rep.atRandom(sig, r, max(rank, HighRank), highInstances, highTries)
		rep.Instances = seen // those of all low ranks are what counts
	}
	return rep
}

// inOrder checks the instances of all ranks up to a bound.
func (rep *TypeReport) inOrder(sig *term.Signature, r *Rule, rank, tries int) {
	all := r.Instances(sig, rank, tries, func(in *Instance) bool {
		return rep.add(sig, in) && rep.Instances < maxInstances
	})
	rep.Partial = !all && rep.Err == nil
}

// atRandom checks up to n random instances that are not among those of low ranks.
func (rep *TypeReport) atRandom(sig *term.Signature, r *Rule, rank, n, tries int) {
	from := rand.New(rand.NewPCG(uint64(rank), 1))
	s := &sampler{sig: sig, rule: r, rank: rank}
	seen := make(map[string]bool, len(rep.Some))
	for _, in := range rep.Some {
		seen[in.key()] = true
	}
	for ; n > 0 && tries > 0 && rep.Err == nil && !interrupt.Requested(); tries-- {
		in := s.sample(from.IntN)
		if in == nil {
			continue
		}
		if key := in.key(); !seen[key] {
			seen[key] = true
			rep.add(sig, in)
			n--
		}
	}
}

// applications counts the operators of a left side, at least 1.
func (p *Pattern) applications() int {
	n := 1
	for _, e := range p.Kids {
		if e.Pat != nil && e.Pat.Kind == PApp {
			n += e.Pat.applications()
		}
	}
	return n
}

// add checks an instance; it is false if that is wrong, or the process is to end.
func (rep *TypeReport) add(sig *term.Signature, in *Instance) bool {
	rep.Instances++
	rep.Some = append(rep.Some, in)
	if msg := in.check(sig); msg != "" {
		rep.Err = diag.Errorf(in.Rule.Src, in.Rule.Pos, "rule %s: %s", in.Rule.Name, msg)
	}
	return rep.Err == nil && !interrupt.Requested()
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
