// Package typing finds the most general types of the metavariables of a rule, for all ranks
// and lengths of lists, and decides by unification whether its sides have one type wherever the
// left side has one. It draws instances, with sizes as symbols, for what cannot be decided and
// for other tests of a rule.
package typing

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"egad/diag"
	"egad/internal/interrupt"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// Report is what the static check of a rule found.
type Report struct {
	// Types says for each case in which the left side has a type what the most general
	// types of the metavariables and of both sides are.
	Types []string
	// Undecided is why it could not be decided for all shapes that both sides have one
	// type, and is only known of Tried instances; "" if they have.
	Undecided string
	Tried     int
	Err       *diag.Error // the sides disagree; nil if they do not

	general *general
}

// Note says that the types of a rule are not decided for all shapes.
func (rep *Report) Note() string {
	return fmt.Sprintf("the types of the rule %s could not be decided for all shapes, and are right for %d of them: %s",
		rep.general.rule.Name, rep.Tried, rep.Undecided)
}

const (
	// maxWork bounds the combinations of ranks, lengths, permutations and operators
	// that are tried in order, times the operators of the left side.
	maxWork = 40_000
	// maxInstances is how many instances are made in order, and a third as many at
	// random if there are more. To find one that shows a mistake, few are made, and if
	// none of them does, more.
	fewInstances, maxInstances, manyInstances = 100, 1000, 4000
	// highInstances is how many random instances of high ranks are looked for, in
	// so many tries.
	highInstances, highTries = 60, 400
	// maxAgain is how many random instances in a row may have been there before one
	// takes it that these are all.
	maxAgain = 40
	// leastRank is up to where ranks are tried for a rule that low ones do not fit.
	leastRank = 9
)

// Check decides whether both sides of a rule have the same type for all
// shapes. The maps of a derivative rule must go from their operand to the result.
// Run twice it does the same.
func Check(sig *term.Signature, r *rules.Rule) Report {
	g := generalise(sig, r)
	rep := Report{general: g}
	fail := func(pos diag.Pos, format string, args ...any) Report {
		rep.Err = diag.Errorf(r.Src, pos, "rule %s: %s", r.Name, readable(r, fmt.Sprintf(format, args...)))
		return rep
	}
	for _, n := range g.cases {
		text := ""
		if attempt(func() *unifier { text = n.describe(); return n }); !slices.Contains(rep.Types, text) {
			rep.Types = append(rep.Types, text)
		}
	}
	pos, why := r.Pos, g.why
	switch {
	case g.bad != nil:
		pos, why = g.bad.pos, readable(r, g.bad.msg)
	case why != "":
	case len(g.cases) == 0:
		return fail(g.none.pos, "no shapes give the left side a type: %s", g.none.msg)
	case !slices.ContainsFunc(g.cases, (*unifier).asks):
		return rep
	}
	enough := 1
	if slices.Contains(slices.Collect(maps.Values(r.Vars.Sort)), rules.SortTerms) {
		enough = all // what sizes are at places of lists is found as they are met, and used by later instances
	}
	if len(g.some(fewInstances, enough)) == 0 {
		return fail(r.Lhs.Pos, "no shapes give the left side a type (ranks to %d were tried)", leastRank)
	}
	if why == "" {
		return rep
	}
	for _, most := range []int{fewInstances, maxInstances, manyInstances} {
		ins := g.some(most, all)
		if interrupt.Requested() {
			return rep
		}
		for _, in := range ins { // an instance says best what is wrong
			if msg := in.check(sig); msg != "" {
				return fail(pos, "%s", msg)
			}
		}
		rep.Tried = len(ins)
	}
	rep.Undecided = why
	return rep
}

// Instances returns some instances of the rule for other tests, at which both sides have
// one type: first those of low ranks, and then random ones of higher ranks.
func (rep *Report) Instances() []*Instance { return rep.general.some(maxInstances, all) }

// all is enough instances where as many are made as may be.
const all = math.MaxInt

// some makes instances: most in order and others at random, until there are enough.
func (g *general) some(most, enough int) []*Instance {
	if len(g.cases) == 0 {
		return nil
	}
	var out []*Instance
	seen := make(map[string]bool)
	add := func(in *Instance) bool {
		key := in.key()
		if !seen[key] {
			seen[key] = true
			out = append(out, in)
			return true
		}
		return false
	}
	random := func(rank, n, tries int) {
		from := rand.New(rand.NewPCG(uint64(rank), 1))
		for again := 0; n > 0 && len(out) < enough && tries > 0 && again < maxAgain && !interrupt.Requested(); tries-- {
			switch in := g.instance(&chooser{rank: rank, pick: from.IntN}); {
			case in == nil:
			case add(in):
				n, again = n-1, 0
			default:
				again++
			}
		}
	}
	tries := maxWork / applications(g.rule.Lhs)
	for rank := maxRank; len(out) == 0 && rank <= leastRank; rank++ {
		tried := g.instances(rank, tries, func(in *Instance) bool {
			add(in)
			return len(out) < min(most, enough) && !interrupt.Requested()
		})
		slices.SortStableFunc(out, func(a, b *Instance) int { return a.axes() - b.axes() })
		if !tried {
			random(rank, most/3, min(most, tries))
		}
		random(max(rank, highRank), highInstances, highTries)
	}
	return out
}

// asks reports whether there may be no instance.
func (n *unifier) asks() bool { return len(n.open)+len(n.alikePerms)+len(n.least)+len(n.equal) > 0 }

// applications counts the operators of a left side, at least 1.
func applications(p *rules.Pattern) int {
	n := 1
	for _, e := range p.Kids {
		if e.Pat != nil && e.Pat.Kind == rules.PApp {
			n += applications(e.Pat)
		}
	}
	return n
}

// check compares the types of both sides; the result says how they differ.
func (in *Instance) check(sig *term.Signature) string {
	s := term.NewStore(sig)
	s.Unify = assumed{products: in.Products}
	count := 0
	sides, ok, err := in.Build(s, func(t InstanceTerm, _ map[string][]slot.Name) (term.Term, error) {
		count++
		v := s.Var(fmt.Sprintf("%s %d", t.Name, count), t.Type)
		for _, b := range t.Scope { // it may mention what a let binds
			if bound := in.Lets[b]; bound != nil {
				v = s.MustMake(ops.Op{Sym: ops.SymProj}, nil, nil, []term.Term{s.Apply(ops.SymTuple, v, s.Var(match.LetInput(b), bound))})
			}
		}
		return v, nil
	})
	var mistake *match.Mistake
	switch {
	case errors.As(err, &mistake):
		return fmt.Sprintf("%s (for %s)", mistake.Msg, in)
	case err != nil:
		return fmt.Sprintf("%v (for %s)", err, in)
	case !ok:
		return "" // a function of the right side has no value: the rule does not apply
	}
	if err := sides.Match.AskFacts(match.Terms{Store: s}); errors.As(err, &mistake) {
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
