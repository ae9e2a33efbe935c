package rules

import (
	"egad/term/numeric"
	"egad/term/size"
	"egad/term/types"
)

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

// AttrSortOf is the sort of two attributes that are compared.
func AttrSortOf(as ...*AttrExpr) Sort {
	for _, a := range as {
		switch a.Kind {
		case AVar:
			return a.Sort
		case ASize:
			return SortSize
		case ALit, ALitOf:
			return SortLit
		case AInt:
			return SortInt
		case APerm:
			return SortPerm
		case ACons, ANil, ATermShape:
			return SortSizes
		case ATermLen:
			return a.Sort
		case AFun:
			if a.Name == "len" {
				return a.Sort
			}
			if f, ok := AttrFunctions[a.Name]; ok {
				return f.Result
			}
			if a.Name == "++" {
				return SortSizes
			}
			return AttrSortOf(a.Args...)
		}
	}
	return SortSizes
}

// AttrExpr is a static attribute: a size, a list of sizes, a permutation, a
// number or a literal, possibly computed.
type AttrExpr struct {
	Kind AttrKind
	Name string      // of AVar: the variable; of AFun: the function
	Sort Sort        // of AVar
	Size size.Size   // of ASize: a constant
	Int  int         // of AInt
	Perm []int       // of APerm
	Args []*AttrExpr // operands
	Term *Pattern    // of shape t
	Lit  numeric.Num // of ALit
	List *ListPat    // of len ix
}

// AttrKind tells the forms of an [AttrExpr] apart.
type AttrKind uint8

// The forms of attributes.
const (
	AVar       AttrKind = iota // a variable
	ASize                      // a constant size
	AInt                       // a constant number
	APerm                      // a constant permutation
	ACons                      // Args[0] :: Args[1], a list of sizes
	ANil                       // []
	AFun                       // a function of the closed list: see attrFunctions
	ATermShape                 // shape t
	ATermLen                   // len ix
	ADivisor                   // divisor i t
	APosition                  // the place in a spread list
	ALit                       // a number used as a literal: Lit
	ALitOf                     // a size or number used as a literal: Args[0]
)

// TypePat is a type with metavariables.
type TypePat struct {
	Kind  TypePatKind
	Name  string     // of TypeVar and TypeOfMeta
	Elem  types.Elem // of TypeArray: the element type
	Shape *AttrExpr  // of TypeArray: a list of sizes
	Parts []*TypePat // of TypeTuple and TypeLin
}

// TypePatKind tells the forms of a [TypePat] apart.
type TypePatKind uint8

// The forms of type patterns.
const (
	TypeVar    TypePatKind = iota // a type metavariable
	TypeOfMeta                    // the type of a term metavariable
	TypeOfSelf                    // the type of what the left side matched
	TypeArray
	TypeTuple
	TypeLin
)

// Made is the type of linear maps, or the tuple, that p is of these parts.
func (p *TypePat) Made(parts []*types.Type) *types.Type {
	if p.Kind == TypeLin {
		return types.LinOf(parts[0], parts[1])
	}
	return types.TupleOf(parts...)
}
