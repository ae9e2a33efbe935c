package ad

import (
	"errors"

	"egad/internal/raise"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/term"
)

// LocalMaps gives the local linear maps of a term, by the rules of the set nabla: for
// each operand with a real part the map from its change to the change of the term. An
// operand is absent if a change of it has no effect.
func LocalMaps(lib *rules.Library, s *term.Store, t term.Term) (_ map[int]term.Term, err error) {
	defer raise.Caught(&err)
	set, err := derivatives(lib)
	if err != nil {
		return nil, err
	}
	return (&lineariser{set: set, s: s, find: saturate.NewMatcher(match.Terms{Store: s}), found: &locals{}}).rule(t), nil
}

// derivatives is the rule set nabla.
func derivatives(lib *rules.Library) (*rules.Set, error) {
	if set := lib.Set("nabla"); set != nil {
		return set, nil
	}
	return nil, errors.New("there is no rule set nabla")
}
