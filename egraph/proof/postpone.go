package proof

import (
	"slices"

	"egad/egraph"
	"egad/slot"
)

// fewer is steps that lead from and to the same terms, with as few as possible
// inside the variables of rules.
func fewer(steps []Step) []Step {
	if !slices.ContainsFunc(steps, func(s Step) bool { return movable(s) && s.uneven() }) {
		return steps
	}
	return reversed(postpone(reversed(postpone(steps))))
}

// movable reports whether a step is by a rule that holds whatever its variables
// stand for.
func movable(s Step) bool {
	r := s.Rule
	return len(s.Path) == 0 && r != nil && r.Guard == nil && r.Apply == nil && r.From == nil && len(s.Bound) == 0
}

// postpone moves steps inside a variable of a rule behind the step of the rule if
// the variable occurs there less often: instead of changing both x in x + x, and
// then x + x to 2 x, the latter comes first. Terms of which the parts occur twice,
// and their parts too, would have proofs that double with each level. It looks at
// steps at the root, and at terms without slots.
func postpone(steps []Step) []Step {
	lo := 0 // after the last step at the root
	for i := 0; i < len(steps); i++ {
		if len(steps[i].Path) > 0 {
			continue
		}
		if movable(steps[i]) {
			p, q := steps[i].sides()
			for v := range steps[i].Vars {
				if from, to := places(p, v), places(q, v); len(from) > len(to) {
					steps, i = exchange(steps, lo, i, v, from, to)
				}
			}
		}
		lo = i + 1
	}
	return steps
}

// sides are the patterns of the rule of a step, that of what it is applied to first.
func (s *Step) sides() (from, to *egraph.Pattern) {
	if s.Reverse {
		return s.Rule.Rhs.Pattern(), s.Rule.Lhs.Pattern()
	}
	return s.Rule.Lhs.Pattern(), s.Rule.Rhs.Pattern()
}

// uneven reports whether a metavariable occurs more often on one side.
func (s *Step) uneven() bool {
	p, q := s.sides()
	for v := range s.Vars {
		if len(places(p, v)) != len(places(q, v)) {
			return true
		}
	}
	return false
}

// places are the paths at which metavariable v occurs in p.
func places(p *egraph.Pattern, v int) (out [][]int) {
	if p.Kind == egraph.PVar && p.Var == v {
		return [][]int{nil}
	}
	for k, q := range p.Kids {
		for _, path := range places(q, v) {
			out = append(out, append([]int{k}, path...))
		}
	}
	return out
}

// exchange moves what is done from step lo on inside variable v, which occurs at
// some paths, behind step i, a rule, if the same is done at all of them. It returns
// where the rule is then.
func exchange(steps []Step, lo, i, v int, from, to [][]int) ([]Step, int) {
	rule := steps[i]
	for j := lo; j < i; j++ { // a step that makes the place of a variable ends what was before
		if slices.ContainsFunc(from, func(p []int) bool { return len(steps[j].Path) < len(p) && steps[j].under(p[:len(steps[j].Path)]) }) {
			lo = j + 1
		}
	}
	chains := make([][]Step, len(from))
	kept := slices.Clone(steps[:lo])
	for _, s := range steps[lo:i] {
		k := slices.IndexFunc(from, s.under)
		if k < 0 {
			kept = append(kept, s)
			continue
		}
		s.Path, s.scope = s.Path[:len(s.Path)-len(from[k])], s.scope[:len(s.scope)-len(from[k])]
		chains[k] = append(chains[k], s)
	}
	value := rule.Vars[v]
	for _, s := range slices.Backward(chains[0]) {
		path := slices.Clone(s.Path)
		slices.Reverse(path)
		value = value.Replace(path, s.From)
	}
	if len(chains[0]) == 0 || !closed(value) || !closed(rule.Vars[v]) || slices.ContainsFunc(chains, func(c []Step) bool { return !slices.EqualFunc(c, chains[0], sameStep) }) {
		return steps, i
	}
	rule.Vars = slices.Clone(rule.Vars)
	rule.Vars[v] = value
	for _, p := range from {
		rule.From = rule.From.Replace(p, value)
	}
	for _, p := range to {
		rule.To = rule.To.Replace(p, value)
	}
	at := len(kept)
	kept = append(kept, rule)
	for _, p := range to {
		p = slices.Clone(p)
		slices.Reverse(p)
		for _, s := range chains[0] {
			s = s.copy()
			s.Path, s.scope = slices.Concat(s.Path, p), slices.Concat(s.scope, make([][]slot.Name, len(p)))
			kept = append(kept, s)
		}
	}
	return append(kept, steps[i+1:]...), at
}

// under reports whether a step, the path of which is from the inside out, changes
// something at a path or below it.
func (s *Step) under(path []int) bool {
	n := len(s.Path)
	if n < len(path) {
		return false
	}
	for i, k := range path {
		if s.Path[n-1-i] != k {
			return false
		}
	}
	return true
}

// closed reports whether there are no variables in a term, free or bound.
func closed(t *egraph.Tree) bool {
	return len(t.Own)+len(t.Binders) == 0 && !slices.ContainsFunc(t.Kids, func(k *egraph.Tree) bool { return !closed(k) })
}

func sameStep(a, b Step) bool {
	return a.Rule == b.Rule && a.Reason == b.Reason && a.Reverse == b.Reverse && slices.Equal(a.Path, b.Path) &&
		equal(a.From, b.From) && equal(a.To, b.To)
}

// equal reports whether two terms are written in the same way.
func equal(t, u *egraph.Tree) bool {
	return t == u || t.Op == u.Op && slices.Equal(t.Own, u.Own) && slices.Equal(t.Binders, u.Binders) && slices.EqualFunc(t.Kids, u.Kids, equal)
}
