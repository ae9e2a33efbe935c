package stages

import (
	"slices"

	"egad/rules"
	"egad/rules/lint"
)

// Schedules lists the schedules that are run: on the way to a derivative, to look at
// linear maps, to prove programs equal, after other routes to a derivative, and before kernels are made.
var Schedules = []string{"congruent", "segments", "bulk", "simplify", "apply", "transpose", "laws", "equal", "normal", "paths", "sums", "gathered", "crossed", "termwise", "cotangents", "taken_apart", "factored", "distances"}

// RuleUses says how the stages use the rule sets of a library.
func RuleUses(lib *rules.Library) []lint.Use {
	var out []lint.Use
	for _, name := range Schedules {
		s := lib.Schedule(name)
		if s == nil {
			continue
		}
		out = append(out, lint.Use{Sets: s.Sets, Directed: s.Directed})
		if name == "simplify" { // builds and compositions are for the direct path too
			out = append(out, lint.Use{Sets: slices.DeleteFunc(slices.Clone(s.Sets), func(set string) bool { return set == "builds" || set == "compositions" }), Bulk: true})
		}
	}
	return append(out, lint.Use{Sets: []string{"nabla"}, Directed: true})
}
