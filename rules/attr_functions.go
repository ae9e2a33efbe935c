package rules

// AttrFunction is what a function on attributes is of and makes: the closed list of docs/rules.md.
type AttrFunction struct {
	Args   []Sort
	Result Sort
}

// AttrFunctions are the functions on attributes, by name.
var AttrFunctions = map[string]AttrFunction{
	"take":    {[]Sort{SortInt, SortSizes}, SortSizes},
	"drop":    {[]Sort{SortInt, SortSizes}, SortSizes},
	"permute": {[]Sort{SortPerm, SortSizes}, SortSizes},
	"product": {[]Sort{SortSizes}, SortSize},
	"natural": {[]Sort{SortLit}, SortSize},
	"compose": {[]Sort{SortPerm, SortPerm}, SortPerm},
	"invert":  {[]Sort{SortPerm}, SortPerm},
	"lift":    {[]Sort{SortPerm}, SortPerm},
	"rotate":  {[]Sort{SortInt}, SortPerm},
	"fold":    {[]Sort{SortOp, SortLit, SortLit}, SortLit},
	"fold1":   {[]Sort{SortOp, SortLit}, SortLit},
}
