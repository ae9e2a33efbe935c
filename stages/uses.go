package stages

import (
	"slices"

	"egad/bot"
	"egad/linmap"
	"egad/rules"
	"egad/simplify"
)

// RuleUses says how the stages use the rule sets.
var RuleUses = []rules.Use{
	{Sets: bot.SetNames, Directed: true},
	{Sets: simplify.SetNames},
	// The sets builds and compositions are for the direct path too.
	{Sets: slices.DeleteFunc(slices.Clone(simplify.SetNames), func(s string) bool { return s == "builds" || s == "compositions" }), Bulk: true},
	{Sets: []string{"nabla"}, Directed: true},
	{Sets: linmap.ApplySets, Directed: true},
	{Sets: linmap.TransposeSets, Directed: true},
	{Sets: linmap.LawSets},
}
