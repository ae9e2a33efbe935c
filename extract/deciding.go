package extract

import (
	"slices"

	"egad/internal/slice"
	"egad/rules/saturate"
)

// Deciding lists the assumptions that were not proved and decided what was
// extracted: without the rule, the run is done again and gives another term. If
// that is so without all of these rules only, it is all of them. A run that cannot
// be done again has been decided by none.
func (r *Run) Deciding() []saturate.Assumption {
	if len(r.Assumed) == 0 || r.in == nil {
		return nil
	}
	again := *r
	again.store = r.store.Clone()
	with, _, err := again.repeat()
	if err != nil {
		return nil
	}
	same := func(without ...string) bool {
		again.without = without
		s, _, err := again.repeat()
		return err != nil || s.Result.Root.Equal(with.Result.Root)
	}
	var names []string
	for _, a := range r.Assumed {
		names = slice.With(names, a.Rule)
	}
	if same(names...) {
		return nil
	}
	decided := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return same(n) })
	if len(decided) == 0 {
		decided = names
	}
	return slices.DeleteFunc(slices.Clone(r.Assumed), func(a saturate.Assumption) bool { return !slices.Contains(decided, a.Rule) })
}
