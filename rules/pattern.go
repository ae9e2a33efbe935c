package rules

import (
	"slices"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Pattern is a term with metavariables.
type Pattern struct {
	Kind PatternKind
	Pos  diag.Pos
	Name string // of a metavariable, a bound variable, an operator variable

	// Of an application:
	Sym     ops.Sym // SymNone if Name is an operator variable
	Attrs   Attrs
	Kids    []Elem
	Binders *BinderList // nil if the operator binds nothing
	// Implicit marks static attributes that were left out: on a left side they
	// match anything, on a right side they follow from the children.
	Implicit bool

	// Of a substitution X[Vars := By]:
	X    *Pattern
	Subs []Binding

	// Of a literal, and of a size used as an integer:
	Value  numeric.Num
	Truth  bool
	Lit    *AttrExpr
	LitFor *TypePat    // fill k @a, zero @a: the type of the literal
	Sort   *types.Type // of a number of a language

	// Of a let (rules that hold by sharing):
	Bound, Body *Pattern

	Meant *MeantOp // of PMeant, with Attrs and Kids
}

// PatternKind tells the forms of a [Pattern] apart.
type PatternKind uint8

// The forms of patterns.
const (
	PMeta      PatternKind = iota // a metavariable
	PElem                         // the element of a list metavariable at the place of a spread
	PIvar                         // a bound variable
	PLetVar                       // a let-bound variable
	PApp                          // an operator applied to children
	PSubst                        // X[i := u] (right sides)
	PNumber                       // a literal number, of any shape
	PTruth                        // true or false, of any shape
	PZero                         // zero
	PLit                          // lit c: any literal, bound to c; or the literal c computes
	PSizeVal                      // a size used as an integer; X is the arithmetic on a left side, nil if it is a size itself
	PSelf                         // the term that the left side matched (right sides)
	PPosition                     // the place in a spread list (right sides)
	PInside                       // inside ix t: the indices ix are in range (right sides)
	PSpread                       // spread sh b: b replicated to shape sh (right sides)
	PRavel                        // ravel sh ix: the linear index of ix in shape sh (right sides)
	PDigits                       // digits k c: the numbers below k, by their last digit below c
	PPreimage                     // preimage i u a: the value of i for which X is a, with i := a in Subs (right sides)
	PMultiples                    // multiples u c: the terms of the sum X that are multiples of c, divided by it (right sides)
	POthers                       // others u c: the other terms (right sides)
	PNth                          // nth n l: an element of a list (right sides)
	PTotal                        // total [t1, …]: their sum, on tuples component by component (right sides)
	PInject                       // inject n @t x: a tuple of zeros but for component n (right sides)
	PPlace                        // place k u x: an array literal of k zeros but for X at u (right sides)
	PLet                          // let x = Bound in Body
	PMeant                        // what an operator of a language with a list or attributes means
)

// Elem is an item of a list of children.
type Elem struct {
	Kind ElemKind
	Pat  *Pattern // of EOne and EMap
	List *ListPat // of ESplice
	Over []string // of EMap: the list metavariables, or the tuple type, it runs over in step
}

// ElemKind tells the forms of an [Elem] apart.
type ElemKind uint8

// The forms of list items.
const (
	EOne    ElemKind = iota // one child
	ESplice                 // the elements of a list of terms
	EMap                    // Pat for each element of the lists in it, in step
	ENone                   // no linear map (in derivative rules)
)

// ListPat is a list of terms: of indices, mostly.
type ListPat struct {
	Kind  ListKind
	Pos   diag.Pos
	Name  string
	Elems []Elem    // of LLit
	Perm  *AttrExpr // of LPermute and LUnpermute
	Sizes *AttrExpr // of LUnravel, and the sizes of LRavel's single element
	Arg   *ListPat  // of the functions
	Index *Pattern  // of LUnravel: the linear index
	Subs  []Binding // of LSubst
}

// ListKind tells the forms of a [ListPat] apart.
type ListKind uint8

// The forms of lists.
const (
	LVar       ListKind = iota // a list metavariable
	LBound                     // the variables of a binder list
	LLit                       // elements, and other lists spliced in
	LPermute                   // permute p l: element i is l[p[i]]
	LUnpermute                 // unpermute p l: element p[i] is l[i]
	LUnravel                   // unravel sh e: the indices of linear index e in shape sh
	LSubst                     // l[i := u]
)

// BinderList is what the function argument of an operator binds.
type BinderList struct {
	Heads []string // single variables in front
	Rest  string   // a list variable for the others, "" if there is none
	State string   // of a loop: the variable after them, of the type of the state
}

// Binding is a substitution of one variable or of a list of them.
type Binding struct {
	Var  string
	List bool
	By   *Pattern // if not List
	ByL  *ListPat // if List
}

// Attrs are patterns or expressions for the static attributes of an operator.
type Attrs struct {
	Sizes   *AttrExpr
	Targets *AttrExpr
	Perm    *AttrExpr
	N       *AttrExpr
	Lit     *AttrExpr // of an operator of a language
	Type    *TypePat
	Type2   *TypePat
}

// matched reports whether all attributes, of an operator of a language, are what a left side can
// have: constants and metavariables, of which one in a list may be of a list.
func (a Attrs) matched() bool {
	matched := func(e *AttrExpr) bool { return e == nil || e.lists(0) <= 1 }
	return a.Targets == nil && a.N == nil && a.Type == nil && a.Type2 == nil && matched(a.Sizes) && matched(a.Perm) && matched(a.Lit)
}

// lists adds how many metavariables for parts of a list there are to n; it is more than one if
// something is computed.
func (a *AttrExpr) lists(n int) int {
	switch {
	case a.Kind == ACons, a.Kind == AFun && a.Name == "++":
		for _, x := range a.Args {
			n = x.lists(n)
		}
	case a.Kind == AVar && a.Sort == SortSizes:
		n++
	case a.Kind != AVar && a.Kind != ASize && a.Kind != AInt && a.Kind != ALit && a.Kind != APerm && a.Kind != ANil:
		n += 2
	}
	return n
}

// Sort is what a metavariable stands for.
type Sort uint8

// The sorts.
const (
	SortNone    Sort = iota
	SortTerm         // a term
	SortTerms        // a list of terms
	SortSize         // a size
	SortSizes        // a list of sizes
	SortPerm         // a permutation
	SortInt          // a natural number
	SortLit          // a literal element
	SortType         // a type
	SortOp           // an operator
	SortIndex        // a bound index variable
	SortIndices      // a list of bound index variables
	SortState        // a bound variable of another type: the state of a loop
)

func (s Sort) String() string {
	return [...]string{"nothing", "a term", "a list of terms", "a size", "a list of sizes", "a permutation",
		"a number", "a literal", "a type", "an operator", "an index variable", "a list of index variables", "the state of a loop"}[s]
}

// Class is a set of operators.
type Class struct {
	Name  string
	Arity int // of the operators, 0 for any
}

// Has reports whether o belongs to the class.
func (c Class) Has(o *ops.Operator) bool {
	if c.Arity != 0 && o.Arity != c.Arity {
		return false
	}
	switch c.Name {
	case "elementwise":
		return o.Elementwise
	case "zero-preserving":
		return o.Elementwise && o.ZeroKeeping
	case "commutative":
		return o.Elementwise && o.Commutative
	case "reduction":
		return o.Reduction
	case "columnwise":
		return o.Columnwise
	case "matrixwise":
		return o.Matrixwise
	case syntax.Linear:
		return o.Map != ops.SymNone
	}
	return false
}

// Includes reports whether all operators of d belong to c.
func (c Class) Includes(d Class) bool {
	return (c.Arity == 0 || c.Arity == d.Arity) && (c.Name == d.Name || c.Name == "elementwise" && (d.Name == "zero-preserving" || d.Name == "commutative"))
}

// IsLiteral reports whether the type of p has to come from its context.
func IsLiteral(p *Pattern) bool {
	switch p.Kind {
	case PNumber, PTruth, PZero, PLit:
		return p.LitFor == nil
	}
	return false
}

// Flatten dissolves literal lists in a list of items.
func Flatten(es []Elem) []Elem {
	splice := func(e Elem) bool { return e.Kind == ESplice && e.List.Kind == LLit }
	if !slices.ContainsFunc(es, splice) {
		return es
	}
	var out []Elem
	for _, e := range es {
		if splice(e) {
			out = append(out, Flatten(e.List.Elems)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// Splice is the children that are those of a list.
func Splice(l *ListPat) []Elem { return []Elem{{Kind: ESplice, List: l}} }

// HasLists reports whether there are lists among children.
func HasLists(es []Elem) bool {
	return slices.ContainsFunc(es, func(e Elem) bool { return e.Kind != EOne })
}

// SolvedFor is the index variable of which a rule makes a preimage, by the metavariable with the given
// name, or "".
func (r *Rule) SolvedFor(name string) string {
	for p := range r.All() {
		if p.Kind == PPreimage && p.X.Name == name {
			return p.Subs[0].Var
		}
	}
	return ""
}
